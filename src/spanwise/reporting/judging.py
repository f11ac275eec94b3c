"""Outputs of an assessment that is under way: progress, what was imported, where passages moved."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from spanwise.assessing.importing import Imported
from spanwise.assessing.judgement import Judgement
from spanwise.assessing.log import Key, Log
from spanwise.assessing.moments import seconds_spent
from spanwise.assessing.pools import Pool
from spanwise.assessing.reanchoring import Changed, Moved
from spanwise.assessing.recovery import Recovered, Saved
from spanwise.collection.location_faults import shown_similarity
from spanwise.data.notes import NAMED, Note
from spanwise.errors import option
from spanwise.records import Struct
from spanwise.reporting.output import (
    Column,
    Headline,
    Output,
    Row,
    Rows,
    Table,
    Value,
    versions,
)
from spanwise.reporting.results import Result
from spanwise.text.sentences import counted, on_one_line

PRODUCER = "assess"
_SHOWN = 60
"""Characters of a text in a table."""


class TopicProgress(Struct, frozen=True):
    """How far an assessor is with a topic."""

    assessor: str
    topic: str
    pool: int
    judged: int
    relevant: int
    passages: int
    characters: int
    seconds: float | None
    """The median time of a judged document; None if no time is known."""


def progress_of(log: Log, pool: Pool, assessors: Sequence[str]) -> tuple[TopicProgress, ...]:
    """A row for each assessor and topic, in the order of the pool."""
    spent = seconds_spent(log.events())
    held = {key: history.judgement for key, (_, history) in log.histories().items()}
    return tuple(
        _progress(name, topic.topic, [one.document for one in topic.documents], held, spent)
        for name in assessors
        for topic in pool.topics
    )


def _progress(
    assessor: str,
    topic: str,
    documents: Sequence[str],
    held: Mapping[Key, Judgement],
    spent: Mapping[Key, float],
) -> TopicProgress:
    keys = [Key(assessor, topic, document) for document in documents]
    done = {key: held[key] for key in keys if key in held and held[key].is_finished}
    passages = [each for one in done.values() for each in one.passages if each.grade != 0]
    return TopicProgress(
        assessor,
        topic,
        len(keys),
        len(done),
        sum(one.status == "relevant" for one in done.values()),
        len(passages),
        sum(each.end - each.start for each in passages),
        median(known) if (known := [spent[key] for key in done if key in spent]) else None,
    )


@dataclass(frozen=True, eq=False, repr=False)
class ProgressResult(Result):
    """How far the assessors of a log are."""

    topics: tuple[TopicProgress, ...]

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """A row for each assessor and topic."""
        columns = (
            *(Column("topic", "text", clips=True), Column("assessor", "text")),
            *(Column(name, "count") for name in _COUNTS),
            Column("median time", "text"),
        )
        rows: list[Row] = [
            (row.topic, row.assessor, *_counts(row), _time(row.seconds)) for row in self.topics
        ]
        return Output(
            producer=PRODUCER,
            parts=(
                Headline(self._said()),
                Table("", columns, tuple(rows), _LEGEND),
            ),
            rows=Rows(items=list(map(_row, self.topics))),
            versions=versions(),
        )

    def _said(self) -> str:
        """How many documents are judged; with several assessors, how many each of them judged."""
        judged, pool = Counter[str](), Counter[str]()
        for row in self.topics:
            judged[row.assessor] += row.judged
            pool[row.assessor] += row.pool
        named = [f"{name} {count:,}" for name, count in judged.items()]
        most = max(pool.values(), default=0)
        who = ", ".join(named) if len(named) > 1 else f"{sum(judged.values()):,}"
        return f"{who} of {counted(most, 'document')} judged"


_COUNTS = ("judged", "pool", "relevant", "passages", "characters")
_LEGEND = "passages, characters: highlighted in judged documents; time: of a judged document"


def _counts(row: TopicProgress) -> tuple[int, ...]:
    return tuple(getattr(row, name) for name in _COUNTS)


def _row(row: TopicProgress) -> dict[str, Value]:
    counts = dict(zip(_COUNTS, _counts(row), strict=True))
    return {"topic": row.topic, "assessor": row.assessor, **counts, "seconds": row.seconds}


def _time(seconds: float | None) -> str | None:
    """Minutes and seconds."""
    return None if seconds is None else "{}:{:02}".format(*divmod(round(seconds), 60))


# -- what came in, and what was saved


@dataclass(frozen=True, eq=False, repr=False)
class ImportResult(Result):
    """What was added to a log."""

    imported: Imported

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """One sentence."""
        found = self.imported
        judgements = counted(found.judgements, "judgement")
        what = f"{counted(found.operations, 'operation')} on {judgements}"
        known = f"; {found.known:,} were known already" if found.known else ""
        row: dict[str, Value] = {
            **{"assessor": found.assessor, "operations": found.operations},
            **{"judgements": found.judgements, "known": found.known},
        }
        said = Headline(f"{what} added for {found.assessor}{known}")
        return Output(
            producer=PRODUCER,
            parts=(said,),
            rows=Rows(items=[row]),
            notes=found.notes,
            versions=versions(),
        )


@dataclass(frozen=True, eq=False, repr=False)
class RecoveredResult(Result):
    """What was saved of a damaged log."""

    recovered: Recovered

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """Two sentences."""
        found = self.recovered
        judgements = counted(found.judgements, "judgement")
        row: dict[str, Value] = {
            **{"events": found.events, "lost": found.lost},
            **{"judgements": found.judgements, "cut": found.cut},
            **{"size": found.size, "expected_size": found.expected or None},
            "assessors": ", ".join(one.assessor for one in found.saved),
        }
        people = tuple(map(_saved_cells, found.saved))
        return Output(
            producer=PRODUCER,
            parts=(
                Headline(f"{counted(found.events, 'operation')} of {judgements} saved"),
                " ".join(self._missing()),
                *((Table("", _SAVED, people),) if people else ()),
            ),
            rows=Rows(items=[row]),
            versions=versions(),
        )

    def _missing(self) -> Iterator[str]:
        """What is known to be lost; of what came last, nothing may be left to tell of it."""
        found = self.recovered
        if found.lost:
            early = f", which ends {counted(found.cut, 'judgement')} early" if found.cut else ""
            yield f"At least {counted(found.lost, 'operation')} lost{early}."
        if found.size < found.expected:
            share = math.ceil(100 * (found.expected - found.size) / found.expected)
            yield (
                f"The file has {found.size:,} of the {found.expected:,} bytes that its header"
                f" tells: {share}% is missing, and more may be lost than is known."
            )
        yield "What came last may be missing: compare these counts with what assessors know."


_SAVED = (
    Column("assessor", "text"),
    *(Column(name, "count") for name in ("operations saved", "lost at least")),
    *(Column(name, "count") for name in ("judgements saved", "lost whole")),
)


def _saved_cells(each: Saved) -> Row:
    operations, judgements = (each.events, each.lost), (each.judgements, each.lost_judgements)
    return (each.assessor, *operations, *judgements)


# -- changed documents


@dataclass(frozen=True, eq=False, repr=False)
class ReanchorResult(Result):
    """Where the passages of changed documents are now."""

    changed: tuple[Changed, ...]
    missing: tuple[str, ...]
    """Judged documents that are not in the collection."""
    written: bool

    @property
    def moved(self) -> tuple[Moved, ...]:
        """Every passage and entry point that was looked for."""
        return tuple(m for each in self.changed for one in each.judgements for m in one.moved)

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """A row for each passage and entry point."""
        columns = (
            *(Column("topic", "text", clips=True), Column("document", "text", clips=True)),
            *(Column("assessor", "text"), Column("old range", "text")),
            *(Column("new range", "text"), Column("found", "text")),
            *(Column("text", "text", clips=True), Column("new text", "text", clips=True)),
        )
        table = Table("", columns, tuple(map(_moved_cells, self.moved)))
        return Output(
            producer=PRODUCER,
            parts=(Headline(self._said()), *((table,) if self.moved else ())),
            rows=Rows(items=list(map(_moved_row, self.moved))),
            notes=tuple(self._notes()),
            versions=versions(),
        )

    def _said(self) -> str:
        if not self.changed:
            return "No judged document has changed"
        found = sum(each.place is not None for each in self.moved)
        documents = counted(len(self.changed), "judged document")
        verb = "has" if len(self.changed) == 1 else "have"
        return f"{documents} {verb} changed: {found:,} of {len(self.moved):,} places found"

    def _notes(self) -> Iterator[Note]:
        if self.missing:
            yield Note("judged elsewhere", len(self.missing), names=self.missing[: NAMED + 1])
        judgements = [one for each in self.changed for one in each.judgements]
        opened = sum(one.is_opened for one in judgements)
        if opened:
            yield Note("opened again", opened)
        if self.changed and not self.written:
            words = f"nothing was written; {option('yes', True)} writes it to the log"
            yield Note("remark", detail=words)


def _moved_cells(each: Moved) -> Row:
    row = _moved_row(each)
    similar = f"similar, {shown_similarity(each.similarity)}"
    how = similar if each.how == "similar" else each.how
    old, new = (_range(row[f"{when}start"], row[f"{when}end"]) for when in ("", "new_"))
    if each.what == "entry point":
        old, new = (place and f"entry {place[1:].partition(',')[0]}" for place in (old, new))
    words = _shown(each.text), _shown(each.found) if each.found else None
    return (*(each.key.topic, each.key.document, each.key.assessor), old, new, how, *words)


def _shown(text: str) -> str:
    line = on_one_line(text)
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."


def _range(start: Value, end: Value) -> str | None:
    return None if start is None else f"[{start}, {end})"


def _moved_row(each: Moved) -> dict[str, Value]:
    place = each.place
    return {
        **{"topic": each.key.topic, "document": each.key.document},
        **{"assessor": each.key.assessor, "what": each.what},
        **{"start": each.start, "end": each.end},
        "new_start": None if place is None else place.start,
        "new_end": None if place is None else place.end,
        **{"found": each.how, "similarity": each.similarity, "text": each.text},
        "new_text": each.found or None,
    }

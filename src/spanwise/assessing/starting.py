"""An assessor who begins with what others found: existing assessments as operations of a log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from spanwise.assessing.importing import Imported, pairs_of
from spanwise.assessing.judgement import Judgement
from spanwise.assessing.log import Log
from spanwise.assessing.operations import History, applied, operation_of
from spanwise.assessing.pools import Pool
from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.notes import Note
from spanwise.errors import Fault, InputError
from spanwise.records import Struct

STARTED = "start:"
"""How the ids of these operations begin: nobody made them on a page."""
Sent = Mapping[str, Any]
Range = tuple[int, int, int, tuple[str, ...]]
"""Start, end, grade and aspects."""


def start_from(
    log: Log, assessor: str, assessments: Assessments, pool: Pool, documents: Documents, at: str
) -> Imported:
    """Let an assessor begin with what others found, as operations that can be undone.

    Judgements that were begun before stay as they are.
    """
    pooled, counts, added, judgements = pairs_of(pool), Counter[str](), 0, 0
    graded = _is_graded(assessments)
    with log.together():
        for found in _judged(assessments):
            topic, document = found.topic, found.document
            if (topic, document) not in pooled:
                counts["outside the pool"] += 1
                continue
            if log.state(assessor, topic, document).version:
                counts["already begun"] += 1
                continue
            text = documents.text(document)
            found.require_inside(assessments.file, len(text))
            inside = [point for point in found.points if point < len(text)]
            counts["several entry points"] += len(inside) > 1
            counts["outside entry points"] += len(inside) < len(found.points)
            log.add_document(document, text)
            sent = list(found.operations(len(text), graded=graded))
            name = sha256(f"{topic}\0{document}".encode()).hexdigest()[:16]
            named = [{**each, "id": f"{STARTED}{name}:{n}"} for n, each in enumerate(sent)]
            log.append(assessor, topic, document, 0, named, at)
            added, judgements = added + len(sent), judgements + 1
    notes = tuple(Note(kind, count) for kind, count in counts.items() if count)
    return Imported(assessor, added, judgements, 0, notes)


def judgements_in(
    assessments: Assessments, lengths: Mapping[str, int]
) -> dict[tuple[str, str], Judgement]:
    """What others found, by topic and document, as who begins with it has it."""
    graded, found = _is_graded(assessments), {}
    for each in _judged(assessments):
        length = lengths[each.document]
        each.require_inside(assessments.file, length)
        history = History()
        for operation in each.operations(length, graded=graded):
            history = applied(history, operation_of(operation))
        found[each.topic, each.document] = history.judgement
    return found


def _is_graded(assessments: Assessments) -> bool:
    """Are there grades that say more than relevant or not?"""
    return bool({*assessments.passages.grade.tolist(), *assessments.grade.tolist()} - {0, 1})


class _Found(Struct, frozen=True):
    """What others found in a document."""

    topic: str
    document: str
    ranges: Sequence[Range]
    points: Sequence[int]
    """Best entry points."""
    whole: int | None
    """The grade of the document, if it was judged as a whole."""

    def require_inside(self, file: str, length: int) -> None:
        """Refuse ranges beyond the end, which were marked in another text."""
        for start, end, *_ in self.ranges:
            if end > length:
                found = f"range [{start}, {end}) in document {self.document} of topic {self.topic}"
                expected = f"an end of at most {length}, the length of the document"
                remedy = "give the collection that was assessed"
                raise InputError(Fault(file, None, found, expected, remedy, "range"))

    def operations(self, length: int, *, graded: bool) -> Iterator[Sent]:
        """The operations that make a judgement."""
        everything: list[Range] = [] if self.whole is None else [(0, length, self.whole, ())]
        # Where ranges of several grades overlap, the highest one stays.
        ordered = [*everything, *sorted(self.ranges, key=lambda each: each[2])]
        if all(grade <= 0 for _, _, grade, _ in ordered):
            yield {"kind": "not relevant"}
            return
        for start, end, grade, aspects in ordered:
            label = {"grade": grade} if graded or not grade else {}
            place = {"kind": "highlight", "start": start, "end": end}
            yield {**place, **label, "aspects": list(aspects)}
        inside = [point for point in self.points if point < length]
        yield from ({"kind": "entry", "at": point} for point in inside[:1])
        yield {"kind": "done"}


def _judged(assessments: Assessments) -> Iterator[_Found]:
    """What is said about each pair."""
    passages = assessments.passages
    columns = (passages.pair, passages.start, passages.end, passages.grade)
    ranges: dict[int, list[Range]] = {}
    rows = zip(*(column.tolist() for column in columns), passages.aspects, strict=True)
    for pair, *said in rows:
        ranges.setdefault(pair, []).append((said[0], said[1], said[2], said[3]))
    points = assessments.entry_points.to_lists()
    topics = [assessments.topics[number] for number in assessments.topic.tolist()]
    for pair, document in enumerate(assessments.documents.strings()):
        entries = [point for point, _ in points[pair]]
        whole = int(assessments.grade[pair]) if assessments.whole[pair] else None
        yield _Found(topics[pair], document, ranges.get(pair, []), entries, whole)

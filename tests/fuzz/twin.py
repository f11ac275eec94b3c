"""Evaluate a file through the command line and by the twins; the two must agree.

The reading twin says what the files hold, the scoring twin (``tests/oracles``) what that is worth.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cases import OUTSIDE, Batch, Judged, Row, Topic, Trees, case_of, has_relevant
from fuzz.contract import Problem, problems_of, rows_of
from fuzz.invocations import Ended, Invocation, run
from fuzz.slow_cells import Doubtful, Refused
from fuzz.slow_files import SlowAssessments, SlowRuns, slow_assessments, slow_runs
from oracles.slow import MissingError, NothingToGainError, UndefinedError, score
from spanwise.data.run import Extent, Order
from spanwise.records import replace

NEAR = 1e-9
_LARGEST = 5000
"""The twin looks at every character: what is longer is left to the contract."""
COLUMNS = ("element", "entry-points", "fol", "msmarco", "trec")
_BEYOND, _TWICE = "an answer beyond the document", "a document twice in a topic"

Scores = dict[tuple[str, str, str], float]
"""Run, measure and topic."""


@dataclass(frozen=True)
class Twin:
    """How the files of an invocation are to be read, and what the documents are."""

    assessments: str
    """The path of the assessments: a file, or a folder."""
    run: str
    assessments_format: str
    run_format: str
    measures: tuple[str, ...]
    documents: Batch | None = None
    """Texts and trees of the collection, if one is given."""
    overlap: str = "union"
    results: int | None = None
    missing: str = "zero"
    order: Order | None = None
    certain: bool = True
    """Are the formats named? Otherwise a broken first line may pass for another format."""

    def arguments(self) -> list[str]:
        """The words of the command line."""
        words = ["evaluate", self.assessments, self.run, "-q", "-o", "jsonl"]
        for measure in self.measures:
            words += ["-m", measure]
        if self.certain:
            words += ["--assessments-format", self.assessments_format]
            words += ["--run-format", self.run_format]
        words += ["--overlap", self.overlap] if self.overlap != "union" else []
        words += ["--results", str(self.results)] if self.results is not None else []
        words += ["--missing", self.missing] if self.missing != "zero" else []
        return words + (["--order", self.order] if self.order is not None else [])

    def __call__(self, invocation: Invocation) -> list[Problem]:
        """Run the command and compare."""
        ended = run(invocation)
        broken = problems_of(invocation, ended)
        return broken or list(self._compared(invocation, ended))

    def _compared(self, invocation: Invocation, ended: Ended) -> Iterator[Problem]:
        try:
            expected = self.scores(invocation.files)
        except Doubtful:
            return
        except Refused as why:
            # What --results cuts off is not looked at.
            ignored = self.results is not None and str(why) in (_BEYOND, _TWICE)
            if ended.code == 0 and self.certain and not ignored:
                yield Problem(f"accepted in silence: {why}", _shown(ended))
            return
        if ended.code != 0:
            # A length may be needed of an answer beyond the cut-off, which the twin ignores.
            if "but not known" not in ended.message:
                yield Problem("refused although it is right", _shown(ended))
            return
        yield from differences(expected, ended.out)

    def scores(self, files: Mapping[str, bytes]) -> Scores:
        """What the twins say."""
        self._refuse_doubtful_columns(files)
        judged = slow_assessments(self.assessments_format, self._assessments_in(files))
        runs = slow_runs(self.run_format, files[self.run])
        found: Scores = {}
        for name, topics in runs.runs.items():
            batch = self._batch(judged, runs, topics)
            found |= {(name, *key): value for key, value in self._scored(batch)}
        if not found:
            raise Doubtful("nothing has a score")
        return found

    def _refuse_doubtful_columns(self, files: Mapping[str, bytes]) -> None:
        """A file of columns whose first topic is named like the beginning of JSON or XML."""
        kinds = ((self.run, self.run_format), (self.assessments, self.assessments_format))
        for name, kind in kinds:
            starts = files.get(name, b"").lstrip()[:1]
            if not self.certain and kind in COLUMNS and starts in (b"{", b"[", b"<"):
                raise Doubtful("columns that begin like JSON or XML")

    def _assessments_in(self, files: Mapping[str, bytes]) -> dict[str, bytes]:
        folder = f"{self.assessments}/"
        return {n: c for n, c in files.items() if n == self.assessments or n.startswith(folder)}

    # -- one run

    def _batch(
        self, judged: SlowAssessments, runs: SlowRuns, topics: Mapping[str, list[Row]]
    ) -> Batch:
        texts = _texts(judged, self.documents)
        trees = Trees() if self.documents is None else self.documents.trees
        _refuse_doubtful_guards(judged, topics, texts)
        _refuse_doubtful_rows(topics, judged, texts, trees)
        by_elements = self.assessments_format == "inex"
        for documents in judged.topics.values():
            for document, each in documents.items():
                _check_judged(document, each, texts, trees, elements=by_elements)
        found = {}
        for topic, documents in judged.topics.items():
            if topic not in topics and self.missing == "skip":
                continue
            if all(each.grade <= 0 for each in documents.values()):
                continue
            rows = [_placed(row, texts, trees) for row in topics.get(topic, [])]
            if runs.each_document_once:
                _refuse_repetitions(rows)
            found[topic] = Topic(rows, documents)
        batch = Batch(texts, found, self.order or runs.order, trees=trees)
        if not has_relevant(batch):
            raise Doubtful("nothing is relevant")
        return batch

    def _scored(self, batch: Batch) -> Iterator[tuple[tuple[str, str], float]]:
        for measure in self.measures:
            values = []
            for topic in batch.topics:
                case = case_of(batch, topic, self.overlap)
                if self.results is not None:
                    case.answers = case.answers[: self.results]
                try:
                    values.append((topic, score(measure, case)))
                except (NothingToGainError, UndefinedError):
                    continue
                except MissingError:
                    raise Doubtful("a length that is needed") from None
            if not values:
                raise Doubtful("a measure without values")
            yield from (((measure, topic), value) for topic, value in values)
            mean = math.fsum(value for _, value in values) / len(values)
            yield (measure, "all"), mean


def _shown(ended: Ended) -> str:
    return f"{ended.message[:1500]}\n{ended.out[:1500].decode('utf-8', 'replace')}"


def _texts(judged: SlowAssessments, documents: Batch | None) -> dict[str, str]:
    """The documents of the collection, or of those lengths that are known."""
    if not judged.marked.fits({} if documents is None else documents.texts):
        raise Doubtful("annotations that quote another text")
    if max(judged.lengths.values(), default=0) > _LARGEST:
        raise Doubtful("a long document")
    if documents is None:
        known = judged.lengths or {OUTSIDE: 1}
        return {name: "x" * length for name, length in known.items()}
    for name, length in judged.lengths.items():
        if len(documents.texts.get(name, "")) != length:
            raise Doubtful("a length that the collection contradicts")
    return documents.texts


def _refuse_doubtful_guards(
    judged: SlowAssessments, topics: Mapping[str, list[Row]], texts: Mapping[str, str]
) -> None:
    """Runs that have nothing in common with the assessments may be refused."""
    known = {document for documents in judged.topics.values() for document in documents} | {*texts}
    rows = [row for found in topics.values() for row in found]
    if not judged.topics.keys() & topics.keys() or not any(row.document in known for row in rows):
        raise Doubtful("nothing in common")


def _refuse_doubtful_rows(
    topics: Mapping[str, list[Row]], judged: SlowAssessments, texts: Mapping[str, str], trees: Trees
) -> None:
    """Topics without anything relevant are left out; a reader may look at their answers or not."""
    for topic, rows in topics.items():
        relevant = any(each.grade > 0 for each in judged.topics.get(topic, {}).values())
        if not relevant and any(_is_faulty(row, texts, trees) for row in rows):
            raise Doubtful("a fault in a topic that is left out")


def _is_faulty(row: Row, texts: Mapping[str, str], trees: Trees) -> bool:
    try:
        _placed(row, texts, trees)
    except (Refused, Doubtful):
        return True
    return False


def _refuse_repetitions(rows: list[Row]) -> None:
    """In a TREC run each document of a topic comes once."""
    if len({row.document for row in rows}) < len(rows):
        raise Refused(_TWICE)


def _is_beyond(row: Row, texts: Mapping[str, str]) -> bool:
    reach = row.start + 1 if _is_point(row) else row.end
    return row.document in texts and reach > len(texts[row.document])


def _placed(row: Row, texts: Mapping[str, str], trees: Trees) -> Row:
    """The row with the range of its element."""
    if row.document not in texts and row.extent == Extent.ELEMENT:
        raise Doubtful("an element of an unknown document")
    if row.extent == Extent.ELEMENT:
        line = trees.named(row.document).get(row.path or "") if trees.roots else None
        if line is None:
            raise Doubtful("an unknown element")
        return replace(row, start=line[-1].start, end=line[-1].end)
    if _is_beyond(row, texts):
        raise Refused(_BEYOND)
    if row.end > _LARGEST or row.start > _LARGEST:
        raise Doubtful("a long answer")
    # The twin has no points: what is asked of them is where they begin.
    return replace(row, end=row.start + 1, extent=Extent.RANGE) if _is_point(row) else row


def _is_point(row: Row) -> bool:
    return row.extent == Extent.POINT


def _check_judged(
    document: str, judged: Judged, texts: Mapping[str, str], trees: Trees, *, elements: bool
) -> None:
    if any(end > _LARGEST for _, end, _ in judged.ranges):
        raise Doubtful("a long range")
    length = len(texts[document]) if document in texts else None
    if length is not None and any(end > length for _, end, _ in judged.ranges):
        raise Refused("a relevant range beyond the document")
    if judged.elements:
        by_elements = any(grades > (0, 0) for grades in judged.elements.values())
        by_text = (judged.whole or 0) > 0 or any(grade > 0 for _, _, grade in judged.ranges)
        if by_elements and not elements and not by_text:
            raise Doubtful("only elements are judged")
        # Without trees nothing but measures of elements would look at them.
        named = trees.named(document) if document in trees.roots else {}
        if trees.roots and not judged.elements.keys() <= named.keys():
            raise Doubtful("an unknown element is judged")


def differences(expected: Scores, out: bytes) -> Iterator[Problem]:
    """Rows of the output that the twin does not have, has besides, or has with another value."""
    found = {(row["run"], row["measure"], row["topic"]): row["value"] for row in rows_of(out)}
    for key in sorted(expected.keys() ^ found.keys()):
        which = "missing" if key in expected else "more than the twin has"
        yield Problem(
            f"a score is {which}: {_word(key[1])}", f"{key}: {expected.get(key)} {found.get(key)}"
        )
    for key, value in expected.items():
        if key in found and abs(found[key] - value) > NEAR * max(1.0, abs(value)):
            yield Problem(
                f"{_word(key[1])} differs from the twin", f"{key}: {found[key]}, twin {value}"
            )


def _word(measure: str) -> str:
    """A measure without its parameters: one defect shows with many."""
    return re.split("[(@]", measure)[0]

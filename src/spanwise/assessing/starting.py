"""An assessor who begins with what others found: existing assessments as operations of a log."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np

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
from spanwise.text.sentences import counted

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
    require_text(assessments)
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
            if not text and (found.whole or 0) > 0:
                raise _empty(assessments.file, topic, document)
            inside = [point for point in found.points if point < len(text)]
            counts["several entry points"] += len(inside) > 1
            counts["outside entry points"] += len(inside) < len(found.points)
            log.add_document(document, text)
            sent = list(found.operations(len(text), graded=graded))
            name = sha256(f"{topic}\0{document}".encode()).hexdigest()[:16]
            named = [{**each, "id": f"{STARTED}{name}:{n}"} for n, each in enumerate(sent)]
            begun = log.append(assessor, topic, document, 0, named, at).judgement
            counts["entry points without text"] += bool(inside) and not begun.is_finished
            counts["entry points that are not relevant"] += (
                bool(inside) and begun.status == "not relevant"
            )
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
        """The operations that make a judgement; one of entry points alone stays open."""
        without = self.whole is None or not length
        everything: list[Range] = [] if without else [(0, length, self.whole or 0, ())]
        labelled = list(_labelled([*everything, *self.ranges]))
        points = [point for point in self.points if point < length]
        is_relevant = any(grade > 0 for _, _, grade, _ in labelled)
        if not is_relevant and (labelled or not points):
            yield {"kind": "not relevant"}
            return
        for start, end, grade, aspects in labelled:
            label = {"grade": grade} if graded or not grade else {}
            place = {"kind": "highlight", "start": start, "end": end}
            yield {**place, **label, "aspects": list(aspects)}
        yield from ({"kind": "entry", "at": point} for point in points[:1])
        if is_relevant:
            yield {"kind": "done"}


def require_text(assessments: Assessments) -> None:
    """Refuse documents of which only elements are judged: which text is relevant is not known."""
    bare = np.flatnonzero(assessments.without_text)
    if not len(bare):
        return
    first = int(bare[0])
    topic = assessments.topics[int(assessments.topic[first])]
    count = f" ({counted(len(bare), 'judgement')} in all)" if len(bare) > 1 else ""
    found = f"only elements judged in document {assessments.documents[first]} of topic {topic}"
    expected = "relevant ranges or whole documents, since assessors judge text"
    remedy = "give assessments of passages"
    raise InputError(Fault(assessments.file, None, f"{found}{count}", expected, remedy))


def _empty(file: str, topic: str, document: str) -> InputError:
    found = f"document {document} of topic {topic}, which is empty, relevant as a whole"
    remedy = "give the collection that was assessed"
    return InputError(Fault(file, None, found, "text in it", remedy))


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


def _labelled(ranges: Sequence[Range]) -> Iterator[Range]:
    """Disjoint ranges: where several overlap, the highest grade holds, and all of their aspects."""
    edges = defaultdict[int, list[int]](list)
    for number, (start, end, *_) in enumerate(ranges):
        edges[start].append(number)
        edges[end].append(number)
    inside, last = set[int](), None
    for start, end in pairwise(sorted(edges)):
        inside.symmetric_difference_update(edges[start])
        if not inside:
            continue
        grade, aspects = _label([ranges[number] for number in inside])
        if last is not None and last[1:] == (start, grade, aspects):
            start = last[0]
        elif last is not None:
            yield last
        last = (start, end, grade, aspects)
    if last is not None:
        yield last


def _label(ranges: Sequence[Range]) -> tuple[int, tuple[str, ...]]:
    """The grade and the aspects of text that all of these ranges hold."""
    grade = max(0, *(grade for _, _, grade, _ in ranges))
    relevant = [aspects for _, _, own, aspects in ranges if own > 0 or not grade]
    return grade, tuple(sorted({each for aspects in relevant for each in aspects}))

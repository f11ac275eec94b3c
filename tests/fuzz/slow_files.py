"""The reading twin: files as topics with answers and judgements, read slowly from formats.md.

It shares no code with the product. With the scoring twin it says what a mutated file is worth.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree

from cases import Judged, Row
from fuzz.slow_annotations import Marked, slow_marks
from fuzz.slow_cells import Doubtful, Refused, bounded, column_lines, decimal, name, path, whole
from fuzz.slow_rows import Record, number, records, score, span, text
from fuzz.written import ROW_FORMATS, RUN
from fuzz.written_annotations import ANNOTATION_FORMATS
from spanwise.data.run import Extent, Order

Runs = dict[str, dict[str, list[Row]]]
"""Run, topic, answers in the order of the file."""


@dataclass
class SlowRuns:
    """The runs of a file."""

    order: Order
    runs: Runs = field(default_factory=dict)
    each_document_once: bool = False
    """A format of whole documents: one that comes again in a topic is refused."""

    def add(self, run: str, topic: str, row: Row) -> None:
        self.runs.setdefault(run, {}).setdefault(topic, []).append(row)


@dataclass
class SlowAssessments:
    """What a file says about topics and documents."""

    topics: dict[str, dict[str, Judged]] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)
    marked: Marked = field(default_factory=Marked)
    """What files of annotation tools have besides: texts, and quotes."""

    def pair(self, topic: str, document: str) -> Judged:
        return self.topics.setdefault(topic, {}).setdefault(document, Judged())

    def add_length(self, document: str, length: int) -> None:
        if length < 1:
            raise Doubtful("an empty document")
        if self.lengths.setdefault(document, length) != length:
            raise Refused("two lengths of one document")


# -- runs


def slow_runs(format: str, data: bytes) -> SlowRuns:
    """The runs of a file in a format."""
    data = _unpacked(data)
    if format in ROW_FORMATS:
        return _run_of_rows(records(format, data))
    readers: dict[str, Callable[[bytes], SlowRuns]] = {
        "trec": _trec_run,
        "fol": lambda data: _ranked_columns(data, 8, _fol_place),
        "element": lambda data: _ranked_columns(data, 7, _element_place),
        "entry-points": lambda data: _ranked_columns(data, 7, _point_place),
        "inex": _submission,
        "msmarco": _msmarco_run,
    }
    return readers[format](data)


def _unpacked(data: bytes) -> bytes:
    import zstandard

    try:
        if data.startswith(b"\x1f\x8b"):
            return gzip.decompress(data)
        if data.startswith(b"\x28\xb5\x2f\xfd"):
            return zstandard.ZstdDecompressor().decompress(data, max_output_size=1 << 24)
    except (OSError, EOFError, zlib.error, zstandard.ZstdError):
        raise Refused("damaged compression") from None
    return data


def _trec_run(data: bytes) -> SlowRuns:
    found = SlowRuns("score, then document", each_document_once=True)
    for fields in column_lines(data):
        if len(fields) != 6:
            raise Refused("a TREC line of other than 6 columns")
        topic, document, run = name(fields[0]), name(fields[2]), name(fields[5])
        row = Row(document, extent=Extent.WHOLE, score=decimal(fields[4]))  # the rank is ignored
        found.add(run, topic, row)
    return found


def _msmarco_run(data: bytes) -> SlowRuns:
    found = SlowRuns("rank", each_document_once=True)
    ranks: dict[str, list[int]] = {}
    for fields in column_lines(data):
        if len(fields) != 3:
            raise Refused("an MS MARCO line of other than 3 columns")
        rank = whole(fields[2])
        if rank < 0:
            raise Doubtful("a negative rank, which is not recognised")
        ranks.setdefault(fields[0], []).append(rank)
        found.add(RUN, name(fields[0]), Row(name(fields[1]), extent=Extent.WHOLE, rank=rank))
    first = next(iter(ranks.values()), [1])
    if 1 not in first or 0 in first or len({*first}) < len(first):
        raise Doubtful("ranks that may be scores")
    return found


def _ranked_columns(data: bytes, columns: int, place: Callable[[list[str]], Row]) -> SlowRuns:
    found = SlowRuns("file")
    for fields in column_lines(data):
        if len(fields) != columns:
            raise Refused(f"a line of other than {columns} columns")
        row = place(fields)
        row.rank, row.score = whole(fields[3]), decimal(fields[4])
        found.add(name(fields[5]), name(fields[0]), row)
    return found


def _fol_place(fields: list[str]) -> Row:
    offset, length = whole(fields[6]), whole(fields[7])
    if offset < 0 or length < 1:
        raise Refused("a negative offset or an empty range")
    return Row(name(fields[2]), offset, bounded(offset + length))


def _element_place(fields: list[str]) -> Row:
    return Row(name(fields[2]), extent=Extent.ELEMENT, path=path(fields[6]))


def _point_place(fields: list[str]) -> Row:
    if fields[1] not in ("Q0", "q0"):
        raise Doubtful("entry points without Q0, which are not recognised")
    offset = whole(fields[6])
    if offset < 0:
        raise Refused("a negative entry point")
    return Row(name(fields[2]), offset, offset, Extent.POINT)


def _run_of_rows(rows: list[Record]) -> SlowRuns:
    for key in ("rank", "score"):
        having = sum(key in row for row in rows)
        if 0 < having < len(rows):
            raise Doubtful(f"{key} in some rows")
    ranked, scored = ("rank" in row for row in rows), ("score" in row for row in rows)
    found = SlowRuns("rank" if any(ranked) else "score" if any(scored) else "file")
    for row in rows:
        if {"grade", "bep", "exhaustivity", "specificity"} & row.keys():
            raise Doubtful("fields of assessments in a run")
        topic, run = text(row, "topic"), text(row, "run") or RUN
        if topic is None:
            raise Refused("a row without topic")
        answer = _answer(row)
        answer.rank, answer.score = number(row, "rank") or 0, score(row) or 0.0
        found.add(run, topic, answer)
    return found


def _answer(row: Record) -> Row:
    document, place = text(row, "document"), span(row)
    if document is None:
        raise Refused("a row without document")
    if "path" in row:
        return _named_element(row, document, place)
    parts = row.get("parts")
    if parts not in (None, True, False, "false", "true"):
        raise Doubtful("parts")
    if place is not None and parts in (False, "false"):
        raise Refused("a range and parts false")
    if place is not None:
        return Row(document, *place)
    if "length" in row:
        raise Doubtful("a length without a start")
    return Row(document, extent=Extent.NOTHING if parts in (False, "false") else Extent.WHOLE)


def _named_element(row: Record, document: str, place: tuple[int, int] | None) -> Row:
    if place is not None:
        raise Refused("a path and a range")
    if "parts" in row or "length" in row:
        raise Doubtful("a path and parts")
    return Row(document, extent=Extent.ELEMENT, path=path(row["path"]))


def _submission(data: bytes) -> SlowRuns:
    root = _xml(data)
    if root.tag != "inex-submission":
        raise Refused("another root than inex-submission")
    results = list(root.iter("result"))
    ranked = [result.find("rank") is not None for result in results]
    scored = [result.find("rsv") is not None for result in results]
    found = SlowRuns("rank" if ranked and all(ranked) else "score" if all(scored) else "file")
    for topic in root:
        if topic.tag != "topic" or any(result.tag != "result" for result in topic):
            raise Doubtful("other elements")
        asked = name(topic.get("topic-id", ""))
        for result in topic:
            found.add(name(root.get("run-id", RUN)), asked, _result(result))
    if len({topic.get("topic-id") for topic in root}) < len(root):
        raise Doubtful("a topic twice")
    return found


def _result(result: ElementTree.Element) -> Row:
    parts = {part.tag: part for part in result}
    if len(parts) < len(result) or not parts.keys() <= {"file", "path", "fol", "rank", "rsv"}:
        raise Doubtful("parts of a result")
    if ("path" in parts) == ("fol" in parts) or "file" not in parts:
        raise Refused("a result without file, or without one of path and fol")
    document = name(parts["file"].text or "")
    if "fol" in parts:
        offset = whole(parts["fol"].get("offset", ""))
        length = whole(parts["fol"].get("length", ""))
        if offset < 0 or length < 1:
            raise Refused("a negative offset or an empty range")
        row = Row(document, offset, bounded(offset + length))
    else:
        row = Row(document, extent=Extent.ELEMENT, path=path(parts["path"].text or ""))
    row.rank = whole(parts["rank"].text or "") if "rank" in parts else 0
    row.score = decimal(parts["rsv"].text or "") if "rsv" in parts else 0.0
    return row


def _xml(data: bytes) -> ElementTree.Element:
    if b"<!" in data or b"<?" in data:
        raise Doubtful("a prolog, a comment or CDATA")
    try:
        return ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError):
        if max(data, default=0) >= 0xF0:
            # This parser knows names by an older edition of XML, without such characters.
            raise Doubtful("characters beyond the basic plane") from None
        raise Refused("XML that is not well-formed") from None


# -- assessments


def slow_assessments(format: str, files: Mapping[str, bytes]) -> SlowAssessments:
    """The judgements of a file, or of a folder of files."""
    found = SlowAssessments()
    if format in ANNOTATION_FORMATS:
        _judge_marks(found, slow_marks(format, {n: _unpacked(data) for n, data in files.items()}))
        files = {}
    for data in map(_unpacked, files.values()):
        if format in ROW_FORMATS:
            _judge_rows(found, records(format, data))
        else:
            {"trec": _judge_trec, "fol": _judge_fol, "inex": _judge_xml}[format](found, data)
    _refuse_contradictions(found)
    return found


def _judge_marks(found: SlowAssessments, marked: Marked) -> None:
    found.marked = marked
    for document, own in marked.texts.items():
        found.add_length(document, len(own))
    for mark in marked.marks:
        pair = found.pair(mark.topic, mark.document)
        pair.ranges += [(*span, 1) for span in mark.spans]
        if not mark.spans:
            _grade(pair, 1)


def _judge_trec(found: SlowAssessments, data: bytes) -> None:
    for fields in column_lines(data):
        if len(fields) != 4:
            raise Refused("a TREC judgement of other than 4 columns")
        _grade(found.pair(name(fields[0]), name(fields[2])), whole(fields[3]))


def _grade(pair: Judged, grade: int) -> None:
    if pair.whole not in (None, grade):
        raise Refused("two grades of one document")
    pair.whole = grade


def _judge_fol(found: SlowAssessments, data: bytes) -> None:
    seen: dict[tuple[str, str], list[str]] = {}
    for fields in column_lines(data):
        if len(fields) < 5:
            raise Refused("a FOL judgement of less than 5 columns")
        if fields[1] != "Q0":
            raise Doubtful("a second column that is not Q0")
        topic, document = name(fields[0]), name(fields[2])
        relevant, size = whole(fields[3]), whole(fields[4])
        ranges = [_fol_range(cell) for cell in fields[6:]]
        if relevant != len({c for start, end in ranges for c in range(start, end)}):
            raise Refused("an rsize that is not the size of the ranges")
        if seen.setdefault((topic, document), fields) != fields:
            raise Refused("two lines of one document")
        found.add_length(document, size)
        pair = found.pair(topic, document)
        pair.ranges = [(start, end, 1) for start, end in ranges]
        pair.whole = None if ranges else 0
        _fol_entry_point(pair, fields)


def _fol_entry_point(pair: Judged, fields: list[str]) -> None:
    point = whole(fields[5]) if len(fields) > 5 else -1
    if point < -1 or (not pair.ranges and len(fields) > 5):
        raise Doubtful("an entry point")
    pair.points = [] if point == -1 else [point]


def _fol_range(cell: str) -> tuple[int, int]:
    offset, colon, length = cell.partition(":")
    if not colon:
        raise Refused("a range without a colon")
    start, size = whole(offset), whole(length)
    if start < 0 or size < 0:
        raise Refused("a negative range")
    if size == 0 or size > 100_000:
        raise Doubtful("an empty or very long range")
    return start, start + size


def _judge_rows(found: SlowAssessments, rows: list[Record]) -> None:
    for row in rows:
        if {"score", "rank", "run", "parts"} & row.keys():
            raise Doubtful("fields of runs in assessments")
        document, topic = text(row, "document"), text(row, "topic")
        if document is None:
            raise Refused("a row without document")
        if topic is None:
            length = number(row, "length")
            if length is None:
                raise Refused("a row without topic")
            if len(row) > 2:
                raise Doubtful("more in a document row")
            found.add_length(document, length)
        else:
            _judge_row(found.pair(topic, document), row)


def _judge_row(pair: Judged, row: Record) -> None:
    place, grade, point = span(row), number(row, "grade"), number(row, "bep")
    if "path" in row:
        _judge_element(pair, row)
        return
    if {"exhaustivity", "specificity"} & row.keys() or ("length" in row and place is None):
        raise Doubtful("grades of elements without a path, or a length")
    if place is not None:
        if place[1] > 100_000:
            raise Doubtful("a very long range")
        pair.ranges.append((*place, 1 if grade is None else grade))
    elif grade is not None:
        _grade(pair, grade)
    elif point is None:
        raise Refused("a row that says nothing")
    if point is not None:
        if point < 0:
            raise Doubtful("a negative entry point")
        pair.points.append(point)


def _judge_element(pair: Judged, row: Record) -> None:
    grades = number(row, "exhaustivity"), number(row, "specificity")
    if len(row) != 5 or None in grades:
        raise Doubtful("an element with other fields")
    _graded_element(pair, path(row["path"]), grades[0] or 0, grades[1] or 0)


def _graded_element(pair: Judged, place: str, exhaustivity: int, specificity: int) -> None:
    grades = exhaustivity, specificity
    if not all(0 <= grade <= 3 for grade in grades) or (0 in grades and grades != (0, 0)):
        raise Doubtful("grades of an element")
    if pair.elements.setdefault(place, grades) != grades:
        raise Doubtful("two grades of one element")


def _judge_xml(found: SlowAssessments, data: bytes) -> None:
    root = _xml(data)
    if root.tag != "assessments" or not root.get("topic"):
        raise Refused("another root than assessments, or no topic")
    for file in root:
        pair = found.pair(name(root.get("topic")), name(file.get("file", "")))
        if file.tag != "file" or any(each.tag != "path" for each in file) or pair != Judged():
            raise Doubtful("other elements")
        for element in file:
            grades = (element.get("exhaustiveness", ""), element.get("specificity", ""))
            _graded_element(pair, path(element.get("path", "")), *map(whole, grades))
        pair.whole = None if len(file) else 0


def _refuse_contradictions(found: SlowAssessments) -> None:
    for documents in found.topics.values():
        for document, judged in documents.items():
            refused = judged.whole is not None and judged.whole <= 0
            if refused and any(grade > 0 for _, _, grade in judged.ranges):
                raise Refused("judged not relevant, with relevant ranges")
            if refused and judged.elements:
                raise Doubtful("judged not relevant, with graded elements")
            length = found.lengths.get(document)
            if length is not None and any(end > length for _, end, _ in judged.ranges):
                raise Refused("a range beyond the document")
            if length is not None and any(point > length for point in judged.points):
                raise Doubtful("an entry point beyond the document")

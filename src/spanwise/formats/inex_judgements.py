"""Writing INEX assessments in XML: points of passages, entry points, and highlighted elements.

What holds a topic's file is what ``inex_assessments.py`` reads. Ranges of characters have to be
places in trees already (``collection/tree_points.py``); others are lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import BinaryIO

from spanwise.data.assessments import Assessments
from spanwise.data.grades import TOO_SMALL, UNKNOWN, Pointed
from spanwise.data.notes import Note
from spanwise.errors import OutputError
from spanwise.formats.field_values import TOO_SMALL_MARK
from spanwise.formats.file_names import several_files
from spanwise.formats.inex_assessments import ASSESSMENTS_TITLE, FILE, ROOT
from spanwise.formats.range_writing import GIVE_COLLECTION, counted_loss
from spanwise.formats.xml_files import written_attribute


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[Note]:
    """The judgements of one topic."""
    if len(assessments.topics) > 1:
        raise several_files(ASSESSMENTS_TITLE, "topic", len(assessments.topics))
    if not assessments.topics:
        raise OutputError(f"no topic is judged, and {ASSESSMENTS_TITLE} are about one; write jsonl")
    files = _Files(assessments)
    for topic in assessments.topics:
        about = 'version="2" whitespace-text-node="keep"'
        stream.write(f"<{ROOT} topic={written_attribute('topic', topic)} {about}>\n".encode())
        for line in files.lines():
            stream.write(f"{line}\n".encode())
        stream.write(f"</{ROOT}>\n".encode())
    return list(files.lost())


class _Files:
    """The documents of a topic, each with what is said of it."""

    def __init__(self, assessments: Assessments) -> None:
        self.assessments = assessments
        self.elements = defaultdict[int, list[str]](list)
        self.pointed = defaultdict[str, list[Pointed]](list)
        for each in assessments.pointed:
            self.pointed[each.document].append(each)
        judged = assessments.elements
        for row, (pair, path) in enumerate(
            zip(judged.pair.tolist(), judged.paths.strings(), strict=True)
        ):
            self.elements[pair].append(_element(path, *judged.said(row)))

    def lines(self) -> Iterator[str]:
        """The documents; one of which nothing is said was judged not relevant."""
        relevant = self.assessments.is_relevant.tolist()
        for pair, document in enumerate(self.assessments.documents.strings()):
            name = written_attribute("document", document)
            said = [*map(_place, self.pointed[document]), *self.elements[pair]]
            if said:
                yield f" <{FILE} name={name}>"
                yield from (f"  {each}" for each in said)
                yield f" </{FILE}>"
            elif not relevant[pair]:
                yield f" <{FILE} name={name}/>"

    def lost(self) -> Iterator[Note]:
        """What is neither a place in a tree nor a judgement of an element."""
        judged, passages = self.assessments, self.assessments.passages
        documents = judged.documents.strings()
        said = [
            bool(self.pointed[name] or self.elements[pair]) for pair, name in enumerate(documents)
        ]
        ranges = int((passages.grade > 0).sum())
        whole = int(judged.whole.sum())
        what = "ranges that are not known as places in trees"
        yield from counted_loss(what, ranges, GIVE_COLLECTION)
        yield from counted_loss("documents relevant as a whole", whole, GIVE_COLLECTION)
        lost = {
            "ranges judged not relevant": int((passages.grade <= 0).sum()),
            "grades other than relevant or not": self._other_grades(said),
            "aspects of ranges": sum(map(len, passages.aspects)),
            "sha256 of documents": len(judged.hashes),
        }
        for name, count in lost.items():
            yield from counted_loss(name, count)
        points = len(judged.entry_point)
        yield from counted_loss("entry points without places in trees", points, GIVE_COLLECTION)

    def _other_grades(self, said: list[bool]) -> int:
        grades = self.assessments.grade.tolist()
        return sum(grade not in (0, 1) for grade, held in zip(grades, said, strict=True) if held)


def _place(pointed: Pointed) -> str:
    start = written_attribute("place", pointed.start)
    if pointed.end is None:
        return f"<best-entry-point path={start}/>"
    end = written_attribute("place", pointed.end)
    size = "" if pointed.size == UNKNOWN else f' size="{pointed.size}"'
    return f"<passage start={start} end={end}{size}/>"


def _element(path: str, exhaustivity: int, specificity: int, size: int, relevant: int) -> str:
    """An element with two grades (2004), or with sizes."""
    named = f"path={written_attribute('path', path)}"
    if specificity != UNKNOWN:
        return f'<path {named} exhaustiveness="{exhaustivity}" specificity="{specificity}"/>'
    mark = TOO_SMALL_MARK if exhaustivity == TOO_SMALL else str(exhaustivity)
    graded = "" if exhaustivity == UNKNOWN else f' exhaustivity="{mark}"'
    return f'<element {named}{graded} size="{size}" rsize="{relevant}"/>'

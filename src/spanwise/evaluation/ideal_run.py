"""The run that an ideal system would give: what the ideal list of a gain returns."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.data.assessments import Assessments
from spanwise.data.elements import Elements
from spanwise.data.run import NO_PATH, Extent, Run
from spanwise.errors import MeasureError, NeedError
from spanwise.measures.base import GainScore
from spanwise.measures.gains.elements import elements
from spanwise.measures.gains.passages import passages
from spanwise.measures.views.recall_base import RecallBase, recall_base

NAME = "ideal"

Answer = tuple[str, str, str, int, int]
"""Topic, document, path, start and end."""


def ideal_run(
    assessments: Assessments, item: GainScore, documents_elements: Elements | None = None
) -> Run:
    """The elements or passages that gain most, best first; ties by document and place.

    With ``alpha=0`` an ideal list of elements is the full recall-base. Elements are named by path,
    their characters are found as those of any run.
    """
    if isinstance(item, elements):
        base = recall_base(assessments, documents_elements, item.quant, item.ideal)
        answers = list(_of_elements(assessments, base, full=item.alpha == 0))
    elif isinstance(item, passages):
        answers = list(_of_passages(assessments))
    else:
        raise MeasureError(f"there is no ideal run for {item}: give elements or passages")
    if not answers:
        raise NeedError(f"no topic has anything to gain by {item}")
    topics, names, paths, start, end = zip(*answers, strict=True)
    named = [path != NO_PATH for path in paths]
    return Run.of(
        NAME,
        topics,
        names,
        start=start,
        end=end,
        extent=[Extent.ELEMENT if name else Extent.RANGE for name in named],
        paths=paths if any(named) else None,
    )


def _of_elements(assessments: Assessments, base: RecallBase, *, full: bool) -> Iterator[Answer]:
    """The valued or the ideal elements of each topic, the most valuable first."""
    topics = assessments.topic.tolist()
    rows = [
        (topics[pair], -document.value[element], pair, document.first + element)
        for pair, document in base.documents.items()
        for element in (document.value if full else document.ideal)
    ]
    paths = base.elements.columns.path
    for topic, _, pair, element in sorted(rows):
        path = base.elements.paths.text(int(paths[element]))
        yield assessments.topics[topic], assessments.documents[pair], path, 0, 0


def _of_passages(assessments: Assessments) -> Iterator[Answer]:
    """Every stretch of relevant text."""
    relevant, topics = assessments.relevant, assessments.topic.tolist()
    rows = zip(relevant.owner.tolist(), relevant.start.tolist(), relevant.end.tolist(), strict=True)
    for pair, start, end in rows:
        yield assessments.topics[topics[pair]], assessments.documents[pair], NO_PATH, start, end

"""The reading order of a document of each topic, for reports with measures that follow it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from spanwise.data.run import Run
from spanwise.errors import NeedError
from spanwise.evaluation.align import Aligned
from spanwise.evaluation.explain import listing_of
from spanwise.measures.read_document import read_document
from spanwise.measures.reading_score import ReadingScore
from spanwise.reporting.output import ReadingPlot
from spanwise.reporting.reading_plots import FEW_POINTS, reading_plot
from spanwise.reporting.scored_runs import ScoredRuns


def topic_readings(scored: ScoredRuns, topics: Sequence[str]) -> dict[str, ReadingPlot]:
    """The first relevant document that the best run returned for each of these topics.

    Nothing if no measure follows the reading order.
    """
    items = (getattr(asked.measure, "item", None) for asked in scored.scores.measures)
    score = next((item for item in items if isinstance(item, ReadingScore)), None)
    if score is None:
        return {}
    best = scored.scores.runs[0].run
    blocks = scored.evaluation.first_documents.get(best, ())
    return dict(_readings(scored, best, blocks, set(topics), score))


def _readings(
    scored: ScoredRuns, best: str, blocks: Sequence[Run], topics: set[str], score: ReadingScore
) -> Iterator[tuple[str, ReadingPlot]]:
    evaluation = scored.evaluation
    judged, documents, policy = evaluation.assessments, evaluation.documents, evaluation.policy
    for block in blocks:
        for topic in topics & set(block.topics):
            # What is not known of a document, such as its length, is not drawn.
            with suppress(NeedError):
                listing = listing_of(Aligned(block.only({topic}), judged, documents, policy))
                relevant = (page.document for page in listing.pages if page.number is not None)
                found = read_document(listing, next(relevant, ""), score)
                if found is not None:
                    title = f"{best}: {found.document} as the measures see it being read"
                    yield topic, reading_plot(found, title, FEW_POINTS)

"""Chips of a report: facts that decide how far its finding is to be believed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.data.notes import Note
from spanwise.evaluation.evaluate import SKIPPED
from spanwise.evaluation.scores import RunScores
from spanwise.records import replace
from spanwise.reporting.findings import rivals_of
from spanwise.reporting.first_screen import Chip
from spanwise.reporting.legends import brief_test
from spanwise.reporting.render.cells import share_in_words
from spanwise.reporting.report_comparisons import ComparedRuns
from spanwise.reporting.scores import lenient_mark
from spanwise.reporting.verdicts import NAMED, lead_of, named, p_values
from spanwise.statistics.caveats import level_text
from spanwise.statistics.comparison import Comparison, Pair, topics_needed
from spanwise.statistics.pairing import corrected_pairs
from spanwise.text.sentences import counted, enumerated

MOST_NEEDED = 10_000
"""Topics that nobody will assess: from here on their number is not told."""


def chips(compared: ComparedRuns, comparison: Comparison) -> Iterator[Chip]:
    """How it was tested, what to be careful about, what to do next."""
    tested = brief_test(comparison)
    if tested:
        yield Chip("tested", f"tested: {tested}")
    cautions = (*_on_test(comparison), *_alone(compared, comparison))
    for text in (*cautions, *_on_runs(compared, comparison)):
        yield Chip("caution", text)
    needed = _needed(comparison)
    if needed:
        yield Chip("next", needed)


def _on_test(comparison: Comparison) -> Iterator[str]:
    """Why the test may say less, or more, than it seems to."""
    few, bootstrap = comparison.too_few_topics, comparison.few_for_bootstrap
    if few is not None:
        yield f"too few topics for a significant difference: {few:,}"
    elif bootstrap is not None:
        yield f"the bootstrap test is anti-conservative with {counted(bootstrap, 'topic')}"
    if comparison.takes_observed_direction and comparison.tested:
        level = level_text(2 * comparison.procedure.level)
        yield f"one-tailed in the observed direction: the real level is about {level}"


def _alone(compared: ComparedRuns, comparison: Comparison) -> Iterator[str]:
    """What is significant by the first measure, but not after correction for the others too."""
    tests = len(comparison.tested)
    others = sum(bool(one.tested) for one in compared.comparisons) - 1
    if comparison.procedure.correction == "none" or not tests or others < 1:
        return
    again = corrected_pairs(comparison.pairs, comparison.procedure.correction)
    alone = replace(comparison, pairs=again, tests=tests)
    pairs = [
        pair
        for pair in rivals_of(alone)
        if alone.is_significant(pair)
        and not comparison.is_significant(comparison.pair(pair.a, pair.b))
    ]
    if pairs:
        without = "the other measure" if others == 1 else f"the other {others:,} measures"
        said = f"by {comparison.measure} alone, without {without}, {_apart(alone, pairs)}"
        yield f"{said} ({p_values(alone, pairs)})"


def _apart(comparison: Comparison, pairs: Sequence[Pair]) -> str:
    if len(pairs) > 1:
        runs = f"{counted(len(pairs), 'more run')} would differ significantly"
        return f"{runs} from {pairs[0].b}"
    side = "ahead of" if lead_of(comparison, pairs[0]) > 0 else "behind"
    return f"{pairs[0].a} would be significantly {side} {pairs[0].b}"


def _on_runs(compared: ComparedRuns, comparison: Comparison) -> Iterator[str]:
    """What is unusual about the runs that were compared."""
    if comparison.has_different_topics:
        yield "runs have different topics"
    without = [mean.run for mean in comparison.means if not mean.topics]
    if without and len(without) < len(comparison.means):
        yield f"without {comparison.measure} values: {named(without)}"
    yield from _on_answers(compared)
    unjudged, retrieved = _unjudged(compared)
    if unjudged:
        share = share_in_words(unjudged / retrieved)
        yield f"{share} of retrieved documents are unjudged, counted as not relevant"
    lenient = lenient_mark(compared.scores)
    if lenient:
        yield lenient


def _on_answers(compared: ComparedRuns) -> Iterator[str]:
    """Runs that do not answer all topics, and runs that are about something else."""
    notes = [(run, note) for run in compared.scores.runs for note in run.notes]
    missing = [(run, note) for run, note in notes if note.kind == "missing"]
    # Topics that are skipped are not those of the run.
    scored = [pair for pair in missing if pair[1].detail != SKIPPED]
    if scored:
        yield f"{_answered(scored)}; the others are {scored[0][1].detail}"
    for what, where in (("topic", "assessments"), ("document", "assessments or the collection")):
        strange = [run.run for run, note in notes if note.kind == f"strange {what}s"]
        if strange:
            yield f"no {what} of {named(strange)} is in the {where}"


def _answered(missing: Sequence[tuple[RunScores, Note]]) -> str:
    """How many topics these runs answer."""
    found = {run.run: (len(run.topics) - note.count, len(run.topics)) for run, note in missing}
    if len(found) > NAMED:
        run, (least, topics) = min(found.items(), key=lambda item: item[1])
        few = f"{run} only {least:,} of {topics:,}"
        return f"{len(found):,} runs do not answer all topics, {few}"
    (run, (answered, topics)), *others = found.items()
    rest = [f"{run} {answered:,} of {topics:,}" for run, (answered, topics) in others]
    return enumerated([f"{run} answers {answered:,} of {counted(topics, 'topic')}", *rest])


def _unjudged(compared: ComparedRuns) -> tuple[int, int]:
    """Retrieved documents that are unjudged, and all that were retrieved, over all runs."""
    runs = compared.scores.runs
    notes = [note for run in runs for note in run.notes if note.kind == "unjudged"]
    return sum(note.count for note in notes), sum(run.counts.documents for run in runs)


def _needed(comparison: Comparison) -> str:
    """How many topics would show the difference to the closest run, if that is open."""
    rivals = rivals_of(comparison)
    # With a baseline no single run is the one to settle.
    if not rivals or comparison.baseline is not None or comparison.better == "neither":
        return ""
    pair = rivals[0]
    needed = topics_needed(pair, comparison.procedure)
    if comparison.is_significant(pair) or needed is None or needed <= pair.topics:
        return ""
    # A correction for several tests asks for more.
    before = "" if _is_alone(comparison) else f", before correction for {comparison.tests:,} tests"
    runs = f"{pair.a} from {pair.b}{before}"
    if needed > MOST_NEEDED:
        return f"over {MOST_NEEDED:,} topics would be needed to separate {runs}"
    return f"about {_rounded(needed):,} topics would separate {runs}"


def _is_alone(comparison: Comparison) -> bool:
    """Is p not corrected, or for a single test?"""
    return comparison.procedure.correction == "none" or comparison.tests < 2


def _rounded(number: int) -> int:
    """To two digits, upwards: the estimate is not finer.

    >>> _rounded(34), _rounded(341)
    (34, 350)
    """
    step: int = 10 ** max(len(str(number)) - 2, 0)
    return -(-number // step) * step

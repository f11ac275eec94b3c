"""What is needed to read a comparison: what the marks mean, where p and intervals come from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from spanwise.data.notes import Note
from spanwise.records import replace
from spanwise.reporting.render.cells import percent_text
from spanwise.statistics.caveats import on_bootstrap, on_direction
from spanwise.statistics.comparison import Comparison, Mean, Pair
from spanwise.statistics.intervals import BCA_TOPICS, IntervalMethod
from spanwise.statistics.procedure import EXACT_TOPICS, Procedure
from spanwise.text.sentences import as_sentence, counted, enumerated

STRICTER = 5
"""Two stars stand for a p this many times smaller than the level: 0.01 for 0.05."""
_TESTS = {
    "bootstrap": "paired bootstrap test",
    "randomisation": "paired randomisation test",
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
}
_INTERVALS: dict[IntervalMethod, str] = {
    "BCa": "BCa",
    "bootstrap-t": "bootstrap-t",
    "Student": "Student's t (where too few resamples vary)",
    "Wilson": "Wilson (where all values are 0 or 1)",
}
_CORRECTIONS = {"holm": "Holm", "bh": "Benjamini and Hochberg"}


DIFFERENT_TOPICS = (
    "Runs have different topics. Each mean is over the topics of its run; differences and tests are"
    " over the common topics, which both runs have."
)


def stars(pair: Pair, comparison: Comparison) -> str:
    """The mark of a difference that is significant after correction."""
    if not comparison.is_significant(pair) or pair.p_corrected is None:
        return ""
    return "**" if pair.p_corrected <= comparison.procedure.level / STRICTER else "*"


def legend(*comparisons: Comparison) -> str:
    """Marks, tests and intervals of all measures; what they share, once."""
    tested = [one for one in comparisons if one.tested]
    notes = [note for one in tested for note in (on_bootstrap(one), on_direction(one)) if note]
    parts = [*_marks(tested), how_all_tested(tested), intervals_by(comparisons)]
    return " ".join(dict.fromkeys([*filter(None, parts), *map(sentence_of, notes)]))


def sentence_of(note: Note) -> str:
    """A note as a sentence of its own that does not name what it is about."""
    return as_sentence(replace(note, about="", runs=()).message)


def _marks(tested: Sequence[Comparison]) -> Iterator[str]:
    for one in tested:
        if one.too_few_topics is None:
            name, level = name_of_p(one.procedure), one.procedure.level
            yield f"* {name} at most {level:g}, ** at most {level / STRICTER:g}."


def name_of_p(procedure: Procedure) -> str:
    """The name of the p that decides what is significant."""
    return "p" if procedure.correction == "none" else "corrected p"


# -- the test


def how_tested(comparison: Comparison, question: str | None = None) -> str:
    """The test with all its settings, in a sentence; ``question`` is that of a one-tailed one."""
    parts = _test_parts(comparison, question)
    return f"Test: {', '.join(parts)}." if parts else ""


def how_all_tested(comparisons: Sequence[Comparison]) -> str:
    """The tests of several measures: what they share, then what only some of them have."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for one in comparisons:
        groups.setdefault(tuple(_test_parts(one)), []).append(one.measure)
    first = next(iter(groups), ())
    shared = [part for part in first if all(part in parts for parts in groups)]
    said = [", ".join(shared)] if shared else []
    for parts, measures in groups.items():
        own = [part for part in parts if part not in shared]
        # Without an own part a test is wholly described by what is shared.
        said += [f"{enumerated(measures)}: {', '.join(own)}"] if own else []
    return f"Test: {'; '.join(said)}." if said else ""


def _test_parts(comparison: Comparison, question: str | None = None) -> list[str]:
    procedure, pairs = comparison.procedure, comparison.tested
    if not pairs:
        return []
    observed = comparison.takes_observed_direction
    asked = question or f"is the run better than {comparison.baseline}?"
    directed = procedure.tail == "one" and not observed
    return [
        f"{procedure.tail}-tailed {_TESTS[procedure.test]}{_method(procedure)}",
        *([f"one-tailed question: {asked}"] if directed else []),
        *(["in the observed direction"] if observed else []),
        *_draws(comparison),
        _correction(comparison),
        _topics(pairs),
    ]


def brief_test(comparison: Comparison) -> str:
    """The test and its correction, in a few words; nothing where nothing was tested."""
    if not comparison.tested:
        return ""
    procedure = comparison.procedure
    return f"{procedure.tail}-tailed {_TESTS[procedure.test]}, {_correction(comparison)}"


def _method(procedure: Procedure) -> str:
    return f" ({procedure.method})" if procedure.test == "bootstrap" else ""


def _draws(comparison: Comparison) -> list[str]:
    """The random draws of the randomisation and the bootstrap test."""
    procedure, drawn = comparison.procedure, f"{comparison.resamples:,}"
    if procedure.test == "bootstrap":
        return [f"{drawn} resamples, seed {procedure.seed}"]
    if procedure.test != "randomisation":
        return []
    random = [comparison.drawn(pair) is not None for pair in comparison.tested]
    if not any(random):
        return ["exact (all sign flips)"]
    exact = "" if all(random) else f", exact where at most {EXACT_TOPICS} topics differ"
    return [f"{drawn} random sign flips, seed {procedure.seed}{exact}"]


def _correction(comparison: Comparison) -> str:
    correction = comparison.procedure.correction
    if correction == "none":
        return "p not corrected"
    return f"{_CORRECTIONS[correction]} correction over {counted(comparison.tests, 'test')}"


def _topics(pairs: Sequence[Pair]) -> str:
    counts = [pair.topics for pair in pairs]
    fewest, most = min(counts), max(counts)
    return counted(most, "topic") if fewest == most else f"{fewest:,} to {counted(most, 'topic')}"


# -- intervals


def intervals_by(comparisons: Sequence[Comparison]) -> str:
    """How the intervals of these measures were found, in a sentence; they are not corrected."""
    means = [mean for one in comparisons for mean in one.means if mean.topics]
    if not means:
        return ""
    procedure, own = comparisons[0].procedure, {mean.interval for mean in means}
    others = {pair.interval for one in comparisons for pair in one.pairs} - {None}
    parts = [_methods(own)] if own - {None} else []
    parts += [f"of differences {_methods(others)}"] if others - own else []
    if (own | others) & {"bootstrap-t", "BCa"}:
        parts.append(f"{procedure.interval_resamples:,} resamples, seed {procedure.seed}")
    parts += ["uncorrected"] if parts else []
    about = "; ".join(filter(None, [", ".join(parts), _without_interval(means)]))
    return f"{interval_name(procedure)}: {about}."


def interval_name(procedure: Procedure) -> str:
    """What an interval is called.

    >>> interval_name(Procedure())
    '95% CI'
    """
    return f"{percent_text(1 - procedure.level)} CI"


def _methods(found: Collection[IntervalMethod | None]) -> str:
    conditions = {"bootstrap-t": f" (below {BCA_TOPICS} topics)"} if "BCa" in found else {}
    return " or ".join(
        f"{name}{conditions.get(method, '')}"
        for method, name in _INTERVALS.items()
        if method in found
    )


def _without_interval(means: Sequence[Mean]) -> str:
    """Which means have no interval, if there are such."""
    without = [mean.topics for mean in means if mean.interval is None]
    reasons = ["1 topic"] if 1 in without else []
    reasons += ["equal values on all topics"] if any(count > 1 for count in without) else []
    return f"not given for a run with {' or '.join(reasons)}" if reasons else ""

"""The experiment on topic-set size, told to people and to programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import numpy as np

from spanwise.lab.chapter import Chapter, Column, Plot, Table, Value
from spanwise.lab.chapters.wording import counted, some_of
from spanwise.lab.swaps import BINS, Bin, possible_splits
from spanwise.lab.topics import (
    ENOUGH,
    FEWEST_SIZES,
    FEWEST_SPLITS,
    LEVEL,
    Needed,
    SwapErrors,
    TopicsFound,
)

SIZES_SHOWN = 5
"""How many of the sizes that were drawn are columns of the table, so that it fits 80 columns."""
LINES_SHOWN = 6
EXHAUSTED = (
    "In the columns near half of the topics the two disjoint sets exhaust the collection: a topic"
    " that favours a run in one set is missing from the other, so small differences can swap more"
    " often there than by chance."
)
COUNTED = (
    "For these sentences, and for the differences with all above, a bin counts only with at least"
    f" {ENOUGH} comparisons that show a difference: the table of comparisons has their numbers."
    " Extrapolated columns go by those of the largest sets."
)
SOURCE = (
    "the procedure is that of Kazai and Lalmas (section 6.2.2, figure 9), who had 51 runs and"
    " 127,500 comparisons for each number of topics"
)


def chapter_of(found: TopicsFound) -> Chapter:
    """Sentences, two tables and a plot for each measure, and all counts as rows."""
    return Chapter(
        "topics",
        "How often would other topics reverse the verdict?",
        (
            *(sentence for errors in found.measures for sentence in _verdict(errors)),
            COUNTED,
            EXHAUSTED,
        ),
        tuple(table for errors in found.measures for table in _tables(errors)),
        tuple(plot for errors in found.measures for plot in _plots(errors)),
        (*found.notes, *_notes(found)),
        tuple(row for errors in found.measures for row in _rows(errors)),
        {**asdict(found.choices), "level": LEVEL, "enough": ENOUGH},
    )


# -- sentences


def _verdict(errors: SwapErrors) -> Iterator[str]:
    yield _difference_needed(errors, errors.needed(errors.told_at))
    further = [size for size in errors.larger if size != errors.topics]
    for size in further:
        yield _difference_needed(errors, errors.needed(size))
    sizes = "1 topic" if errors.half == 1 else f"1 to {errors.half} topics"
    yield (
        f"{errors.measure}: {len(errors.runs)} runs, {errors.topics} topics, sets of {sizes},"
        f" {counted(_most(errors), 'comparison')} of two runs for each size."
    )


def _most(errors: SwapErrors) -> int:
    return int(errors.sizes[-1].comparisons.sum())


def _difference_needed(errors: SwapErrors, needed: Needed) -> str:
    with_topics = f"{errors.measure}: with {counted(needed.topics, 'topic')}"
    if reason := _no_verdict(errors, needed.topics):
        return f"{with_topics}, there is no verdict: {reason}."
    how = f", extrapolated from sets of up to {errors.half}" if needed.extrapolated else ""
    if needed.safe is None:
        told = (
            "there is no difference from which on other topics reverse the order of two runs in at"
            f" most {LEVEL:.0%} of cases{_skipped(needed)}"
        )
    else:
        told = (
            f"other topics reverse {_size(errors, needed.safe)} in at most {LEVEL:.0%} of cases"
            f"{_exceptions(needed)}{_skipped(needed)}"
        )
    return f"{with_topics}, {told}{how}."


def _no_verdict(errors: SwapErrors, size: int) -> str | None:
    """Why nothing can be said about so many topics."""
    splits, most = errors.splits(size), int(errors.differing(size).max())
    if splits < FEWEST_SPLITS:
        return _few_splits(errors, min(size, errors.half), splits)
    if not most:
        return "no difference was seen between any two runs"
    if most < ENOUGH:
        return f"no bin of differences has {ENOUGH} comparisons; draw more often with --trials"
    return None


def _few_splits(errors: SwapErrors, size: int, splits: int) -> str:
    possible = possible_splits(errors.topics, size)
    if possible < FEWEST_SPLITS:
        found, number, remedy = f"{errors.topics} topics allow", possible, "give more topics"
    else:
        found, number, remedy = "the trials drew", splits, "draw more often with --trials"
    return (
        f"{found} only {counted(number, 'distinct split')} into two sets of"
        f" {counted(size, 'topic')}, and a verdict needs {FEWEST_SPLITS}; {remedy}"
    )


def _skipped(needed: Needed) -> str:
    """The rows of the table that seem to allow a smaller difference."""
    if not needed.skipped:
        return ""
    number, smaller = len(needed.skipped), "smaller " if needed.safe else ""
    bins = f"1 {smaller}bin" if number == 1 else f"{number} {smaller}bins"
    verb = "is" if number == 1 else "are"
    return (
        f" ({bins} with at most {LEVEL:.0%}, the first {needed.skipped[0]}, {verb} not counted,"
        f" with fewer than {ENOUGH} comparisons)"
    )


def _exceptions(needed: Needed) -> str:
    """The rows of the table that would contradict the sentence."""
    if not needed.exceptions:
        return ""
    bins = some_of([str(one) for one in needed.exceptions])
    return f" (not counted, with fewer than {ENOUGH} comparisons: {bins})"


def _size(errors: SwapErrors, safe: Bin) -> str:
    if not safe.low:
        return "any difference"
    absolute = f", that is {safe.low * errors.unit:.4g}," if errors.unit != 1 else ""
    share = " of the largest mean" if errors.unit != 1 else ""
    return f"a difference of {safe.low:g}{share}{absolute} or more"


def _notes(found: TopicsFound) -> Iterator[str]:
    for errors in found.measures:
        if errors.unit != 1:
            yield (
                f"{errors.measure} can exceed 1: its differences are shares of the largest mean,"
                f" {errors.unit:.4g}"
            )
        if not errors.larger:
            yield (
                f"{errors.measure}: {errors.topics} topics give sets of up to {errors.half}, which"
                f" is too few to extrapolate from; {2 * FEWEST_SIZES} topics would be enough"
            )
        level = [str(b) for b, line in zip(BINS, errors.lines, strict=True) if line and line.flat]
        if level and errors.larger:
            yield (
                f"{errors.measure}: in {len(level)} of {len(BINS)} bins (the first is {level[0]})"
                " the error does not fall with more topics: it is extrapolated as constant"
            )
    yield SOURCE


# -- tables and plots


def _tables(errors: SwapErrors) -> tuple[Table, ...]:
    return _swaps(errors), _comparisons(errors), _needs(errors)


def _drawn_sizes(errors: SwapErrors) -> list[int]:
    drawn = np.linspace(1, errors.half, min(SIZES_SHOWN, errors.half)).round().astype(int)
    return [int(size) for size in drawn]


def _shown_sizes(errors: SwapErrors) -> list[int]:
    return [*_drawn_sizes(errors), *errors.larger]


def _name(errors: SwapErrors, size: int) -> str:
    return f"~{size}" if size > errors.half else f"{size}"


def _swaps(errors: SwapErrors) -> Table:
    sizes = _shown_sizes(errors)
    columns = [Column(_name(errors, size), "percent") for size in sizes]
    rows = [
        (str(one), *(errors.error(place, size) for size in sizes)) for place, one in enumerate(BINS)
    ]
    title = f"{errors.measure}: swaps by difference and number of topics (~ extrapolated)"
    return Table(title, (Column("difference", "text"), *columns), tuple(rows))


def _comparisons(errors: SwapErrors) -> Table:
    """Behind the shares; those without a difference are beside the bins."""
    counts = [errors.sizes[size - 1] for size in _drawn_sizes(errors)]
    columns = [Column(_name(errors, size), "count") for size in _drawn_sizes(errors)]
    differing = np.array([one.differing for one in counts]).T.tolist()
    rows: list[tuple[Value, ...]] = [("none", *(one.ties for one in counts))]
    rows += [(str(one), *numbers) for one, numbers in zip(BINS, differing, strict=True)]
    title = f"{errors.measure}: comparisons by difference and number of topics"
    return Table(title, (Column("difference", "text"), *columns), tuple(rows))


def _needs(errors: SwapErrors) -> Table:
    columns = (
        Column("topics", "text"),
        Column("distinct splits", "count"),
        Column("smallest with at most 5%", "text"),
        Column("and all above", "text"),
    )
    needs = [errors.needed(size) for size in _shown_sizes(errors)]
    rows = [
        (
            *(_name(errors, need.topics), _splits(errors, need.topics)),
            *(_text(need.smallest), _text(need.safe)),
        )
        for need in needs
    ]
    return Table(f"{errors.measure}: the difference that is needed", columns, tuple(rows))


def _splits(errors: SwapErrors, size: int) -> int | None:
    """None where nothing was drawn."""
    return errors.splits(size) if size <= errors.half else None


def _text(bin: Bin | None) -> str | None:
    return None if bin is None else str(bin)


def _plots(errors: SwapErrors) -> Iterator[Plot]:
    sizes = [*range(1, errors.half + 1), *errors.larger]
    table = [[errors.error(place, size) for size in sizes] for place in range(len(BINS))]
    whole = [(place, row) for place, row in enumerate(table) if None not in row and any(row)]
    if len(sizes) < 2 or not whole:
        return
    steps = np.linspace(0, len(whole) - 1, min(LINES_SHOWN, len(whole))).round().astype(int)
    series = [
        (str(BINS[place]), tuple(float(error or 0.0) for error in row))
        for place, row in (whole[step] for step in steps.tolist())
    ]
    title = f"{errors.measure}: swaps by number of topics (beyond {errors.half} extrapolated)"
    places = tuple(map(float, sizes))
    yield Plot(title, "topics in a set", "share of swaps", places, tuple(series))


# -- rows


def _rows(errors: SwapErrors) -> Iterator[dict[str, Value]]:
    for size in [*range(1, errors.half + 1), *errors.larger]:
        for place, one in enumerate(BINS):
            yield {
                "kind": "error",
                **_labelled(errors, size),
                "low": one.low,
                "high": one.high,
                **_counts(errors, size, place),
                "error": errors.error(place, size),
            }
    for size in [*range(1, errors.half + 1), *errors.larger]:
        needed = errors.needed(size)
        yield {
            "kind": "needed",
            **_labelled(errors, size),
            "splits": _splits(errors, size),
            "smallest": _low(needed.smallest),
            "safe": _low(needed.safe),
        }


def _labelled(errors: SwapErrors, size: int) -> dict[str, Value]:
    return {
        "measure": errors.measure,
        "canonical": errors.canonical,
        "unit": errors.unit,
        "topics": size,
        "extrapolated": size > errors.half,
    }


def _counts(errors: SwapErrors, size: int, place: int) -> dict[str, Value]:
    if size > errors.half:
        return {"comparisons": None, "differing": None, "swaps": None}
    counts = errors.sizes[size - 1]
    return {
        "comparisons": int(counts.comparisons[place]),
        "differing": int(counts.differing[place]),
        "swaps": int(counts.swaps[place]),
    }


def _low(bin: Bin | None) -> float | None:
    return None if bin is None else bin.low

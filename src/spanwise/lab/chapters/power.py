"""The power of measures, told to people and to programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from spanwise.lab.chapter import Chapter, Column, Plot, Table, Value
from spanwise.lab.chapters.wording import counted, listed, percent
from spanwise.lab.power import AtCutoff, AtResults, PowerFound, Told

_TESTS = {
    "bootstrap": "paired bootstrap test",
    "randomisation": "paired randomisation test",
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
}
_CORRECTIONS = {
    "none": "p is not corrected for the number of pairs, as in Kamps et al. 2007",
    "holm": "multiple-comparison correction by Holm",
    "bh": "multiple-comparison correction by Benjamini and Hochberg",
}


def chapter_of(found: PowerFound) -> Chapter:
    """The counts, what cut-offs do to them, and every number as rows."""
    return Chapter(
        "power",
        "How many pairs of runs does a measure separate?",
        tuple(_verdict(found)),
        tuple(_tables(found)),
        tuple(_plots(found)),
        found.notes,
        tuple(_rows(found)),
        asdict(found.procedure),
    )


# -- sentences


def _verdict(found: PowerFound) -> Iterator[str]:
    most = max(told.share for told in found.measures)
    fewest = min(told.share for told in found.measures)
    best, worst = (
        [told for told in found.measures if told.share == share] for share in (most, fewest)
    )
    total = len(found.measures)
    if most > fewest:
        which = f"the most of {total} measures"
        yield f"{_separating(best)}, {which}; {_separating(worst)}, the fewest."
    else:
        yield f"{_separating(best)}."
    yield _procedure(found)


def _separating(measures: Sequence[Told]) -> str:
    """Measures that separate equally many pairs."""
    first, names = measures[0], listed([told.measure for told in measures])
    verb = "separates" if len(measures) == 1 else "separate"
    return f"{names} {verb} {_count(first)} of runs ({percent(first.share)})"


def _count(told: Told) -> str:
    return f"{told.told} of {counted(told.pairs, 'pair')}"


def _procedure(found: PowerFound) -> str:
    asked = found.procedure
    drawn = (
        f", {asked.resamples_for(1):,} resamples"
        if asked.test in ("bootstrap", "randomisation")
        else ""
    )
    method = f" ({asked.method})" if asked.test == "bootstrap" else ""
    return (
        f"Separated means significantly different: p at most {asked.level:g}, {asked.tail}-tailed"
        f" {_TESTS[asked.test]}{method}{drawn}; {_CORRECTIONS[asked.correction]}."
    )


# -- tables and plots


def _tables(found: PowerFound) -> Iterator[Table]:
    columns = (Column("measure", "text"), Column("separated", "text"), Column("share", "percent"))
    rows = tuple((m.measure, f"{m.told} of {m.pairs}", m.share) for m in found.measures)
    yield Table("Pairs of runs separated", columns, rows)
    if found.cutoffs:
        yield _cutoff_table(found)
    if found.results:
        yield _result_table(found, "Separated by the first answers of each topic", shares=True)
        title = "Tau of the ranking by the first answers with that by all"
        yield _result_table(found, title, shares=False)


def _families(found: PowerFound) -> dict[str, dict[int, AtCutoff]]:
    families: dict[str, dict[int, AtCutoff]] = {}
    for one in found.cutoffs:
        families.setdefault(one.family, {})[one.cutoff] = one
    return families


def _cutoff_table(found: PowerFound) -> Table:
    cutoffs = sorted({one.cutoff for one in found.cutoffs})
    rows = [
        (family, *(at[cutoff].told.share if cutoff in at else None for cutoff in cutoffs))
        for family, at in _families(found).items()
    ]
    columns = (Column("measure", "text"), *(Column(f"@{c}", "percent") for c in cutoffs))
    return Table("Share separated, by cut-off", columns, tuple(rows))


def _result_table(found: PowerFound, title: str, *, shares: bool) -> Table:
    numbers = sorted({one.results for one in found.results})
    at = {(one.told.measure, one.results): one for one in found.results}
    rows = [
        (
            told.measure,
            *(_of(at[told.measure, number], shares=shares) for number in numbers),
            *([told.share] if shares else []),
        )
        for told in found.measures
    ]
    names = [*(f"first {number}" for number in numbers), *(["all scored"] if shares else [])]
    columns = [Column(name, "percent" if shares else "value") for name in names]
    return Table(title, (Column("measure", "text"), *columns), tuple(rows))


def _of(one: AtResults, *, shares: bool) -> float | None:
    return one.told.share if shares else one.tau


def _plots(found: PowerFound) -> Iterator[Plot]:
    cutoffs = sorted({one.cutoff for one in found.cutoffs})
    series = [
        (family, tuple(at[cutoff].told.share for cutoff in cutoffs))
        for family, at in _families(found).items()
        if len(at) == len(cutoffs)
    ]
    if len(cutoffs) > 1 and series:
        places = tuple(map(float, cutoffs))
        title, side = "Pairs separated, by cut-off", "share of pairs"
        yield Plot(title, "cut-off", side, places, tuple(series), ranks=True)


# -- rows


def _rows(found: PowerFound) -> Iterator[dict[str, Value]]:
    for told in found.measures:
        yield {"kind": "power", **_numbers(told)}
    for at in found.cutoffs:
        yield {"kind": "cutoff", "family": at.family, "cutoff": at.cutoff, **_numbers(at.told)}
    for cut in found.results:
        yield {"kind": "results", "results": cut.results, "tau": cut.tau, **_numbers(cut.told)}


def _numbers(told: Told) -> dict[str, Value]:
    return {
        "measure": told.measure,
        "canonical": told.canonical,
        "told_apart": told.told,
        "pairs": told.pairs,
        "share": told.share,
    }

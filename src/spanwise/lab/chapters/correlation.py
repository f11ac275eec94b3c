"""The correlation of measures, told to people and to programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from spanwise.lab.chapter import Chapter, Column, Table, Value
from spanwise.lab.correlation import EQUIVALENT, NOTICEABLE, Agreement, CorrelationFound

PAIRS_SHOWN = 45
LEAST_SHOWN = 20
MEASURES_SHOWN = 24
GUIDES = (
    f"Guides: above {EQUIVALENT:g} two measures are equivalent, below {NOTICEABLE:g} they differ"
    " noticeably."
)
READINGS = {
    "equivalent": f": they are equivalent (above {EQUIVALENT:g})",
    "between": "",
    "noticeable": f": they differ noticeably (below {NOTICEABLE:g})",
}
LONGEST_PAIR = 34


def chapter_of(found: CorrelationFound) -> Chapter:
    """A sentence, the pairs, the matrices, and every number as rows."""
    overlap = found.overlap
    return Chapter(
        "correlation",
        "Do measures rank runs alike?",
        (*_verdict(found), *([] if overlap is None else [overlap.verdict()])),
        (*_tables(found), *([] if overlap is None else [overlap.table()])),
        (),
        (*found.notes, *_notes(found), *([] if overlap is None else [overlap.note()])),
        (*_rows(found), *([] if overlap is None else overlap.lines())),
        {"procedure": None if found.procedure is None else asdict(found.procedure)},
    )


# -- sentences


def _verdict(found: CorrelationFound) -> Iterator[str]:
    if not found.pairs:
        return
    known = _by_tau(found)
    if not known:
        yield "No two of the measures rank the runs, so there is no correlation."
        return
    yield _sentence(found, known[0])
    yield GUIDES


def _sentence(found: CorrelationFound, least: Agreement) -> str:
    if len(found.pairs) == 1:
        tau = f"{least.first} and {least.second} rank {len(found.runs)} runs with a tau of"
        return f"{tau} {least.tau.coefficient:.3f}{READINGS[least.reading]}."
    alike, unlike = (_count(found, reading) for reading in ("equivalent", "noticeable"))
    return (
        f"Over {len(found.runs)} runs {alike} of {len(found.pairs)} pairs of measures are"
        f" equivalent (tau above {EQUIVALENT:g}) and {unlike} differ noticeably (below"
        f" {NOTICEABLE:g}); {_least(least)}."
    )


def _count(found: CorrelationFound, reading: str) -> int:
    return sum(pair.reading == reading for pair in found.pairs)


def _by_tau(found: CorrelationFound) -> list[Agreement]:
    known = [pair for pair in found.pairs if pair.tau.coefficient is not None]
    return sorted(known, key=lambda pair: pair.tau.coefficient or 0.0)


def _least(pair: Agreement) -> str:
    return f"least alike are {pair.first} and {pair.second} (tau {pair.tau.coefficient:.3f})"


def _notes(found: CorrelationFound) -> Iterator[str]:
    for pair in found.pairs:
        if not pair.tau.topics:
            yield f"{pair.first} and {pair.second} share no topic with values in every run"
    if found.pairs and found.procedure is not None:
        resamples = found.procedure.interval_resamples
        drawn = f"{resamples:,} resamples of topics, seed {found.procedure.seed}"
        yield f"intervals of tau: {_percent(found)}, {drawn}; the runs stay as they are"
    if found.pairs:
        yield (
            "tau is tau-b; the AP correlation has the measure of the row, or named first, as"
            " its reference"
        )


def _percent(found: CorrelationFound) -> str:
    level = 0.05 if found.procedure is None else found.procedure.level
    return f"{100 * (1 - level):g} %"


# -- tables


def _tables(found: CorrelationFound) -> Iterator[Table]:
    if 3 <= len(found.measures) <= MEASURES_SHOWN:
        taus = {(p.first, p.second): p.tau.coefficient for p in found.pairs}
        turned = {(b, a): tau for (a, b), tau in taus.items()}
        yield _matrix(found, "tau", {**taus, **turned})
        ap = {(p.first, p.second): p.ap for p in found.pairs}
        other = {(p.second, p.first): p.ap_turned for p in found.pairs}
        yield _matrix(found, "AP correlation (the row is the reference)", {**ap, **other})
    if found.pairs:
        yield _pairs(found)


def _pairs(found: CorrelationFound) -> Table:
    columns = [
        Column("measures", "text"),
        Column("tau"),
        *([Column(f"{_percent(found)} interval", "text")] if found.procedure else []),
        Column("tau AP"),
        Column("reading", "text"),
    ]
    many = len(found.pairs) > PAIRS_SHOWN
    shown = _by_tau(found)[:LEAST_SHOWN] if many else list(found.pairs)
    title = f"The {LEAST_SHOWN} pairs that are least alike" if many else "Pairs of measures"
    names = _pair_names(found)
    rows = [
        (f"{names[pair.first]} - {names[pair.second]}", *_values(found, pair)) for pair in shown
    ]
    return Table(title, tuple(columns), tuple(rows))


def _pair_names(found: CorrelationFound) -> dict[str, str]:
    """Measures with long names go by their number in the matrix."""
    numbers = {name: f"{number}" for number, name in enumerate(found.measures, start=1)}
    longest = sum(sorted(map(len, found.measures))[-2:])
    matrix = 3 <= len(numbers) <= MEASURES_SHOWN
    return numbers if matrix and longest > LONGEST_PAIR else {name: name for name in numbers}


def _values(found: CorrelationFound, pair: Agreement) -> tuple[Value, ...]:
    interval = [_interval(pair)] if found.procedure else []
    return (pair.tau.coefficient, *interval, pair.ap, pair.reading)


def _interval(pair: Agreement) -> str | None:
    if pair.tau.low is None or pair.tau.high is None:
        return None
    return f"{pair.tau.low:.3f} to {pair.tau.high:.3f}"


def _matrix(
    found: CorrelationFound, title: str, values: dict[tuple[str, str], float | None]
) -> Table:
    names = found.measures
    columns = [Column(f"{number}") for number, _ in enumerate(names, start=1)]
    rows = [
        (f"{number} {row}", *(values.get((row, other)) for other in names))
        for number, row in enumerate(names, start=1)
    ]
    return Table(title, (Column("measure", "text"), *columns), tuple(rows))


# -- rows


def _rows(found: CorrelationFound) -> Iterator[dict[str, Value]]:
    canonical = dict(zip(found.measures, found.canonical, strict=True))
    for pair in found.pairs:
        yield {
            "kind": "pair",
            "first": pair.first,
            "second": pair.second,
            "first_canonical": canonical[pair.first],
            "second_canonical": canonical[pair.second],
            "tau": pair.tau.coefficient,
            "low": pair.tau.low,
            "high": pair.tau.high,
            "tau_ap": pair.ap,
            "tau_ap_turned": pair.ap_turned,
            "reading": pair.reading,
            "runs": pair.tau.runs,
            "topics": pair.tau.topics,
        }

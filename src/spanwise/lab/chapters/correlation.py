"""The correlation of measures, told to people and to programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from spanwise.lab.chapter import Chapter, Column, Table, Value
from spanwise.lab.chapters.wording import counted, some_of, tau_text
from spanwise.lab.correlation import (
    EQUIVALENT,
    FEWEST_FOR_VERDICT,
    NOTICEABLE,
    Agreement,
    CorrelationFound,
    Verdict,
)

PAIRS_SHOWN = 45
LEAST_SHOWN = 20
MEASURES_SHOWN = 24
GUIDES = (
    f"Two measures are equivalent where the whole interval of tau is above {EQUIVALENT:g} and"
    f" noticeably different where it is below {NOTICEABLE:g}; otherwise the pair is undecided."
)
LONGEST_PAIR = 34


def chapter_of(found: CorrelationFound) -> Chapter:
    """A sentence, the pairs, the matrices, and every number as rows."""
    overlap = found.overlap
    return Chapter(
        "correlation",
        "Do measures rank runs alike?",
        (*_sentences(found), *([] if overlap is None else [overlap.verdict()])),
        (*_tables(found), *([] if overlap is None else [overlap.table()])),
        (),
        (*found.notes, *_notes(found), *([] if overlap is None else [overlap.note()])),
        (*_rows(found), *([] if overlap is None else overlap.lines())),
        {"procedure": None if found.procedure is None else asdict(found.procedure)},
    )


# -- sentences


def _sentences(found: CorrelationFound) -> Iterator[str]:
    if not found.pairs:
        return
    known = _by_tau(found)
    if known:
        yield _one(found, known[0]) if len(found.pairs) == 1 else _all(found, known)
    undefined = [_named(pair) for pair in found.pairs if pair.tau.coefficient is None]
    if undefined:
        yield (
            f"Tau is undefined for {len(undefined)} of {counted(len(found.pairs), 'pair')} of"
            f" measures ({some_of(undefined, '; ')}): a measure gives all runs the same mean, or"
            " no topic has values under both."
        )
    if known:
        yield _rule(found)


def _rule(found: CorrelationFound) -> str:
    if len(found.runs) < FEWEST_FOR_VERDICT:
        return (
            f"No verdict: at least {FEWEST_FOR_VERDICT} runs are needed, and there are"
            f" {len(found.runs)}."
        )
    if found.procedure is None:
        return "No verdict: it needs intervals of tau, and no topics were resampled."
    return GUIDES


def _one(found: CorrelationFound, pair: Agreement) -> str:
    verdicts: dict[Verdict, str] = {
        "equivalent": ": they are equivalent",
        "noticeably different": ": they are noticeably different",
    }
    tau = f"{_named(pair)} rank {len(found.runs)} runs with a tau of {_tau(found, pair)}"
    return f"{tau}{verdicts.get(pair.verdict, '')}."


def _all(found: CorrelationFound, known: Sequence[Agreement]) -> str:
    over = f"Over {len(found.runs)} runs"
    if len(found.runs) >= FEWEST_FOR_VERDICT and found.procedure is not None:
        alike, unlike, open_ = (
            sum(pair.verdict == verdict for pair in known)
            for verdict in ("equivalent", "noticeably different", "undecided")
        )
        pairs = counted(len(found.pairs), "pair")
        return (
            f"{over}, {alike} of {pairs} of measures are equivalent, {unlike} noticeably different"
            f" and {open_} undecided; {_lowest(found, known)}."
        )
    return f"{over}, {_lowest(found, known)}."


def _lowest(found: CorrelationFound, known: Sequence[Agreement]) -> str:
    """Which pair is least alike, if one is."""
    if len(known) == 1:
        return f"the only tau that is defined is {_tau(found, known[0])}, of {_named(known[0])}"
    least = known[0].tau.coefficient
    same = [pair for pair in known if pair.tau.coefficient == least]
    if len(same) == len(known):
        return f"every tau that is defined is {tau_text(least or 0.0)}"
    others = f", as of {counted(len(same) - 1, 'other pair')}" if len(same) > 1 else ""
    return f"the lowest tau is {_tau(found, known[0])}, of {_named(known[0])}{others}"


def _by_tau(found: CorrelationFound) -> list[Agreement]:
    known = [pair for pair in found.pairs if pair.tau.coefficient is not None]
    return sorted(known, key=lambda pair: pair.tau.coefficient or 0.0)


def _named(pair: Agreement) -> str:
    return f"{pair.first} and {pair.second}"


def _tau(found: CorrelationFound, pair: Agreement) -> str:
    interval = _interval(pair)
    ci = f" ({_percent(found)} CI {interval})" if found.procedure and interval else ""
    return f"{tau_text(pair.tau.coefficient or 0.0)}{ci}"


def _notes(found: CorrelationFound) -> Iterator[str]:
    for pair in found.pairs:
        if not pair.tau.topics:
            yield f"{pair.first} and {pair.second} share no topic with values in every run"
    if found.pairs and found.procedure is not None:
        resamples = found.procedure.interval_resamples
        drawn = f"{resamples:,} resamples of topics, seed {found.procedure.seed}"
        yield f"intervals of tau: {_percent(found)} CI, {drawn}; the runs are not resampled"
    if found.pairs:
        yield (
            "tau is tau-b; the AP correlation has the measure of the row, or named first, as"
            " its reference"
        )


def _percent(found: CorrelationFound) -> str:
    level = 0.05 if found.procedure is None else found.procedure.level
    return f"{100 * (1 - level):g}%"


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
        *([Column(f"{_percent(found)} CI", "text")] if found.procedure else []),
        Column("tau AP"),
        Column("verdict", "text"),
    ]
    many = len(found.pairs) > PAIRS_SHOWN
    shown = _by_tau(found)[:LEAST_SHOWN] if many else list(found.pairs)
    title = f"The {len(shown)} pairs with the lowest tau" if many else "Pairs of measures"
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
    return (pair.tau.coefficient, *interval, pair.ap, pair.verdict)


def _interval(pair: Agreement) -> str | None:
    if pair.tau.low is None or pair.tau.high is None:
        return None
    return f"{tau_text(pair.tau.low)} to {tau_text(pair.tau.high)}"


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
            "verdict": pair.verdict,
            "runs": pair.tau.runs,
            "topics": pair.tau.topics,
        }

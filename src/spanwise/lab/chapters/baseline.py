"""Parts compared with whole documents, told as a chapter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from spanwise.lab.baseline import Baseline, Gain, Verdict
from spanwise.lab.chapter import Chapter, Column, Table, Value
from spanwise.statistics.procedure import Procedure

PUBLISHED = (
    "published by Arvola et al. for INEX 2008 (70 topics): 19 of 25 focused runs gain by"
    " AgP(F(beta=0.25)), 21 by AgP(aveChP), 15 by AgP(T2If), 25 by effort"
)
COLUMNS = (
    *(Column("run", "text"), Column("parts"), Column("whole"), Column("gain", "signed")),
    *(Column("p", "p"), Column("p, Holm", "p"), Column("won/tied/lost", "text")),
)


def chapter_of(found: Baseline) -> Chapter:
    """How many runs gain under each measure, every run under each, and curves of a few."""
    return Chapter(
        experiment="baseline",
        title="Do runs gain from returning parts rather than whole documents?",
        verdict=tuple(_sentences(found)),
        tables=(_overview(found), *(_table(verdict) for verdict in found.verdicts)),
        plots=tuple(curve.plot() for curve in found.curves),
        notes=(*_notes(found), PUBLISHED),
        rows=tuple(_rows(found)),
        settings=_settings(found),
    )


def _settings(found: Baseline) -> dict[str, object]:
    procedure = found.procedure
    return {
        "measures": [asked.label for asked in found.twins.scores.measures],
        **{name: getattr(procedure, name) for name in ("test", "tail", "correction", "level")},
    }


def _notes(found: Baseline) -> Iterator[str]:
    yield from found.twins.left_out
    for verdict in found.verdicts:
        pairs = [gain.pair for gain in verdict.gains]
        alike = [pair.a for pair in pairs if pair.effect is None and pair.ties < pair.topics]
        if alike:
            yield (
                f"{verdict.measure.label}: the difference is the same on every topic for"
                f" {', '.join(alike)}, so p is that of the randomisation test"
            )
        without = [run for run in found.focused if run not in [pair.a for pair in pairs]]
        if without:
            yield (
                f"{verdict.measure.label}: no topic has a value for both versions of"
                f" {', '.join(without)}, left out of its count"
            )
    if any(verdict.tau is None for verdict in found.verdicts):
        yield "tau needs at least two runs that do not all have the same mean"


# -- sentences


def _sentences(found: Baseline) -> Iterator[str]:
    verdicts = found.verdicts
    gaining = _counted(verdicts, lambda v: f"{v.gaining} of {len(v.gains)}")
    yield f"Runs that gain from returning parts rather than whole documents: {gaining}."
    yield f"Significant gains: {_counted(verdicts, lambda v: str(v.significantly))}."
    losing = [verdict for verdict in verdicts if verdict.losing]
    if losing:
        yield f"Significant losses: {_counted(losing, lambda v: str(v.losing))}."
    yield _test(found.procedure)
    if found.whole:
        yield f"Left out, as they return whole documents already: {', '.join(found.whole)}."


def _test(procedure: Procedure) -> str:
    corrections = {
        "none": "not corrected for the number of runs",
        "holm": "corrected for the number of runs by Holm",
        "bh": "corrected for the number of runs by Benjamini and Hochberg",
    }
    return (
        f"Significant: {procedure.tail}-tailed paired {procedure.test} test, p at most"
        f" {procedure.level:g}, {corrections[procedure.correction]}."
    )


def _counted(verdicts: Sequence[Verdict], count: Callable[[Verdict], str]) -> str:
    """Measures with the same count together."""
    together: dict[str, list[str]] = {}
    for verdict in verdicts:
        together.setdefault(count(verdict), []).append(verdict.measure.label)
    return "; ".join(f"{count} by {', '.join(labels)}" for count, labels in together.items())


# -- tables and rows


def _overview(found: Baseline) -> Table:
    columns = (
        *(Column("measure", "text"), Column("runs", "count"), Column("gain", "count")),
        *(Column("significantly", "count"), Column("lose significantly", "count")),
        *(Column("mean gain", "signed"), Column("tau with _doc")),
    )
    return Table(
        "Runs that gain from returning parts",
        columns,
        tuple(
            (
                *(v.measure.label, len(v.gains), v.gaining, v.significantly, v.losing),
                *(sum(gain.gain for gain in v.gains) / len(v.gains), v.tau),
            )
            for v in found.verdicts
        ),
    )


def _table(verdict: Verdict) -> Table:
    better = ", lower is better" if verdict.measure.measure.properties.better == "lower" else ""
    rows = tuple(
        (
            *(gain.run, gain.pair.mean_a, gain.pair.mean_b, gain.gain),
            *(gain.pair.p, gain.pair.p_corrected, _record(gain)),
        )
        for gain in verdict.gains
    )
    return Table(f"{verdict.measure.label}{better}", COLUMNS, rows)


def _record(gain: Gain) -> str:
    return f"{gain.pair.wins}/{gain.pair.ties}/{gain.pair.losses}"


def _rows(found: Baseline) -> Iterator[dict[str, Value]]:
    for verdict in found.verdicts:
        named: dict[str, Value] = {
            "measure": verdict.measure.label,
            "canonical": str(verdict.measure.measure),
        }
        yield from (_gain_row(named, gain) for gain in verdict.gains)
        yield {
            **{"kind": "measure", **named},
            **{"runs": len(verdict.gains), "gain": verdict.gaining},
            **{"gain_significantly": verdict.significantly},
            **{"lose_significantly": verdict.losing, "tau": verdict.tau},
        }
    for run in found.whole:
        yield {"kind": "whole", "run": run}
    yield from _curve_rows(found)


def _curve_rows(found: Baseline) -> Iterator[dict[str, Value]]:
    for curve in found.curves:
        for run, values in curve.runs:
            at: dict[str, Value] = {"kind": "curve", "measure": curve.measure, "run": run}
            for rank, value in zip(curve.ranks, values, strict=True):
                yield {**at, "rank": rank, "value": value}


def _gain_row(named: dict[str, Value], gain: Gain) -> dict[str, Value]:
    pair = gain.pair
    return {
        **{"kind": "run", **named, "run": gain.run, "parts": pair.mean_a, "whole": pair.mean_b},
        **{"gain": gain.gain, "wins": pair.wins, "ties": pair.ties, "losses": pair.losses},
        **{"topics": pair.topics, "p": pair.p, "p_corrected": pair.p_corrected},
        **{"gains": gain.gains, "significant": gain.significant},
    }

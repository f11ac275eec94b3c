"""The cost of irrelevant answers, told as a chapter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from spanwise.lab.chapter import Chapter, Column, Plot, Table, Value
from spanwise.lab.chapters.wording import counted, percent
from spanwise.lab.inserted_answers import MODES, Mode
from spanwise.lab.insertion import Insertion, Values
from spanwise.measures.nicknames import Asked

TITLES: dict[Mode, str] = {
    "insert": "insert: n irrelevant answers after the first answer",
    "precede": "precede: n irrelevant answers before the first answer",
}
TOLERANCE = 1e-12
"""Sums may differ in their last bits, which does not count as a change."""
PUBLISHED = (
    "printed by Kazai and Lalmas for one answer (figure 6, from two-decimal values): Q drops by"
    " 25%, MAep by 30%, iMAep by 48% from insert to precede"
)


@dataclass(frozen=True, slots=True)
class Drop:
    """How much worse so many answers are before the first answer than after it."""

    measure: Asked
    count: int
    insert: float | None
    precede: float | None

    @property
    def worse(self) -> float | None:
        """By how much precede is worse, whatever worse means for the measure."""
        if self.insert is None or self.precede is None:
            return None
        rise = self.precede - self.insert
        return rise if _direction(self.measure) < 0 else 0.0 - rise

    @property
    def share(self) -> float | None:
        """The same as a share of the value that it drops from; None where that is 0."""
        if self.worse is None or not self.insert:
            return None
        return self.worse / abs(self.insert)


def chapter_of(found: Insertion) -> Chapter:
    """Scores under both modes, the difference that the place makes, and a plot of each mode."""
    return Chapter(
        experiment="insertion",
        title="The cost of irrelevant answers",
        verdict=tuple(_verdict(found)),
        tables=(*(_table(found, mode) for mode in MODES), _drop_table(found)),
        plots=tuple(plot for mode in MODES for plot in _plots(found, mode)),
        notes=(*found.notes, *_published(found)),
        rows=tuple(_rows(found)),
        settings={
            "case": found.run,
            "counts": list(found.counts),
            "measures": [asked.label for asked in found.measures],
        },
    )


def _published(found: Insertion) -> Iterator[str]:
    labels = {asked.label for asked in found.measures}
    if found.is_built_in and labels & {"Q", "MAep", "iMAep"}:
        yield PUBLISHED


def drops(found: Insertion) -> tuple[Drop, ...]:
    """From insert to precede, at the smallest count above 0."""
    count, (insert, precede) = found.counts[1], (found.values[mode] for mode in MODES)
    rows = zip(found.measures, insert, precede, strict=True)
    return tuple(Drop(asked, count, one[1], other[1]) for asked, one, other in rows)


def rewarding(found: Insertion) -> tuple[str, ...]:
    """The measures that get better somewhere as more irrelevant answers are inserted."""
    return tuple(
        asked.label
        for number, asked in enumerate(found.measures)
        if any(_gets_better(asked, found.values[mode][number]) for mode in MODES)
    )


def _direction(asked: Asked) -> int:
    return {"higher": 1, "lower": -1, "neither": 0}[asked.measure.properties.better]


def _gets_better(asked: Asked, values: Values) -> bool:
    known = [value for value in values if value is not None]
    changes = (_direction(asked) * (later - before) for before, later in pairwise(known))
    return any(change > TOLERANCE for change in changes)


# -- sentences


def _verdict(found: Insertion) -> Iterator[str]:
    judged = [asked.label for asked in found.measures if _direction(asked)]
    if judged:
        yield _rewarding_sentence(rewarding(found), judged)
    yield from _drop_sentences([drop for drop in drops(found) if _direction(drop.measure)])
    neither = [asked.label for asked in found.measures if not _direction(asked)]
    if neither:
        yield f"Not judged, as neither high nor low values are better: {', '.join(neither)}."


def _rewarding_sentence(rewarding: tuple[str, ...], judged: list[str]) -> str:
    what = "as irrelevant answers are inserted"
    if rewarding:
        verb = "gets" if len(rewarding) == 1 else "get"
        return (
            f"{len(rewarding)} of {counted(len(judged), 'measure')} {verb} better somewhere {what}:"
            f" {', '.join(rewarding)}."
        )
    if len(judged) == 1:
        return f"{judged[0]} never gets better {what}."
    return f"None of {len(judged)} measures gets better {what}."


def _drop_sentences(drops: list[Drop]) -> Iterator[str]:
    if not drops:
        return
    known = [(drop, drop.worse) for drop in drops if drop.worse is not None]
    one = drops[0].count == 1
    answers = "An irrelevant answer" if one else f"{drops[0].count:,} irrelevant answers"
    costing = [f"{drop.measure.label} by {_cost(drop)}" for drop, w in known if w > TOLERANCE]
    helping = [drop.measure.label for drop, worse in known if worse < -TOLERANCE]
    same = [drop.measure.label for drop, worse in known if abs(worse) <= TOLERANCE]
    unknown = [drop.measure.label for drop in drops if drop.worse is None]
    before = f"{answers} before the first answer"
    if costing:
        cost = "costs" if one else "cost"
        yield f"{before} {cost} more than after it: {', '.join(costing)}."
    if helping:
        yield f"{before} {'costs' if one else 'cost'} less than after it: {', '.join(helping)}."
    if same:
        does = "has" if one else "have"
        yield f"{before} {does} the same effect as after it: {', '.join(same)}."
    if unknown:
        yield f"Undefined there: {', '.join(unknown)}."


def _cost(drop: Drop) -> str:
    return f"{drop.worse:.4f} (from 0)" if drop.share is None else percent(drop.share, 2)


# -- tables, plots, rows


def _table(found: Insertion, mode: Mode) -> Table:
    values = found.values[mode]
    return Table(
        TITLES[mode],
        (Column("n", "count"), *(Column(asked.label) for asked in found.measures)),
        tuple((count, *(row[place] for row in values)) for place, count in enumerate(found.counts)),
    )


def _drop_table(found: Insertion) -> Table:
    measured = drops(found)
    columns = (
        *(Column("measure", "text"), Column("better", "text")),
        *(Column("insert"), Column("precede"), Column("worse by", "percent")),
    )
    return Table(
        f"From insert to precede, n = {found.counts[1]}",
        columns,
        tuple(
            (
                *(drop.measure.label, drop.measure.measure.properties.better),
                *(drop.insert, drop.precede, drop.share if _direction(drop.measure) else None),
            )
            for drop in measured
        ),
    )


def _plots(found: Insertion, mode: Mode) -> Iterator[Plot]:
    """Measures that can exceed 1 have a plot of their own: beside them others would be flat."""
    small = [asked.measure.properties.bounds[1] == 1 for asked in found.measures]
    for chosen, ending in ((True, ""), (False, ", measures that can exceed 1")):
        if chosen in small:
            numbers = [number for number, one in enumerate(small) if one == chosen]
            yield _plot(found, mode, numbers, TITLES[mode] + ending)


def _plot(found: Insertion, mode: Mode, numbers: list[int], title: str) -> Plot:
    """Over n from 1 on, as 0 has no place where places grow by factors."""
    series = []
    for number in numbers:
        values = found.values[mode][number]
        known = tuple(value for value in values[1:] if value is not None)
        if len(known) == len(values) - 1:
            series.append((found.measures[number].label, known))
    places = tuple(float(count) for count in found.counts[1:])
    return Plot(title, "n", "score", places, tuple(series), ranks=True)


def _rows(found: Insertion) -> Iterator[dict[str, Value]]:
    for mode in MODES:
        for asked, values in zip(found.measures, found.values[mode], strict=True):
            named: dict[str, Value] = {"kind": "score", "mode": mode, "measure": asked.label}
            for count, value in zip(found.counts, values, strict=True):
                yield {**named, "canonical": str(asked.measure), "inserted": count, "value": value}
    for drop in drops(found):
        yield {
            "kind": "drop",
            "measure": drop.measure.label,
            "canonical": str(drop.measure.measure),
            "inserted": drop.count,
            "insert": drop.insert,
            "precede": drop.precede,
            "drop": drop.share if _direction(drop.measure) else None,
        }

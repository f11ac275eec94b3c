"""The output of a comparison of chunkings: one table, one picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from spanwise.data.notes import Note
from spanwise.evaluation.chunk_limits import OMEGA, STRICT, USUAL, Limits
from spanwise.inputs.runs import hashed, names_of
from spanwise.inputs.settings import Given
from spanwise.reporting.output import (
    Column,
    Field,
    Headline,
    Output,
    Part,
    Plot,
    Rows,
    Table,
    Value,
    versions,
)
from spanwise.reporting.results import Result
from spanwise.text.sentences import counted

LEGEND = (
    "textR, textP, textIoU: the most that any set of chunks reaches, each by its own set; full"
    " textP: the most with all relevant text that is in any chunk. R({budget}): textR after {usual}"
    " characters by a retriever that knows the gold. omega: Chroma's, of all chunks that touch"
    " relevant text; omega (strict): of those that share a character with it. cut: relevant ranges"
    " not wholly in one chunk. repeated: text in more than one chunk, of the text in any. outside:"
    " characters of the documents in no chunk"
)
TITLE = "What no retriever can beat, means over {topics}"


def budgeted(budget: int) -> str:
    """The measure of the curve at one of its budgets."""
    return f"textR(budget={budget})"


@dataclass(frozen=True, eq=False, repr=False)
class ChunkingsResult(Result):
    """What some chunkings allow, side by side.

    ``limits`` has the facts about each; ``budgets`` are the places of the curve.
    """

    limits: tuple[Limits, ...]
    budgets: tuple[int, ...]
    notes: tuple[Note, ...] = ()
    settings: Mapping[str, object] | None = None
    given: Sequence[Given] = ()

    def files_read(self) -> Sequence[str]:
        return names_of(self.given, str(Path.cwd()))

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """The table of facts, and textR over the budget."""
        return Output(
            producer="chunks",
            title=f"{counted(len(self.limits), 'chunking')} compared",
            parts=tuple(self._parts()),
            rows=Rows(FIELDS, [_row(one, self.budgets) for one in self.limits]),
            notes=self.notes,
            settings=self.settings or {},
            inputs=hashed(self.given) if hashed_inputs else (),
            versions=versions(),
            record={"curves": self._curves()},
        )

    def _curves(self) -> list[dict[str, object]]:
        return [
            {"chunking": one.name, "budget": list(self.budgets), "textR": _curve(one, self.budgets)}
            for one in self.limits
        ]

    def _parts(self) -> Iterator[Part]:
        topics = len(self.limits[0].bounds)
        yield Headline(self._headline())
        legend = LEGEND.format(budget=USUAL, usual=f"{USUAL:,}")
        rows = tuple(tuple(_cells(one)) for one in self.limits)
        title = TITLE.format(topics=counted(topics, "topic"))
        yield Table(title, COLUMNS, rows, legend, transposed="chunking", sortable=True)
        yield Plot(
            "Recall over budget: a retriever that knows the gold, densest chunk first",
            "characters read",
            "textR",
            tuple(map(float, self.budgets)),
            tuple((one.name, tuple(_curve(one, self.budgets))) for one in self.limits),
            ranks=True,
            values="means over topics",
        )

    def _headline(self) -> str:
        best = max(self.limits, key=lambda one: one.mean_bounds.iou)
        bounds = best.mean_bounds
        reach = f"textIoU {bounds.iou:.2f} and textR {bounds.recall:.2f}"
        if len(self.limits) == 1:
            return f"No retriever over {best.name} can exceed {reach}"
        least = min(self.limits, key=lambda one: one.mean_bounds.iou)
        return (
            f"{best.name} leaves the most room: no retriever over it can exceed {reach}; over"
            f" {least.name} textIoU {least.mean_bounds.iou:.2f} is the limit"
        )


def _curve(one: Limits, budgets: Sequence[int]) -> list[float]:
    return [one.means[budgeted(budget)] for budget in budgets]


COLUMNS = (
    Column("chunking", "text", clips=True),
    *(Column(name) for name in ("textR", "textP", "full textP", "textIoU", f"R({USUAL})")),
    *(Column(name) for name in ("omega", "omega (strict)")),
    *(Column(name, "count") for name in ("ranges", "cut")),
    Column("cut share", "percent"),
    *(Column(name, "count") for name in ("chunks", "shortest")),
    *(Column(name, "value") for name in ("lower quartile", "median", "upper quartile")),
    *(Column(name, "count") for name in ("longest", "characters")),
    Column("repeated", "percent"),
    Column("outside", "count"),
)


def _cells(one: Limits) -> Iterator[Value]:
    bounds, sizes = one.mean_bounds, one.sizes
    yield from (one.name, bounds.recall, bounds.precision, bounds.full_precision, bounds.iou)
    yield from (one.means[budgeted(USUAL)], one.means[OMEGA], one.means[STRICT])
    yield from (one.ranges, one.cut, _share(one.cut, one.ranges))
    yield from (one.chunks, sizes.least, sizes.lower, sizes.median, sizes.upper, sizes.most)
    yield from (one.characters, _share(one.repeated, one.covered), one.outside)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


_NUMBERS = (
    *("textR", "textP", "full_textP", "textIoU", "textR_2000", "omega", "omega_strict"),
    *("cut_share", "lower_quartile", "median", "upper_quartile", "repeated_share"),
)
_COUNTS = (
    *("topics", "ranges", "cut", "chunks", "documents", "shortest", "longest"),
    *("characters", "covered", "repeated", "outside"),
)
FIELDS = (
    Field("chunking"),
    *(Field(name, "number") for name in _NUMBERS),
    *(Field(name, "count") for name in _COUNTS),
)


def _row(one: Limits, budgets: Sequence[int]) -> dict[str, Value]:
    """Everything about a chunking, for programs."""
    bounds, sizes = one.mean_bounds, one.sizes
    numbers = (
        *(bounds.recall, bounds.precision, bounds.full_precision, bounds.iou),
        *(one.means[budgeted(USUAL)], one.means[OMEGA], one.means[STRICT]),
        *(_share(one.cut, one.ranges), sizes.lower, sizes.median, sizes.upper),
        _share(one.repeated, one.covered),
    )
    counts = (
        *(len(one.bounds), one.ranges, one.cut, one.chunks, one.documents),
        *(sizes.least, sizes.most, one.characters, one.covered, one.repeated, one.outside),
    )
    return {
        "chunking": one.name,
        **dict(zip(_NUMBERS, numbers, strict=True)),
        **dict(zip(_COUNTS, counts, strict=True)),
    }

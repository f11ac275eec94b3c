"""Gain measures with overlap ignored and considered, beside inex_eval and overlap itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from spanwise.data.notes import Note
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.scores import Scores
from spanwise.inputs.session import Session
from spanwise.lab.experiment import Study
from spanwise.lab.phrases import tau_text
from spanwise.lab.run_values import RunValues
from spanwise.measures.base import ListScore
from spanwise.measures.gains.elements import elements
from spanwise.measures.grammar import Asked
from spanwise.measures.lists.gains import GainList
from spanwise.measures.lists.inex_eval import inex_eval
from spanwise.measures.lists.overlap import overlap
from spanwise.records import replace
from spanwise.reporting.output import Column, Table, Value
from spanwise.statistics.correlation import kendall

PUBLISHED = ("MAep", "Q", "Rmeasure", "MAnxCG")
"""The measures of the published table."""
IGNORED, CONSIDERED = 0.0, 1.0
"""The values of alpha."""
_WORDS = {IGNORED: "ignored", CONSIDERED: "considered"}


@dataclass(frozen=True, slots=True)
class OverlapRow:
    """How one ranking of the runs correlates with the others."""

    alpha: float
    reference: str
    """inex_eval or overlap."""
    taus: tuple[float | None, ...]
    """With each measure, with inex_eval, with overlap."""


@dataclass(frozen=True, slots=True)
class OverlapTable:
    """Table V of the XCG paper, in form."""

    columns: tuple[str, ...]
    lines: tuple[OverlapRow, ...]
    quant: str
    runs: int
    measures: tuple[str, ...]
    """The gain measures in full, with overlap ignored."""

    def table(self) -> Table:
        """Overlap ignored above, overlap considered below."""
        title = f"Tau with inex_eval(quant={self.quant}) and overlap, overlap ignored or considered"
        columns = [Column(name) for name in self.columns]
        rows = [(f"{_WORDS[row.alpha]}, {row.reference}", *row.taus) for row in self.lines]
        names = (Column("overlap", "text"), *columns)
        return Table(title, names, tuple(rows), transposed="measure")

    def rows(self) -> Iterator[dict[str, Value]]:
        """One for each number."""
        for row in self.lines:
            for name, tau in zip(self.columns, row.taus, strict=True):
                yield {
                    "kind": "overlap",
                    "alpha": row.alpha,
                    "reference": row.reference,
                    "measure": name,
                    "tau": tau,
                }

    def note(self) -> Note:
        """What the table shows."""
        said = (
            f"overlap ignored: {', '.join(self.measures)}; considered: the same with alpha=1."
            " Each measure ranks the runs over its own topics"
        )
        return Note("remark", detail=said)

    def verdict(self) -> str:
        """How far considering overlap leads away from inex_eval."""
        taus = {row.alpha: row.taus[:-2] for row in self.lines if row.reference == "inex_eval"}
        ignored, considered = (_range(taus[alpha]) for alpha in (IGNORED, CONSIDERED))
        return (
            f"Tau with inex_eval is {ignored} where overlap is ignored and {considered} where it is"
            f" considered ({self.runs} runs)."
        )


def needed_for_table(given: Study, wanted: Sequence[Asked]) -> tuple[ListScore, ...]:
    """What must be scored for the table, beside the measures that were asked for."""
    # By another session, so that notes about the assessments are not doubled.
    judged = Session(given.reread).assessments(given.assessments).elements
    graded = bool((judged.graded & judged.relevant).any())
    if given.session.collection is None and not graded:
        raise SpanwiseError(
            f"{option('overlap_table', True)} needs the documents' elements: give"
            f" {option('collection')} or {option('elements')}"
        )
    return overlap_measures([_bare(one) for one in wanted], "sog" if graded else "spec")


def _bare(one: Asked) -> ListScore:
    """The items of a member of a nickname were not chosen by the user: the data decide."""
    measure = one.measure
    if one.optional and isinstance(measure, GainList):
        return replace(measure, item=None)
    return measure


def overlap_measures(measures: Iterable[ListScore], quant: str) -> tuple[ListScore, ...]:
    """What must be scored for the table: every gain measure twice, inex_eval and overlap.

    Measures that are not gain measures are passed over; those that name no items
    score elements of the quantisation given.

    >>> from spanwise.measures.grammar import parse_measure
    >>> ignored, considered, *others = overlap_measures([parse_measure("Q")], "spec")
    >>> str(ignored), str(considered)
    ('Q(elements(quant=spec,alpha=0))', 'Q(elements(quant=spec,alpha=1))')
    >>> [str(other) for other in others]
    ['inex_eval(quant=spec)', 'overlap']
    """
    gains = [measure for measure in measures if isinstance(measure, GainList)]
    stood = [measure.standing_on(elements(quant)) for measure in gains]
    if not stood:
        raise SpanwiseError(
            f"the overlap table needs gain measures, such as {', '.join(PUBLISHED)}; name some"
        )
    both = [with_alpha(measure, alpha) for measure in stood for alpha in (IGNORED, CONSIDERED)]
    named = {str(measure): measure for measure in both}
    return (*named.values(), inex_eval(_quant(stood, quant)), overlap())


def with_alpha(measure: GainList, alpha: float) -> GainList:
    """The same measure with overlap ignored (0) or considered (1)."""
    item = measure.item
    if item is None or not hasattr(item, "alpha"):
        raise SpanwiseError(f"{measure} scores items that ignore overlap: use elements")
    return replace(measure, item=replace(item, **{"alpha": alpha}))


def _quant(measures: Sequence[GainList], otherwise: str) -> str:
    """inex_eval takes the quantisation of the first measure that has one."""
    found = (getattr(measure.item, "quant", None) for measure in measures)
    return next((quant for quant in found if quant is not None), otherwise)


def overlap_correlations(scores: Scores) -> OverlapTable:
    """Kendall's tau between gain measures, inex_eval and overlap, for alpha 0 and alpha 1.

    Source: Kazai and Lalmas, eXtended Cumulated Gain measures, table V.
    """
    tables = [RunValues.of(scores, number) for number in range(len(scores.measures))]
    measures = [asked.measure for asked in scores.measures]
    places = {measure: place for place, measure in enumerate(measures)}
    old, own = _place(measures, inex_eval), _place(measures, overlap)
    gains = [m for m in measures if isinstance(m, GainList) and with_alpha(m, IGNORED) == m]
    rows = []
    for alpha in (IGNORED, CONSIDERED):
        chosen = [*(places[with_alpha(measure, alpha)] for measure in gains), old, own]
        for reference, place in (("inex_eval", old), ("overlap", own)):
            taus = tuple(_tau(tables[place], tables[other]) for other in chosen)
            rows.append(OverlapRow(alpha, reference, taus))
    quant = getattr(measures[old], "quant", "")
    columns = (*_names(gains), "inex_eval", "overlap")
    return OverlapTable(columns, tuple(rows), quant, len(scores.runs), tuple(map(str, gains)))


def _place(measures: Sequence[ListScore], kind: type[ListScore]) -> int:
    return next(place for place, measure in enumerate(measures) if isinstance(measure, kind))


def _names(gains: Sequence[GainList]) -> list[str]:
    """Short ones, where these are enough to tell the measures apart."""
    short = [_short(measure) for measure in gains]
    return short if len(set(short)) == len(short) else [str(measure) for measure in gains]


def _short(measure: GainList) -> str:
    cutoff = getattr(measure, "cutoff", None)
    return (
        measure.name
        if cutoff == getattr(type(measure), "cutoff", None)
        else f"{measure.name}@{cutoff:g}"
    )


def _tau(first: RunValues, second: RunValues) -> float | None:
    """Each measure over its own topics, as in the published table."""
    if not (first.topics and second.topics):
        return None
    return kendall(first.sums, second.sums)


def _range(taus: Sequence[float | None]) -> str:
    known = sorted(tau for tau in taus if tau is not None)
    if not known:
        return "undefined"
    ends = dict.fromkeys(map(tau_text, (known[0], known[-1])))
    lacking = len(taus) - len(known)
    rest = f" (undefined for {lacking} of {len(taus)} measures)" if lacking else ""
    return " to ".join(ends) + rest

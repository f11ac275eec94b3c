"""Simulated runs of known quality: five sets of parts in four rankings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.elements import UNKNOWN, Elements
from spanwise.data.run import Run
from spanwise.lab.simulated.part_sets import (
    PART_SETS,
    WITHOUT_ELEMENTS,
    Parts,
    PartSet,
    PartSets,
    passages,
)
from spanwise.lab.simulated.partial_runs import PartialRuns, partial_runs
from spanwise.lab.simulated.relevant_pages import RANKINGS, Ranking, RelevantPages
from spanwise.text.ranges import Ranges

_SMALLER_PARTS: tuple[tuple[PartSet, PartSet], ...] = (
    ("S", "SL"),
    ("SL", "SLD"),
    ("S", "SS"),
    ("SS", "SST"),
)
_SHORTCUT: tuple[tuple[PartSet, PartSet], ...] = (("S", "SLD"),)
_WORSE_RANKINGS: tuple[tuple[Ranking, Ranking], ...] = (
    ("R", "RS"),
    ("RS", "RSI"),
    ("R", "RI"),
    ("RI", "RSI"),
)


@dataclass(frozen=True, eq=False)
class SimulatedRuns:
    """Runs by set of parts and ranking, in the order of the paper's table."""

    part_sets: tuple[PartSet, ...]
    runs: tuple[Run, ...]
    notes: tuple[str, ...]
    invented: frozenset[str]
    """Documents that do not exist."""
    partial: PartialRuns
    """Runs that miss some of the relevant documents."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the runs: the set of parts, then the ranking, as SLRS."""
        return tuple(run.name for run in self.runs)

    @property
    def orderings(self) -> tuple[tuple[str, str], ...]:
        """Which run should score at least as much as which: 36 pairs, 12 without elements."""
        return orderings(self.part_sets)


def orderings(part_sets: tuple[PartSet, ...] = PART_SETS) -> tuple[tuple[str, str], ...]:
    """Pairs of runs, the one that should score at least as much first.

    >>> len(orderings()), len(orderings(WITHOUT_ELEMENTS)), orderings()[0]
    (36, 12, ('SR', 'SLR'))
    """
    pairs = _SMALLER_PARTS if "SL" in part_sets else _SHORTCUT
    by_parts = [(a + ranking, b + ranking) for ranking in RANKINGS for a, b in pairs]
    by_ranking = [(parts + a, parts + b) for parts in part_sets for a, b in _WORSE_RANKINGS]
    return (*by_parts, *by_ranking)


def simulated_runs(assessments: Assessments, documents: Documents | None = None) -> SimulatedRuns:
    """Runs that answer every topic from its assessments, each a little worse than another one.

    S returns the relevant passages, SL the smallest element around each of them, SLD the whole
    document, SS the largest elements inside each passage, SST the leaves inside it. R ranks the
    relevant documents by the size of their relevant text, RS has the first two exchanged, RI and
    RSI have a document before them that is not relevant. Without elements only S and SLD are
    there.

    Source: Pehcevski et al., Evaluating focused retrieval tasks, section 4, figures 2 and 3.

    >>> from spanwise.data.faults import Faults
    >>> from spanwise.data.judgements import Judgements
    >>> judgements = Judgements(Faults("qrels"))
    >>> judgements.add_range("q1", "d7", 100, 250)
    >>> simulated_runs(judgements.build()).names
    ('SR', 'SRS', 'SRI', 'SRSI', 'SLDR', 'SLDRS', 'SLDRI', 'SLDRSI')
    """
    pages = RelevantPages.of(assessments, documents)
    sets, lacking = _part_sets(pages, None if documents is None else documents.elements)
    built = {name: sets.parts(name) for name in PART_SETS} if sets else _bare(pages.relevant)
    runs = [pages.run(name, ranking, built[name]) for name in built for ranking in RANKINGS]
    partial = partial_runs(pages, built["S"])
    notes = (*lacking, *_without_parts(built), *pages.notes(), *partial.notes)
    return SimulatedRuns(tuple(built), tuple(runs), notes, frozenset(pages.invented), partial)


def _bare(relevant: Ranges) -> dict[PartSet, Parts]:
    """The sets that need no elements."""
    whole = Parts.whole(len(relevant))
    return dict(zip(WITHOUT_ELEMENTS, (passages(relevant), whole), strict=True))


def _part_sets(
    pages: RelevantPages, elements: Elements | None
) -> tuple[PartSets | None, Iterable[str]]:
    """What builds the sets of parts, None without elements; and what is to be said about it."""
    if elements is None:
        return None, ["no elements are known: only S and SLD are built (12 orderings of 36)"]
    names = pages.names.take(np.arange(len(pages.relevant))).strings()
    slot = elements.slots(names)
    missing = np.flatnonzero(slot == UNKNOWN)
    if len(missing) == len(slot):
        said = "no document with relevant text has elements: only S and SLD are built (12 of 36)"
        return None, [said]
    sets = PartSets(pages.relevant, elements, slot)
    if not len(missing):
        return sets, []
    first = names[int(missing[0])]
    said = f"judged documents with relevant text but without elements: {len(missing)}"
    return sets, [f"{said} (the first is {first}), the document counts as its only element"]


def _without_parts(built: dict[PartSet, Parts]) -> Iterator[str]:
    for name, parts in built.items():
        if parts.without:
            of = f"{parts.without} of {len(parts)} relevant documents"
            yield f"{name} finds no element inside a passage in {of}: they are listed without parts"

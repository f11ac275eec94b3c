"""What answers that are not relevant cost, between the answers of a list or before all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from spanwise.data.run import Run
from spanwise.errors import NeedError, SpanwiseError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.scores import RunScores
from spanwise.lab.experiment import Experiment, Step
from spanwise.lab.inserted_answers import MODES, Inserting, Mode
from spanwise.lab.insertion_case import NAME
from spanwise.measures.nicknames import Asked

COUNTS = (0, 1, 2, 3, 4, 5, 10, 50, 100, 500, 1000)
MOST = 100_000
"""So many answers can be inserted at the most."""
MEASURES = (
    *("ep@0.1", "ep@1", "iMAep", "MAep", "Q", "Rmeasure", "MAnxCG@1500", "nxCG@3", "nxCG@5"),
)
"""Those of the figure."""

Values = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Insertion:
    """Scores of one list with more and more answers in it that are not relevant."""

    run: str
    topics: int
    counts: tuple[int, ...]
    measures: tuple[Asked, ...]
    values: Mapping[Mode, tuple[Values, ...]]
    """For each mode and measure the mean after each count; None where it is not defined."""
    notes: tuple[str, ...]

    @property
    def is_built_in(self) -> bool:
        """Is it the case of the paper?"""
        return self.run == NAME


def insertion(
    evaluation: Evaluation, run: Run, counts: Iterable[int] = COUNTS
) -> Experiment[Insertion]:
    """Insert n answers that are not relevant after the first answer, or before it, and score.

    The scores at n = 0 are always among those found. Inserted answers come from unjudged
    documents, one from each, and are as long as the run's own are in the median.

    Source: Kazai and Lalmas, eXtended Cumulated Gain measures, figure 6.

    >>> from spanwise.lab.experiment import finished
    >>> from spanwise.lab.insertion_case import built_in_case
    >>> from spanwise.measures.nicknames import asked
    >>> found = finished(insertion(*built_in_case(asked("MAep", [])), counts=[1]))
    >>> [round(value, 4) for value in found.values["precede"][0]]
    [1.0, 0.5833]
    """
    wanted = checked_counts(counts)
    inserting = Inserting.into(evaluation, run, max(wanted))
    total = len(wanted) * len(MODES)
    scored: dict[Mode, list[RunScores]] = {mode: [] for mode in MODES}
    for mode in MODES:
        for count in wanted:
            scored[mode].append(inserting.scores(mode, count))
            yield Step(sum(map(len, scored.values())), total, "lists")
    return _found(evaluation, wanted, scored)


def checked_counts(counts: Iterable[int]) -> tuple[int, ...]:
    """Each count once, 0 first.

    >>> checked_counts([5, 1, 5])
    (0, 1, 5)
    """
    wanted = tuple(sorted({0, *counts}))
    if wanted[0] < 0 or wanted[-1] > MOST or len(wanted) < 2:
        given = ", ".join(map(str, counts)) or "none"
        raise SpanwiseError(
            f"counts of inserted answers: found {given}, expected whole numbers from 0 to {MOST},"
            " one of them above 0, such as 0,1,2,5,10"
        )
    return wanted


def _found(
    evaluation: Evaluation, counts: tuple[int, ...], scored: Mapping[Mode, Sequence[RunScores]]
) -> Insertion:
    plain = scored["insert"][0]
    kept = [number for number, mean in enumerate(plain.means) if mean is not None]
    if not kept:
        why = [note for note in (*evaluation.notes, *plain.notes) if " left out: " in note]
        raise NeedError(f"no measure can be computed: {'; '.join(why) or 'no topic has a value'}")
    values = {
        mode: tuple(tuple(scores.means[number] for scores in lists) for number in kept)
        for mode, lists in scored.items()
    }
    measures = tuple(evaluation.measures[number] for number in kept)
    notes = (*evaluation.notes, *plain.notes)
    return Insertion(plain.run, len(plain.topics), counts, measures, values, notes)

"""Text lists: precision and recall of all that the first answers return, over all documents."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from spanwise.data.run import Extent
from spanwise.measures.budgeted import BudgetedList
from spanwise.measures.documents.sets import f_score
from spanwise.measures.explaining import PLACE, Cell, Step, Steps, shown
from spanwise.measures.registry import measure
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.text.ranges import Floats, Integers, share

OURS = "our choice, after the INEX Focused task"


@dataclass(frozen=True, slots=True)
class ReadingProgress:
    """Characters read and found after each answer of a list, and what is relevant in all."""

    read: list[int]
    found: list[int]
    total: int

    @classmethod
    def of(cls, listing: Listing) -> ReadingProgress:
        """Everything is read."""
        curve = listing.rankings.curve
        return cls(curve.read.tolist(), curve.found.tolist(), listing.relevant_text)

    def precision(self, row: int) -> float:
        """textP after an answer."""
        return quotient(self.found[row], self.read[row])

    def last(self) -> tuple[int, int]:
        """Characters read and found in the end."""
        return (self.read[-1], self.found[-1]) if self.read else (0, 0)

    def steps(
        self,
        listing: Listing,
        result: str,
        *,
        legend: str = "",
        column: str = "",
        cells: Sequence[Cell] = (),
    ) -> Steps:
        """The answers that are read, perhaps with a further column."""
        steps, read, found = [], 0, 0
        for row, place in enumerate(answer_ranges(listing)[: len(self.read)]):
            new, hits = self.read[row] - read, self.found[row] - found
            read, found = self.read[row], self.found[row]
            after = (new, hits, read, found, self.precision(row), found / self.total)
            steps.append(Step((*place, *after, *cells[row : row + 1]), hits > 0))
        more = (column,) if column else ()
        return Steps(
            "answer",
            (*PLACE, "new", "relevant", "read", "found", "textP", "textR", *more),
            tuple(steps),
            "new = characters not read before, relevant = those of them that are;"
            f" textP = found / read, textR = found / {self.total}{legend}",
            result,
            others="nothing new that is relevant",
        )


def quotient(part: int, whole: int) -> float:
    """``part / whole``, 0 where there is no whole."""
    return part / whole if whole else 0.0


def answer_ranges(listing: Listing) -> list[tuple[Cell, ...]]:
    """Rank, document, start and end of each answer; whole documents have their whole range."""
    run, ends = listing.run, listing.rankings.curve.end.tolist()
    names, starts = run.documents.strings(), run.start.tolist()
    returned = (run.extent <= Extent.WHOLE).tolist()
    return [
        (row + 1, names[row], *((starts[row], ends[row]) if returned[row] else (None, None)))
        for row in range(len(run))
    ]


@dataclass(frozen=True)
class _TextList(BudgetedList):
    """What is read of all answers together."""

    def counts(self, rankings: Rankings) -> tuple[Integers, Integers]:
        """Characters read and found."""
        curve = rankings.curve
        if self.budget is None:
            return curve.after(self.cutoff)
        self.require_tokens(rankings)
        return curve.within(self.budget, self.budget_unit, self.cutoff)

    def precision(self, rankings: Rankings) -> Floats:
        """Of what was read."""
        read, found = self.counts(rankings)
        return share(found, read)

    def recall(self, rankings: Rankings) -> Floats:
        """Of what is relevant."""
        return share(self.counts(rankings)[1], rankings.relevant_text)

    def explain(self, listing: Listing) -> Steps:
        progress, stop = self._progress(listing)
        return progress.steps(listing, self.result(*progress.last(), progress.total), legend=stop)

    @abstractmethod
    def result(self, read: int, found: int, total: int) -> str:
        """How the value follows from the characters read, found and relevant."""

    def _progress(self, listing: Listing) -> tuple[ReadingProgress, str]:
        """The progress as far as the measure reads, and why it stops there."""
        every, last = ReadingProgress.of(listing), self.cutoff
        if self.budget is None:
            return ReadingProgress(every.read[:last], every.found[:last], every.total), ""
        unit = self.budget_unit
        read, found = list[int](), list[int]()
        for row in range(len(every.read[:last])):
            after = listing.rankings.curve.within(self.budget, unit, row + 1)
            read.append(int(after[0][0]))
            found.append(int(after[1][0]))
            if read[-1] < every.read[row]:
                stop = f"; {self.budget} {unit} are spent in answer {row + 1}"
                return ReadingProgress(read, found, every.total), stop
        return ReadingProgress(read, found, every.total), f"; the budget is {self.budget} {unit}"


@measure(source=OURS, equation="text precision", perfect=None)
@dataclass(frozen=True)
class textP(_TextList):
    r"""Text precision: the share of the text read that is relevant.

    $$textP@k = \frac{|U_k \cap rel|}{|U_k|}$$

    where U_k is the union of the first k answers over all documents (all answers without k) and
    rel the relevant text of the topic. With a budget, U is what can be read for it: new characters
    cost 1 each (or tokens, with ``unit=tokens``).

    Source: our choice, after the INEX Focused task; char_prec of the INEX 2010 evaluator.

    >>> str(textP(budget=2000)), str(textP @ 5)
    ('textP(budget=2000)', 'textP@5')
    """

    @property
    def has_bounds(self) -> bool:
        return True

    def score(self, rankings: Rankings) -> Floats:
        return self.precision(rankings)

    def result(self, read: int, found: int, total: int) -> str:
        return f"{found} found / {read} read = {shown(quotient(found, read))}"


@measure(source=OURS, equation="text recall", perfect=None)
@dataclass(frozen=True)
class textR(_TextList):
    r"""Text recall: the share of the relevant text that was read.

    $$textR@k = \frac{|U_k \cap rel|}{Trel}$$

    where U_k is the union of the first k answers (or what a budget allows to read of them), rel
    the relevant text of the topic and Trel its size.

    Source: our choice, after the INEX Focused task; char_rec of the INEX 2010 evaluator.

    >>> str(textR(budget=512, unit="tokens"))
    'textR(budget=512,unit=tokens)'
    """

    def score(self, rankings: Rankings) -> Floats:
        return self.recall(rankings)

    def result(self, read: int, found: int, total: int) -> str:
        return f"{found} found / {total} relevant = {shown(quotient(found, total))}"


@measure(source=OURS, equation="text F", perfect=None)
@dataclass(frozen=True)
class textF(_TextList):
    r"""The harmonic mean of text precision and text recall.

    $$textF@k = \frac{2\, textP@k\, textR@k}{textP@k + textR@k}$$

    where textP and textR are those of the same k or budget.

    Source: our choice, after the INEX Focused task; char_f1 of the INEX 2010 evaluator.

    >>> str(textF())
    'textF'
    """

    def score(self, rankings: Rankings) -> Floats:
        return f_score(self.precision(rankings), self.recall(rankings), 1.0)

    def result(self, read: int, found: int, total: int) -> str:
        precision, recall = quotient(found, read), quotient(found, total)
        value = 2 * precision * recall / (precision + recall) if found else 0.0
        return (
            f"harmonic mean of {found} / {read} = {shown(precision)} and {found} / {total}"
            f" = {shown(recall)} = {shown(value)}"
        )


@measure(source=OURS, equation="text IoU", perfect=None)
@dataclass(frozen=True)
class textIoU(_TextList):
    r"""Intersection over union of the text read and the relevant text.

    $$textIoU@k = \frac{|U_k \cap rel|}{|U_k \cup rel|}$$

    where U_k is the union of the first k answers (or what a budget allows to read of them) and rel
    the relevant text of the topic.

    Source: our choice.

    >>> str(textIoU @ 5)
    'textIoU@5'
    """

    literal = False

    def score(self, rankings: Rankings) -> Floats:
        read, found = self.counts(rankings)
        return share(found, read + rankings.relevant_text - found)

    def result(self, read: int, found: int, total: int) -> str:
        union = read + total - found
        return f"{found} found / {union} read or relevant = {shown(quotient(found, union))}"

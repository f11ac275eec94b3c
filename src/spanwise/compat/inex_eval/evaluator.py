"""The mode ``--compat inex_eval``: the official INEX 2010 evaluator, to the last digit.

It stands beside ``align`` and ``evaluate`` because it differs in everything that they decide: the
order of answers, the totals, the bins of recall, what follows the end of a list, and the means.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from spanwise.compat.inex_eval.lists import (
    Reading,
    exists,
    left_to_right,
    undefined_without_relevant_text,
)
from spanwise.compat.inex_eval.records import (
    UNLOCATED_SIZE,
    OfficialAnswer,
    OfficialAssessments,
    OfficialRun,
)
from spanwise.compat.inex_eval.refusals import answers_by_topic, find_faults, rules_for
from spanwise.data.notes import NAMED, Note, some_names
from spanwise.errors import MeasureError, PolicyError, option
from spanwise.evaluation.policy import Missing, Overlap, left_out
from spanwise.evaluation.scores import Counts, RunScores
from spanwise.measures.grammar import Asked

MODE = option("compat", "inex_eval")
POSSIBLE = (
    "use iP, AiP, textP, textR or textF, or gP, gR, AgP or igP over F, BEP or T2Iprec,"
    " without further parameters, iP at hundredths and igP at tenths of recall"
)


@dataclass
class OfficialEvaluation:
    """What all runs are scored with in this mode."""

    assessments: OfficialAssessments
    measures: tuple[Asked, ...]
    overlap: Overlap = "error"
    missing: Missing = "skip"
    notes: list[Note] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.overlap not in ("error", "union"):
            chosen = option("overlap", self.overlap)
            raise PolicyError(f"{chosen} does not exist in {MODE}: use error or union")
        self._unavailable: list[str] = []
        self.measures = tuple(asked for asked in self.measures if self._possible(asked))
        self.notes += left_out(dict.fromkeys(self._unavailable, f"not available with {MODE}"))

    def _possible(self, asked: Asked) -> bool:
        """Leave out a member of a nickname that does not exist here; refuse anything else."""
        if exists(asked.measure):
            return True
        if not asked.optional:
            raise MeasureError(f"{asked.measure} does not exist in {MODE}: {POSSIBLE}")
        self._unavailable.append(asked.label)
        return False

    def score(self, run: OfficialRun) -> RunScores:
        """Score one run; one that the official evaluator refuses is refused."""
        return _Scoring(self, run).finish()


class _Scoring:
    """Scores one run."""

    def __init__(self, evaluation: OfficialEvaluation, run: OfficialRun) -> None:
        self.evaluation, self.run = evaluation, run
        self.notes: list[Note] = []
        self.assessed = evaluation.assessments.topics
        self.answers = answers_by_topic(run, set(self.assessed))
        self.faults = find_faults(self.answers.values(), run.file)
        self.kept = [self._keeps_rules(asked) for asked in evaluation.measures]
        self.topics = sorted(self.assessed if evaluation.missing == "zero" else self.answers)
        self.readings = [self._reading(topic) for topic in self.topics]

    def _keeps_rules(self, asked: Asked) -> bool:
        """Tell whether the official evaluator takes the run for this measure."""
        rules = rules_for(asked.measure, united=self.evaluation.overlap == "union")
        faults = [self.faults[rule] for rule in rules if rule in self.faults]
        if not faults:
            return True
        first = min(faults, key=lambda fault: fault.line or 0)
        if not asked.optional:
            raise PolicyError(str(first))
        self.notes += left_out({asked.label: str(first)})
        return False

    def _reading(self, topic: str) -> Reading:
        answers: Sequence[OfficialAnswer] = self.answers.get(topic, [])
        return Reading(self.assessed[topic], answers, self.evaluation.overlap == "union")

    def finish(self) -> RunScores:
        """All values, their means and what is to be said of them."""
        measures = zip(self.evaluation.measures, self.kept, strict=True)
        rows = [self._values(asked, kept=kept) for asked, kept in measures]
        self._note_topics()
        return RunScores(
            run=self.run.name,
            topics=tuple(self.topics),
            values=np.array(rows, np.float64).reshape(len(rows), len(self.topics)),
            means=tuple(plain_mean(row) for row in rows),
            counts=self._counts(),
            notes=tuple(self.notes),
        )

    def _values(self, asked: Asked, *, kept: bool) -> list[float]:
        if not kept:
            return [math.nan] * len(self.readings)
        return [reading.value(asked.measure) for reading in self.readings]

    def _counts(self) -> Counts:
        pages = [page for reading in self.readings for page in reading.pages.values()]
        return Counts(
            topics=len(self.topics),
            answers=len(self.run.answers),
            documents=len(pages),
            relevant_documents=sum(reading.topic.relevant_documents for reading in self.readings),
            relevant_found=sum(page.is_relevant for page in pages),
            relevant_characters=sum(reading.topic.relevant_text for reading in self.readings),
            characters_found=sum(reading.found for reading in self.readings),
        )

    def _note_topics(self) -> None:
        """Say what became of answers and topics that are not like the others."""
        lost = [answer.document for answer in self.run.answers if not answer.is_located]
        self._note("unlocated", lost, str(UNLOCATED_SIZE))
        unknown = sorted({answer.topic for answer in self.run.answers} - set(self.assessed))
        self._note("not assessed", unknown)
        missing = sorted(set(self.assessed) - set(self.answers))
        zero = self.evaluation.missing == "zero"
        self._note("missing", missing, "scored as empty" if zero else "skipped")
        if not self.topics:
            self.notes.append(Note("no values"))
        self._note_without_relevant_text()

    def _note_without_relevant_text(self) -> None:
        without = [topic for topic in self.topics if not self.assessed[topic].relevant_documents]
        kept = zip(self.evaluation.measures, self.kept, strict=True)
        measures = [asked for asked, is_kept in kept if is_kept]
        gone = [a.label for a in measures if undefined_without_relevant_text(a.measure)]
        zero = [a.label for a in measures if not undefined_without_relevant_text(a.measure)]
        if gone:
            detail = f"no rows for {some_names(gone)}, left out of the mean"
            self._note("official without relevant text", without, detail)
        if zero:
            detail = f"{some_names(zero)} 0 there, and counted in the mean"
            self._note("official without relevant text", without, detail)

    def _note(self, kind: str, names: list[str], detail: str = "") -> None:
        if names:
            shown = tuple(names[: NAMED + 1])
            self.notes.append(Note(kind, len(names), detail=detail, names=shown))


def plain_mean(values: Sequence[float]) -> float | None:
    """Add up over topics, rounding after every addition, and divide by their number.

    >>> plain_mean([0.1, 0.2, 0.3]), plain_mean([math.nan])
    (0.20000000000000004, None)
    """
    defined = [value for value in values if not math.isnan(value)]
    return left_to_right(defined) / len(defined) if defined else None

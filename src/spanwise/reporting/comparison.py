"""The output of a comparison: verdicts and tables for people, rows for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from spanwise.data.notes import NAMED, Note
from spanwise.evaluation.scores import Scores
from spanwise.formats.reading import PathLike
from spanwise.inputs.runs import hashed, names_of
from spanwise.inputs.settings import Given, shown_input
from spanwise.records import asdict, replace
from spanwise.reporting.comparison_tables import groups_table, pairs_table, runs_table
from spanwise.reporting.legends import DIFFERENT_TOPICS, legend
from spanwise.reporting.output import Field, Headline, Output, Part, Rows, Value, versions
from spanwise.reporting.render.cells import percent_text
from spanwise.reporting.results import Result
from spanwise.reporting.scores import (
    ScoresResult,
    about_measures,
    lenient_mark,
    run_records,
)
from spanwise.reporting.verdicts import reference_of, significant_count, verdict
from spanwise.statistics.caveats import shared_caveats
from spanwise.statistics.comparison import POWER, Comparison, Pair, topics_needed
from spanwise.statistics.pairing import Group

GroupsInput = Mapping[str, str] | PathLike
"""The group of each topic: a dictionary, or a file with a topic and its group on each line."""

FEWEST_IN_MATRIX, MOST_IN_MATRIX = 3, 20
"""How many runs have a matrix of all pairs: fewer need none, more would be too large to read."""
_PAIR_FIELDS = (
    *(Field("a"), Field("b")),
    *(Field(name, "number") for name in ("mean_a", "mean_b", "difference", "low", "high")),
    *(Field(name, "number") for name in ("p", "p_corrected")),
    *(Field(name, "count") for name in ("wins", "ties", "losses", "topics")),
)
_TEST_FIELDS = (
    *(Field("test"), Field("tail"), Field("correction")),
    *(Field("tests", "count"), Field("resamples", "count"), Field("seed", "count")),
)


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonResult(Result):
    """Runs that were compared: it prints, saves and converts itself.

    ``comparisons`` has one :class:`Comparison` for each measure, ``groups`` the same for each group
    of topics.
    """

    scores: Scores
    comparisons: tuple[Comparison, ...]
    groups: tuple[Group, ...] = ()
    group_of: Mapping[str, str] = field(default_factory=dict)
    """The group of each topic, compared or not."""
    groups_given: GroupsInput | None = None
    power: bool = False
    """Estimate how many topics each difference needs."""

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """Verdicts and tables; a row for each pair and measure."""
        return Output(
            producer="compare",
            parts=tuple(self._parts()),
            rows=Rows(self._fields(), list(self._rows())),
            notes=tuple(self._notes()),
            settings=self._settings(),
            inputs=hashed(self._given()) if hashed_inputs else (),
            versions=versions("scipy"),
            lenient=lenient_mark(self.scores),
            record={
                "runs": run_records(self.scores),
                "comparisons": [_record(one) for one in self.comparisons],
                "groups": [_group_record(group) for group in self.groups],
            },
        )

    def files_read(self) -> Sequence[str]:
        return names_of(self._given())

    def _given(self) -> list[Given]:
        """The inputs: what each is for, and what was given."""
        inputs = self.scores.given if isinstance(self.scores, ScoresResult) else ()
        return [*inputs, ("groups", self.groups_given)]

    def _settings(self) -> dict[str, object]:
        known = self.scores.settings.to_dict() if isinstance(self.scores, ScoresResult) else {}
        return {
            **known,
            "measures": [asked.label for asked in self.scores.measures],
            "baseline": self.comparisons[0].baseline,
            "groups": shown_input(self.groups_given),
            "power": self.power,
            **procedure_settings(self.comparisons[0]),
        }

    # -- for people

    def _parts(self) -> Iterator[Part]:
        """Everything that is shown, from top to bottom."""
        for place, comparison in enumerate(self.comparisons):
            yield Headline(verdict(comparison))
            yield runs_table(comparison, power=self.power)
            if comparison.has_different_topics:
                yield DIFFERENT_TOPICS
            if _has_matrix(comparison):
                yield pairs_table(comparison)
            if len(comparison.tested) > 1 and comparison.too_few_topics is None:
                yield significant_count(comparison)
            if self.groups:
                yield groups_table(comparison, self.groups, place)
        yield legend(*self.comparisons)
        yield from self._explanations()
        yield from about_measures(self.scores.measures)

    def _explanations(self) -> Iterator[str]:
        if self.power:
            yield (
                "Needed: topics with which a paired t test finds a difference of this size"
                f" {percent_text(POWER)} of the time, if only these two runs are compared."
            )
        if self.groups:
            names = ", ".join(f"{group.name} {group.topics}" for group in self.groups)
            tests = max(one.tests for group in self.groups for one in group.comparisons)
            yield f"Topics in groups: {names}; p in groups is corrected over {tests:,} tests."

    def _notes(self) -> Iterator[Note]:
        yield from self.scores.all_notes()
        yield from shared_caveats(self.comparisons)
        for group in self.groups:
            for note in shared_caveats(group.comparisons):
                about = ", ".join(filter(None, (f"group {group.name}", note.about)))
                yield replace(note, about=about)
        if self.group_of:
            yield from self._notes_on_groups()

    def _notes_on_groups(self) -> Iterator[Note]:
        topics = {topic for run in self.scores.runs for topic in run.topics}
        differing = {
            "ungrouped": sorted(topics - self.group_of.keys()),
            "groups beyond": sorted(self.group_of.keys() - topics),
        }
        for kind, names in differing.items():
            if names:
                yield Note(kind, len(names), names=tuple(names[: NAMED + 1]))

    # -- for programs

    def _fields(self) -> tuple[Field, ...]:
        """The columns of every row; some are there only if they were asked for."""
        needed = (Field("topics_needed", "count"),) if self.power else ()
        groups = (Field("group"),) if self.groups else ()
        return (Field("measure"), *_PAIR_FIELDS, *_TEST_FIELDS, *needed, *groups)

    def _rows(self) -> Iterator[dict[str, Value]]:
        """A row for each pair and measure, then the same for each group."""
        for comparison in self.comparisons:
            yield from self._rows_of(comparison)
        for group in self.groups:
            for comparison in group.comparisons:
                yield from ({**row, "group": group.name} for row in self._rows_of(comparison))

    def _rows_of(self, comparison: Comparison) -> Iterator[dict[str, Value]]:
        lenient = {run.run for run in self.scores.runs if run.lenient}
        for pair in comparison.pairs:
            row = {
                "measure": comparison.measure,
                **_pair_record(pair),
                **_test_record(pair, comparison),
            }
            if self.power:
                row["topics_needed"] = topics_needed(pair, comparison.procedure)
            yield {**row, "lenient": True} if {pair.a, pair.b} & lenient else row


def _has_matrix(comparison: Comparison) -> bool:
    runs = len(comparison.means)
    return comparison.baseline is None and FEWEST_IN_MATRIX <= runs <= MOST_IN_MATRIX


# -- records for JSON


def procedure_settings(comparison: Comparison) -> dict[str, object]:
    """How runs were compared, with the numbers of draws that were used."""
    procedure = comparison.procedure
    return {
        **asdict(procedure),
        "resamples": comparison.resamples,
        "interval_resamples": procedure.interval_resamples,
        "tests": comparison.tests,
    }


def _record(comparison: Comparison) -> dict[str, object]:
    return {
        "measure": comparison.measure,
        "canonical": comparison.canonical,
        "better": comparison.better,
        "reference": reference_of(comparison),
        "verdict": verdict(comparison),
        "procedure": legend(comparison),
        "tests": comparison.tests,
        "significant": len(comparison.significant()),
        "means": [asdict(mean) for mean in comparison.means],
        "pairs": [{**_pair_record(pair), "effect": pair.effect} for pair in comparison.pairs],
        "notes": [note.to_dict() for note in comparison.notes],
    }


def _group_record(group: Group) -> dict[str, object]:
    comparisons = [_record(comparison) for comparison in group.comparisons]
    return {"group": group.name, "topics": group.topics, "comparisons": comparisons}


def _pair_record(pair: Pair) -> dict[str, Value]:
    return {column.name: getattr(pair, column.name) for column in _PAIR_FIELDS}


def _test_record(pair: Pair, comparison: Comparison) -> dict[str, Value]:
    """How a pair was tested; nothing where it was not."""
    if pair.p is None:
        return {column.name: None for column in _TEST_FIELDS}
    procedure, drawn = comparison.procedure, comparison.drawn(pair)
    return {
        "test": procedure.test,
        "tail": procedure.tail,
        "correction": procedure.correction,
        "tests": comparison.tests,
        "resamples": drawn,
        "seed": None if drawn is None else procedure.seed,
    }

"""The output of a gate: which rules were kept or broken, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from spanwise.inputs.runs import hashed, names_of
from spanwise.inputs.settings import Given
from spanwise.records import asdict
from spanwise.reporting.legends import how_tested
from spanwise.reporting.output import (
    Column,
    Field,
    Headline,
    Lines,
    Output,
    Part,
    Row,
    Rows,
    Table,
    Value,
    versions,
)
from spanwise.reporting.render.cells import decimal, probability_equation, probability_text
from spanwise.reporting.results import Result
from spanwise.reporting.scores import lenient_text
from spanwise.reporting.topic_names import topic_names
from spanwise.statistics.comparison import Better
from spanwise.statistics.gates import Drop, GateOutcome, RuleOutcome
from spanwise.statistics.procedure import Procedure
from spanwise.text.sentences import counted

MOST_DROPS = 10
"""Topics that are named; further ones are counted."""
_QUESTION = "is the run worse than the baseline?"
_WORDS = {True: "FAIL", False: "pass"}
_FIELDS = (
    *(Field("rule"), Field("kind"), Field("measure"), Field("failed", "truth")),
    *(Field(name, "number") for name in ("mean", "baseline", "ahead", "p", "p_corrected")),
    *(Field("significant", "truth"), Field("reason")),
)


@dataclass(frozen=True, eq=False, repr=False)
class GateResult(Result, GateOutcome):
    """A run that was tried against rules; ``passed`` is whether it kept all of them.

    >>> from spanwise import gate
    >>> judged = {"q1": {"d7": [(100, 250)]}}
    >>> gate(judged, {"q1": {"d7": [(100, 200)]}}, require=["textR >= 0.5"])
    pass: run, 1 topic, the rule is kept
      pass  require mean textR >= 0.5: textR is 0.6667
    """

    procedure: Procedure = field(default_factory=Procedure)
    settings: Mapping[str, object] = field(default_factory=dict)
    given: Sequence[Given] = ()
    """The inputs: what each is for, and what was given."""

    def worse_topics(self, measure: str) -> tuple[Drop, ...]:
        """The topics that got worse under a measure of a rule, the largest drop first."""
        return self.drops.get(measure, ())

    def output(self, *, hashed_inputs: bool = False, table: bool = False) -> Output:
        """The result first, then each rule with its reason; as a table, or a line for each."""
        return Output(
            producer="gate",
            title=" against ".join(filter(None, (self.run, self.baseline))),
            parts=(*(self._table() if table else (self._lines(),)), *self._drops()),
            rows=Rows(_FIELDS, [_record(one) for one in self.outcomes]),
            notes=self.notes,
            settings={**self.settings, **asdict(self.procedure)},
            inputs=hashed(self.given) if hashed_inputs else (),
            versions=versions("scipy"),
            lenient=lenient_text(self.lenient),
            record={
                "run": self.run,
                "baseline": self.baseline,
                "topics": self.topics,
                "passed": self.passed,
                "tests": self._tests(),
                "worse": list(self._drop_records()),
            },
        )

    def files_read(self) -> Sequence[str]:
        return names_of(self.given)

    def _lines(self) -> Lines:
        """Broken rules first."""
        outcomes = sorted(self.outcomes, key=lambda one: not one.broken)
        rules = (f"  {_WORDS[one.broken]}  {one.rule}: {reason(one)}" for one in outcomes)
        return Lines((self._headline(), *rules, *self._tests()))

    def _table(self) -> tuple[Part, ...]:
        columns = (Column("result", "text"), *(Column(n, "text", True) for n in ("rule", "reason")))
        rows: list[Row] = [
            (_WORDS[one.broken], str(one.rule), reason(one)) for one in self.outcomes
        ]
        return (Headline(self._headline()), Table("", columns, tuple(rows)), *self._tests())

    def _headline(self) -> str:
        """What was tried, against what, and how many rules were kept."""
        against = "" if self.baseline is None else f" against {self.baseline}"
        topics = counted(self.topics, "topic")
        return f"{_WORDS[not self.passed]}: {self.run}{against}, {topics}, {self._kept()}"

    def _kept(self) -> str:
        rules, broken = len(self.outcomes), len(self.broken)
        if rules == 1:
            return "the rule is broken" if broken else "the rule is kept"
        if not broken:
            return f"all {rules} rules are kept"
        return f"{broken} of {rules} rules {'is' if broken == 1 else 'are'} broken"

    def _drops(self) -> Iterator[Table]:
        """The topics behind the differences that broke rules."""
        labels = dict.fromkeys(one.rule.measure for one in self.broken if one.ahead is not None)
        for label in labels:
            drops = self.drops[label]
            if drops:
                yield self._drops_table(label, drops)

    def _drops_table(self, label: str, drops: Sequence[Drop]) -> Table:
        names = topic_names((drop.topic for drop in drops), self.queries)
        rows: list[Row] = [
            (names[drop.topic], drop.value, drop.baseline, drop.value - drop.baseline)
            for drop in drops[:MOST_DROPS]
        ]
        if len(drops) > MOST_DROPS:
            rows.append(f"and {counted(len(drops) - MOST_DROPS, 'more topic')}")
        title = f"{label}: worse on {len(drops):,} of {counted(self.topics, 'topic')}"
        columns = (
            Column("topic", "text", clips=True),
            *(Column(self.run), Column(self.baseline or "baseline")),
            Column("difference", "signed"),
        )
        return Table(title, columns, tuple(rows), transposed="")

    def _drop_records(self) -> Iterator[dict[str, Value]]:
        for measure, drops in self.drops.items():
            for drop in drops:
                query = self.queries.get(drop.topic)
                said: dict[str, Value] = {} if query is None else {"query": query}
                yield {"measure": measure, **asdict(drop), **said}

    def _tests(self) -> list[str]:
        """How every p was found, in a sentence for each way."""
        return [how_tested(one, _QUESTION) for one in self.tested]


def _record(outcome: RuleOutcome) -> dict[str, Value]:
    return {
        "rule": str(outcome.rule),
        "kind": outcome.rule.kind,
        "measure": outcome.rule.measure,
        "failed": outcome.broken,
        "mean": outcome.mean,
        "baseline": outcome.baseline,
        "ahead": outcome.ahead,
        "p": outcome.p,
        "p_corrected": outcome.p_corrected,
        "significant": outcome.significant,
        "reason": reason(outcome),
    }


def reason(outcome: RuleOutcome) -> str:
    """What the numbers say about a rule.

    >>> from spanwise.statistics.gate_rules import parse_rule
    >>> rule = parse_rule("fail-if", "AgP < -0.01")
    >>> reason(RuleOutcome(rule, True, 0.4, "higher", 0.5, -0.1, 0.03))
    'AgP is 0.1000 worse than the baseline (0.4000, baseline 0.5000, uncorrected p = 0.0300)'
    """
    measure = outcome.rule.measure
    lower = ", lower is better" if outcome.better == "lower" else ""
    if outcome.baseline is None or outcome.ahead is None:
        return f"{measure} is {decimal(outcome.mean)}{lower}"
    means = f"{decimal(outcome.mean)}, baseline {decimal(outcome.baseline)}"
    doubt = "" if outcome.doubt is None else f"; {outcome.doubt.message}"
    about = f"{means}{_tested(outcome)}{lower}"
    return f"{measure} is {_ahead(outcome.ahead, outcome.better)} ({about}){doubt}"


def _ahead(ahead: float, better: Better) -> str:
    if not ahead:
        return "the same as the baseline"
    more, less = ("higher", "lower") if better == "neither" else ("better", "worse")
    return f"{decimal(abs(ahead))} {more if ahead > 0 else less} than the baseline"


def _tested(outcome: RuleOutcome) -> str:
    """What the test says; a limit is kept or broken whatever p is."""
    if outcome.p is None:
        return ""
    if outcome.p_corrected is None:
        return f", uncorrected {probability_equation(outcome.p)}"
    corrected = probability_text(outcome.p_corrected).replace("<", "< ")
    word = "" if outcome.doubt else f", {'' if outcome.significant else 'not '}significant"
    return f", {probability_equation(outcome.p)}, corrected {corrected}{word}"

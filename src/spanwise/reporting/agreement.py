"""The output of a comparison of assessors: the finding, tables, a row for each value."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from spanwise.assessing.agreement import (
    EVERYONE,
    LEVELS,
    Agreement,
    Coefficient,
    Level,
    PairAgreement,
)
from spanwise.assessing.disagreements import Disagreement, disagreements
from spanwise.data.notes import Note
from spanwise.errors import encoded
from spanwise.formats.outputs import Outputs
from spanwise.inputs.runs import hashed, names_of
from spanwise.inputs.settings import Given
from spanwise.lab.experiment import LENIENT
from spanwise.reporting.agreement_findings import (
    about,
    finding,
    judged_by_both,
    one_sided,
    surest,
)
from spanwise.reporting.agreement_tables import (
    documents_table,
    joint_table,
    levels_table,
    pairs_table,
    topics_table,
)
from spanwise.reporting.file_names import file_names, without_folders
from spanwise.reporting.output import (
    Field,
    Headline,
    Interval,
    Output,
    Part,
    Rows,
    Value,
    versions,
)
from spanwise.reporting.render import format_of
from spanwise.reporting.render.cells import DIGITS, Look
from spanwise.reporting.results import Result
from spanwise.reporting.sections import Report
from spanwise.statistics.agreement import COEFFICIENTS, Counted
from spanwise.statistics.agreement_intervals import agreement_interval
from spanwise.statistics.procedure import Procedure
from spanwise.text.sentences import counted, enumerated

ADJUDICATION = ("spanwise", "assess", "--adjudicate")
"""The command that shows what two assessors highlighted, and keeps what is decided."""
FIELDS = (
    *(Field(name) for name in ("a", "b", "level", "statistic", "topic")),
    Field("value", "number"),
)


@dataclass(frozen=True, eq=False, repr=False)
class AgreementResult(Result):
    """How far assessors agree: it prints, saves and converts itself.

    ``pairs`` has one :class:`PairAgreement` for every two assessors.
    """

    agreement: Agreement
    procedure: Procedure = field(default_factory=Procedure)
    notes: tuple[Note, ...] = ()
    """About the inputs; what was compared has its own."""
    settings: Mapping[str, object] = field(default_factory=dict)
    given: Sequence[Given] = ()
    """The inputs: what each is for, and what was given."""
    lenient: bool = False
    """Something was dropped or cut from the inputs."""

    def page(self) -> Report:
        """The page, with files called by their names alone."""
        from spanwise.reporting.agreement_page import agreement_report

        output = without_folders(self.output(hashed_inputs=True), names_of(self.given))
        return agreement_report(self, output)

    def save(self, path: str | os.PathLike[str], *, digits: int = DIGITS) -> None:
        """Write a file in the format of its ending, whole or not at all."""
        if format_of(os.fspath(path)) != "html":
            super().save(path, digits=digits)
            return
        from spanwise.reporting.render.html import report_page

        page = report_page(self.page(), Look(digits=digits, dialect="python"))
        Outputs(self.files_read()).file(path).write(encoded(page))

    def adjudication(self, pair: PairAgreement) -> str:
        """The command to decide between two assessors; nothing if they are not from files."""
        names = file_names(names_of(self.given))
        files = {
            name: names[file]
            for name, given in zip(self.agreement.assessors, self.given, strict=False)
            for file in names_of([given])
        }
        documents = [
            names[file]
            for role, one in self.given
            for file in names_of([(role, one)])
            if role == "collection"
        ]
        if not documents or not {pair.first, pair.second} <= files.keys():
            return ""
        both = (files[pair.first], files[pair.second])
        return shlex.join([*ADJUDICATION, *both, "--collection", *documents])

    @property
    def pairs(self) -> tuple[PairAgreement, ...]:
        """Every two assessors, in the order of the inputs."""
        return self.agreement.pairs

    def files_read(self) -> Sequence[str]:
        return names_of(self.given)

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """The finding and tables; a row for each pair, level, statistic and topic."""
        items = list(self._rows())
        if self.lenient:
            items = [{**row, "lenient": True} for row in items]
        return Output(
            producer="agree",
            title=title_of(self.agreement),
            parts=tuple(self._parts()),
            rows=Rows(FIELDS, items),
            notes=(*self.notes, *self.agreement.notes),
            settings={**self.settings, **self._interval_settings()},
            inputs=hashed(self.given) if hashed_inputs else (),
            versions=versions(),
            lenient=LENIENT if self.lenient else "",
            record={"pairs": [self._record(pair) for pair in self.pairs]},
        )

    def _interval_settings(self) -> dict[str, object]:
        return {
            "interval": "percentile bootstrap over topics",
            "resamples": self.procedure.interval_resamples,
            "seed": self.procedure.seed,
        }

    # -- for people

    def _parts(self) -> Iterator[Part]:
        agreement = self.agreement
        yield Headline(finding(agreement))
        if agreement.joint is None:
            yield from self._of_two(agreement.pairs[0])
            return
        yield joint_table(agreement)
        yield pairs_table(agreement)

    def _of_two(self, pair: PairAgreement) -> Iterator[Part]:
        yield from filter(None, [about(pair)])
        yield f"{'; '.join(self.facts(pair))}."
        yield levels_table(pair)
        table = topics_table(pair, self.agreement.queries)
        yield from [] if table is None else [table]
        table = documents_table(pair, self.disagreements(pair), self.agreement.queries)
        yield from [] if table is None else [table]

    def facts(self, pair: PairAgreement) -> list[str]:
        """What decides how far the finding is to be believed."""
        return list(filter(None, (judged_by_both(pair), self.surest(pair), one_sided(pair))))

    def surest(self, pair: PairAgreement) -> str:
        """Kappa over characters with its interval."""
        return surest(pair, self.interval(pair, "character", "kappa"))

    # -- for programs

    def _rows(self) -> Iterator[dict[str, Value]]:
        for pair in self.pairs:
            names = {"a": pair.first, "b": pair.second}
            yield from _rows_of(names, pair.topics, pair.coefficients)
        joint = self.agreement.joint
        if joint is not None:
            everyone = {"a": EVERYONE, "b": EVERYONE}
            yield from _rows_of(everyone, joint.topics, joint.coefficients)

    def _record(self, pair: PairAgreement) -> dict[str, object]:
        """What a pair is made of: counts, intervals, and where it differs."""
        levels = {
            level: self._level_record(pair, level) for level in LEVELS if level in pair.counts
        }
        differ = [_document_record(one) for one in self.disagreements(pair)]
        names = {"a": pair.first, "b": pair.second, "topics": len(pair.topics)}
        return {**names, "documents": pair.documents, "levels": levels, "disagreements": differ}

    def _level_record(self, pair: PairAgreement, level: Level) -> dict[str, object]:
        whole = pair.counts[level].together()
        counts = {
            name: int(part[0]) if part[0] == part[0] else None
            for name, part in zip(
                ("both", "a_only", "b_only", "neither"),
                (whole.both, whole.first, whole.second, whole.neither),
                strict=True,
            )
        }
        ends = {name: self.interval(pair, level, name) for name in COEFFICIENTS}
        return {**counts, "intervals": {name: list(own) for name, own in ends.items() if own}}

    def interval(self, pair: PairAgreement, level: Level, statistic: Counted) -> Interval | None:
        """The interval of a pooled coefficient, None where there is none."""
        return self._intervals.get((pair.first, pair.second, level, statistic))

    @cached_property
    def _intervals(self) -> dict[tuple[str, str, Level, Counted], Interval]:
        found = {}
        for pair in self.pairs:
            for level, counts in pair.counts.items():
                for name, coefficient in COEFFICIENTS.items():
                    ends = agreement_interval(counts, coefficient, self.procedure)
                    if ends is not None:
                        found[pair.first, pair.second, level, name] = Interval(*ends)
        return found

    def disagreements(self, pair: PairAgreement) -> Sequence[Disagreement]:
        """Where two assessors highlighted different text, the largest differences first."""
        key = (pair.first, pair.second)
        if key not in self._disagreements:
            self._disagreements[key] = [] if pair.text is None else disagreements(pair.text)
        return self._disagreements[key]

    @cached_property
    def _disagreements(self) -> dict[tuple[str, str], list[Disagreement]]:
        return {}


def title_of(agreement: Agreement) -> str:
    """What was compared."""
    topics = {topic for pair in agreement.pairs for topic in pair.topics}
    who = enumerated(agreement.assessors)
    return f"agreement of {who} · {counted(len(topics), 'topic')}"


def _rows_of(
    names: Mapping[str, Value], topics: Sequence[str], coefficients: Sequence[Coefficient]
) -> Iterator[dict[str, Value]]:
    """All topics together, then each of them; undefined values have no row."""
    for one in coefficients:
        values = zip((EVERYONE, *topics), (one.pooled, *one.by_topic), strict=True)
        named = {**names, "level": one.level, "statistic": one.statistic}
        for topic, value in values:
            if value == value:
                yield {**named, "topic": topic, "value": value}


def _document_record(one: Disagreement) -> dict[str, object]:
    named = {"topic": one.topic, "document": one.document}
    return {**named, "both": one.both, "a_only": one.first_only, "b_only": one.second_only}

"""The report: what one page shows about an evaluation, from the verdict to the documents."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from spanwise.data.notes import Note
from spanwise.errors import OutputError
from spanwise.formats.outputs import Outputs
from spanwise.inputs.runs import hashed, names_of
from spanwise.inputs.settings import Given
from spanwise.records import asdict, replace
from spanwise.reporting.file_names import without_folders
from spanwise.reporting.findings import finding
from spanwise.reporting.first_screen import Chips
from spanwise.reporting.history import Entry
from spanwise.reporting.output import Headline, Lines, Output, Part, versions
from spanwise.reporting.render.cells import DIGITS, Look
from spanwise.reporting.report_comparisons import (
    DETAILED,
    ComparedRuns,
    mean_rows,
    means_output,
    means_table,
    means_title,
    means_words,
    pair_records,
    pairs_output,
    same_for,
    shown_words,
)
from spanwise.reporting.report_failures import (
    MOST_TEXT,
    failure_parts,
    failure_record,
    report_failures,
)
from spanwise.reporting.report_files import is_page, refuse_without_browser, write_report
from spanwise.reporting.report_first_screen import about_finding, first_screen
from spanwise.reporting.report_matrix import matrix_table, matrix_words
from spanwise.reporting.report_topics import (
    difference_bars,
    differences_words,
    topics_output,
    values_table,
)
from spanwise.reporting.report_trend import trend_items
from spanwise.reporting.results import Result
from spanwise.reporting.scored_runs import ScoredRuns
from spanwise.reporting.scores import lenient_mark
from spanwise.reporting.sections import (
    Charts,
    Download,
    Downloads,
    FinePrint,
    Item,
    OnDemand,
    Report,
    Section,
)
from spanwise.reporting.verdicts import verdict
from spanwise.statistics.procedure import Procedure
from spanwise.text.sentences import counted


def report_of(
    scored: ScoredRuns,
    procedure: Procedure,
    *,
    baseline: str | None = None,
    title: str | None = None,
    chapters: Sequence[Output] = (),
    strips: int | None = 500,
    most_text: int | None = MOST_TEXT,
    history: Sequence[Entry] = (),
    settings: dict[str, object] | None = None,
    notes: Sequence[Note] = (),
) -> Report:
    """The report as a value: everything that is shown, nothing that is drawn."""
    compared = ComparedRuns.of(scored.scores, procedure, baseline)
    failures = report_failures(scored, strips=strips, most_text=most_text)
    limits = {"thresholds": asdict(scored.thresholds)}
    measures = {"measures": [asked.label for asked in scored.scores.measures], "baseline": baseline}
    output = Output(
        producer="report",
        title=title or _title(compared),
        parts=(*_verdict_parts(scored, compared), *failure_parts(failures)),
        rows=mean_rows(compared),
        notes=tuple(dict.fromkeys([*notes, *scored.scores.all_notes(), *compared.notes()])),
        settings={**measures, **compared.settings(), **limits, **(settings or {})},
        versions=versions("scipy"),
        lenient=lenient_mark(scored.scores),
        record={
            "title": title or _title(compared),
            "pairs": pair_records(compared),
            "failures": failure_record(failures),
        },
    )
    return Report(
        output=output,
        lead=tuple(_lead(scored, compared, output)),
        sections=(
            Section("failures", "Where runs fail", (failures,)),
            *_sections(scored, compared, output, history),
        ),
        chapters=tuple(chapters),
        pictures={
            f"matrix-{number}": matrix_table(compared, comparison, matrix_words(comparison))
            for number, comparison in enumerate(compared.detailed, 1)
            if len(compared.runs) > 1
        },
    )


def _title(compared: ComparedRuns) -> str:
    """What the report is about, if it was not given a name."""
    return f"{counted(len(compared.runs), 'run')} on {counted(compared.topics, 'topic')}"


def _verdict_parts(scored: ScoredRuns, compared: ComparedRuns) -> Iterator[Part]:
    """The finding, how much and how sure, the verdicts by other measures, the means."""
    first, *others = compared.comparisons
    yield Headline(finding(first))
    yield about_finding(scored, first)
    yield from map(verdict, others)
    yield means_table(compared)
    yield means_words(compared)


def _lead(scored: ScoredRuns, compared: ComparedRuns, output: Output) -> Iterator[Item]:
    """The first screen, and its words to be copied."""
    shown = tuple(first_screen(scored, compared))
    yield from shown
    said = [item for item in shown if isinstance(item, (str, Headline))]
    chips = [chip.text for item in shown if isinstance(item, Chips) for chip in item.chips]
    first = replace(compared, comparisons=compared.comparisons[:1])
    parts = (*said, Lines(tuple(chips)), means_table(first))
    words = Output("report", output.title, parts, lenient=output.lenient)
    yield Downloads("verdict", (Download("verdict", ("markdown",), words),))


def _sections(
    scored: ScoredRuns,
    compared: ComparedRuns,
    output: Output,
    history: Sequence[Entry],
) -> Iterator[Section]:
    """Those that have any content."""
    several = len(compared.runs) > 1
    yield Section("scores", "Scores", tuple(_means(compared, output.lenient)))
    if history:
        measures = scored.scores.measures[:DETAILED]
        yield Section("trend", "Trend", tuple(trend_items(history, measures, compared.runs)))
    if several:
        yield Section("pairs", "Significance", tuple(_significance(compared, output.lenient)))
    if scored.plots:
        yield Section("curves", "Curves", tuple(_curves(scored, compared)))
    if several:
        yield Section("topics", "Topic by topic", tuple(_topics(compared)))


def _means(compared: ComparedRuns, lenient: str) -> Iterator[Item]:
    """The verdicts by other measures, then the means by all of them."""
    others = tuple(map(verdict, compared.comparisons[1:]))
    if len(others) < DETAILED:
        yield from others
    else:
        yield OnDemand(f"By {len(others)} other measures", others, printed=False)
    yield means_table(compared, means_title(compared))
    yield FinePrint(means_words(compared))
    table = Download("scores", ("csv", "latex", "markdown"), means_output(compared, lenient))
    yield Downloads("scores", (table, Download("scores", ("json",))))


def _curves(scored: ScoredRuns, compared: ComparedRuns) -> Iterator[Item]:
    yield "Means over topics. The buttons hide and show runs in all curves."
    yield from filter(None, [shown_words(compared)])
    shown = tuple(compared.shown)
    named = (
        (
            f"curve-{number}",
            replace(plot, series=tuple(one for one in plot.series if one[0] in shown)),
        )
        for number, plot in enumerate(scored.plots, 1)
    )
    yield Charts(tuple(named), shown, "run")


def _significance(compared: ComparedRuns, lenient: str) -> Iterator[Item]:
    """The matrix of the first measure, those of a few others on demand."""
    first, *others = compared.detailed
    yield from filter(None, [shown_words(compared)])
    yield from (matrix_words(first), matrix_table(compared, first))
    for other in others:
        yield same_for(other, matrix_words(other), matrix_table(compared, other))
    if len(compared.comparisons) > DETAILED:
        yield FinePrint(f"The first {DETAILED} measures are shown; spanwise compare shows all.")
    pairs = Download("pairs", ("csv", "latex", "markdown"), pairs_output(compared))
    yield Downloads("pairs", (pairs,))


def _topics(compared: ComparedRuns) -> Iterator[Item]:
    """The bars of the first measure, those of a few others on demand."""
    bars = partial(difference_bars, compared)
    first, *others = compared.detailed
    yield from filter(None, [shown_words(compared)])
    yield from (differences_words(compared, first), bars(first, 1))
    yield OnDemand("The numbers", (values_table(compared),), printed=False)
    yield Downloads("topics", (Download("topics", ("csv",), topics_output(compared)),))
    for number, other in enumerate(others, 2):
        yield same_for(other, differences_words(compared, other), bars(other, number))


# -- the result of the library


@dataclass(frozen=True, eq=False, repr=False)
class ReportResult(Result):
    """A report, which saves itself as one HTML file, and its charts as SVG files."""

    report: Report
    given: Sequence[Given] = ()
    """The inputs: what each is for, and what was given."""
    all_texts: bool = False
    """A page holds all texts, however large it becomes."""
    complete: Callable[[], Report] | None = None
    """Makes the same report with the texts of all topics."""

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """Verdicts, means and their rows."""
        return self.whole().output if hashed_inputs else self.report.output

    def whole(self) -> Report:
        """The report with the hashes of its inputs, which it calls by their names alone."""
        return self._documented(self.report)

    def _documented(self, shown: Report) -> Report:
        paths = names_of(self.given)
        report = shown.with_inputs(hashed(self.given))
        return replace(
            report,
            output=without_folders(report.output, paths),
            chapters=tuple(without_folders(chapter, paths) for chapter in report.chapters),
        )

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        digits: int = DIGITS,
        charts: str | os.PathLike[str] | None = None,
        all_texts: bool = False,
    ) -> None:
        """Write the page (.html or .pdf), or with another ending the means; charts in a folder."""
        look, outputs = Look(digits=digits, dialect="python"), Outputs(self.files_read())
        if is_page(path):
            refuse_without_browser(path)
            texts = all_texts or self.all_texts
            made = self._with_all_texts() if texts else self.whole()
            write_report(made, outputs.file(path), charts, outputs, look, all_texts=texts)
        elif charts is not None:
            raise OutputError(f"{os.fspath(path)}: charts belong to a page, such as report.html")
        else:
            super().save(path, digits=digits)

    def _with_all_texts(self) -> Report:
        """Texts that were left out when the report was made are made now."""
        if self.all_texts or self.complete is None:
            return self.whole()
        return self._documented(self.complete())

    def files_read(self) -> Sequence[str]:
        return names_of(self.given)

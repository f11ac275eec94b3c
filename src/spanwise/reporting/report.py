"""The report: what one page shows about an evaluation, from the verdict to the documents."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from spanwise.data.notes import Note
from spanwise.errors import OutputError, encoded, option
from spanwise.formats.destination import Destination, folder_of_files, write_together
from spanwise.formats.outputs import Outputs
from spanwise.inputs.runs import hashed, names_of
from spanwise.inputs.settings import Given
from spanwise.reporting.history import Entry
from spanwise.reporting.output import Headline, Output, versions
from spanwise.reporting.render.cells import DIGITS, Look
from spanwise.reporting.report_comparisons import (
    DETAILED,
    ComparedRuns,
    matrix_table,
    matrix_words,
    mean_rows,
    means_output,
    means_table,
    means_title,
    means_words,
    pair_records,
    pairs_output,
    same_for,
    verdicts,
)
from spanwise.reporting.report_topics import (
    difference_bars,
    differences_words,
    topics_output,
    values_table,
)
from spanwise.reporting.report_trend import trend_items
from spanwise.reporting.results import Result
from spanwise.reporting.scored_runs import ScoredRuns, texts_of, topic_strips
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
    Strips,
)
from spanwise.statistics.procedure import Procedure
from spanwise.text.sentences import counted


def report_of(
    scored: ScoredRuns,
    procedure: Procedure,
    *,
    baseline: str | None = None,
    title: str | None = None,
    chapters: Sequence[Output] = (),
    strips: int = 500,
    history: Sequence[Entry] = (),
    settings: dict[str, object] | None = None,
    notes: Sequence[Note] = (),
) -> Report:
    """The report as a value: everything that is shown, nothing that is drawn."""
    compared = ComparedRuns.of(scored.scores, procedure, baseline)
    measures = {"measures": [asked.label for asked in scored.scores.measures], "baseline": baseline}
    output = Output(
        producer="report",
        title=title or _title(compared),
        parts=(*_verdict_parts(compared), means_table(compared), means_words(compared)),
        rows=mean_rows(compared),
        notes=tuple(dict.fromkeys([*notes, *scored.scores.all_notes(), *compared.notes()])),
        settings={**measures, **compared.settings(), **(settings or {})},
        versions=versions("scipy"),
        lenient=lenient_mark(scored.scores),
        record={"title": title or _title(compared), "pairs": pair_records(compared)},
    )
    return Report(
        output=output,
        lead=tuple(_lead(compared)),
        sections=tuple(_sections(scored, compared, output, strips, history)),
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


def _verdict_parts(compared: ComparedRuns) -> Iterator[Headline | str]:
    first, *others = verdicts(compared)
    yield Headline(first)
    yield from others


def _lead(compared: ComparedRuns) -> Iterator[Item]:
    """The sentence that a reader takes home, and one for each other measure."""
    first, *others = _verdict_parts(compared)
    yield first
    if len(others) < DETAILED:
        yield from others
    else:
        yield OnDemand(f"By {len(others)} other measures", tuple(others), printed=False)


def _sections(
    scored: ScoredRuns,
    compared: ComparedRuns,
    output: Output,
    strips: int,
    history: Sequence[Entry],
) -> Iterator[Section]:
    """Those that have any content."""
    yield Section("scores", "Scores", tuple(_means(compared, output.lenient)))
    if history:
        measures = scored.scores.measures[:DETAILED]
        yield Section("trend", "Trend", tuple(trend_items(history, measures, compared.runs)))
    if scored.plots:
        yield Section("curves", "Curves", tuple(_curves(scored, compared)))
    if len(compared.runs) > 1:
        yield Section("pairs", "Significance", tuple(_significance(compared, output.lenient)))
        yield Section("topics", "Topic by topic", tuple(_topics(compared)))
    shown = topic_strips(scored.scores, scored.evaluation, strips)
    if shown:
        texts, measure = texts_of(scored.evaluation.documents), compared.comparisons[0].measure
        found = Strips(shown, measure, compared.topics, texts)
        yield Section("documents", "Inside the documents", (found,))


def _means(compared: ComparedRuns, lenient: str) -> Iterator[Item]:
    yield means_table(compared, means_title(compared))
    yield FinePrint(means_words(compared))
    table = Download("scores", ("csv", "latex", "markdown"), means_output(compared, lenient))
    yield Downloads("scores", (table, Download("scores", ("json",))))


def _curves(scored: ScoredRuns, compared: ComparedRuns) -> Iterator[Item]:
    yield "Means over topics. The buttons hide and show runs in all curves."
    named = ((f"curve-{number}", plot) for number, plot in enumerate(scored.plots, 1))
    yield Charts(tuple(named), tuple(compared.runs), "run")


def _significance(compared: ComparedRuns, lenient: str) -> Iterator[Item]:
    """The matrix of the first measure, those of a few others on demand."""
    first, *others = compared.detailed
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

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """Verdicts, means and their rows."""
        return self.whole().output if hashed_inputs else self.report.output

    def whole(self) -> Report:
        """The report with the hashes of its inputs."""
        return self.report.with_inputs(hashed(self.given))

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        digits: int = DIGITS,
        charts: str | os.PathLike[str] | None = None,
    ) -> None:
        """Write the page, or with another ending than .html the means; charts into a folder."""
        look, outputs = Look(digits=digits, dialect="python"), Outputs(self.files_read())
        if Path(path).suffix.lower() == ".html":
            write_report(self.whole(), outputs.file(path), charts, outputs, look)
        elif charts is not None:
            raise OutputError(f"{os.fspath(path)}: charts belong to a page, such as report.html")
        else:
            super().save(path, digits=digits)

    def files_read(self) -> Sequence[str]:
        return names_of(self.given)


def write_report(
    report: Report,
    page: Destination,
    charts: str | os.PathLike[str] | None,
    outputs: Outputs,
    look: Look,
) -> None:
    """The page and its charts, all of them or none."""
    from spanwise.reporting.render.html import report_charts, report_page

    whole = (page, encoded(report_page(report, look)))
    if charts is None:
        write_together([whole])
        return
    folder = Path(charts)
    drawn = report_charts(report, look).items()
    with folder_of_files(folder):
        files = [(outputs.file(folder / name), encoded(content)) for name, content in drawn]
        write_together([*files, whole])


def refuse_no_folder(charts: str | os.PathLike[str] | None, page: str) -> None:
    """A place where no folder of charts can be is refused before any work."""
    if charts is None:
        return
    name, path = os.fspath(charts), Path(charts).absolute()
    if not name or path == Path(page).absolute():
        raise OutputError(
            f"{name!r} is not a folder for charts; name another one for {option('charts')}"
        )
    if not next(place for place in (path, *path.parents) if place.exists()).is_dir():
        raise OutputError(f"{name} is not a folder; name another one for {option('charts')}")

"""Options that several commands share, and what they mean."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from spanwise.errors import MeasureError, SpanwiseError
from spanwise.formats.registry import Role, is_known, names_for
from spanwise.records import Struct

if TYPE_CHECKING:
    from spanwise.data.notes import Note
    from spanwise.formats.source import Source
    from spanwise.inputs.session import Progress
    from spanwise.measures.grammar import Asked
    from spanwise.reporting.scores import ScoresResult

Function = TypeVar("Function", bound=Callable[..., Any])

Option = Callable[[Any], Any]

FORMATS = ("table", "tsv", "csv", "jsonl", "json", "markdown", "latex")
"""Of results, but for those that only files can have."""


def _choice(name: str, words: Sequence[str], text: str) -> Option:
    return click.option(f"--{name}", type=click.Choice(words), help=text)


class FormatName(click.ParamType[str]):
    """The name of a format; formats are loaded only when one is named or all are listed."""

    name = "format"

    def __init__(self, *roles: Role, written: bool = False) -> None:
        self.roles, self.written = roles, written

    def names(self) -> list[str]:
        """The formats that read files of these roles, or write them."""
        known = (names_for(role, written=self.written) for role in self.roles)
        return list(dict.fromkeys(name for names in known for name in names))

    def get_metavar(self, *_: Any, **__: Any) -> str:
        return f"[{'|'.join(self.names())}]"

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        known = (is_known(value, role, written=self.written) for role in self.roles)
        if isinstance(value, str) and any(known):
            return value
        return click.Choice(self.names()).convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: Any, incomplete: str) -> Any:
        return click.Choice(self.names()).shell_complete(ctx, param, incomplete)


def _lift_limits(ctx: click.Context, parameter: click.Parameter, lifted: bool) -> None:
    """The limits of inputs are lifted as long as the command runs, wherever it reads."""
    if lifted:
        from spanwise.formats.budget import UNLIMITED, spending

        ctx.with_resource(spending(UNLIMITED))


INPUTS: dict[str, Option] = {
    "collection": click.option(
        "--collection",
        metavar="PATH",
        help="Documents: a built collection, a folder, zip, tar, Parquet or JSONL of documents,"
        " or a table of lengths.",
    ),
    "tokenizer": click.option(
        "--tokenizer",
        metavar="FILE|tiktoken:NAME",
        help="What measures with unit=tokens count: the tokens of a tokenizer.json or of tiktoken;"
        " needs --collection.  [default: words and marks]",
    ),
    "elements": click.option(
        "--elements",
        metavar="TABLE",
        help="Where the elements of documents lie: document, xpath, offset, length.",
    ),
    "order": _choice(
        "order",
        ["score", "rank", "file", "ascending"],
        "How answers are ranked; ascending puts the smallest score first, as for distances."
        "  [default: as the format says]",
    ),
    "overlap": _choice(
        "overlap",
        ["union", "error", "as-is"],
        "What happens to answers that overlap.  [default: union]",
    ),
    "results": click.option(
        "--results",
        type=click.IntRange(1),
        metavar="N",
        help="Score only the first N answers of each topic, 1500 in most INEX tasks.",
    ),
    "missing": _choice(
        "missing", ["zero", "skip"], "How to score topics missing from the run.  [default: zero]"
    ),
    "unjudged": _choice(
        "unjudged",
        ["irrelevant", "drop"],
        "What becomes of answers in documents that were not judged for the topic."
        "  [default: irrelevant]",
    ),
    "compat": _choice("compat", ["inex_eval"], "Reproduce an official tool to the last digit."),
    "lenient": click.option(
        "--lenient", is_flag=True, help="Drop or cut what is faulty, count it, mark the output."
    ),
    "unit": click.option(
        "--unit",
        type=click.Choice(["codepoint", "utf16", "byte"]),
        default="codepoint",
        show_default=True,
        help="What the files' offsets count; others need --collection.",
    ),
    "repair": click.option(
        "--repair",
        is_flag=True,
        help="Locate text whose offsets are wrong by the text itself; needs --collection.",
    ),
    "repeats": click.option(
        "--repeats",
        type=click.Choice(["error", "first", "all"]),
        default="error",
        show_default=True,
        help="Which places quoted assessments mean whose text is in several places.",
    ),
    "topics": click.option(
        "--topics",
        metavar="FILE|a,b,c",
        help="Keep only some topics; a topics file also tells what they ask.",
    ),
    "chunks": click.option(
        "--chunks",
        multiple=True,
        metavar="FILE",
        help="What the chunk ids of runs mean: one table for all runs, or one for each run,"
        " in the same order. Repeatable.",
    ),
    "assessments-format": click.option(
        "--assessments-format", type=FormatName("assessments"), help="Overrides format detection."
    ),
    "topic-from": click.option(
        "--topic-from",
        metavar="label|field:NAME|constant:ID",
        help="Where files of annotation tools have the topic.  [default: label]",
    ),
    "run-format": click.option(
        "--run-format", type=FormatName("run"), help="Overrides format detection."
    ),
    "run-name": click.option(
        "--run-name",
        type=click.Choice(["tag", "file"]),
        default="tag",
        show_default=True,
        help="Name runs by their tag or their file.",
    ),
    "jobs": click.option(
        "--jobs",
        type=click.IntRange(1, 1024),
        metavar="N",
        help="Threads that read and score.  [default: all cores]",
    ),
    "no-limits": click.option(
        "--no-limits",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_lift_limits,
        help="Read files of any line length, name length and expansion; only if you trust them.",
    ),
}
"""How inputs are read and doubtful cases decided."""

OUTPUTS: dict[str, Option] = {
    "output": click.option(
        *("-o", "--output"),
        type=click.Choice(FORMATS),
        help="The format of the results.  [default: table]",
    ),
    "to": click.option(
        "--to",
        metavar="FILE",
        help="Write the results to a file, in the format of its ending:"
        " .txt .tsv .csv .jsonl .json .md .tex .parquet .html",
    ),
    "digits": click.option(
        "--digits",
        type=click.IntRange(0, 17),
        default=4,
        show_default=True,
        help="Digits in table, markdown, latex and html; the other formats show all.",
    ),
    "notes": click.option(
        "--notes",
        type=click.Choice(["grouped", "all"]),
        default="grouped",
        show_default=True,
        help="One note for all runs that share it, or the notes of every run.",
    ),
    "quiet": click.option("--quiet", is_flag=True, help="No notes on standard error."),
}
"""Where results go and how they look."""


def measure_option(default: str, more: str = "") -> Callable[[Function], Function]:
    """Which measures are computed."""
    return click.option(
        *("-m", "--measure", "measures"),
        multiple=True,
        metavar="MEASURE",
        help="A measure or a nickname, such as rag; @FILE reads one on each line."
        f" Repeatable{more}.  [default: {default}]",
    )


def shared_options(*names: str) -> Callable[[Function], Function]:
    """Some of the shared options, in this order."""

    def add(function: Function) -> Function:
        for name in reversed(names):
            function = (INPUTS | OUTPUTS)[name](function)
        return function

    return add


def input_options(function: Function) -> Function:
    """Everything that says how inputs are read and doubtful cases decided."""
    return shared_options(*(name for name in INPUTS if name != "compat"))(function)


def settings_of(options: dict[str, Any]) -> dict[str, Any]:
    """The settings for ``spanwise.inputs.settings.Settings`` among a command's options."""
    from spanwise.inputs.settings import setting_names

    settings = {name: options[name] for name in setting_names() if name in options}
    if "chunks" in settings:
        settings["chunks"] = settings["chunks"] or None
    if "topics" in settings:
        settings["topics"] = topics_of(options["topics"])
    return settings


def topics_of(given: str | None) -> list[str] | dict[str, str] | None:
    """Topics from a file of topics, from one with a name on each line, or from a list."""
    if given is None:
        return None
    topics = _topics_in(given)
    if not topics:
        raise SpanwiseError(f"--topics {given} names no topic; name at least one, or leave it out")
    return topics


def _topics_in(given: str) -> list[str] | dict[str, str]:
    if _exists(given):
        from spanwise.formats.source import Source
        from spanwise.formats.topics import is_topics, read_topics

        if is_topics(Path(given)):
            return {topic.id: topic.query for topic in read_topics(Path(given))}
        lines = Source.at(given).text().splitlines()
        return [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return [topic.strip() for topic in given.split(",") if topic.strip()]


def _exists(name: str) -> bool:
    """Is there such a file? A long list of topics could not even be the name of one."""
    try:
        return Path(name).exists()
    except OSError:
        return False


# -- from the words of a command to scores

DEFAULT_MEASURE = "AgP"
STANDARD_INPUT = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


def refuse_twice(*files: str | None) -> None:
    """Standard input can be read as one file, under whatever name."""
    if sum(file in STANDARD_INPUT for file in files) > 1:
        raise SpanwiseError("standard input (-) can be read only once; name a file instead")


class Inputs(Struct, frozen=True):
    """Assessments and runs that are there."""

    assessments: Source | Path
    runs: tuple[Source, ...]

    @classmethod
    def opened(
        cls, assessments: str, runs: Sequence[str], open: Callable[[str], Source] | None = None
    ) -> Inputs:
        """A file that is missing is named before anything is computed."""
        from spanwise.formats.source import Source

        folder = assessments != "-" and Path(assessments).is_dir()
        judged = Path(assessments) if folder else Source.at(assessments)
        return cls(judged, tuple(map(open or Source.at, runs)))

    @contextmanager
    def shown(self) -> Iterator[tuple[list[Source], Progress | None]]:
        """The runs, and what is told how far they are read; only a terminal shows it."""
        if not sys.stderr.isatty():
            yield list(self.runs), None
            return
        from spanwise.cli.progress import Progress, watched

        runs, meters = watched(self.runs)
        with Progress(meters) as progress:
            yield runs, progress.count


def scores_of(inputs: Inputs, measures: list[Asked], options: dict[str, Any]) -> ScoresResult:
    """The scores of the runs, with progress shown while they are read."""
    from spanwise.library.scoring import evaluate

    engine = options.get("engine")
    # How far workers have come is not known here.
    with inputs.shown() if engine is None else nullcontext((list(inputs.runs), None)) as read:
        runs, progress = read
        return evaluate(
            inputs.assessments,
            runs,
            measures,
            bounds=options.get("bounds", False),
            engine=options.get("engine"),
            memory=options.get("memory"),
            resume=options.get("resume"),
            progress=progress,
            **settings_of(options),
        )


# -- measures: names, nicknames, and files that list them


def measures_of(given: Sequence[str]) -> list[Asked]:
    """The measures of all names; the first that does not exist is refused, with its place."""
    from spanwise.measures.grammar import asked

    found: list[Asked] = []
    for name, place in _each(given or [DEFAULT_MEASURE]):
        try:
            found += asked(name)
        except MeasureError as problem:
            raise MeasureError(f"{place}{problem.message}") from None
    return found


def _each(given: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each name with its place, if it is in a file."""
    for name in given:
        if name.startswith("@"):
            yield from _in_file(name[1:])
        else:
            yield name, ""


def _in_file(file: str) -> Iterator[tuple[str, str]]:
    from spanwise.formats.source import Source

    source = Source.at(file)
    for number, line in enumerate(source.text().splitlines(), start=1):
        name = line.partition("#")[0].strip()
        if name:
            yield name, f"{source.name}:{number}: "


def default_note(
    options: dict[str, Any], names: Sequence[str] = (DEFAULT_MEASURE,)
) -> Iterator[Note]:
    """What is shown if no measure was named."""
    from spanwise.data.notes import Note

    if not options["measures"]:
        yield Note("default measures", len(names), names=tuple(names))

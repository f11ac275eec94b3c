"""The command line: one thin module for each command, imported when it is called.

The help of a command shows its examples first, then its options in sections.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, NoReturn

import click

from spanwise.cli.failures import exit_code_of
from spanwise.cli.process import leave, take_over
from spanwise.errors import shortened
from spanwise.version import __version__

COMMANDS = {
    "evaluate": "Score runs against assessments.",
    "compare": "Test whether runs differ significantly.",
    "report": "Write one HTML file with verdict, curves, tests and documents.",
    "gate": "Fail when a run falls below a baseline or a threshold.",
    "lab": "Put measures to the test, with the papers' experiments.",
    "measures": "List the measures, or show one: formula, source, example.",
    "explain": "Show how a score came about.",
    "check": "Validate files and name every fault.",
    "locate": "Find quoted text in the documents, as ranges.",
    "chunks": "Compare chunkings: what no retriever over them can beat.",
    "convert": "Turn runs and assessments into other formats.",
    "agree": "Tell how far assessors agree, and where they do not.",
    "collection": "Build collections of documents, and show what is in them.",
    "index": "Index documents for search.",
    "search": "Find the best documents, and the best passages inside them.",
    "browse": "Show documents and their best passages in a browser.",
    "pool": "Choose the documents to assess from what runs returned.",
    "assess": "Judge the documents of a pool, and export the judgements.",
    "demo": "Evaluate the bundled demo collection.",
}
"""Each command lives in the module of its name in this package, as a function of its name."""

INTERRUPTED = 130


# -- commands and groups of commands

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Measures": ("measures", "per_topic", "bounds"),
    "Statistics": (
        *("baseline", "groups", "power", "test", "tail", "correction", "resamples", "seed"),
        *("method", "fail_if", "require"),
    ),
    "Input": (
        *("collection", "tokenizer", "elements", "order", "overlap", "results", "missing"),
        "unjudged",
        *("compat", "lenient"),
        *("unit", "repair", "repeats", "topics", "chunks", "assessments_format", "topic_from"),
        *("run_name", "no_limits", "jobs", "memory", "resume", "assessments", "role"),
        *("from_format", "others", "tags"),
        *("log", "given"),
    ),
    "Pages": ("no_open", "port", "host", "read_only"),
    "Output": (
        *("output", "to", "to_format", "digits", "notes", "quiet", "charts", "title", "chapters"),
        *("strips", "summary", "junit", "runs_to", "copy", "serve", "most", "everything", "export"),
        *("export_format", "help"),
    ),
}
"""Where the help of a command shows its options; others come first, as Options."""


class Command(click.Command):
    """A command whose help has its examples before its options, and these in sections."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        self.format_epilog(ctx, formatter)
        self.format_options(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        shown: dict[str, list[tuple[str, str]]] = {"Options": [], **{name: [] for name in SECTIONS}}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                shown[_section_of(parameter.name or "")].append(record)
        for name, records in shown.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)


def _section_of(option: str) -> str:
    return next((name for name, options in SECTIONS.items() if option in options), "Options")


command: Callable[..., Callable[[Callable[..., Any]], Command]] = partial(
    click.command, cls=Command
)
"""``click.command`` for commands of this kind."""


class Commands(click.Group):
    """Commands that live in modules of their names, as functions of their names."""

    def __init__(
        self,
        *arguments: Any,
        package: str,
        described: Mapping[str, str],
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self.package, self.described = package, described

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.described)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.described:
            return None
        module = import_module(f"{self.package}.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        refuse_unknown(ctx, args, list(self.described))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands from their one-line descriptions, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.described.items()))


class Subcommands(click.Group):
    """Commands in the order of their definition, with a suggestion for a mistyped one."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        refuse_unknown(ctx, args, list(self.commands))
        return super().resolve_command(ctx, args)


def refuse_unknown(ctx: click.Context, args: list[str], commands: list[str]) -> None:
    """A command that is not there, with the one that may be meant."""
    name = args[0] if args else ""
    if name and name not in commands and not name.startswith("-"):
        from difflib import get_close_matches

        close = get_close_matches(name, commands, n=1)
        hint = f"Did you mean {close[0]}?" if close else f"Commands: {', '.join(commands)}."
        ctx.fail(f"No such command {name!r}. {hint}")


# -- the program


class Main(Commands):
    """All commands."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. A reader that closes the pipe has read enough; click would exit with 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            return 0
        except EOFError as problem:  # click would take it for an interruption.
            return exit_code_of(problem, ctx.obj or ())


def _show_version(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from spanwise.native import path

        click.echo(f"spanwise, version {__version__} ({path()})")
        ctx.exit()


@click.command(
    cls=Main,
    package="spanwise.cli",
    described=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: spanwise demo",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and whether the native core runs.",
)
def command_line() -> None:
    """Score systems that answer with ranges of text inside documents.

    \b
      spanwise demo
      spanwise evaluate qrels.jsonl run.jsonl -m AgP -m textR@5
      spanwise measures AgP
    """  # noqa: D301


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command; every way to end has its exit code, and none is a traceback.

    Without arguments this is the program itself, which owns its process.
    """
    if arguments is None:
        take_over()
        arguments = sys.argv[1:]
    # Starting threads for linear algebra costs more than starting Python, and none is used here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    leave(_exit_code(arguments))


def _exit_code(arguments: list[str]) -> int:
    try:
        code = command_line.main(
            arguments, prog_name="spanwise", standalone_mode=False, obj=arguments
        )
    except click.exceptions.Abort:
        return INTERRUPTED
    except click.ClickException as problem:
        said = io.StringIO()
        problem.show(file=said)
        click.echo(shortened(said.getvalue()), nl=False, err=True)
        return problem.exit_code
    except SystemExit:
        raise
    except BaseException as problem:  # Not all foreign ones are derived from Exception.
        return exit_code_of(problem, arguments)
    return code if isinstance(code, int) else 0

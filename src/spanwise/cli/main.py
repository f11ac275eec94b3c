"""The command line: one thin module for each command, imported when it is called."""

from __future__ import annotations

import io
import os
import sys
from typing import Any, NoReturn

import click

from spanwise.cli.commands import Commands
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
    "convert": "Turn runs and assessments into other formats.",
    "collection": "Build collections of documents, and show what is in them.",
    "demo": "Evaluate the bundled demo collection.",
}
"""Each command lives in the module of its name in this package, as a function of its name."""

INTERRUPTED = 130


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

"""The command line: one thin module for each command, imported when it is called."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

import click

from spanwise.cli.commands import Commands
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
    "collection": "Build collections of documents, and look inside them.",
    "demo": "Evaluate the bundled demo collection.",
}
"""Each command lives in the module of its name in this package, as a function of its name."""

INTERRUPTED = 130


class Main(Commands):
    """All commands."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. Whoever closes a pipe has read enough: click would end with 1 instead."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            return 0


@click.command(
    cls=Main,
    package="spanwise.cli",
    described=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: spanwise demo",
)
@click.version_option(__version__, prog_name="spanwise")
def command_line() -> None:
    """Score systems that answer with ranges of text inside documents.

    \b
      spanwise demo
      spanwise evaluate qrels.jsonl run.jsonl -m AgP -m textR@5
      spanwise measures AgP
    """  # noqa: D301


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command; every way to end has its exit code, and none is a traceback."""
    # Starting threads for linear algebra costs more than starting Python, and none is used here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        code = command_line.main(arguments, prog_name="spanwise", standalone_mode=False)
    except click.exceptions.Abort:
        _leave(INTERRUPTED)
    except click.ClickException as problem:
        problem.show(file=sys.stderr)
        _leave(problem.exit_code)
    except KeyboardInterrupt:
        _leave(INTERRUPTED)
    except Exception as problem:
        _leave(_refused(problem))
    _leave(code if isinstance(code, int) else 0)


def _refused(problem: Exception) -> int:
    """What spanwise refuses, or what it ran out of, in one message."""
    from spanwise.errors import InputError, PolicyError, SpanwiseError

    if isinstance(problem, MemoryError):
        message = "not enough memory for this input"
    elif isinstance(problem, (SpanwiseError, OSError)):
        message = str(problem)
    else:
        raise problem
    names_a_file = isinstance(problem, (InputError, PolicyError))
    click.echo(message if names_a_file else f"spanwise: {message}", err=True)
    return 2


def _leave(code: Any) -> NoReturn:
    """End, quietly even if nobody reads the output any more."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)

"""The command line: one thin module for each command, imported when it is called."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any, NoReturn

import click

from spanwise.version import __version__

COMMANDS = {
    "evaluate": "Score runs against assessments.",
    "compare": "Tell whether runs differ by more than luck.",
    "report": "Write one HTML file with verdict, curves, tests and documents.",
    "gate": "Fail when a run falls below a baseline or a threshold.",
    "measures": "List the measures, or show one: formula, source, example.",
    "explain": "Show how a score came about.",
    "check": "Validate files and name every fault.",
    "convert": "Turn runs and assessments into other formats.",
    "collection": "Build collections of documents, and look inside them.",
    "demo": "Evaluate the bundled demo collection.",
}
"""Each command lives in the module of its name in this package, as a function of its name."""

INTERRUPTED = 130


class Commands(click.Group):
    """Commands that are only imported when they are needed, so that ``--help`` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"spanwise.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        refuse_unknown(ctx, args, list(COMMANDS))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. Whoever closes a pipe has read enough: click would end with 1 instead."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            return 0

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands from their one-line descriptions, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def refuse_unknown(ctx: click.Context, args: list[str], commands: list[str]) -> None:
    """A command that is not there, with the one that may be meant."""
    name = args[0] if args else ""
    if name and name not in commands and not name.startswith("-"):
        from difflib import get_close_matches

        close = get_close_matches(name, commands, n=1)
        hint = f"Did you mean {close[0]}?" if close else f"Commands: {', '.join(commands)}."
        ctx.fail(f"No such command {name!r}. {hint}")


@click.command(
    cls=Commands,
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

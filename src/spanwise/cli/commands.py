"""Commands whose help shows examples first and options in sections, and groups of commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

import click

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Measures": ("measures", "per_topic"),
    "Statistics": (
        *("baseline", "groups", "power", "test", "tail", "correction", "resamples", "seed"),
        *("method", "fail_if", "require"),
    ),
    "Input": (
        *("collection", "elements", "order", "overlap", "results", "missing", "compat", "lenient"),
        *("unit", "repair", "repeats", "topics", "chunks", "assessments_format", "run_format"),
        *("run_name", "no_limits", "jobs", "assessments", "role", "from_format", "others"),
    ),
    "Output": (
        *("output", "to", "to_format", "digits", "notes", "quiet", "charts", "title", "chapters"),
        *("strips", "summary", "junit", "runs_to", "copy", "most", "everything", "help"),
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

"""Groups of commands, each imported when it is called, so that ``--help`` is quick."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class Commands(click.Group):
    """Commands that live in the modules of their names in a package, as functions of their names.

    ``functions`` names those whose names mean something else in Python.
    """

    def __init__(
        self,
        *arguments: Any,
        package: str,
        described: Mapping[str, str],
        functions: Mapping[str, str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self.package, self.described, self.functions = package, described, functions or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.described)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.described:
            return None
        module = import_module(f"{self.package}.{cmd_name}")
        command: click.Command = getattr(module, self.functions.get(cmd_name, cmd_name))
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


def refuse_unknown(ctx: click.Context, args: list[str], commands: list[str]) -> None:
    """A command that is not there, with the one that may be meant."""
    name = args[0] if args else ""
    if name and name not in commands and not name.startswith("-"):
        from difflib import get_close_matches

        close = get_close_matches(name, commands, n=1)
        hint = f"Did you mean {close[0]}?" if close else f"Commands: {', '.join(commands)}."
        ctx.fail(f"No such command {name!r}. {hint}")

"""The command that was given, to be repeated: with the names of files, without their folders."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
from click.core import ParameterSource

from spanwise.cli.delivery import FREE_TEXT
from spanwise.reporting.file_names import file_names


def command_line(context: click.Context) -> str:
    """The words of the call, quoted for a shell."""
    words = [word for name in _given(context) for word in _words(context, name)]
    names = file_names(word.removeprefix("@") for word, is_file in words if is_file)
    shown = [_shown(word, names) if is_file else word for word, is_file in words]
    return shlex.join(["spanwise", context.info_name or "", *shown])


def _given(context: click.Context) -> Iterator[click.Parameter]:
    """Arguments, then the options that were given."""
    parameters = context.command.params
    yield from (one for one in parameters if isinstance(one, click.Argument))
    for one in parameters:
        source = context.get_parameter_source(one.name or "")
        if isinstance(one, click.Option) and source is ParameterSource.COMMANDLINE:
            yield one


Word = tuple[str, bool]
"""A word of a command, and whether it names a file."""


def _words(context: click.Context, parameter: click.Parameter) -> Iterator[Word]:
    value = context.params.get(parameter.name or "")
    several = value if isinstance(value, tuple) else (value,)
    for one in several:
        if isinstance(parameter, click.Option):
            yield max(parameter.opts, key=len), False
            if parameter.is_flag:
                continue
        yield str(one), _is_file(parameter, str(one))


def _is_file(parameter: click.Parameter, word: str) -> bool:
    """Some options take the name of a file or other words."""
    if parameter.type is not click.STRING or parameter.name in FREE_TEXT:
        return False
    name = word.removeprefix("@")
    return Path(name).is_absolute() or (
        os.sep in name and (_exists(name) or parameter.name == "to")
    )


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except OSError:
        return False


def _shown(word: str, names: dict[str, str]) -> str:
    at = "@" if word.startswith("@") else ""
    return at + names[word.removeprefix("@")]

"""Write docs/measures.md and docs/cli.md from the code; ``--check`` only tells if they differ."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
from click.testing import CliRunner

from spanwise.cli.main import COMMANDS, command_line

DOCS = Path(__file__).parents[1] / "docs"
HEAD = """# The command line

Written by `make docs` from the commands' own help. Results go to standard output, notes to
standard error.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | a gate failed |
| 2 | bad usage, bad input, or a file that cannot be written; nothing on standard output |
| 70 | something unforeseen, with one line to report (`SPANWISE_TRACEBACK=1`: a traceback too) |
| 130, 143 | interrupted (Ctrl-C, SIGTERM), with one line that says what was written before |

`check` prints the faults it found on standard output and exits with 2 if there are any. A reader
that closes the pipe changes no exit code. How files are written:
[policies](policies.md#files-that-are-written).

Shell completion: `eval "$(_SPANWISE_COMPLETE=bash_source spanwise)"`, likewise with
`zsh_source`; `_SPANWISE_COMPLETE=fish_source spanwise | source`. `NO_COLOR` is respected.
"""


def output_of(*arguments: str) -> str:
    """What a command prints."""
    result = CliRunner().invoke(command_line, arguments, prog_name="spanwise", terminal_width=100)
    if result.exit_code:
        raise click.ClickException(f"spanwise {' '.join(arguments)}: {result.output}")
    return result.output


def command_names() -> Iterator[str]:
    """Every command as it is typed; those of a group after the group."""
    context = click.Context(command_line)
    for name in COMMANDS:
        yield name
        command = command_line.get_command(context, name)
        if isinstance(command, click.Group):
            yield from (f"{name} {inner}" for inner in command.list_commands(context))


def command_reference() -> str:
    """The help of every command."""
    parts = [HEAD]
    for name in ("", *command_names()):
        arguments = (*name.split(), "--help")
        parts.append(f"## spanwise {name}".rstrip() + f"\n\n```text\n{output_of(*arguments)}```\n")
    return "\n".join(parts)


def measure_reference() -> str:
    """The table of measures and the page of each."""
    head = "# Measures\n\nWritten by `make docs` from the measures' own descriptions.\n\n"
    return head + output_of("measures", "-o", "markdown")


def main() -> None:
    """Write both files, or with ``--check`` exit with 1 if one of them is not as the code says."""
    for name, text in {"cli.md": command_reference(), "measures.md": measure_reference()}.items():
        if "--check" not in sys.argv:
            (DOCS / name).write_text(text, "utf-8")
        elif (DOCS / name).read_text("utf-8") != text:
            raise SystemExit(f"docs/{name} is not what the code says; run make docs")


if __name__ == "__main__":
    main()

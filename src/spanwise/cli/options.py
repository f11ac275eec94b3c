"""Options that several commands share, and what they mean."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from spanwise.formats.names import ASSESSMENTS_FORMATS, RUN_FORMATS

Function = TypeVar("Function", bound=Callable[..., Any])

INPUTS: list[Callable[[Function], Function]] = [
    click.option("--collection", metavar="PATH", help="Documents: a folder of texts, JSONL of texts, or a table of lengths."),
    click.option("--order", type=click.Choice(["score", "rank", "file"]), help="How answers are ranked.  [default: the rule of the run's format]"),
    click.option("--overlap", type=click.Choice(["union", "error", "as-is"]), help="What answers that overlap in a document count.  [default: union]"),
    click.option("--missing", type=click.Choice(["zero", "skip"]), help="Topics with relevant text that the run lacks.  [default: zero]"),
    click.option("--compat", type=click.Choice(["inex_eval"]), help="Reproduce an official tool to the last digit."),
    click.option("--lenient", is_flag=True, help="Drop or cut what is faulty, count it, and mark the output."),
    click.option("--unit", type=click.Choice(["codepoint", "utf16", "byte"]), default="codepoint", show_default=True, help="What the files' offsets count; others need --collection."),
    click.option("--topics", metavar="FILE|a,b,c", help="Keep only some topics."),
    click.option("--chunks", metavar="FILE", help="What the chunk ids of runs stand for."),
    click.option("--assessments-format", type=click.Choice(ASSESSMENTS_FORMATS), help="Instead of recognising it."),
    click.option("--run-format", type=click.Choice(RUN_FORMATS), help="Instead of recognising it."),
    click.option("--run-name", type=click.Choice(["tag", "file"]), default="tag", show_default=True, help="Name runs by their tag or their file."),
]  # fmt: skip


def input_options(function: Function) -> Function:
    """Everything that says how inputs are read and doubtful cases decided."""
    for option in reversed(INPUTS):
        function = option(function)
    return function


def settings_of(options: dict[str, Any]) -> dict[str, Any]:
    """The settings for ``spanwise.api.Settings`` among a command's options."""
    names = (
        *("collection", "order", "lenient", "unit", "chunks"),
        *("assessments_format", "run_format", "run_name"),
    )
    settings = {name: options[name] for name in names}
    settings["overlap"] = options["overlap"] or "union"
    settings["missing"] = options["missing"] or "zero"
    settings["topics"] = topics_of(options["topics"])
    return settings


def topics_of(given: str | None) -> list[str] | None:
    """Topics from a file with one on each line, or from a list with commas."""
    if given is None:
        return None
    if Path(given).is_file():
        from spanwise.formats.source import Source

        lines = Source.at(given).text().splitlines()
        return [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return [topic.strip() for topic in given.split(",") if topic.strip()]

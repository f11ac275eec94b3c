"""The part of ``spanwise check`` that is about the rules of tasks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from spanwise.evaluation.task_rules import Limits
    from spanwise.evaluation.tasks import TaskCheck

Function = TypeVar("Function", bound=Callable[..., Any])

NAMES = ("thorough", "focused", "relevant-in-context", "best-in-context", "restricted")
"""The keys of ``TASKS``, at hand without loading what checks them."""
LARGEST = 10**9
"""Limits of characters whose sums over any run fit into 64 bits."""


def task_options(function: Function) -> Function:
    """What says which task a run is for."""
    options = (
        click.option("--task", type=click.Choice(NAMES), help="Hold runs against its rules."),
        click.option(
            "--results",
            type=click.IntRange(1),
            help="With --task: results of a topic at most.  [default: 1500]",
        ),
        click.option(
            "--characters",
            type=click.IntRange(1, LARGEST),
            help="With --task: characters of a topic at most.  [default: 1000 if restricted]",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def limits_of(options: dict[str, Any]) -> Limits:
    """The limits that were asked for."""
    from spanwise.evaluation.task_rules import RESULTS, Limits

    return Limits(options["results"] or RESULTS, options["characters"])


def refuse_limits_without_task(options: dict[str, Any]) -> None:
    """A limit that nothing is held against would only seem to have been checked."""
    from spanwise.errors import SpanwiseError

    given = [name for name in ("results", "characters") if options[name] is not None]
    if given and options["task"] is None:
        raise SpanwiseError(f"--{given[0]} is a limit of a task: give --task, too")


def task_lines(task: TaskCheck, most: int) -> list[str]:
    """Every breach with the name of its rule, and last a summary."""
    from spanwise.formats.file_check import by_line

    breaches = task.breaches
    lines = [f"{fault} (rule: {fault.rule})" for fault in by_line(breaches)[:most]]
    more = breaches.counts.total() - len(lines)
    if more:
        lines.append(f"{breaches.file}: {more} more breaches are not listed; see --most")
    return [*lines, f"{breaches.file}: {task.summary()}"]

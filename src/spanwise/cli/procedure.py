"""Options that say how runs are told apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from spanwise.statistics.comparison import Procedure

Function = TypeVar("Function", bound=Callable[..., Any])

seed_option = click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="The same seed gives the same numbers.",
)

OPTIONS = (
    click.option(
        "--test",
        type=click.Choice(["bootstrap", "randomisation", "t", "wilcoxon"]),
        default="bootstrap",
        show_default=True,
        help="The paired test.",
    ),
    click.option(
        "--tail",
        type=click.Choice(["one", "two"]),
        default="two",
        show_default=True,
        help="One: is the run ahead really better? Two: do they differ at all?",
    ),
    click.option(
        "--correction",
        type=click.Choice(["none", "holm", "bh"]),
        default="holm",
        show_default=True,
        help="Of p for many comparisons: Holm, or Benjamini and Hochberg.",
    ),
    click.option(
        "--resamples",
        type=click.IntRange(1, 10_000_000),
        default=10_000,
        show_default=True,
        help="Of bootstrap and randomisation.",
    ),
    seed_option,
    click.option(
        "--method",
        type=click.Choice(["shifted", "percentile"]),
        default="shifted",
        show_default=True,
        help="Of the bootstrap test.",
    ),
)


def procedure_options(function: Function) -> Function:
    """Everything that says how runs are told apart."""
    for option in reversed(OPTIONS):
        function = option(function)
    return function


def procedure_of(options: dict[str, Any]) -> Procedure:
    """The procedure among a command's options."""
    from spanwise.statistics.comparison import Procedure

    names = ("test", "tail", "correction", "resamples", "seed", "method")
    return Procedure(**{name: options[name] for name in names})

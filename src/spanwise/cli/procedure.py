"""Options that say how runs are compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, get_args

import click

from spanwise.statistics.procedure import (
    Correction,
    Method,
    Procedure,
    Tail,
    Test,
    procedure_names,
)

Function = TypeVar("Function", bound=Callable[..., Any])

seed_option = click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="The same seed gives the same numbers.",
)

resamples_option = click.option(
    "--resamples",
    type=int,
    metavar="N",
    help="Number of resamples of tests and intervals.  [default: 10,000; for tests 100 for each"
    " of them if that is more]",
)

OPTIONS = (
    click.option(
        "--test",
        type=click.Choice(get_args(Test)),
        default="randomisation",
        show_default=True,
        help="The paired test.",
    ),
    click.option(
        "--tail",
        type=click.Choice(get_args(Tail)),
        default="two",
        show_default=True,
        help="Two: do the runs differ? One: is the run better than the baseline (in a gate:"
        " worse)? (Without a"
        " baseline the observed direction is tested, at about twice the nominal level.)",
    ),
    click.option(
        "--correction",
        type=click.Choice(get_args(Correction)),
        default="holm",
        show_default=True,
        help="Multiple-comparison correction: Holm, or Benjamini and Hochberg.",
    ),
    resamples_option,
    seed_option,
    click.option(
        "--method",
        type=click.Choice(get_args(Method)),
        default="shifted",
        show_default=True,
        help="Variant of the bootstrap test.",
    ),
)


def procedure_options(function: Function) -> Function:
    """Everything that says how runs are compared."""
    for option in reversed(OPTIONS):
        function = option(function)
    return function


def procedure_keywords(options: dict[str, Any]) -> dict[str, Any]:
    """What a command's options say about how runs are compared, as keywords of the library."""
    return {name: options[name] for name in procedure_names() if name in options}


def procedure_of(options: dict[str, Any]) -> Procedure:
    """The procedure among a command's options; values that make no sense are refused here."""
    return Procedure(**procedure_keywords(options))

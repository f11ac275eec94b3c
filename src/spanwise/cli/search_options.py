"""Options of what is asked of an index: searching it and browsing it have the same."""

from __future__ import annotations

import click

from spanwise.cli.options import Function
from spanwise.retrieval.modes import MODE, MODES, PASSAGES, SHARE, WINDOW

_SEARCHES = (
    click.option(
        "--mode",
        type=click.Choice(MODES),
        default=MODE,
        show_default=True,
        help="What the passages are.",
    ),
    click.option(
        *("-k", "--documents", "k"),
        type=click.IntRange(1),
        metavar="N",
        help="Documents for each query.  [default: 10; 100 with topics; 50 in pages]",
    ),
    click.option(
        "--passages",
        type=click.IntRange(1),
        default=PASSAGES,
        show_default=True,
        metavar="N",
        help="Passages of each document, at most.",
    ),
    click.option(
        "--share",
        type=click.FloatRange(0, 1),
        default=SHARE,
        show_default=True,
        help="No passage with less than this share of the score of the best one in its document.",
    ),
    click.option(
        "--window",
        type=click.IntRange(1),
        default=WINDOW,
        show_default=True,
        metavar="CHARACTERS",
        help="The size of windows, at most; they begin and end with sentences.",
    ),
)


def search_options(function: Function) -> Function:
    """Which documents are fetched, and which of their passages are returned."""
    for add in reversed(_SEARCHES):
        function = add(function)
    return function

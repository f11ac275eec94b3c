"""``spanwise browse``: documents and their best passages in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.main import command
from spanwise.cli.options import settings_of, shared_options
from spanwise.cli.search_options import search_options
from spanwise.retrieval.modes import BROWSING
from spanwise.web import HOST, PORT

if TYPE_CHECKING:
    from spanwise.web.application import Site

READING = (
    *("collection", "elements", "order", "results", "lenient", "unit", "repair", "repeats"),
    *(
        "topics",
        "chunks",
        "assessments-format",
        "topic-from",
        "run-format",
        "run-name",
        "no-limits",
    ),
)
"""The options about inputs that matter for pages."""

EXAMPLES = """\b
Examples:
  spanwise browse --run run.jsonl --collection docs
  spanwise browse --run bm25.jsonl --run dense.jsonl --collection docs --assessments qrels.jsonl
  spanwise browse sea.index
"""


def serving_options(function: Any) -> Any:
    """Where pages are served."""
    for add in (
        click.option("--no-open", is_flag=True, help="Do not open a browser."),
        click.option(
            "--port",
            type=click.IntRange(1, 65535),
            default=PORT,
            show_default=True,
            metavar="N",
            help="The port; if it is in use, the next one.",
        ),
        click.option(
            "--host",
            default=HOST,
            show_default=True,
            help="Answer other computers, too: they need the token in the printed address.",
        ),
    ):
        function = add(function)
    return function


@command(epilog=EXAMPLES)
@click.argument("index", required=False)
@click.option("--run", "runs", multiple=True, metavar="RUN", help="A run to show. Repeatable.")
@click.option("--assessments", metavar="FILE", help="Mark relevant text, and watch measures.")
@click.option(
    "--tags",
    metavar="FILE",
    help="What the tags of XML documents stand for: on each line a tag and its role.",
)
@search_options
@serving_options
@shared_options("quiet", *READING)
def browse(index: str | None, runs: tuple[str, ...], **options: Any) -> int:
    """Show documents and their best passages in a browser.

    INDEX is what spanwise index made: its documents are searched, as spanwise search does. With
    --run the answers of any system are shown, over the documents of --collection. Each document is
    shown whole, with arrows from one passage to the next; with --assessments relevant text is
    marked, and the reading order is played as the measures see it. Ctrl-C ends it.
    """
    from spanwise.library.browsing import site_of
    from spanwise.retrieval.passages import Browsing

    if (index is None) == (not runs):
        raise click.UsageError("Give either INDEX or --run.")
    given = {name: options[name] for name in ("assessments", "tags", "k")}
    given["how"] = Browsing(**{name: options[name] for name in BROWSING})
    return serve_site(site_of(index, runs, **given, **settings_of(options)), options)


def serve_site(site: Site, options: dict[str, Any]) -> int:
    """Serve pages until they are interrupted, and say where they are."""
    from spanwise.cli.delivery import say
    from spanwise.library.browsing import serve_pages

    say(site.notes, options)
    return serve_pages(site, options["host"], options["port"], open_browser=not options["no_open"])

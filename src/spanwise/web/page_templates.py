"""Pages of this room: their templates, their one style sheet and their one script."""

from __future__ import annotations

import json
from functools import cache

from markupsafe import Markup

from spanwise.records import Struct
from spanwise.reporting.render.html.templating import (
    ICON,
    asset,
    environment,
    joined,
    policy,
)
from spanwise.text.sentences import counted
from spanwise.version import __version__

SHARED_STYLES = ("tokens.css", "charts.css", "page.css", "topics.css")


class Assets(Struct, frozen=True):
    """The style sheets and scripts of a kind of page, besides those that all pages have."""

    styles: tuple[str, ...]
    scripts: tuple[str, ...]
    connections: str = "'none'"
    """What scripts may ask."""


READING = Assets(
    ("pages.css", "reading.css", "watching.css"), ("pages.js", "reading.js", "watching.js")
)


@cache
def style_sheet(assets: Assets = READING) -> Markup:
    """The one style sheet: that of reports, and what pages to read need besides."""
    own = [asset(name, __package__) for name in assets.styles]
    return joined([*map(asset, SHARED_STYLES), *own, asset("print.css")])


@cache
def script(assets: Assets = READING) -> Markup:
    """The one script."""
    return joined([asset("keys.js"), *(asset(name, __package__) for name in assets.scripts)])


@cache
def page_policy(assets: Assets = READING) -> str:
    """What a browser may do with a page; forms lead back to this server, nothing frames a page."""
    own = policy(style_sheet(assets), script(assets), forms="'self'")
    return f"{own}; connect-src {assets.connections}; frame-ancestors 'none'"


@cache
def file_policy(assets: Assets) -> str:
    """What a browser may do with a page that is a file."""
    return policy(style_sheet(assets), script(assets))


def page(template: str, title: str, assets: Assets = READING, **values: object) -> str:
    """A whole page."""
    look = {"icon": Markup(ICON), "style": style_sheet(assets), "script": script(assets)}
    return _drawn(template, title=title, **look, **values)


def part(template: str, **values: object) -> Markup:
    """A part of a page."""
    return Markup(_drawn(template, **values))


def data(value: object) -> Markup:
    r"""What a script reads, as JSON that no parser of HTML sees anything in.

    >>> print(data(["</script>"]))
    ["\u003c/script>"]
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    text = text.encode("utf-8", "replace").decode()  # Halves of surrogate pairs.
    return Markup(text.replace("<", "\\u003c"))


def _drawn(template: str, **values: object) -> str:
    found = environment(__package__).get_template(template)
    return found.render(counted=counted, thousands="{:,}".format, version=__version__, **values)

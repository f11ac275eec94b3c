"""Pages of this room: their templates, their one style sheet and their one script."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

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
STYLES = ("pages.css", "reading.css", "watching.css")
SCRIPTS = ("pages.js", "reading.js", "watching.js")


@cache
def style_sheet() -> Markup:
    """The one style sheet: that of reports, and what pages to read need besides."""
    own = [asset(name, __package__) for name in STYLES]
    return joined([*map(asset, SHARED_STYLES), *own, asset("print.css")])


@cache
def script() -> Markup:
    """The one script."""
    return joined([asset("keys.js"), *(asset(name, __package__) for name in SCRIPTS)])


@cache
def page_policy() -> str:
    """What a browser may do with a page; forms lead back to this server, nothing frames a page."""
    own = policy(style_sheet(), script(), forms="'self'")
    return f"{own}; frame-ancestors 'none'"


def page(template: str, title: str, **values: object) -> str:
    """A whole page."""
    return _drawn(
        template, title=title, icon=Markup(ICON), style=style_sheet(), script=script(), **values
    )


def part(template: str, **values: object) -> Markup:
    """A part of a page."""
    return Markup(_drawn(template, **values))


def _drawn(template: str, **values: object) -> str:
    found = environment(__package__).get_template(template)
    return found.render(counted=counted, thousands="{:,}".format, version=__version__, **values)

"""The frame of every page: one self-contained file with its style and its script inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from spanwise.reporting.html.escape import escaped
from spanwise.version import __version__

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page with a heading that can be linked to."""

    name: str
    """What a link says after the hash; no two sections of a page share one."""
    title: str
    content: str
    """Markup that is safe already."""
    kind: str = ""
    """A class for the script: ``chapter`` is a stop for the keys."""
    link: str = ""
    """What links to it say, if not its title."""

    def html(self) -> str:
        """The section; the headings of stops can be focused by the script."""
        kind = f' class="{self.kind}"' if self.kind else ""
        focus = ' tabindex="-1"' if self.kind else ""
        heading = f'<h2 id="{self.name}"{focus}>{escaped(self.title)}</h2>'
        return f'<section{kind} aria-labelledby="{self.name}">{heading}{self.content}</section>'


def framed(title: str, lead: str, sections: Sequence[Section], skip: str, stop: str) -> str:
    """The whole file: a heading, what leads in, links to all sections, the sections.

    ``skip`` is what the first link says, which leads past the others; ``stop`` is what the keys go
    from and to.
    """
    links = "".join(
        f'<li><a href="#{section.name}">{escaped(section.link or section.title)}</a></li>'
        for section in sections
    )
    body = "".join(section.html() for section in sections)
    title = escaped(title)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<link rel="icon" href="data:,"><title>{title}</title><style>{asset("style.css")}</style>'
        f'</head><body><a class="skip" href="#{sections[0].name}">{escaped(skip)}</a>'
        f"<header><h1>{title}</h1>{lead}</header>"
        f'<nav aria-label="Contents"><ul>{links}</ul></nav><main>{body}</main>'
        f"<footer><p>Made by spanwise {escaped(__version__)}.</p>{_keys(stop)}</footer>"
        f"<script>{asset('script.js')}</script></body></html>\n"
    )


def _keys(stop: str) -> str:
    return (
        '<button type="button" hidden>Keys</button><dialog aria-label="Keys"><form method="dialog">'
        f"<p><kbd>j</kbd> next {stop}</p><p><kbd>k</kbd> previous {stop}</p>"
        "<p><kbd>?</kbd> this list</p>"
        "<p><kbd>Tab</kbd> and <kbd>Enter</kbd> reach everything else</p>"
        "<button autofocus>Close</button></form></dialog>"
    )


def asset(name: str) -> str:
    """A file that goes into every page."""
    return (files(__package__) / name).read_text("utf-8").strip()

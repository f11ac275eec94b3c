"""Templates that escape everything, style sheets, scripts, and the policy of a page.

Pages of other rooms have templates of their own, which may extend and import those of this one.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from spanwise.errors import legible

ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Crect width='16' height='16' rx='3' fill='%231b1b1f'/%3E"
    "%3Cpath d='M3 8h10' stroke='%237d828c' stroke-width='5'/%3E"
    "%3Cpath d='M5 8h5' stroke='%232cc295' stroke-width='5'/%3E%3C/svg%3E"
)
"""A document with found text in it, for the tab of a browser."""
# What XML 1.0 does not allow, even escaped: most control characters. And what would turn the
# direction of the text after it.
_FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
    "|[\u200b\u2028-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)


@cache
def environment(*packages: str) -> Environment:
    """The templates of some packages, the first ones first, then those of this one."""
    return Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in (*packages, __package__)]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalized,
    )


def _finalized(value: object) -> object:
    return allowed(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def allowed(text: str) -> str:
    r"""A text without characters that XML does not allow or that turn the direction of others.

    >>> allowed("d\x007")
    'd\ufffd7'
    """
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", legible(text))


def asset(name: str, package: str = __package__) -> Markup:
    """A style sheet or a script of a package, which goes into a page as it is."""
    return Markup((files(package) / "static" / name).read_text("utf-8").strip())


def joined(parts: Iterable[Markup]) -> Markup:
    """Several style sheets or scripts as one."""
    return Markup("\n").join(parts)


def policy(style: Markup, script: Markup, forms: str = "'none'") -> str:
    """What a browser may run and fetch for a page: its own style and script, nothing else."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}';"
        f" img-src data:; base-uri 'none'; form-action {forms}"
    )


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"

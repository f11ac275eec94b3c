"""Who may ask this server, and what a browser may do with its answers.

A page of another site could reach a server on this machine under a name of its own: only loopback
names are answered, or those that bring the token of a server that is open to others. What changes
something must come from a page of this server, as JSON: no form of another site can send that.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spanwise.records import Struct, field

COOKIE = "spanwise-token"
"""With the port after it: browsers send the cookies of one port to all others."""
_HOST = re.compile(r"(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[a-z0-9.-]+))(?::[0-9]*)?", re.ASCII)
PERSON = "spanwise.person"
"""In the scope of a request: whose token it brought."""
LARGEST = 1_000_000
"""Bytes of what is sent to be kept."""
HEADERS: Mapping[str, str] = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, no-cache",
}


def is_loopback(host: str) -> bool:
    """Is this the name or the address of this machine, as only it itself can use it?

    >>> [is_loopback(name) for name in ("localhost:8642", "[::1]:80", "127.1.2.3", "evil.example")]
    [True, True, True, False]
    >>> [is_loopback(name) for name in ("evil.example@127.0.0.1", "localhost#evil", "localhost/")]
    [False, False, False]
    """
    found = _HOST.fullmatch(host.lower())
    if found is None:
        return False
    name = found["address"] or found["name"]
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def cookie_name(scope: Scope) -> str:
    """What the cookie of a server is called.

    >>> cookie_name({"server": ("127.0.0.1", 8642)})
    'spanwise-token-8642'
    """
    _, port = scope.get("server") or ("", None)
    return COOKIE if port is None else f"{COOKIE}-{port}"


class Guard(Struct, frozen=True):
    """Lets through what may be asked, and adds to every answer what a browser must obey."""

    app: ASGIApp
    policy: str
    token: str | None = None
    """Without a token, only this machine is answered."""
    people: Mapping[str, str] = field(default_factory=dict)
    """Tokens that tell who it is."""
    writes: frozenset[str] = frozenset()
    """Addresses that JSON may be sent to."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def answered(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["content-security-policy"] = self.policy
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        refused = self._refusal(scope)
        await (refused or self.app)(scope, receive, answered)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if scope["method"] not in ("GET", "HEAD"):
            refused = self._refused_change(scope, headers)
            if refused is not None:
                return refused
        elif _is_of_another_site(headers):
            return _refused(403, "pages of other sites may link here, and load nothing")
        if self.token is None and not self.people:
            if is_loopback(headers.get("host", "")):
                return None
            return _refused(403, "this server answers only under the name localhost")
        return self._without_token(scope, headers)

    def _refused_change(self, scope: Scope, headers: Headers) -> Response | None:
        if scope["method"] != "POST" or scope["path"] not in self.writes:
            return _refused(405, "pages can only be read")
        if not _is_same_origin(headers):
            return _refused(403, "only pages of this server may change anything")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return _refused(415, "only application/json is taken")
        length = headers.get("content-length", "")
        if not (length.isascii() and length.isdigit()):
            return _refused(411, "the length must be given")
        if len(length) > 12 or int(length) > LARGEST:
            return _refused(413, f"at most {LARGEST:,} bytes are taken")
        return None

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        """The token comes once in an address, and is kept by the browser from then on."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        token = self._known(dict(query).get("token"))
        if token is not None:
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            # Two slashes at the beginning would lead to another server.
            path = "/" + scope["path"].lstrip("/\\")
            answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
            answer.set_cookie(cookie_name(scope), token, httponly=True, samesite="strict")
            return answer
        kept = map(self._known, _cookies(headers, cookie_name(scope)))
        token = next(filter(None, kept), None)
        if token is None:
            return _refused(403, "open the address that spanwise printed: it holds the token")
        scope[PERSON] = self.people.get(token, "")
        return None

    def _known(self, given: str | None) -> str | None:
        """The token that was given, if it is one of those of this server."""
        tokens = [*self.people, *([] if self.token is None else [self.token])]
        equal = [token for token in tokens if given is not None and _equal(given, token)]
        return equal[0] if equal else None


def _is_same_origin(headers: Headers) -> bool:
    """Does a browser say that a page of this server asks? One that says nothing is not believed."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is None and site is None:
        return False
    own = f"//{headers.get('host', '')}"
    return site in (None, "same-origin") and (
        origin is None or origin in (f"http:{own}", f"https:{own}")
    )


def _is_of_another_site(headers: Headers) -> bool:
    """Does a browser ask for a page of another site, other than by a link that was followed?"""
    if headers.get("sec-fetch-site") in (None, "same-origin", "none"):
        return False
    to = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest", "document")
    return to != ("navigate", "document")


def _cookies(headers: Headers, name: str) -> Iterator[str]:
    """The values of a cookie; others may be written in ways that no standard knows."""
    for line in headers.getlist("cookie"):
        for part in line.split(";"):
            found, _, value = part.strip().partition("=")
            if found == name:
                yield value


def _equal(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())


def _refused(status: int, words: str) -> Response:
    return PlainTextResponse(f"spanwise: {words}\n", status)

"""Who may ask this server, and what a browser may do with its answers.

A page of another site could reach a server on this machine under a name of its own: only loopback
names are answered, or those that bring the token of a server that is open to others.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Mapping
from http.cookies import SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spanwise.records import Struct

COOKIE = "spanwise-token"
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
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


class Guard(Struct, frozen=True):
    """Lets through what may be asked, and adds to every answer what a browser must obey."""

    app: ASGIApp
    policy: str
    token: str | None = None
    """Without a token, only this machine is answered."""

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
            return _refused(405, "pages can only be read")
        if self.token is None:
            if is_loopback(headers.get("host", "")):
                return None
            return _refused(403, "this server answers only under the name localhost")
        return self._without_token(scope, headers, self.token)

    def _without_token(self, scope: Scope, headers: Headers, token: str) -> Response | None:
        """The token comes once in an address, and is kept by the browser from then on."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token")
        if given is not None and _equal(given, token):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            # Two slashes at the beginning would lead to another server.
            path = "/" + scope["path"].lstrip("/\\")
            answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
            answer.set_cookie(COOKIE, token, httponly=True, samesite="strict")
            return answer
        kept = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        if kept is not None and _equal(kept.value, token):
            return None
        return _refused(403, "open the address that spanwise printed: it holds the token")


def _equal(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())


def _refused(status: int, words: str) -> Response:
    return PlainTextResponse(f"spanwise: {words}\n", status)

"""A server on this machine: its port, its address, and how it ends."""

from __future__ import annotations

import errno
import secrets
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any

import uvicorn

from spanwise.errors import SpanwiseError
from spanwise.records import Struct
from spanwise.web import HOST, PORT
from spanwise.web.guard import Guard, is_loopback

_TRIED = 50
"""Ports that are tried one after the other."""
INTERRUPTED = 128
"""To which the number of the signal is added."""


_EVERYWHERE = ("0.0.0.0", "::")
"""Hosts that stand for all addresses of this machine."""
_AWAY = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that are nobody's (RFC 5737 and 3849)."""


class Place(Struct, frozen=True):
    """Where a server listens."""

    socket: socket.socket
    host: str
    port: int
    asked: int
    """The port that was asked for; it may have been in use."""

    def address(self, token: str | None = None) -> str:
        """What to open in a browser."""
        host = own_address(self.socket.family) if self.host in _EVERYWHERE else self.host
        shown = f"[{host}]" if ":" in host else host
        return f"http://{shown}:{self.port}/{f'?token={token}' if token else ''}"


def own_address(family: int) -> str:
    """By what others reach this machine: its address in the network, or its name without one."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way:
        # This sends nothing: it only asks from which address something would be sent.
        way.connect((_AWAY[socket.AddressFamily(family)], 9))
        address: str = way.getsockname()[0]
        return address
    return socket.gethostname()


def listening(host: str = HOST, port: int = PORT) -> Place:
    """A place to listen; if the port is in use, the next one that is not."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for tried in range(port, min(port + _TRIED, 65536)):
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, tried))
            found.listen(64)
        except OSError as problem:
            found.close()
            if problem.errno == errno.EADDRINUSE:
                continue
            reason = f"{host} port {tried}: {problem.strerror or problem}"
            raise SpanwiseError(f"{reason}; choose another --host or --port") from None
        return Place(found, host, found.getsockname()[1], port)
    raise SpanwiseError(
        f"ports {port} to {min(port + _TRIED, 65536) - 1} are all in use; choose another --port"
    )


ANYBODY = ""
"""The person of a server that asks nobody who they are."""


def serve_announced(
    name: str,
    guarded: Callable[[Mapping[str, str]], Guard],
    host: str,
    port: int,
    *,
    warning: str,
    people: Sequence[str] = (ANYBODY,),
    open_browser: bool = True,
) -> int:
    """Serve pages until they are interrupted, and say where they are, on standard error.

    ``guarded`` makes the pages for tokens and the people they stand for. On this machine alone one
    person needs no token; ``warning`` says what those with a token can do.
    """
    place = listening(host, port)
    own = f"[{place.host}]" if ":" in place.host else place.host
    is_open = not is_loopback(own)
    tokens = {} if len(people) == 1 and not is_open else _tokens(people)
    said = [f"Port {place.asked} is in use; using {place.port}."] * (place.port != place.asked)
    said += [warning] * bool(tokens)
    addresses = {person: place.address(token) for token, person in tokens.items()}
    for person, address in (addresses or {people[0]: place.address()}).items():
        who = f" for {person}" if person and tokens else ""
        said.append(f"{name}{who}: {address}")
    sys.stderr.write("\n".join(said) + " (Ctrl-C ends it)\n")
    sys.stderr.flush()
    first = next(iter(addresses.values()), place.address())
    return serve(guarded(tokens), place, first if open_browser and len(people) == 1 else "")


def _tokens(people: Sequence[str]) -> Mapping[str, str]:
    return {secrets.token_urlsafe(18): person for person in people}


def serve(app: Any, place: Place, address: str = "") -> int:
    """Answer until interrupted; ``address`` is opened in a browser once the server is ready."""
    config = uvicorn.Config(
        app, log_level="error", access_log=False, lifespan="off", server_header=False
    )
    server = _Server(config, (lambda: _open(address)) if address else None)
    with _interruptible(server):
        server.run(sockets=[place.socket])
    return INTERRUPTED + server.signal if server.signal else 0


class _Server(uvicorn.Server):
    """A server that leaves signals to its caller."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._ready = ready
        self.signal = 0
        """The one that ended it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._ready is not None:
            # Some browsers only return when they are closed.
            Thread(target=self._ready, daemon=True).start()


def _open(address: str) -> None:
    webbrowser.open(address)


@contextmanager
def _interruptible(server: _Server) -> Iterator[None]:
    """Ctrl-C lets answers that are on their way finish; the second one does not."""

    def ended(number: int, frame: object) -> None:
        server.force_exit = server.should_exit
        server.should_exit = True
        server.signal = server.signal or number

    try:
        before = {
            number: signal.signal(number, ended) for number in (signal.SIGINT, signal.SIGTERM)
        }
    except ValueError:  # Only the main thread may.
        before = {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

"""Pages as PDF, printed by a Chromium that is there: nothing is fetched, nothing stays behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from spanwise.errors import OutputError

NAMES = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("microsoft-edge", "msedge"),
)
"""What Chromium and its relatives are called."""
_APPLICATIONS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
_CACHES = ("~/.cache/ms-playwright", "~/Library/Caches/ms-playwright")
_OF_PLAYWRIGHT = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
)
SECONDS = 120
"""Longer than any page takes."""
_ARGUMENTS = (
    *("--headless", "--disable-gpu", "--no-first-run", "--no-default-browser-check"),
    *("--disable-extensions", "--disable-sync", "--disable-background-networking"),
    *("--disable-component-update", "--disable-dev-shm-usage", "--no-pdf-header-footer"),
    # No name is found and no address reached but the file itself.
    *("--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9"),
)


def browser() -> str | None:
    """The program that prints pages, if there is one."""
    return next(_programs(), None)


def _programs() -> Iterator[str]:
    yield from filter(None, map(shutil.which, NAMES))
    yield from (name for name in _APPLICATIONS if Path(name).is_file())
    told = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    for cache in [told] if told else _CACHES:
        for pattern in _OF_PLAYWRIGHT:
            yield from map(str, sorted(Path(cache).expanduser().glob(pattern), reverse=True))


def require_browser(file: str) -> str:
    """The program that prints pages; if there is none, the refusal says what to install."""
    found = browser()
    if found is None:
        raise OutputError(
            f"{file}: a PDF is printed by Chromium, which was not found; install chromium (or"
            " pip install playwright, then playwright install chromium), or write report.html"
            " and print it in a browser"
        )
    return found


def printed(page: bytes, file: str) -> bytes:
    """A page as PDF."""
    program = require_browser(file)
    with TemporaryDirectory(prefix="spanwise-", ignore_cleanup_errors=True) as folder:
        source, target = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_bytes(page)
        _run(_command(program, Path(folder), source, target), file)
        content = target.read_bytes() if target.exists() else b""
    if not content.startswith(b"%PDF"):
        raise OutputError(f"{file}: {program} has printed no PDF; write report.html instead")
    return content


def _command(program: str, folder: Path, source: Path, target: Path) -> list[str]:
    # Chromium refuses to run as root inside its sandbox.
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [
        *(program, *_ARGUMENTS, *(["--no-sandbox"] if root else [])),
        *(f"--user-data-dir={folder / 'profile'}", f"--print-to-pdf={target}", source.as_uri()),
    ]


def _run(command: list[str], file: str) -> None:
    """Run to the end, or end it with all processes that it has started."""
    nothing = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
        )
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise OutputError(f"{file}: {command[0]} cannot be run: {reason}") from None
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        raise OutputError(
            f"{file}: {command[0]} took more than {SECONDS} seconds; write report.html instead"
        ) from None
    finally:
        if process.poll() is None:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()

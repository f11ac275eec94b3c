"""Install the browser that the tests of web pages need and pip cannot give: Chromium.

The system's own is taken if there is one, then one from apt-get if that is allowed, then the one
that Playwright downloads, which needs no rights. Without any, these tests are left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from playwright.sync_api import sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LONGEST = 600
"""Seconds that an installation may take."""


def done(*words: str) -> bool:
    """Run a command and tell whether it worked; one that is not there did not."""
    try:
        return subprocess.run(words, stdout=subprocess.DEVNULL, timeout=LONGEST).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def runs(browser: str | None) -> bool:
    """Does a browser start? One without the libraries that it needs does not."""
    return browser is not None and done(browser, "--version")


def from_system() -> bool:
    """A browser that the system has."""
    return any(runs(shutil.which(name)) for name in BROWSERS)


def from_debian() -> bool:
    """A package of the system, if we may install one."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    install = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium")
    return (
        done(*install) or (done("apt-get", "update", "-qq") and done(*install))
    ) and from_system()


def from_playwright() -> bool:
    """The browser that Playwright keeps in the home of the user."""
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return runs(own) or (
        done(sys.executable, "-m", "playwright", "install", "chromium") and runs(own)
    )


def main() -> int:
    """Install a browser; 1 if there is none still."""
    if from_system() or from_debian() or from_playwright():
        return 0
    sys.stderr.write(
        "cannot install Chromium: the tests in tests/web are left out; install it with"
        " apt-get install chromium or playwright install chromium\n"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())

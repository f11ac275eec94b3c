"""Install the Java that the tests with Spark need and pip cannot give.

The system's own is taken if it will do, then one from apt-get if that is allowed. Without any, the
tests with Spark are left out; with the environment variable CI that fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from spanwise.engines.java import OLDEST, require_java
from spanwise.errors import SpanwiseError

PACKAGE = f"openjdk-{OLDEST}-jre-headless"
LONGEST = 600
"""Seconds that an installation may take."""


def done(*words: str) -> bool:
    """Run a command and tell whether it worked; one that is not there did not."""
    try:
        return subprocess.run(words, stdout=subprocess.DEVNULL, timeout=LONGEST).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def missing() -> str | None:
    """What is wrong with the Java that there is."""
    try:
        require_java()
    except SpanwiseError as problem:
        return str(problem)
    return None


def from_debian() -> bool:
    """A package of the system, if we may install one."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    install = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", PACKAGE)
    return done(*install) or (done("apt-get", "update", "-qq") and done(*install))


def main() -> int:
    """Install Java; 1 if there is none still."""
    if missing() is None or (from_debian() and missing() is None):
        return 0
    sys.stderr.write(f"THE TESTS WITH SPARK WERE LEFT OUT: {missing()}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())

"""The Java that Spark runs on: found and asked for its version before Spark starts.

Spark's own complaint about a missing Java is a stack trace.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from spanwise.errors import SpanwiseError

OLDEST = 17
_LONGEST = 60
"""Seconds in which Java has to say its version."""
_REMEDY = f"install Java {OLDEST} or later (openjdk-{OLDEST}-jre-headless), or set JAVA_HOME to one"


def require_java() -> None:
    """Refuse to go on without a Java that Spark can use."""
    home = os.environ.get("JAVA_HOME")
    found = str(Path(home, "bin", "java")) if home else shutil.which("java")
    if found is None:
        raise SpanwiseError(f"Spark needs Java and there is none on the PATH: {_REMEDY}")
    try:
        said = subprocess.run(
            [found, "-version"], capture_output=True, text=True, timeout=_LONGEST, check=True
        ).stderr
    except (OSError, subprocess.SubprocessError):
        where = f" ({home} is JAVA_HOME)" if home else ""
        raise SpanwiseError(
            f"Spark needs Java and {found} does not run{where}: {_REMEDY}"
        ) from None
    version = version_in(said)
    if version is not None and version < OLDEST:
        raise SpanwiseError(f"Spark needs Java {OLDEST} or later, {found} is {version}: {_REMEDY}")


def version_in(said: str) -> int | None:
    """The major version in what ``java -version`` says.

    >>> version_in('openjdk version "17.0.15" 2025-04-15'), version_in('java version "1.8.0_361"')
    (17, 8)
    """
    found = re.search(r'version "(?:1\.)?(\d+)', said)
    return None if found is None else int(found[1])

"""Install what the tests of web pages need and pip cannot give: Chromium and axe-core.

Whatever cannot be installed is named, with what to do; the tests that need it will fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
AXE = "axe-core@4"
FOLDER = Path(sys.prefix) / "axe"


def done(*words: str, folder: Path | None = None) -> bool:
    """Run a command and tell whether it worked; one that is not there did not."""
    try:
        return subprocess.run(words, cwd=folder, stdout=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def from_debian(package: str) -> bool:
    """A package of the system, if we may install one."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    install = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", package)
    return done(*install) or (done("apt-get", "update", "-qq") and done(*install))


def has_browser() -> bool:
    """Is there a Chromium, by now?"""
    return any(map(shutil.which, BROWSERS)) or from_debian("chromium")


def has_axe() -> bool:
    """Is there axe-core, by now?"""
    script = FOLDER / "package" / "axe.min.js"
    if script.exists():
        return True
    if shutil.which("npm") is None and not from_debian("npm"):
        return False
    FOLDER.mkdir(exist_ok=True)
    if not done("npm", "pack", "--silent", AXE, folder=FOLDER):
        return False
    [packed] = sorted(FOLDER.glob("axe-core-*.tgz"))[-1:]
    with tarfile.open(packed) as archive:
        archive.extractall(FOLDER, filter="data")
    return script.exists()


def main() -> int:
    """Install both; 1 if one of them is missing still."""
    wanted = {
        "Chromium": (has_browser, "apt-get install chromium"),
        "axe-core": (has_axe, f"install npm, so that npm pack {AXE} works"),
    }
    missing = [f"{name} ({how})" for name, (has, how) in wanted.items() if not has()]
    if missing:
        sys.stderr.write(f"cannot install {' and '.join(missing)}: the tests in tests/web fail\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

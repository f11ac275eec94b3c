"""Print the requirements of a dependency group, for pip versions that do not know groups yet."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path


def main() -> None:
    """The requirements of the groups named as arguments, separated by blanks."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    sys.stdout.write(" ".join(requirement for name in sys.argv[1:] for requirement in groups[name]))


if __name__ == "__main__":
    main()

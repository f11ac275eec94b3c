"""A measure is one file, and its twin another: those of CONTRIBUTING.md, installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
FILE = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LAWS = (
    "damped",
    "stay_within_their_bounds",
    "an_empty_run_is_worst",
    "a_name_reads_back",
)
"""The laws that name the measure, and some that are about all measures together."""


def installed(folder: Path) -> Path:
    """The files of the page, and what pip makes of their entry points."""
    page = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for name, content in FILE.findall(page):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    about = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = folder / f"{about['name']}-{about['version']}.dist-info"
    metadata.mkdir()
    names = f"Name: {about['name']}\nVersion: {about['version']}\n"
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\n{names}", encoding="utf-8")
    groups = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
        for group, points in about["entry-points"].items()
    ]
    (metadata / "entry_points.txt").write_text("\n".join(groups), encoding="utf-8")
    return folder


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return installed(tmp_path)


def python(package: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python where the package is installed."""
    places = os.pathsep.join(map(str, (package, PROJECT / "src")))
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": places, "COLUMNS": "100"},
    )


def laws(package: Path, *names: str) -> subprocess.CompletedProcess[str]:
    chosen = " or ".join(names)
    files = [f"tests/laws/test_{name}.py" for name in ("laws", "twin", "explain")]
    return python(package, "pytest", "-q", "-rA", "-p", "no:cacheprovider", "-k", chosen, *files)


def test_it_keeps_the_laws(package: Path) -> None:
    done = laws(package, *LAWS)
    assert done.returncode == 0, done.stdout
    for law in LAWS[1:]:
        assert law in done.stdout
    for one in (
        "test_scores[AgP(damped)]",
        "test_scores[gP(damped)]",
        "test_scores_of_overlapping_text_as_it_is[AgP(damped)]",
        "test_the_value_explained_is_the_value_evaluated[AgP(damped)]",
        "test_every_document_can_be_explained[AgP(damped)]",
        "test_every_parameter_is_tried[document score: damped]",
        "test_the_documentation_has_a_formula_and_an_example_that_runs[document score: damped]",
    ):
        assert f"{one}\n" in done.stdout, one


def test_without_a_twin_the_laws_say_what_to_write(package: Path) -> None:
    (package / "oracles" / "damped.py").unlink()
    done = laws(package, "every_measure_has_a_slow_twin")
    assert done.returncode == 1
    assert "damped has no slow twin to be compared with: write a function" in done.stdout
    assert "def damped(page: Page, c: float = 100.0) -> float" in done.stdout


def test_it_is_documented_and_can_be_asked_for(package: Path) -> None:
    page = python(package, "spanwise", "measures", "damped").stdout
    assert "damped(d) = h / (h + c)" in page
    assert "a number above 0 [default: 100]" in page
    assert "Document scores" in python(package, "spanwise", "measures").stdout
    script = "from spanwise.measures import AgP, damped; print(AgP(damped(c=7)))"
    (package / "asking.py").write_text(script, encoding="utf-8")
    assert python(package, "asking").stdout == "AgP(damped(c=7))\n"

"""A package of its own adds a format: one module and an entry point, nothing else is edited."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings

from formats.laws import RUNS, run_law
from spanwise.errors import SpanwiseError
from spanwise.formats import registry
from spanwise.formats.conversion import Target
from spanwise.formats.reading import read_run, recognise
from spanwise.formats.source import Source

GUIDE = Path(__file__).parents[2] / "CONTRIBUTING.md"
EXAMPLE = re.search(r"```python bars\.py\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
ENTRY_POINTS = re.search(r"```toml entry\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
RUN = b"q1|d7|100|250\nq1|d9|0|20\n"


def installed(folder: Path, content: str, declared: str = "bars = bars:FORMAT") -> None:
    """A package as pip leaves it: the module, and a folder that says what it declares."""
    (folder / "bars.py").write_text(content, "utf-8")
    about = folder / "bars-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: bars\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[spanwise.formats]\n{declared}\n")


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Installs the module of CONTRIBUTING.md, or another one under its name."""

    def install(content=EXAMPLE[1], declared="bars = bars:FORMAT"):
        installed(tmp_path, content, declared)
        monkeypatch.syspath_prepend(tmp_path)
        registry.further_formats.cache_clear()

    yield install
    sys.modules.pop("bars", None)
    registry.further_formats.cache_clear()


def test_the_guide_names_the_group():
    assert registry.ENTRY_POINTS in ENTRY_POINTS[1]
    assert "bars:FORMAT" in ENTRY_POINTS[1]


def test_an_added_format_is_listed_read_recognised_and_written(package, tmp_path):
    package()
    assert "bars" in registry.names_for("run")
    assert "bars" not in registry.names_for("assessments")
    assert recognise(Source("sys", RUN), "run") == "bars"
    (run,) = read_run(Source("sys", RUN))
    assert (run.documents.strings(), run.start.tolist(), run.end.tolist()) == (
        ["d7", "d9"],
        [100, 0],
        [250, 20],
    )
    assert Target.of(str(tmp_path / "new.bars"), None).content([run])[0] == RUN


def test_an_added_format_keeps_the_laws(package):
    package()
    form = registry.find("bars", "run")

    @settings(max_examples=50, deadline=None)
    @given(RUNS)
    def law(made):
        run_law(form, made)

    law()


def test_a_fault_in_a_file_of_an_added_format_has_its_line(package):
    package()
    with pytest.raises(SpanwiseError, match="sys:2: found range"):
        read_run(Source("sys", b"q1|d7|100|250\nq1|d9|20|20\n"))


def test_the_command_line_knows_an_added_format(tmp_path):
    installed(tmp_path, EXAMPLE[1])
    (tmp_path / "run").write_bytes(RUN)
    command = [sys.executable, "-m", "spanwise", "convert", "run", "-", "--to", "trec"]
    source = str(Path(__file__).parents[2] / "src")
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={"PATH": "", "PYTHONPATH": f"{source}:{tmp_path}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == (
        "q1 Q0 d7 1 2.0 run\nq1 Q0 d9 2 1.0 run\n",
        0,
    ), done.stderr


def test_other_packages_are_not_asked_for_files_that_are_recognised(package):
    package("raise RuntimeError('it is broken')")
    assert recognise(Source("sys", b"q Q0 d 1 1.0 r\n"), "run") == "trec"
    assert registry.find("trec", "run").name == Target.of("new.trec", None).format
    with pytest.raises(SpanwiseError, match=r"entry point 'bars' .* cannot be loaded"):
        recognise(Source("sys", RUN), "run")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("FORMAT = 7", "is not a Format"),
        (
            "from spanwise.formats.registry import Format\nFORMAT = Format(name='trec')",
            "the format 'trec' of the entry point 'bars' exists already",
        ),
    ],
)
def test_a_package_that_declares_something_else_is_named(package, content, message):
    package(content)
    with pytest.raises(SpanwiseError, match=message):
        registry.all_formats()


def test_an_unknown_format_gets_a_suggestion():
    with pytest.raises(SpanwiseError, match=r"unknown run format 'treck': did you mean trec\?"):
        registry.find("treck", "run")
    with pytest.raises(
        SpanwiseError, match="unknown assessments format 'element': one of bioasq, csv"
    ):
        registry.find("element", "assessments")


def test_every_module_declares_the_format_that_it_is_named_after():
    assert tuple(form.name for form in registry.builtin_formats()) == registry.builtin_names()
    endings = [ending for form in registry.builtin_formats() for ending in form.endings]
    assert len(endings) == len(set(endings))


def test_the_documentation_lists_every_format():
    page = (GUIDE.parent / "docs" / "formats.md").read_text("utf-8")
    for form in registry.builtin_formats():
        cells = [_deeds(form, role) for role in registry.ROLES]
        endings = " ".join(f"`{ending}`" for ending in form.endings)
        assert f"| `{form.name}` | {cells[0]} | {cells[1]} | {endings} |\n" in page


def _deeds(form, role):
    if not form.reads(role):
        return ""
    return "read and written" if form.writes(role) else "read"

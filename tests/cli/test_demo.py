"""``spanwise demo``: it works, it fits, and what it suggests works too."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from spanwise import RunScores, Scores, evaluate
from spanwise.cli.demo import MAEP, seen, seen_in_trees
from spanwise.measures.grammar import asked


def test_it_shows_a_table_and_says_what_is_seen(spanwise):
    done = spanwise("demo")
    assert (done.code, done.err) == (0, "")
    assert len(done.out.splitlines()) <= 40
    for name in ("sentences", "paragraphs", "sections", "chunks", "documents", "elements"):
        assert re.search(rf"^{name} +0\.", done.out, re.MULTILINE)
    assert "80% of the relevant text" in done.out
    assert "paragraphs has the best mean AgP (0.44, 95% CI 0.35–0.52)" in " ".join(done.out.split())
    assert "paragraphs come first (MAep 0.45)" in done.out


@pytest.mark.parametrize("width", ["60", "80", "120"])
def test_it_fits(spanwise, width):
    before = spanwise("demo", COLUMNS=width).out.partition("Try next")[0]
    assert max(map(len, before.splitlines())) <= int(width)


def test_what_it_suggests_works(spanwise, tmp_path):
    shown = spanwise("demo").out.partition("Try next")[2]
    commands = [line.strip() for line in shown.splitlines() if line.startswith("  spanwise ")]
    assert commands[0] == "spanwise demo --copy spanwise-demo"
    for command in commands:
        words = [file for word in shlex.split(command)[1:] for file in _expanded(word, tmp_path)]
        done = spanwise(*words)
        assert done.code == 0, (command, done.err)
        assert done.out or "--to" in words


def _expanded(word: str, folder) -> list[str]:
    found = sorted(str(path.relative_to(folder)) for path in folder.glob(word) if "*" in word)
    return found or [word]


def test_it_overwrites_nothing(spanwise, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("precious")
    done = spanwise("demo", "--copy", "mine")
    assert (done.code, done.out) == (2, "")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["file"]


# -- its sentences on tables that would make them false


def scores_of(values: dict[str, list[float]], measures: tuple[str, ...]) -> Scores:
    """Each run's value under each measure, the same on two topics."""
    runs = tuple(
        RunScores(run, ("t1", "t2"), np.array([own, own]).T, tuple(own))
        for run, own in values.items()
    )
    return Scores(tuple(asked(name)[0] for name in measures), runs)


def text_of(values: dict[str, list[float]]) -> str:
    return " ".join(seen(scores_of(values, ("textP@5", "textR@5", "textR(budget=2000)"))))


def test_several_systems_may_find_the_most():
    text = text_of({"a": [0.9, 0.5, 0.4], "b": [0.1, 0.5, 0.4], "c": [0.2, 0.1, 0.1]})
    assert "each, a and b find the most, 50% of the relevant text" in text
    assert "90% of what a return and 10% of what b return is relevant" in text
    assert "a and b find the most, 40%." in text


def test_all_systems_may_find_as_much():
    text = text_of({"a": [0.9, 0.5, 0.4], "b": [0.1, 0.5, 0.4]})
    assert "each, all systems find 50% of the relevant text" in text
    assert "most" not in text


def test_the_first_without_a_budget_is_named_beside_the_first_with_one():
    text = text_of({"a": [0.9, 0.5, 0.1], "b": [0.1, 0.2, 0.4]})
    assert "b find the most, 40%; a 10%." in text


def test_no_system_may_repeat_itself():
    measures = (MAEP, "overlap")
    text = " ".join(seen_in_trees(scores_of({"a": [0.5, 0.0], "b": [0.5, 0.0]}, measures)))
    assert "a and b share the first place (MAep 0.50); no answer overlaps another" in text
    text = " ".join(seen_in_trees(scores_of({"a": [0.5, 0.25], "b": [0.4, 0.0]}, measures)))
    assert "a come first (MAep 0.50); a repeat themselves most: 25%" in text


def test_the_demo_is_searched_in_every_mode(tmp_path, capfdbinary):
    demo, folder = import_module("spanwise.cli.demo"), Path(str(files("spanwise") / "demo"))
    found = demo._searched(folder, tmp_path)
    printed = capfdbinary.readouterr().out.decode()
    assert [file.stem for file in found] == [
        f"search by {mode}" for mode in ("document", "window", "sentence", "paragraph", "element")
    ]
    scores = evaluate(
        folder / demo.ASSESSMENTS, found, "AgP", collection=str(folder / demo.ARTICLES)
    )
    for run in scores.runs:
        assert f"{run.run:<19}  {scores.mean('AgP', run.run):.4f}" in printed

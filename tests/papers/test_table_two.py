"""Table I of Kazai and Lalmas, given as INEX files, prints Table II on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import run_command

CASES = [
    case
    for case in json.loads((Path(__file__).parent / "papers.json").read_text())["cases"]
    if case["kind"] == "elements"
]
QUANTITIES = ("gains", "ideal")
"""Vectors, which no measure prints."""


def parent_of(path: str) -> str:
    return path.rpartition("/")[0]


def element_table(elements: list[dict]) -> str:
    """Offsets for the sizes: children are packed from the start of their parent."""
    start, used = {"": 0}, dict[str, int]()
    for element in elements:
        above, path = parent_of(element["path"]), element["path"]
        start[path] = start[above] + used.get(above, 0)
        used[above] = used.get(above, 0) + element["size"]
    rows = (f"a1\t{e['path']}\t{start[e['path']]}\t{e['size']}\n" for e in elements)
    return "".join(rows)


def assessments(elements: list[dict]) -> str:
    rows = "".join(
        f"<path path='{e['path']}' exhaustiveness='{e['exhaustivity']}'"
        f" specificity='{e['specificity']}'/>\n"
        for e in elements
    )
    return f"<assessments pool='1' topic='9'>\n<file file='a1'>\n{rows}</file>\n</assessments>\n"


def element_run(paths: list[str]) -> str:
    return "".join(f"9 Q0 a1 {rank} 0 r {path}\n" for rank, path in enumerate(paths, start=1))


def submission(paths: list[str]) -> str:
    results = "".join(f"<result><file>a1</file><path>{path}</path></result>\n" for path in paths)
    return f"<inex-submission run-id='r'><topic topic-id='9'>{results}</topic></inex-submission>\n"


@pytest.mark.parametrize("form", [element_run, submission])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_files_print_the_table(case, form, tmp_path: Path) -> None:
    given, expected = case["input"], case["expected"]
    (tmp_path / "assessments.xml").write_text(assessments(given["elements"]))
    (tmp_path / "elements.tsv").write_text(element_table(given["elements"]))
    (tmp_path / "run").write_text(form(given["run"]))
    measures = [name for name in expected if name not in QUANTITIES]
    asked = [word for name in measures for word in ("-m", name)]
    command = ["evaluate", "assessments.xml", "run", "--elements", "elements.tsv", *asked]
    done = run_command([*command, "-o", "jsonl", "--quiet"], tmp_path)
    assert (done.code, done.err) == (0, "")
    rows = [json.loads(line) for line in done.out.splitlines()]
    found = {row["measure"]: row["value"] for row in rows if row["topic"] == "all"}
    for name in measures:
        assert found[name] == pytest.approx(expected[name], abs=case["tolerance"]), name
    assert all(given["item"] in row["canonical"] for row in rows)

from __future__ import annotations

from pathlib import Path

import pytest

from spanwise.errors import InputError
from spanwise.formats.run_folders import file_stem, folder_of, sources_in


def filled(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    return folder


def test_files_are_parts_of_the_run_their_folder_is_called_after(tmp_path: Path) -> None:
    names = (
        "b.fol",
        "a.fol",
        "_SUCCESS",
        ".a.fol.crc",
        "run=x%2Fy/part-0",
        "run=x%2Fy/_temporary/z",
    )
    lake = filled(tmp_path / "lake", *names)
    found = [(Path(each.name).name, each.stem) for each in sources_in(lake)]
    assert found == [("a.fol", "lake"), ("b.fol", "lake"), ("part-0", "x/y")]
    [inside] = sources_in(lake / "run=x%2Fy")
    assert inside.stem == "x/y"


@pytest.mark.parametrize("run", ["bm25", "a/b", "..", "run=1", "é 😀", "%41"])
def test_names_of_runs_come_back(tmp_path: Path, run: str) -> None:
    lake = filled(tmp_path / "lake", f"{folder_of(run)}/part-0")
    assert [each.stem for each in sources_in(lake)] == [run]


def test_a_folder_that_names_no_run_is_like_any_other(tmp_path: Path) -> None:
    lake = filled(tmp_path / "lake", "run=/part-0", "run=a/run=/part-1")
    found = sources_in(lake)
    assert [each.stem for each in found] == ["lake", "a"]
    assert [file_stem(each) for each in found] == ["part-0", "a"]


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    lake = filled(tmp_path / "lake", "_SUCCESS")
    with pytest.raises(InputError, match="found an empty folder, expected files of a run"):
        sources_in(lake)


def test_a_folder_is_visited_once(tmp_path: Path) -> None:
    lake = filled(tmp_path / "lake", "run=a/part-0", "run=b/part-0")
    elsewhere = filled(tmp_path / "elsewhere", "run=c/part-0")
    for name, target in (("above", lake), ("again", lake / "run=b"), ("other", elsewhere)):
        (lake / name).symlink_to(target)
    assert [each.stem for each in sources_in(lake)] == ["c", "a", "b"]

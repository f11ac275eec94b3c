"""Runs that pages cannot show as they are: refused as ``evaluate`` does, or noted."""

from __future__ import annotations

from pathlib import Path

import pytest

import spanwise
from spanwise.errors import InputError, SpanwiseError
from spanwise.library.browsing import site_of, site_of_runs
from spanwise.web.answers import Answers, Question
from spanwise.web.application import Site

ROW = '{{"topic": "q", "document": "{}", "start": {}, "end": {}, "score": 1}}\n'


def opened(folder: Path, *rows: tuple[str, int, int], **settings: object) -> Site:
    (folder / "docs").mkdir(exist_ok=True)
    (folder / "docs" / "d.txt").write_text("High water. Low water.")
    run = folder / "run.jsonl"
    run.write_text("".join(ROW.format(*row) for row in rows))
    return site_of_runs([run], collection=str(folder / "docs"), **settings)  # type: ignore[arg-type]


def answered(site: Site) -> Answers:
    return site.source.answers(Question(topic="q", run="run"))


def test_ranges_beyond_the_document_are_refused_or_cut(tmp_path: Path) -> None:
    rows = ("d", 0, 11), ("d", 12, 90), ("d", 50, 90)
    with pytest.raises(InputError, match=r"run\.jsonl:2: .* end of at most 22, the length of"):
        opened(tmp_path, *rows)
    site = opened(tmp_path, *rows, lenient=True)
    [note] = site.notes
    assert str(note).endswith("2 ranges of " + str(tmp_path / "run.jsonl") + NOTED)
    [document] = answered(site).documents
    assert [(each.start, each.end) for each in document.passages] == [(0, 11), (12, 22)]


NOTED = " end beyond their document; cut or dropped"


def test_unknown_documents_are_noted(tmp_path: Path) -> None:
    [note] = opened(tmp_path, ("d", 0, 11), ("nothing", 0, 4)).notes
    assert "1 of 2 answers names a document that is not in the collection" in str(note)
    assert "nothing" in str(note)


def test_a_run_without_answers_is_noted_and_listed(tmp_path: Path) -> None:
    site = opened(tmp_path)
    assert [str(note) for note in site.notes] == ["run: the run has no answers"]
    assert site.source.runs == ("run",)
    assert answered(site).documents == ()


def test_topics_that_no_run_answers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SpanwiseError, match=r"topcis\.jsonl.*no run answers such a topic; .* q, "):
        opened(tmp_path, ("d", 0, 11), topics=["topcis.jsonl"])


@pytest.mark.parametrize(
    "settings",
    [
        {"collection": "docs"},
        {"run_format": "trec"},
        {"unit": "byte"},
        {"lenient": True},
        {"results": 3},
        {"topics": ["topcis.jsonl"]},
    ],
)
def test_an_index_refuses_what_is_about_runs(tmp_path: Path, settings: dict[str, object]) -> None:
    index = tmp_path / "d.index"
    spanwise.index({"d": "High water."}, index)
    as_usual = {"unit": "codepoint", "collection": None, "lenient": False, "topics": {"q": "high"}}
    assert site_of(index, (), **as_usual).source.topics == {"q": "high"}  # type: ignore[arg-type]
    with pytest.raises(SpanwiseError, match=r"is about runs|is no file of topics"):
        site_of(index, (), **settings)  # type: ignore[arg-type]

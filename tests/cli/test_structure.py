"""Elements from the command line: refused where nothing is known, and told where something is."""

from __future__ import annotations

import json

import pytest

from spanwise.measures.explaining import Step, Steps
from spanwise.reporting.explanation import steps_table
from spanwise.reporting.render.cells import Look
from spanwise.reporting.render.terminal import table_text

ARTICLE = (
    "<article><title>Tides</title><sec><p>The sea rises.</p><p>It falls again.</p></sec>"
    "<sec><p>Twice a day.</p></sec></article>"
)
GRADED = """\
<assessments pool='1' topic='1'>
<file file='d1'>
<path path='/article[1]' exhaustiveness='3' specificity='1'/>
<path path='/article[1]/sec[1]' exhaustiveness='3' specificity='2'/>
<path path='/article[1]/sec[1]/p[1]' exhaustiveness='2' specificity='3'/>
</file>
<file file='d2'/>
</assessments>
"""
MARKED = """\
<assessments pool="1" topic="1" version="2">
<file name="d1">
<passage start="/article[1]/sec[1]/p[1]" end="/article[1]/sec[1]/p[1]" size="14"/>
<element path="/article[1]" exhaustivity="2" size="46" rsize="14"/>
</file>
</assessments>
"""
RUN = """\
1 Q0 d1 1 3 sys /article[1]/sec[1]/p[1]
1 Q0 d1 2 2 sys /article[1]/sec[1]
1 Q0 d2 3 1 sys /article[1]
"""


@pytest.fixture
def sea(tmp_path):
    folder = tmp_path / "sea"
    folder.mkdir()
    for name in ("d1", "d2"):
        (folder / f"{name}.xml").write_text(ARTICLE)
    (tmp_path / "graded.xml").write_text(GRADED)
    (tmp_path / "marked.xml").write_text(MARKED)
    (tmp_path / "e.run").write_text(RUN)
    return tmp_path


@pytest.mark.parametrize(
    "measure",
    ["CE", "NCE", "ANCE@10", "AgP(ChP)", "AgP(T2Iprec)", "gP(T2If)@5", "AgP(aveChP)", "AgP", "AiP"],
)
def test_what_is_read_of_elements_that_are_only_graded_is_not_known(spanwise, sea, measure):
    done = spanwise("evaluate", "graded.xml", "e.run", "--collection", "sea", "-m", measure)
    assert (done.code, done.out) == (2, "")
    assert "the relevant text of document d1" in done.err
    assert "only elements are judged there" in done.err


def test_all_leaves_out_every_measure_of_text_in_one_sentence(spanwise, sea):
    done = spanwise(
        "evaluate", "graded.xml", "e.run", "--collection", "sea", "-m", "all", "-o", "jsonl"
    )
    scored = {json.loads(line)["measure"] for line in done.out.splitlines()}
    assert done.code == 0
    assert not scored & {"CE", "NCE", "ANCE", "AgP(ChP)", "AgP(T2Iprec)", "AgP"}
    assert {"nxCG@10", "MAep", "AP"} <= scored
    said = [line for line in done.err.splitlines() if "left out: the relevant text" in line]
    assert 1 <= len(said) <= 2
    assert all(name in " ".join(said) for name in ("ANCE", "CE", "AgP(ChP)", "textR"))


@pytest.mark.parametrize("command", ["evaluate", "check", "convert"])
def test_sizes_of_a_document_that_the_collection_lacks(spanwise, sea, command):
    (sea / "other.xml").write_text(MARKED.replace("d1", "d9"))
    words = {
        "evaluate": ("other.xml", "e.run", "-m", "AP"),
        "check": ("other.xml",),
        "convert": ("other.xml", "-", "--to", "jsonl"),
    }[command]
    done = spanwise(command, *words, "--collection", "sea")
    assert done.code == 2
    assert "Traceback" not in done.err
    assert "other.xml:" in done.err + done.out
    assert "d9" in done.err + done.out


def test_an_element_run_that_goes_backwards_is_refused(spanwise, sea):
    (sea / "back.run").write_text("1 Q0 d1 1 1 sys /article[1]/sec[2] /article[1]/sec[1]\n")
    done = spanwise("evaluate", "graded.xml", "back.run", "--collection", "sea", "-m", "nxCG@2")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(
        "back.run:1: found elements /article[1]/sec[2] to /article[1]/sec[1]"
    )


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (
            {"path": "/a[1]", "exhaustivity": "?", "specificity": 3},
            "found exhaustivity ? and specificity 3",
        ),
        ({"path": "/a[1]" * 3000, "exhaustivity": 1, "specificity": 3}, "15,000 characters"),
    ],
)
def test_messages_show_what_the_file_says_and_not_all_of_it(spanwise, sea, row, found):
    (sea / "q.jsonl").write_text(json.dumps({"topic": "1", "document": "d1", **row}) + "\n")
    done = spanwise("evaluate", "q.jsonl", "e.run", "--collection", "sea", "-m", "nxCG@2")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("q.jsonl:1: found ")
    assert found in done.err
    assert len(done.err) < 300


def test_answers_are_explained_by_the_names_that_the_run_gave_them(spanwise, sea):
    words = ("graded.xml", "e.run", "--collection", "sea", "--topic", "1", "-o", "json")
    done = spanwise("explain", *words, "-m", "nxCG@2", "-m", "nxCG(elements(quant=strict))@2")
    for explanation in json.loads(done.out)["explanations"]:
        assert [row["element"] for row in explanation["rows"]] == [
            "/article[1]/sec[1]/p[1]",
            "/article[1]/sec[1]",
            "/article[1]",
        ]


def test_how_much_is_relevant_in_graded_documents_is_not_said(spanwise, sea):
    (sea / "empty.run").write_text("1 Q0 d2 1 1 sys /article[1]\n")
    words = ("graded.xml", "empty.run", "--collection", "sea", "--topic", "1", "-m", "nxCG@2")
    assert "\nnot retrieved: d1\n" in spanwise("explain", *words).out


def test_the_help_has_its_examples_on_lines_of_their_own(spanwise):
    done = spanwise("--help")
    assert "\\b" not in done.out
    assert "\n    spanwise demo\n" in done.out


@pytest.mark.parametrize("width", [44, 50, 60])
def test_long_names_give_way_together_on_a_narrow_terminal(width):
    cells = (1, "an/1995/a1003", "/article[1]/bdy[1]/sec[4]/ip1[2]", 0.9, 0.9)
    table = Steps("answer", ("rank", "document", "element", "xG", "xCG"), (Step(cells, True),), "")
    shown = table_text(steps_table(table, everything=True), Look(width=width, terminal=True))
    head, _, row = shown.splitlines()
    assert max(len(head), len(row)) < width
    assert row.split()[-2:] == ["0.9000", "0.9000"]
    assert row.split()[1].startswith("an/")
    assert row.split()[2].endswith("]")


def test_elements_that_become_ranges_are_counted(spanwise, sea):
    done = spanwise("convert", "e.run", "-", "--to", "jsonl", "--collection", "sea")
    assert '"start": 5, "end": 19' in done.out
    assert done.err == (
        "note: run sys: 3 elements are written as ranges; the formats element and inex keep their"
        " paths\n"
    )
    done = spanwise("convert", "e.run", "-", "--to", "element", "--collection", "sea")
    assert (done.out.split()[6], done.err) == ("/article[1]/sec[1]/p[1]", "")

"""Runs, assessments and collections at a prompt and in a notebook: a few lines, however large."""

from __future__ import annotations

import numpy as np

import spanwise
from spanwise.data.run import Run
from spanwise.formats.answer_objects import Known
from spanwise.formats.memory import assessments_from, run_from


def test_a_run_is_a_few_lines():
    answers = [("d7", 0, 20, 3.25), ("d<8>\u202e", 5, 9, 2.0), ("d9", 0, 5, 1.5), ("d9", 7, 9, 0.5)]
    (run,) = run_from({"q1": answers}, "bm25")
    assert repr(run) == (
        "Run bm25: 1 topic, 4 answers, ordered by score\n"
        "  q1  d7  [0, 20)  3.25\n"
        "  q1  d<8>\\u202e  [5, 9)  2\n"
        "  q1  d9  [0, 5)  1.5\n"
        "  and 1 more"
    )
    assert "d&lt;8&gt;" in run._repr_html_()
    assert run._repr_html_().startswith("<pre>Run bm25: 1 topic")


def test_a_large_run_is_as_short():
    count = 100_000
    text = "word\n" * 50
    run = Run.of(text, [text] * count, [text] * count, start=np.zeros(count), end=np.ones(count))
    assert len(repr(run)) < 500
    assert len(repr(run).splitlines()) == 5


def test_answers_without_ranges():
    rows = ["d7", {"document": "d8", "parts": False}, {"document": "d9", "path": "/a[1]"}]
    (run,) = run_from({"q1": rows})
    assert repr(run).splitlines()[1:] == ["  q1  d7", "  q1  d8  nothing of it", "  q1  d9  /a[1]"]
    (texts,) = run_from({"q1": ["Peru  joined\nin 1945."]}, known=Known(texts=True))
    assert repr(texts).splitlines()[1] == '  q1  not located yet  "Peru joined in 1945."'
    assert repr(Run.of("r", [], [])) == "Run r: 0 topics, 0 answers, ordered by file"


def test_assessments_are_a_few_lines():
    ranges = [(10 * place, 10 * place + 5) for place in range(5)]
    judged = assessments_from({"q1": {"d7": ranges, "d8": [], "d9": 1}, "q2": {"d7": [(0, 5)]}})
    assert repr(judged) == (
        "Assessments assessments: 2 topics, 4 judgements\n"
        "  q1  d7  [0, 5) [10, 15) [20, 25) ...\n"
        "  q1  d8  not relevant\n"
        "  q1  d9  whole document\n"
        "  and 1 more"
    )
    quoted = assessments_from({"Who?": ["Peru."], "Why?": ["Since."]})
    assert repr(quoted).splitlines()[1:] == ['  Who?  "Peru."', '  Why?  "Since."']
    assert quoted._repr_html_() == f"<pre>{repr(quoted).replace(chr(34), '&quot;')}</pre>"


def test_a_collection_is_a_line():
    documents = spanwise.open_collection({"d7": "Peru"})
    assert documents._repr_html_() == (
        "<pre>&lt;Collection in memory: 1 document with lengths, text, tokens&gt;</pre>"
    )

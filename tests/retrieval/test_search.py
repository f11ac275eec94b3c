"""Fetch and browse: what is found, and that nothing in a query or a document breaks it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as trial_settings
from hypothesis import strategies as st

import spanwise
from retrieval.conftest import DEMO
from retrieval.slow_passages import slow_scores
from spanwise.errors import SpanwiseError
from spanwise.formats.conversion import Target
from spanwise.retrieval.browsing import Candidates, chosen
from spanwise.retrieval.index import Index
from spanwise.retrieval.passages import ENTRY_SHARE, MODES, Browsing, Mode

TOPICS = DEMO / "topics.jsonl"


def opened(texts: dict[str, str] | Path, folder: Path, **options: object) -> Index:
    spanwise.index(texts, folder / "index", **options)  # type: ignore[arg-type]
    return Index.open(folder / "index")


@pytest.mark.parametrize("mode", MODES)
def test_passages_are_in_reading_order_apart_and_ranked(demo_index: Index, mode: Mode) -> None:
    how = Browsing(mode, passages=4, share=0.1)
    for query in spanwise.read_topics(TOPICS).values():
        found = demo_index.search(query, 26, how)
        assert [each.rank for each in found] == list(range(1, len(found) + 1))
        order = [(-each.score, each.document) for each in found]
        assert order == sorted(order)
        for each in found:
            assert 1 <= len(each.passages) <= 4
            ends = [0, *(place for one in each.passages for place in (one.start, one.end))]
            assert ends == sorted(ends)
            assert ends[-1] <= each.length == len(demo_index.text(each.document))
            ranked = sorted(each.passages, key=lambda one: one.rank)
            scores = [one.score for one in ranked]
            assert scores == sorted(scores, reverse=True)
            good = [one.start for one in each.passages if one.score >= ENTRY_SHARE * scores[0]]
            assert each.entry_point == good[0]
            assert each.best == ranked[0]


@pytest.mark.parametrize("mode", ["sentence", "paragraph", "window"])
def test_passages_begin_and_end_with_sentences(demo_index: Index, mode: Mode) -> None:
    for each in demo_index.search("tides and the Moon", 10, Browsing(mode)):
        columns = demo_index._browser(each.document).columns
        for passage in each.passages:
            assert passage.start in columns.sentence_start
            assert passage.end in columns.sentence_end


def test_windows_are_as_large_as_asked(demo_index: Index) -> None:
    passages = [
        passage
        for each in demo_index.search("fog at sea", 10, Browsing("window", window=400))
        for passage in each.passages
    ]
    assert max(one.end - one.start for one in passages) <= 400
    assert np.mean([one.end - one.start for one in passages]) > 200


@pytest.mark.parametrize("window", [30, 50, 200])
def test_sentences_longer_than_a_window_are_cut_between_words(tmp_path: Path, window: int) -> None:
    text = "Short one. " + " ".join(f"word{n}, and fog" for n in range(100)) + ". The fog!"
    index = opened({"d": text}, tmp_path)
    found = index.candidates("d", "fog", Browsing("window", window=window))
    assert found.start[0] == 0
    assert found.end[-1] == len(text)
    for start, end in zip(found.start.tolist(), found.end.tolist(), strict=True):
        assert window / 2 < end - start <= window or end == len(text)
        assert not (text[start - 1 : start + 1].isalnum())
        assert not (text[end - 1 : end + 1].isalnum())
    words = text.split()
    every = " ".join(text[a:b] for a, b in zip(found.start, found.end, strict=True))
    assert all(word.strip(",.!") in every for word in words)


def test_windows_are_cut_at_blanks(tmp_path: Path) -> None:
    text = " ".join(f"non-fog/{n}-word," for n in range(60))
    index = opened({"d": text, "e": "海岸線" * 60}, tmp_path)
    found = index.candidates("d", "fog", Browsing("window", window=70))
    assert len(found.start) > 10
    for start, end in zip(found.start.tolist(), found.end.tolist(), strict=True):
        assert 35 < end - start <= 70
        assert start == 0 or text[start - 1] == " "
        assert end == len(text) or text[end] == " "
    dense = index.candidates("e", "海岸", Browsing("window", window=50))
    assert (dense.end - dense.start).max() == 50
    assert np.array_equal(dense.end[:-1], dense.start[1:])


def test_a_word_longer_than_a_window_is_cut(tmp_path: Path) -> None:
    index = opened({"d": "fog " + "x" * 200 + " fog"}, tmp_path)
    found = index.candidates("d", "fog", Browsing("window", window=50))
    assert max(found.end - found.start) <= 50
    assert sum(found.end - found.start) >= 200
    assert np.count_nonzero(found.score) == 2


def test_elements_have_their_paths_and_do_not_overlap(demo_index: Index) -> None:
    trees = demo_index.collection.elements
    assert trees is not None
    for each in demo_index.search("natural protection against waves", 10, Browsing("element")):
        tree = trees.tree(each.document)
        assert tree is not None
        for passage in each.passages:
            assert passage.path is not None
            row = tree.path.tolist().index(trees.paths.number(passage.path))
            assert (tree.start[row], tree.end[row]) == (passage.start, passage.end)


def test_scores_go_up_the_tree(tmp_path: Path) -> None:
    """A section whose paragraphs all match is better than each; one among many is not."""
    (tmp_path / "docs").mkdir()
    fog, other = "<p>The fog was thick that night.</p>", "<p>A quiet sunny day in the port.</p>"
    pages = {
        "all.xml": f"<a><s>{fog * 4}</s><s>{other * 4}</s></a>",
        "one.xml": f"<a><s>{fog}{other * 3}</s><s>{other * 4}</s></a>",
    }
    for name, page in pages.items():
        (tmp_path / "docs" / name).write_text(page)
    index = opened(tmp_path / "docs", tmp_path)
    found = {each.document: each for each in index.search("fog", 5, Browsing("element"))}
    assert [one.path for one in found["all"].passages] == ["/a[1]/s[1]"]
    assert [one.path for one in found["one"].passages] == ["/a[1]/s[1]/p[1]"]


def test_scores_are_those_of_the_slow_twin(tmp_path: Path) -> None:
    words = np.random.default_rng(3).choice(["fog", "sea", "tide", "ship", "net", "rope"], 900)
    lines = [" ".join(words[a : a + 2 + a % 13]) for a in range(0, 880, 20)]
    texts = {f"d{n}": "\n\n".join(lines[n::4]) for n in range(4)}
    index = opened(texts, tmp_path)
    query = "fog and fog over a net"
    for document, text in texts.items():
        units = text.split("\n\n")
        expected = slow_scores(texts, units, lines, query)
        candidates = index.candidates(document, query)
        assert candidates.score.tolist() == pytest.approx(expected, rel=1e-12)
        assert [text[a:b] for a, b in zip(candidates.start, candidates.end, strict=True)] == units


def test_offsets_are_those_of_the_text_shown(tmp_path: Path) -> None:
    texts = {
        "astral": "𝔸 first 😀😀 line.\n\nThe 🦀 needle 𝔹 is here. Not here.",
        "marks": "e\u0301te\u0301.\n\nLe needle\u0301s est a\u0300 co\u0302te\u0301: needle. Non.",
        "hebrew": "שורה ראשונה.\n\nכאן יש needle בתוך הטקסט. סוף.",
        "cjk": "一行目。\n\nここにneedleがある。終わり。",
        "pointed": "שׁוּרָה.\n\nכָּאן יֵשׁ needle בְּתוֹךְ.",
    }
    index = opened(texts, tmp_path)
    found = {each.document: each for each in index.search("needle", 9, Browsing("sentence"))}
    shown = {
        name: index.text(name)[p.start : p.end] for name in found for p in found[name].passages
    }
    assert shown == {
        "astral": "The 🦀 needle 𝔹 is here.",
        "marks": "Le needle\u0301s est a\u0300 co\u0302te\u0301: needle.",
        "hebrew": "כאן יש needle בתוך הטקסט.",
        "cjk": "ここにneedleがある。",
        "pointed": "כָּאן יֵשׁ needle בְּתוֹךְ.",
    }
    [found_plain] = [
        each for each in index.search("שורה", 9, Browsing("sentence")) if each.document == "pointed"
    ]
    [passage] = found_plain.passages
    assert index.text("pointed")[passage.start : passage.end] == "שׁוּרָה."
    for name, text in texts.items():
        assert {text[a:b] for a, b in index.matches(name, "NEEDLE")} == {"needle"}


def test_text_without_blanks_is_found(tmp_path: Path) -> None:
    texts = {"sea": "東京湾の海岸線は長い。", "hill": "山の中は静かだ。", "thai": "น้ำขึ้นน้ำลง"}
    index = opened(texts, tmp_path)
    assert [name for name, _ in index.fetch("海岸")] == ["sea"]
    assert [name for name, _ in index.fetch("山")] == ["hill"]
    assert [name for name, _ in index.fetch("น้ำลง")] == ["thai"]


def test_queries_of_unknown_words_find_nothing(demo_index: Index) -> None:
    assert demo_index.search("zyzzyva") == []
    assert demo_index.browse("tides", "zyzzyva") == ()
    assert demo_index.matches("tides", "zyzzyva") == []
    for mode in MODES:
        assert not demo_index.candidates("tides", "zyzzyva", Browsing(mode)).score.any()
    with pytest.raises(SpanwiseError, match="document 'nowhere' is not in the index"):
        demo_index.browse("nowhere", "tides")


def test_the_order_is_determined(tmp_path: Path) -> None:
    texts = {f"d{number:02}": "the same fog" for number in range(30)}
    index = opened(dict(reversed(texts.items())), tmp_path)
    names = [name for name, _ in index.fetch("fog", 7)]
    assert names == [f"d{number:02}" for number in range(7)]


def test_chosen_candidates_prefer_the_earlier_of_equal_ones() -> None:
    same = Candidates(
        *(np.array(column) for column in ([0, 5, 9], [6, 9, 12], [1.0, 1, 1], [0] * 3))
    )
    found = chosen(same, Browsing(passages=9), lambda row: None)
    assert [(one.start, one.rank) for one in found] == [(0, 1), (9, 2)]


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "tides AND (",
        "a:b^2~",
        "NOT tides",
        "+tides -sea",
        "tides*",
        "[a TO b]",
        "\\",
        "..//tides",
    ]
    + ["tides\0\ud800", "<script>tides", "tides " * 5000, "tides\n" + "x" * 100_000],
)
def test_nothing_in_a_query_is_an_operator(demo_index: Index, query: str) -> None:
    if not demo_index.has_words(query):
        with pytest.raises(SpanwiseError, match="expected words to search for"):
            demo_index.search(query, 3)
        return
    texts = [demo_index.text(each.document).lower() for each in demo_index.search(query, 3)]
    assert "tides" not in query or any("tide" in text for text in texts)


@given(st.text(max_size=30))
@trial_settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_query_breaks_a_search(demo_index: Index, query: str) -> None:
    if demo_index.has_words(query):
        demo_index.search(query, 3, Browsing("element"))


@pytest.mark.parametrize("query", ["", "  \n", '+-*"()', "。、", "😀", "\u0301"])
def test_a_query_without_words_is_refused(demo_index: Index, query: str) -> None:
    with pytest.raises(SpanwiseError, match="expected words to search for"):
        spanwise.search(demo_index, query)


def test_hostile_documents_are_searched(tmp_path: Path) -> None:
    texts = {
        "empty": "",
        "blank": " \n\t\n",
        "marks": "\u0301" * 500,
        "long": "needle" * 100_000,
        "lines": "needle\n" * 20_000,
        "../../etc/passwd": "needle <script>alert(1)</script>",
        "nul": "a\0needle\0",
        "controls": "\x1b[2J needle \u202e",
    }
    index = opened(texts, tmp_path)
    for mode in MODES:
        found = {each.document for each in index.search("needle", 20, Browsing(mode))}
        assert found == {"lines", "../../etc/passwd", "nul", "controls"}
    assert "\x1b" not in str(spanwise.search(index, "needle", k=20))


def test_batches_become_runs(demo_index: Index, tmp_path: Path) -> None:
    judged = DEMO / "assessments.first.jsonl"
    found = spanwise.search(demo_index, TOPICS, "paragraph")
    for ending in ("fol", "jsonl", "csv", "jsonl.gz"):
        found.save(tmp_path / f"run.{ending}")
    inputs = [found.run, *sorted(tmp_path.iterdir())]
    means = [spanwise.evaluate(judged, run, "AgP").mean("AgP") for run in inputs]
    assert len(set(means)) == 1
    assert means[0] > 0.4
    by_score = spanwise.search(demo_index, TOPICS, "paragraph", by="passages").run
    assert by_score.score is not None
    for first, end in zip(by_score.offsets[:-1], by_score.offsets[1:], strict=True):
        assert (np.diff(by_score.score[first:end]) <= 0).all()


def test_elements_are_written_with_their_paths(demo_index: Index, tmp_path: Path) -> None:
    found = spanwise.search(demo_index, TOPICS, "element")
    found.save(tmp_path / "run.element")
    options = {"collection": DEMO / "articles"}
    for run in (found.run, tmp_path / "run.element"):
        scores = spanwise.evaluate(DEMO / "assessments.first.jsonl", run, "AgP", **options)
        assert scores.mean("AgP") == pytest.approx(0.5014, abs=1e-4)


def test_entry_points_are_a_run_of_their_own(demo_index: Index, tmp_path: Path) -> None:
    found = spanwise.search(demo_index, TOPICS)
    target = Target.of(str(tmp_path / "run"), "entry-points")
    (tmp_path / "run").write_bytes(found.content(target)[0])
    [run] = spanwise.read_run(tmp_path / "run")
    expected = [each.entry_point for one in found.topics for each in one.documents]
    assert run.start.tolist() == expected
    judged = DEMO / "assessments.first.jsonl"
    assert spanwise.evaluate(judged, run, "AgP(BEP)").mean("AgP(BEP)") > 0


def test_nothing_found_is_an_empty_run(demo_index: Index) -> None:
    run = spanwise.search(demo_index, {"a": "zyzzyva"}).run
    assert (len(run), run.topics) == (0, ())


def test_results_print_and_have_rows(demo_index: Index, tmp_path: Path) -> None:
    found = spanwise.search(demo_index, "spring tides", k=2)
    header = ["document rank", "document", "passage", "score"]
    assert re.split(r" {2,}", str(found).splitlines()[0].strip()) == header
    rows = found.output().rows.items
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
    for row in rows:
        text = demo_index.text(str(row["document"]))
        assert row["text"] == text[row["start"] : row["end"]]  # type: ignore[misc]
    found.save(tmp_path / "found.html")
    assert "No document has" in str(spanwise.search(demo_index, "zyzzyva"))


def test_topics_that_find_nothing_are_noted(demo_index: Index) -> None:
    topics = {"a": "tides", "b": "?!"} | {f"c{n}": "zyzzyva" for n in range(7)}
    found = spanwise.search(demo_index, topics)
    assert [str(note) for note in found.notes] == [
        "1 query has no word to search for; nothing is found for its topic (b)",
        "7 of 9 topics find nothing: no document has a word of their queries (c0, c1, c2, c3, c4,"
        " ...)",
    ]
    assert found.run.topics == ("a",)
    with pytest.raises(SpanwiseError, match="no query has a word"):
        spanwise.search(demo_index, {"b": "?!"})


# -- an embedding of the user's own


def vowels(texts: list[str]) -> np.ndarray:
    return np.array([[text.count(letter) for letter in "aeiou"] for text in texts], float)


def test_an_embedding_reranks_passages(demo_index: Index) -> None:
    plain = spanwise.search(demo_index, "tides and fog", k=3, passages=2)
    dense = spanwise.search(demo_index, "tides and fog", k=3, passages=2, embed=vowels)
    assert [each.document for each in dense.documents] == [d.document for d in plain.documents]
    asked = vowels(["tides and fog"])[0]
    for each in dense.documents:
        assert 1 <= len(each.passages) <= 2
        for passage in each.passages:
            [own] = vowels([dense.text_of(each.document, passage)])
            cosine = own @ asked / np.linalg.norm(own) / np.linalg.norm(asked)
            assert passage.score == pytest.approx(cosine)


@pytest.mark.parametrize("embed", [lambda texts: [1.0], lambda texts: 1 / 0, "model"])
def test_a_broken_embedding_is_named(demo_index: Index, embed: object) -> None:
    with pytest.raises(SpanwiseError, match="embed"):
        spanwise.search(demo_index, "tides", embed=embed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"mode": "paragraf"}, "did you mean 'paragraph'"),
        ({"k": 0}, "k must be"),
        ({"passages": True}, "passages must be"),
        ({"share": 2}, "share must be"),
        ({"window": 0}, "window must be"),
        ({"by": "rank"}, "by must be"),
    ],
)
def test_impossible_settings_are_refused(
    demo_index: Index, settings: dict[str, object], said: str
) -> None:
    with pytest.raises(SpanwiseError, match=said):
        spanwise.search(demo_index, "tides", **settings)  # type: ignore[arg-type]


def test_titles(demo_index: Index, tmp_path: Path) -> None:
    assert demo_index.title("tides") == "Tides"
    index = opened({"a": "\n  # First line \nmore", "b": "", "c": "x" * 500}, tmp_path)
    assert (index.title("a"), index.title("b")) == ("First line", "b")
    assert len(index.title("c")) == 120


@pytest.mark.parametrize(
    "word", ["second", "third", "world", "inner", "cell", "tail", "unbelievable"]
)
def test_words_end_where_lines_and_blocks_do(tmp_path: Path, word: str) -> None:
    """Tags are not in the text, so nothing but them is between these words."""
    (tmp_path / "page.html").write_text(
        "<html><body><p>First line<br>second line<br/>third</p><div>Hello <div>World</div>"
        "<div>inner</div></div><table><tr><td>damaged</td><td>cell</td></tr></table>tail"
        " <b>un</b>believable</body></html>"
    )
    spanwise.index(str(tmp_path / "page.html"), tmp_path / "page.index")
    [found] = spanwise.search(tmp_path / "page.index", word).documents
    assert found.document == "page"

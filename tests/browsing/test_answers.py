"""What pages show comes from the run, the engine and the measures themselves."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from urllib.request import urlopen

import numpy as np
import pytest
from starlette.requests import Request

import spanwise
from command import run_command
from fake_engine import FakeEngine
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.explain import listed
from spanwise.library.browsing import site_of_index, site_of_runs
from spanwise.measures.read_document import ReadDocument, read_document
from spanwise.reporting.reading_plots import reading_plot
from spanwise.reporting.render.html.reading_chart import reading_chart
from spanwise.retrieval.folder import MANIFEST
from spanwise.retrieval.index import Index
from spanwise.retrieval.passages import Browsing
from spanwise.web.addresses import Address
from spanwise.web.answers import Answers, Passage, Question, RankedDocument
from spanwise.web.application import Site
from spanwise.web.document_page import document_page
from spanwise.web.engine_answers import EngineSource
from spanwise.web.reading_chain import chain_of
from spanwise.web.results_page import results_page
from spanwise.web.run_answers import RunSource
from spanwise.web.shelf import Shelf
from web.served_pages import served

DEMO = Path(__file__).parents[2] / "src" / "spanwise" / "demo"
JUDGED = DEMO / "assessments.first.jsonl"
RUNS = sorted((DEMO / "runs").iterdir())


@pytest.fixture(scope="module")
def site() -> Site:
    return site_of_runs(RUNS, assessments=JUDGED, collection=str(DEMO / "articles"))


# -- watching


def watched(evaluation: Evaluation, run: Run, topic: str, document: str) -> ReadDocument | None:
    return read_document(listed(evaluation, run, topic), document)


@pytest.mark.parametrize("run", ["paragraphs", "sections", "chunks", "documents", "elements"])
def test_what_is_watched_has_the_values_of_the_measures(site: Site, run: str) -> None:
    """The sum over the documents of a list is what ``evaluate`` makes of them."""
    source = site.source
    assert isinstance(source, RunSource)
    assert source.evaluation is not None
    names = ["aveChP", "T2If(tolerance=300)", "T2If(tolerance=2000)"]
    file = next(file for file in RUNS if file.stem == run)
    settings = {"collection": str(DEMO / "articles")}
    for topic in ("t01", "t05", "t09"):
        answers = source.answers(Question(topic=topic, run=run))
        own = source.run(run, topic)
        assert own is not None
        for one in answers.documents[:4]:
            found = watched(source.evaluation, own, topic, one.document)
            if found is None:
                continue
            values = {value.measure: value.value for value in found.values}
            for name in names:
                explained = spanwise.explain(
                    JUDGED, file, topic, f"AgP({name})", document=one.document, **settings
                )
                assert explained.explanations[0].score == values[name]
            assert found.at(found.length).average == values["aveChP"], "to the last bit"
            assert found.at(found.length).found == found.relevant
            assert reading_chart(reading_plot(found, "Read"), "read").shapes


def test_aveChp_so_far_is_the_sum_over_characters(site: Site) -> None:
    source = site.source
    assert isinstance(source, RunSource)
    assert source.evaluation is not None
    run = source.run("paragraphs", "t05")
    assert run is not None
    found = watched(source.evaluation, run, "t05", "wading-birds")
    assert found is not None
    order = [
        (one.start + n, one.relevant) for one in found.segments for n in range(one.end - one.start)
    ]
    assert sorted(place for place, _ in order) == list(range(found.length)), "all is read once"
    total, hits, other = 0.0, 0, 0
    for position, (place, relevant) in enumerate(order, 1):
        hits, other = hits + relevant, other + (not relevant)
        total += hits / position if relevant else 0.0
        if position % 97 == 0 or position == found.stop_of(300):
            now = found.at(position)
            assert (now.read, now.found) == (position, hits)
            assert now.average == pytest.approx(total / found.relevant, abs=1e-12)
            assert found.place_of(position) == place + 1
        if other == 300 and not relevant:
            assert found.stop_of(300) == position


def test_the_part_that_costs_most_is_named(site: Site) -> None:
    source = site.source
    assert isinstance(source, RunSource)
    assert source.evaluation is not None
    run = source.run("paragraphs", "t05")
    assert run is not None
    found = watched(source.evaluation, run, "t05", "wading-birds")
    assert found is not None
    assert found.without is not None
    number, value = found.without
    assert number == 1
    kept = [row for row in range(len(run)) if run.start[row] != 36]
    again = watched(source.evaluation, run.take(np.array(kept)), "t05", "wading-birds")
    assert again is not None
    assert value == again.values[-1].value


# -- runs


def test_passages_of_a_page_are_sentences_around_the_answers(site: Site) -> None:
    address = Address(topic="t05", run="sentences", document="wading-birds")
    page = document_page(site.source, site.shelf, address, None)
    assert page is not None
    answer = site.source.answers(address.question).document("wading-birds")
    assert answer is not None
    for passage in answer[1].passages:
        assert any(
            stop.start <= passage.start and passage.end <= stop.end + 1 for stop in page.chain.stops
        )
    assert page.chain.characters == sum(stop.end - stop.start for stop in page.chain.stops)


def test_a_passage_inside_another_one_has_a_heat_of_its_own() -> None:
    text = "One. Two. Three. Four."
    passages = Passage(0, 22, 3), Passage(5, 9, 1), Passage(10, 16, 2)
    found = chain_of(text, [(0, 22)], passages, {1: 4, 2: 3, 3: 1})
    assert [(stop.start, stop.end, stop.step) for stop in found.stops] == [(0, 22, 4)]
    steps = [(one.step, text[one.start : one.end].strip()) for one in found.heat]
    assert [one for one in steps if one[1]] == [
        (1, "One."),
        (4, "Two."),
        (3, "Three."),
        (1, "Four."),
    ]
    assert found.characters == 22, "text is read once"


def test_results_are_in_the_order_of_the_run(site: Site) -> None:
    page = results_page(site.source, site.shelf, Address(topic="t05", run="paragraphs"))
    assert [row.name for row in page.rows][:2] == ["wading-birds", "estuaries"]
    assert page.finding == "Wading Birds ranks first: 5 of the 11 passages are in it"


def test_other_runs_share_a_page_of_results(site: Site) -> None:
    page = results_page(site.source, site.shelf, Address(topic="t01", run="documents"), 20)
    assert page.first == 20
    assert page.rows[0].place == 21
    assert page.earlier == 0


def test_ranks_that_stand_for_scores_are_not_shown_as_scores(tmp_path: Path) -> None:
    rows = ["t Q0 tides 1 {} r 0 5", "t Q0 tides 2 {} r 9 5", "t Q0 fog-signals 3 {} r 0 5"]
    for scores, shown in (((-1, -2, -3), {None}), ((-1, -2, -4), {-1.0, -2.0, -4.0})):
        lines = [row.format(float(score)) for row, score in zip(rows, scores, strict=True)]
        (tmp_path / "run.fol").write_text("\n".join(lines) + "\n")
        site = site_of_runs([tmp_path / "run.fol"], collection=str(DEMO / "articles"))
        found = site.source.answers(Question(topic="t", run=site.source.runs[0]))
        assert {one.score for each in found.documents for one in each.passages} == shown


def test_equal_scores_have_equal_heat() -> None:
    def heat(*scores: float | None) -> list[int]:
        passages = tuple(Passage(n, n + 1, n + 1, score) for n, score in enumerate(scores))
        one = RankedDocument("d", passages)
        return list(Answers(Question("q"), (one,), "BM25").steps().values())

    assert heat(3.9, 3.9) == [4, 4]
    assert heat(4, 3, 3, 2, 1, 1, 1, 1) == [4, 4, 4, 3, 2, 2, 2, 2]
    assert heat(None, None, None, None) == [4, 3, 2, 1]


# -- engines


def test_an_engine_answers_any_words() -> None:
    source = EngineSource(FakeEngine())
    address = Address(words="tides")
    answers = source.answers(address.question)
    ranks = {one.document: [(p.start, p.rank) for p in one.passages] for one in answers.documents}
    assert ranks == {"d1": [(0, 1), (12, 3)], "d2": [(5, 2)]}, "heat compares all documents"
    page = results_page(source, Shelf(source.documents), address)
    assert '<b class="term">Tides</b> rise.' in page.rows[0].snippet
    for words, why in (("", "Write some words"), (" ", "Write some words"), ("?*", "no word in")):
        empty = results_page(source, Shelf(source.documents), Address(words=words))
        assert empty.finding == "There is nothing to search for"
        assert why in empty.answers.why


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("indexes") / "sea.index"
    spanwise.index(DEMO / "articles", place, language="english")
    return place


def test_an_index_is_browsed_as_it_is_searched(index: Path) -> None:
    site = site_of_index(index, how=Browsing("sentence", passages=2), k=3)
    found = site.source.answers(Question(words="spring tides"))
    expected = spanwise.search(index, "spring tides", "sentence", 3, passages=2).documents
    assert [(one.document, one.entry) for one in found.documents] == [
        (one.document, one.entry_point) for one in expected
    ]
    for shown, each in zip(found.documents, expected, strict=True):
        places = sorted((one.start, one.end) for one in shown.passages)
        assert places == [(one.start, one.end) for one in each.passages]
    assert [*site.search_command][-4:] == ["--mode", "sentence", "--passages", "2"]
    [fact] = site.source.facts()
    assert fact.counts[-1] == "English stemming"


def test_an_index_that_is_updated_is_shown_as_it_is_now(tmp_path: Path) -> None:
    place, texts = tmp_path / "sea.index", {"fog": "The fog.", "tide": "A tide."}
    spanwise.index(texts, place)
    with served(site_of_index(place)) as address:

        def page(path: str) -> str:
            with urlopen(address + path) as answer:
                return str(answer.read().decode())

        assert "2 documents" in page("/")
        assert "No document has any" in page("/search?words=wombats")
        spanwise.index({**texts, "fog": "Wombats in fog.", "new": "Three wombats."}, place)
        found = page("/search?words=wombats")
        assert "2 of 3 documents" in found
        assert "Three <b" in found
        assert "3 documents" in page("/")
        assert "Wombats" in page("/read?words=wombats&document=fog")
        (place / MANIFEST).write_text("spoilt")
        assert "2 of 3 documents" in page("/search?words=wombats")
        shutil.rmtree(place)
        assert "2 of 3 documents" in page("/search?words=wombats")


def test_an_index_stays_open_as_long_as_it_is_the_newest(tmp_path: Path) -> None:
    spanwise.index({"fog": "The fog."}, tmp_path / "index")
    opened = Index.open(tmp_path / "index")
    assert opened.newest() is opened
    spanwise.index({"fog": "The thick fog."}, tmp_path / "index")
    newest = opened.newest()
    assert newest.text("fog") == "The thick fog."
    assert newest.newest() is newest


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (b"", "Write some words"),
        (b"%20", "Write some words"),
        (b"%2B+-+%22", "There is no word in this"),
        (b"zyzzyva", "No document has any of these words"),
    ],
)
def test_a_question_without_an_answer_has_a_page(index: Path, words: bytes, said: str) -> None:
    request = Request({"type": "http", "query_string": b"words=" + words, "headers": []})
    page = site_of_index(index).search(request)
    assert page.status_code == 200
    assert said in bytes(page.body).decode()


def test_settings_of_a_search_are_not_for_runs() -> None:
    for given in ({"mode": "sentence"}, {"k": 5}, {"window": 100}):
        with pytest.raises(SpanwiseError, match="is about an index, and runs have passages of th"):
            spanwise.browse(runs=RUNS, collection=str(DEMO / "articles"), **given)


# -- the command


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(SpanwiseError, match=r"needs uvicorn; install it with: pip .*\[web\]"):
        site_of_runs(RUNS, collection=str(DEMO / "articles"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Give either INDEX or --run."),
        (["sea.index", "--run", "run.jsonl"], "Give either INDEX or --run."),
        (["--run", "run.jsonl"], "give --collection"),
        (["--run", "none.jsonl", "--collection", str(DEMO / "articles")], "none.jsonl"),
        (["--run", str(RUNS[0]), "--collection", "nowhere"], "nowhere"),
        (["--run", str(RUNS[0]), "--share", "0.2"], "--share is about an index"),
        (["sea.index", "--assessments", str(JUDGED)], "--assessments mark what runs returned"),
        (["sea.index"], "sea.index: index not found"),
    ],
)
def test_bad_words_are_refused(words: list[str], message: str, tmp_path: Path) -> None:
    done = run_command(["browse", *words, "--no-open"], tmp_path)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""

"""What pages say of runs and documents: places, names, relevance, ranks, breaks of lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.requests import Request

from spanwise.evaluation.explain import listed
from spanwise.library.browsing import site_of_runs
from spanwise.measures.read_document import read_document
from spanwise.web.addresses import Address
from spanwise.web.application import Site
from spanwise.web.document_page import document_page
from spanwise.web.results_page import results_page
from spanwise.web.run_answers import RunSource
from web.served_pages import site_of

DEMO = Path(__file__).parents[2] / "src" / "spanwise" / "demo"
JUDGED = DEMO / "assessments.first.jsonl"
Asked = Callable[[Request], object]


@pytest.fixture(scope="module")
def site() -> Site:
    runs = sorted((DEMO / "runs").iterdir())
    return site_of_runs(runs, assessments=JUDGED, collection=str(DEMO / "articles"))


def answer(page: Asked, query: str) -> tuple[int, str]:
    request = Request({"type": "http", "query_string": query.encode(), "headers": []})
    found = page(request)
    return found.status_code, bytes(found.body).decode()  # type: ignore[attr-defined]


def text_of(markup: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", markup).split())


def test_the_way_back_leads_to_the_page_of_results_with_the_document(site: Site) -> None:
    address = Address(topic="t01", run="documents")
    second = results_page(site.source, site.shelf, address, 20)
    row = second.rows[0]
    page = document_page(site.source, site.shelf, Address("", "documents", "t01", row.name), None)
    assert page is not None
    assert page.results == "/search?run=documents&topic=t01&from=20#d21"
    assert address.row(20) == "/search?run=documents&topic=t01#d20"
    for shown in (site.read, site.watch):
        _, markup = answer(shown, f"run=documents&topic=t01&document={row.name}")
        if "/search?" in markup and "nothing to watch" not in markup:
            assert "&amp;from=20#d21" in markup


def test_results_say_what_is_relevant(site: Site) -> None:
    _, markup = answer(site.search, "run=paragraphs&topic=t05")
    said = text_of(markup)
    assert "Relevant: 3; judged not relevant: 2; unjudged: 0." in said
    assert said.count("judged not relevant") == 3
    assert "relevant: 1,550 characters" in said
    source = site.source
    assert isinstance(source, RunSource)
    page = results_page(
        source, site.shelf, Address(run="paragraphs", topic="t05"), 0, source.judged("t05")
    )
    by_name = {row.name: row for row in page.rows}
    kinds = {name: {bar.kind for bar in row.bars} for name, row in by_name.items()}
    assert {"u", "m"} <= kinds["wading-birds"]
    assert "u" not in kinds["beachcombing"], "its relevant text is in no passage"
    assert "m" in kinds["beachcombing"]
    assert 0 < by_name["wading-birds"].relevant_in_passages < by_name["wading-birds"].relevant


def test_documents_that_nobody_judged_are_called_so(tmp_path: Path) -> None:
    documents = {"one.txt": "One here.", "two.txt": "Two here.", "three.txt": "Three here."}
    answers = {"q": [("one", 0, 4), ("two", 0, 4), ("three", 0, 4)]}
    judged = [
        {"topic": "q", "document": "one", "start": 0, "end": 3},
        {"topic": "q", "document": "two", "relevance": 0},
    ]
    _, markup = answer(site_of(documents, answers, tmp_path, judged).search, "topic=q")
    rows = markup.split('class="row"')[1:]
    for row, words in zip(rows, ("relevant", "judged not relevant", "unjudged"), strict=True):
        [said] = re.findall('<span class="judged[^>]*>([^<:]+)', row)
        assert said == words


def test_without_assessments_nothing_is_said_of_relevance(tmp_path: Path) -> None:
    site = site_of({"one.txt": "One here."}, {"q": [("one", 0, 4)]}, tmp_path)
    _, markup = answer(site.search, "topic=q")
    assert '<span class="judged' not in markup
    assert "unjudged" not in markup
    assert '<i class="m">' not in markup


def test_names_stand_beside_titles(site: Site) -> None:
    for page, query in (
        (site.search, "run=paragraphs&topic=t05"),
        (site.read, "run=paragraphs&topic=t05&document=wading-birds"),
        (site.watch, "run=paragraphs&topic=t05&document=wading-birds"),
    ):
        _, markup = answer(page, query)
        assert "<bdi>wading-birds</bdi>" in markup


def test_runs_and_topics_that_are_not_there(site: Site) -> None:
    for page in (site.search, site.read, site.watch):
        code, markup = answer(page, "run=nope&topic=t05&document=wading-birds")
        assert code == 404
        assert "There is no run &#39;nope&#39; here, only chunks, documents" in markup
        code, markup = answer(page, "run=chunks&topic=nope&document=wading-birds")
        assert code == 404
        assert "There is no topic &#39;nope&#39;" in markup
    assert answer(site.search, "run=chunks&topic=t05")[0] == 200


@pytest.mark.parametrize(
    ("scores", "said"),
    [((-1, -2, -3), ["rank 1", "rank 2", "last, rank 3"]), ((3, 2.5, -3), ["score 3.00"])],
)
def test_ranks_are_not_shown_as_scores(
    scores: tuple[float, ...], said: list[str], tmp_path: Path
) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "one.txt").write_text("One. Two. Three.", "utf-8")
    places = (0, 4), (5, 4), (10, 6)
    lines = [
        f"q Q0 one {rank} {score} r {start} {length}\n"
        for rank, (score, (start, length)) in enumerate(zip(scores, places, strict=True), 1)
    ]
    run = tmp_path / "run.fol"
    run.write_text("".join(lines), "utf-8")
    site = site_of_runs([run], collection=str(tmp_path / "texts"))
    _, markup = answer(site.read, "topic=q&document=one")
    shown = re.findall("<small>([^<]*(?:rank|score)[^<]*)</small>", markup)
    assert shown[: len(said)] == said


def test_a_run_without_scores_shows_ranks(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "one.txt").write_text("One. Two.", "utf-8")
    run = tmp_path / "run.jsonl"
    rows = ('"start": 5, "end": 9', '"start": 0, "end": 4')
    run.write_text(
        "".join(f'{{"topic": "q", "document": "one", {row}}}\n' for row in rows), "utf-8"
    )
    site = site_of_runs([run], collection=str(tmp_path / "texts"))
    _, markup = answer(site.read, "topic=q&document=one")
    assert re.findall("<small>([^<]*rank[^<]*)</small>", markup) == ["rank 2", "last, rank 1"]


def test_what_a_measure_cuts_off_is_said(tmp_path: Path) -> None:
    text = " ".join(f"Sentence {n:04} here." for n in range(150))
    judged = [{"topic": "q", "document": "one", "start": 1743, "end": 1760}]
    site = site_of({"one.txt": text}, {"q": [("one", 0, 2999)]}, tmp_path, judged)
    source = site.source
    assert isinstance(source, RunSource)
    assert source.evaluation is not None
    run = source.run("run", "q")
    assert run is not None
    found = read_document(listed(source.evaluation, run, "q"), "one")
    assert found is not None
    effort = found.values[0]
    assert (effort.value, effort.shown, effort.capped) == (5.0, "5 screens", "at most nr=5")
    assert effort.words == "character 1,744, the first relevant one, on screen 6"
    _, markup = answer(site.watch, "topic=q&document=one")
    assert "first relevant character, on screen 6" in markup
    assert "5 screens (at most nr=5)" in text_of(markup).replace("( ", "(")


def test_numbers_of_the_bar_never_touch(tmp_path: Path) -> None:
    text = " ".join(f"Sentence {n:04} here." for n in range(200))
    places = (0, 20, 40, 2000, 3500)
    answers = {"q": [("one", place, place + 10) for place in places]}
    site = site_of({"one.txt": text}, answers, tmp_path)
    address = Address(topic="q", document="one", run="run")
    page = document_page(site.source, site.shelf, address, None)
    assert page is not None
    assert [(one.text, one.first, one.last) for one in page.numbers] == [
        ("1–3", 1, 3),
        ("4", 4, 4),
        ("5", 5, 5),
    ]


def test_breaks_of_lines_keep_words_apart(tmp_path: Path) -> None:
    page = (
        "<html><body><h1>Sea<br>otters</h1><p>They sleep<br>in <i>kelp<br/>rafts</i>.</p>"
        "<pre>one<br>\ntwo</pre></body></html>"
    )
    site = site_of({"one.html": page}, {"q sleep": [("one", 12, 30)]}, tmp_path)
    _, results = answer(site.search, "topic=q+sleep")
    snippet = text_of(re.findall('<span dir="auto">(.*?)</span></a>', results)[0])
    assert snippet == "They sleep in kelp rafts."
    _, markup = answer(site.read, "topic=q+sleep&document=one")
    assert markup.count("<br data-added>") == 3, "none where the end of a line is shown already"
    assert "Passage 1 of 1: They sleep in kelp rafts." in markup
    assert "<title>Sea otters" in markup


def test_arrows_stand_in_the_cells_of_tables(tmp_path: Path) -> None:
    page = (
        "<html><body><table><tr><td>One here.</td><td>Two.</td></tr>"
        "<tr><td>Three.</td><td>Four here.</td></tr></table><p>After.</p></body></html>"
    )
    site = site_of({"one.html": page}, {"q": [("one", 0, 8)]}, tmp_path)
    _, markup = answer(site.read, "topic=q&document=one")
    assert 0 < markup.index('class="arrows"') < markup.index("Two.")

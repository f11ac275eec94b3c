"""A pool as one page: opened from a file, judged without a server, exported and imported."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from spanwise.assessing.log import Log
from spanwise.assessing.operations import Scale
from spanwise.assessing.pools import Pool
from spanwise.errors import SpanwiseError
from spanwise.library.assessing import assessment_page, documents_in, pool_in
from spanwise.library.judgements import import_judgements
from spanwise.records import replace
from spanwise.web.judging_file import Offline

from .assessed_pages import DOCUMENTS, NARRATIVE, SEA
from .conftest import Opened
from .served_pages import SHOWN_TEXT
from .test_assess_pages import EVIL
from .test_judging import press, tap

QUERIES = {"q1": "finding the way in fog", "q2": "fish"}
Open = Callable[..., Opened]


def make_pool(folder: Path, documents: dict[str, str], queries: dict[str, str]) -> Path:
    """Documents and a pool of them for each topic."""
    (folder / "docs").mkdir(parents=True)
    rows: list[dict[str, Any]] = [{"spanwise": 1, "kind": "pool", "order": "shuffled"}]
    for topic, query in queries.items():
        rows.append({"topic": topic, "query": query, "narrative": NARRATIVE})
        rows += [{"topic": topic, "document": d, "ranges": [[0, 10]]} for d in documents]
    for name, text in documents.items():
        (folder / "docs" / f"{name}.txt").write_text(text)
    pool = folder / "pool.jsonl"
    pool.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return pool


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    return make_pool(tmp_path / "sea", dict(DOCUMENTS), QUERIES)


@pytest.fixture
def file(pool: Path, tmp_path: Path) -> Path:
    page = tmp_path / "cleo.html"
    collection = str(pool.parent / "docs")
    sizes = assessment_page(pool, page, collection=collection, assessor="cleo")
    assert sizes == {str(page): page.stat().st_size}
    return page


@pytest.fixture
def show(browser: Browser) -> Iterator[Open]:
    contexts = []

    def opened(file: Path, at: str = "", width: int = 1280, **options: Any) -> Opened:
        context = options.pop("context", None)
        if context is None:
            context = browser.new_context(viewport={"width": width, "height": 800}, **options)
            contexts.append(context)
        context.set_default_timeout(5000)
        found = Opened(context.new_page())
        found.page.on("pageerror", lambda problem: found.errors.append(str(problem)))
        found.page.on("console", lambda said: found.errors.append(said.text))
        found.page.on("request", lambda request: found.requests.append(request.url))
        found.page.goto(file.as_uri() + at)
        return found

    yield opened
    for context in contexts:
        context.close()


def desk(topic: str, document: str) -> str:
    return f"#topic={topic}&document={document}"


def passages(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        "desk.store.state.passages.map(({start, end}) => desk.places.text(start, end))"
    )
    return found


def exported(page: Page, folder: Path) -> Path:
    """What the page exports, saved under the name that it proposes."""
    expect(page.locator("#lists")).to_be_visible()
    with page.expect_download() as download:
        press(page, "e")
    place = folder / download.value.suggested_filename
    download.value.save_as(place)
    return place


# -- a full assessment


def test_an_assessment_without_a_server(show: Open, file: Path, pool: Path, tmp_path: Path) -> None:
    found = show(file)
    page = found.page
    expect(page.locator("h1").first).to_have_text("What is judged here")
    expect(page.locator(".how-far")).to_have_text("0 of 6 documents judged")
    expect(page.locator(".export-state")).to_have_text("Nothing is judged yet.")
    press(page, "j Enter")
    expect(page.locator("#lists h1")).to_have_text(QUERIES["q1"])
    expect(page.locator(".narrative-here")).to_have_text(NARRATIVE)
    press(page, "Enter")
    expect(page.locator("#text")).to_contain_text("The tide rises")
    assert page.evaluate(SHOWN_TEXT) == SEA
    press(page, "j j j Enter j Enter")
    assert passages(page) == ["Ships sound their horns in fog. Bells ring on buoys."]
    press(page, "k x j b k Shift+J Enter u Control+Shift+Z")
    expect(page.locator("header .saved").first).to_contain_text("Kept")
    expect(page.locator("aside .passage-count")).to_have_text("1 passage")
    press(page, "d")
    expect(page.locator("#text")).to_contain_text("Fog hides the coast.")
    press(page, "d")
    expect(page.locator(".said")).to_have_text("Highlight something, or choose not relevant")
    press(page, "n")
    expect(page.locator("#text")).to_contain_text("Cod is salted.")
    press(page, "[")
    expect(page.locator(".verdict-now")).to_contain_text("Judged not relevant")
    press(page, "]")
    # A key that comes before the next document is shown would mean this one.
    expect(page.locator("#text")).to_contain_text("Cod is salted.")
    press(page, "n")
    expect(page.locator(".how-far")).to_have_text("3 of 3 documents judged")
    expect(page.locator(".export-state")).to_have_text("10 changes not exported yet.")
    page.reload()
    expect(page.locator(".how-far")).to_have_text("3 of 3 documents judged")
    press(page, "k Enter")
    expect(page.locator("#text")).to_contain_text("Cod is salted.")
    press(page, "t")
    place = exported(page, tmp_path)
    assert place.name == "cleo.judging.json"
    expect(page.locator(".export-state")).to_contain_text("Everything is exported")
    made = json.loads(place.read_text())["operations"]
    expect(page.locator(".export-state")).to_contain_text(
        f"{len(made)} operations, of which 10 changes and {len(made) - 10} times"
    )
    assert found.errors == []
    assert {url.partition("#")[0].partition(":")[0] for url in found.requests} <= {"file", "blob"}
    collection = str(pool.parent / "docs")
    imported = import_judgements(pool, place, collection=collection).imported
    assert (imported.assessor, imported.judgements, imported.known) == ("cleo", 3, 0)
    with Log.open(pool.with_suffix(".judgements"), read_only=True) as log:
        held = log.state("cleo", "q1", "sea").judgement
        texts = [SEA[one.start : one.end] for one in held.passages]
        assert texts == ["Ships sound their horns in fog. Bells ring on buoys."]
        assert (held.entry, held.status) == (SEA.index("Bells"), "relevant")
        statuses = {name: one.status for name, one in log.overview("cleo", "q1").items()}
        assert statuses == {"sea": "relevant", "fog": "not relevant", "fish": "not relevant"}
        moments = [event.at for event in log.events("cleo") if event.document == "sea"]
        assert moments == sorted(moments)
    again = import_judgements(pool, exported(page, tmp_path), collection=collection).imported
    assert (again.operations, again.known) == (0, imported.operations)


def test_every_operation_has_its_moment(show: Open, file: Path, tmp_path: Path) -> None:
    """Also the best entry point, whose place has the name that moments might have."""
    page = show(file, desk("q1", "sea")).page
    press(page, "b Enter t")
    operations = json.loads(exported(page, tmp_path).read_text())["operations"]
    assert [each["kind"] for each in operations] == ["opened", "entry", "highlight", "left"]
    assert all(each["time"].endswith("Z") for each in operations)
    assert operations[1]["at"] == 0


def test_what_was_judged_later_is_exported_as_well(show: Open, file: Path, pool: Path) -> None:
    page = show(file, desk("q1", "sea")).page
    press(page, "Enter d t")
    collection = str(pool.parent / "docs")
    first = import_judgements(pool, exported(page, pool.parent), collection=collection)
    page.goto(file.as_uri() + desk("q2", "fish"))
    expect(page.locator("#text")).to_contain_text("Cod is salted.")
    press(page, "n t")
    expect(page.locator(".export-state")).to_have_text("1 change not exported yet.")
    second = import_judgements(pool, exported(page, pool.parent), collection=collection)
    assert second.imported.operations > 0
    assert second.imported.known == first.imported.operations


def test_other_documents_and_pools_are_refused(show: Open, file: Path, pool: Path) -> None:
    page = show(file, desk("q1", "fish")).page
    press(page, "n t")
    place = exported(page, pool.parent)
    content = json.loads(place.read_text())
    assert content["pool"] == sha256(pool.read_bytes()).hexdigest()
    assert content["documents"]["fish"] == sha256(DOCUMENTS["fish"].encode()).hexdigest()
    collection = str(pool.parent / "docs")
    (pool.parent / "docs" / "fish.txt").write_text("Cod is fresh.")
    with pytest.raises(SpanwiseError, match=r"1 document \(fish\) is not what was judged"):
        import_judgements(pool, place, collection=collection)
    pool.write_text(pool.read_text().replace("ships", "boats"))
    with pytest.raises(SpanwiseError, match="were made with another pool"):
        import_judgements(pool, place, collection=collection)


def test_two_tabs_add_to_the_same(show: Open, file: Path) -> None:
    one = show(file, desk("q1", "sea")).page
    other = show(file, desk("q1", "sea"), context=one.context).page
    press(one, "Enter")
    other.wait_for_function("() => desk.store.state.passages.length === 1")
    press(other, "j j Enter")
    one.wait_for_function("() => desk.store.state.passages.length === 2")
    press(one, "u u")
    other.wait_for_function("() => desk.store.state.passages.length === 0")


def test_two_pages_do_not_mix(show: Open, file: Path, pool: Path, tmp_path: Path) -> None:
    """Another assessor's page of the same pool, in the same browser."""
    other = tmp_path / "dora.html"
    assessment_page(pool, other, collection=str(pool.parent / "docs"), assessor="dora")
    page = show(file, desk("q1", "sea")).page
    press(page, "Enter")
    second = show(other, desk("q1", "sea"), context=page.context).page
    assert passages(second) == []


def test_a_browser_that_keeps_nothing_says_so(show: Open, file: Path, tmp_path: Path) -> None:
    page = show(file, desk("q1", "sea")).page
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    press(page, "Enter j Enter")
    expect(page.locator("header .saved").first).to_have_text(
        "This browser cannot keep more: export now"
    )
    press(page, "t")
    operations = json.loads(exported(page, tmp_path).read_text())["operations"]
    assert [each["kind"] for each in operations].count("highlight") == 2


def test_by_touch(show: Open, file: Path) -> None:
    found = show(file, desk("q1", "sea"), 360, has_touch=True, is_mobile=True)
    page = found.page
    tap(page, "horns")
    page.wait_for_function("() => desk.store.state.passages.length === 1")
    assert passages(page) == ["Ships sound their horns in fog."]
    bar = page.locator(".on-phone")
    bar.get_by_role("button", name="Done, next").tap()
    expect(page.locator("#text")).to_contain_text("Fog hides the coast.")
    bar.get_by_role("button", name="Not relevant").tap()
    expect(page.locator("#text")).to_contain_text("Cod is salted.")
    page.goto(file.as_uri() + "#topic=q1")
    with page.expect_download():
        page.get_by_role("button", name="Export").tap()
    assert found.errors == []


def test_keys_that_are_listed_are_those_of_what_is_shown(show: Open, file: Path) -> None:
    page = show(file).page
    press(page, "Shift+?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("e export")
    expect(keys).to_contain_text("h all topics")
    expect(keys.get_by_text("best entry point")).to_have_count(2)
    expect(keys.get_by_text("best entry point").last).to_be_hidden()
    page.get_by_role("button", name="Close").click()
    page.goto(file.as_uri() + desk("q1", "sea"))
    press(page, "Shift+?")
    expect(keys.get_by_text("best entry point").last).to_be_visible()
    expect(keys.get_by_text("all topics")).to_be_hidden()
    expect(keys.get_by_text("grade")).to_have_count(0)
    expect(keys.get_by_text("difference")).to_have_count(0)


def test_grades_and_aspects(show: Open, pool: Path, tmp_path: Path) -> None:
    page_file = tmp_path / "graded.html"
    scale = {"grades": [2, 0, 1, 1], "aspects": ["cause", "effect"]}
    collection = str(pool.parent / "docs")
    assessment_page(pool, page_file, collection=collection, assessor="cleo", **scale)
    page = show(page_file, desk("q1", "sea")).page
    expect(page.locator("aside .scale [name=grade]")).to_have_count(3)
    press(page, "Enter j 2")
    page.locator("aside").get_by_label("effect").check()
    press(page, "j Enter d")
    expect(page.locator("#text")).to_contain_text("Fog hides the coast.")
    press(page, "t")
    import_judgements(pool, exported(page, tmp_path), collection=collection)
    with Log.open(pool.with_suffix(".judgements"), read_only=True) as log:
        found = log.state("cleo", "q1", "sea").judgement.passages
    labels = [(one.grade, one.aspects) for one in found]
    assert labels == [(2, ()), (1, ()), (1, ("effect",))]


# -- large pools


def offline(pool: Path, largest: int) -> Offline:
    found, pool_hash = pool_in(pool)
    documents = documents_in(str(pool.parent / "docs"))
    assert documents is not None
    return Offline(found, pool_hash, documents, "cleo", "pool.jsonl", Scale(), largest=largest)


def test_what_is_too_large_has_a_page_for_each_topic(
    show: Open, pool: Path, tmp_path: Path
) -> None:
    [whole] = offline(pool, 10_000_000).pages()
    assert (whole.suffix, whole.topics) == ("", ("q1", "q2"))
    size = len(whole.content.encode())
    assert [page.suffix for page in offline(pool, size).pages()] == [""]
    pages = list(offline(pool, size - 1).pages())
    assert [(page.suffix, page.topics) for page in pages] == [("q1", ("q1",)), ("q2", ("q2",))]
    file = tmp_path / "q2.html"
    file.write_text(pages[1].content)
    page = show(file, desk("q2", "fish")).page
    press(page, "Enter d t")
    place = exported(page, tmp_path)
    import_judgements(pool, place, collection=str(pool.parent / "docs"))
    with Log.open(pool.with_suffix(".judgements"), read_only=True) as log:
        assert log.state("cleo", "q2", "fish").judgement.status == "relevant"


def test_a_topic_that_is_too_large_has_several_pages(pool: Path) -> None:
    [whole] = offline(pool, 10_000_000).pages()
    pages = list(offline(pool, 1).pages())
    found = offline(pool, 1).pool
    assert len(pages) == len(found)
    assert [page.suffix for page in pages[:2]] == ["q1-part1", "q1-part2"]
    assert all(len(page.content) < len(whole.content) for page in pages)


def test_names_of_files_for_topics(pool: Path) -> None:
    one = offline(pool, 1)
    topic = one.pool.topics[0]
    names = ("a/b", "a_b", "A_B", "../..", "", "é", "x" * 300)
    topics = tuple(replace(topic, topic=name, documents=topic.documents[:1]) for name in names)
    pages = Offline(Pool(topics), *one_rest(one), largest=1).pages()
    suffixes = [page.suffix for page in pages]
    assert suffixes == ["a_b", "a_b-2", "A_B-3", ".._..", "_", "_-2", "x" * 80]


def one_rest(one: Offline) -> tuple[Any, ...]:
    return one.pool_hash, one.documents, one.assessor, one.name


# -- what is only text


HARD = {
    **DOCUMENTS,
    "evil": f"{EVIL} One. {EVIL} Two.\n\n</script><!-- Three.<script> \u2028 End.",
    "signs": "Tide \U0001f30a\U0001f469\u200d\U0001f680 rises. Cafe\u0301. עולה פעמיים. Last.",
}


def test_scripts_stay_text(show: Open, tmp_path: Path) -> None:
    pool = make_pool(tmp_path / "hard", HARD, {"q1": "plain", EVIL: EVIL})
    page_file = tmp_path / "evil.html"
    collection = str(pool.parent / "docs")
    assessment_page(pool, page_file, collection=collection, assessor=EVIL)
    found = show(page_file)
    page = found.page
    assert page.evaluate("window.broken") is None
    expect(page.locator("header bdi").first).to_have_text(EVIL)
    page.get_by_role("link", name=EVIL).click()
    expect(page.locator("#lists h1")).to_have_text(EVIL)
    page.get_by_role("link", name="evil", exact=True).click()
    expect(page.locator("#text")).to_contain_text("One.")
    assert page.evaluate(SHOWN_TEXT) == HARD["evil"]
    assert page.locator("img, #text script").count() == 0
    press(page, "Enter d")
    expect(page.locator("#text")).to_contain_text("Tide")
    assert page.evaluate(SHOWN_TEXT) == HARD["signs"]
    press(page, "n t")
    assert page.evaluate("window.broken") is None
    assert found.errors == []
    place = exported(page, tmp_path)
    import_judgements(pool, place, collection=collection)
    with Log.open(pool.with_suffix(".judgements"), read_only=True) as log:
        assert log.assessors() == [EVIL]
        assert log.state(EVIL, EVIL, "evil").judgement.status == "relevant"


def test_the_policy_allows_nothing_else(file: Path) -> None:
    text = unescape(file.read_text())
    policy = text.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "connect-src" not in policy
    assert "http://" not in text.replace("http://www.w3.org/", "")
    assert str(file.parent) not in text


# -- how it looks


PAGES = {"home": "", "queue": "#topic=q1", "desk": desk("q1", "sea")}


@pytest.mark.parametrize("name", PAGES)
def test_never_too_wide(show: Open, file: Path, name: str) -> None:
    for width in (360, 768, 1280):
        found = show(file, PAGES[name], width)
        assert found.page.evaluate("document.documentElement.scrollWidth") <= width
        assert found.errors == []


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_violation(show: Open, file: Path, axe: str, name: str) -> None:
    for width, scheme in ((360, "light"), (1280, "light"), (1280, "dark")):
        page = show(file, PAGES[name], width, color_scheme=scheme, bypass_csp=True).page
        if name == "desk":
            press(page, "Enter j b")
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        violations = [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"]]
        assert violations == [], (width, scheme)

"""Two assessors differ, and a third one decides, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from spanwise.assessing.judgement import Judgement, Passage
from spanwise.assessing.log import Log
from spanwise.library.assessing import open_assessment
from spanwise.library.judgements import export_judgements
from spanwise.web.adjudication import Adjudication
from spanwise.web.assess_application import assess_application
from spanwise.web.assessment import Assessment

from .assessed_pages import NARRATIVE, SEA, desk_of
from .served_pages import running
from .test_assess_pages import EVIL, ask, visit
from .test_judging import press, saved

FOG = "Fog hides the coast. A horn sounds."
TEXTS = {"sea": SEA, "fog": FOG, "fish": "Cod is salted.", "kelp": "Kelp grows fast. Eat it."}
AT = "2024-05-01T12:00:00Z"
BOTH, ANN, BOB = "The moon pulls the sea.", "Fog comes with warm air.", "Bells ring on buoys."


def at(words: str, text: str = SEA) -> tuple[int, int]:
    return text.index(words), text.index(words) + len(words)


def marked(*words: str, text: str = SEA, entry: int | None = None) -> list[dict[str, Any]]:
    """The operations of somebody who highlights these words."""
    places = [at(each, text) for each in words]
    found: list[dict[str, Any]] = [
        {"kind": "highlight", "start": start, "end": end} for start, end in places
    ]
    found += [{"kind": "entry", "at": entry}] if entry is not None else []
    return [*found, {"kind": "done"}]


JUDGED = {
    ("ann", "sea"): marked(BOTH, ANN, "Herring swim in shoals."),
    ("bob", "sea"): marked(BOTH, BOB, entry=28),
    ("ann", "fog"): marked("A horn sounds.", text=FOG, entry=21),
    ("bob", "fog"): marked("A horn sounds.", text=FOG, entry=21),
    ("ann", "fish"): [{"kind": "not relevant"}],
    ("bob", "fish"): [{"kind": "not relevant"}],
    ("ann", "kelp"): [{"kind": "not relevant"}],
    ("bob", "kelp"): marked("Eat it.", text=TEXTS["kelp"]),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A pool, its documents, and a log of two assessors."""
    (tmp_path / "docs").mkdir()
    rows: list[dict[str, Any]] = [{"spanwise": 1, "kind": "pool", "order": "shuffled"}]
    rows.append({"topic": "q1", "query": "finding the way in fog", "narrative": NARRATIVE})
    for name, text in TEXTS.items():
        (tmp_path / "docs" / f"{name}.txt").write_text(text)
        rows.append({"topic": "q1", "document": name, "ranges": [[0, 10]]})
    (tmp_path / "pool.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    with Log.open(tmp_path / "pool.judgements") as log:
        for (assessor, document), operations in JUDGED.items():
            log.add_document(document, TEXTS[document])
            named = [{**each, "id": f"{document}{n}"} for n, each in enumerate(operations)]
            log.append(assessor, "q1", document, 0, named, AT)
    return tmp_path


def adjudicated(folder: Path, **options: Any) -> Any:
    pool, docs = folder / "pool.jsonl", str(folder / "docs")
    return open_assessment(pool, docs, ["gold"], adjudicate=("ann", "bob"), **options)


@pytest.fixture
def site(folder: Path) -> Iterator[Assessment]:
    with adjudicated(folder) as found:
        yield found


@pytest.fixture
def address(site: Assessment) -> Iterator[str]:
    with running(assess_application(site)) as found:
        yield found


def gold_of(site: Assessment, document: str) -> Judgement:
    return site.log.state("gold", "q1", document).judgement


def words_of(site: Assessment, document: str = "sea") -> list[str]:
    text = TEXTS[document]
    return [text[one.start : one.end] for one in gold_of(site, document).passages]


def sentence(page: Page) -> str:
    """Where the cursor is."""
    found: str = page.evaluate("desk.places.text(...desk.sentence)")
    return found


# -- from the list to gold


def test_from_two_assessments_to_gold(
    browser: Browser, site: Assessment, address: str, folder: Path
) -> None:
    found = visit(browser, address)
    page = found.page
    expect(page.locator("h1")).to_have_text("ann and bob differ in 2 documents")
    links = page.locator("#list a")
    expect(links).to_have_text(["sea", "kelp"])
    expect(page.locator(".sizes").first).to_have_text("47 ann only20 bob only")
    button = page.get_by_role("button", name="Take over the 2 documents on which both agree")
    with page.expect_navigation():
        button.click()
    expect(button).to_have_count(0)
    expect(page.locator("header")).to_contain_text("On 2 documents both agree, and these are taken")
    assert gold_of(site, "fog") == Judgement((Passage(21, 35),), 21, "relevant")
    assert gold_of(site, "fish") == Judgement(status="not relevant")
    press(page, "j Enter")
    page.wait_for_url("**document=sea")
    saved(page)
    assert words_of(site) == [BOTH], "what both highlighted is there to begin with"
    assert sentence(page) == ANN, "the first difference"
    press(page, "2")
    expect(page.locator(".said")).to_have_text("bob highlighted nothing here")
    press(page, "1 m")
    assert sentence(page) == BOB
    press(page, "2 m")
    assert sentence(page) == "Herring swim in shoals."
    press(page, "m")
    expect(page.locator(".said")).to_have_text("No more differences")
    press(page, "Shift+M Shift+M")
    assert sentence(page) == ANN
    saved(page)
    assert words_of(site) == [BOTH, ANN, BOB]
    press(page, "u 1 b d")
    page.wait_for_url("**document=kelp")
    expect(page.locator("header")).to_contain_text("3 of 4 judged")
    press(page, "n")
    page.wait_for_url("**/assess?topic=q1")
    page.goto(address)
    expect(page.locator("header")).to_contain_text("2 of them are decided")
    expect(page.locator("#list .state")).to_have_text(["relevant", "not relevant"])
    assert found.errors == []
    page.context.close()
    export_judgements(folder / "pool.jsonl", folder / "gold.jsonl", assessor="gold")
    rows = [json.loads(line) for line in (folder / "gold.jsonl").read_text().splitlines()]
    judged = [row for row in rows if "topic" in row]
    for row in judged:
        row.pop("query", None), row.pop("topic")
    places = [
        {"document": "sea", "start": start, "end": end} for start, end in map(at, (BOTH, ANN))
    ]
    assert judged == [
        {"document": "fog", "start": 21, "end": 35},
        *places,
        *({"document": name, "grade": 0} for name in ("fish", "kelp")),
        {"document": "fog", "bep": 21},
        {"document": "sea", "bep": at(ANN)[0]},
    ]
    assert gold_of(site, "sea").entry == at(ANN)[0]


def test_enter_opens_the_first_that_is_not_decided(
    browser: Browser, site: Assessment, address: str
) -> None:
    page = visit(browser, address).page
    press(page, "Enter")
    page.wait_for_url("**document=sea")
    press(page, "1 d")
    page.wait_for_url("**document=kelp")
    page.goto(address)
    press(page, "Enter")
    page.wait_for_url("**document=kelp")
    press(page, "Shift+?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("next and previous difference")
    page.context.close()


def test_by_mouse(browser: Browser, site: Assessment, address: str) -> None:
    page = visit(browser, address + desk_of("q1", "sea")).page
    page.get_by_role("button", name="Take ann").click()
    page.get_by_role("button", name="Next difference").click()
    page.get_by_role("button", name="Take bob").click()
    saved(page)
    assert words_of(site) == [BOTH, ANN, BOB]
    page.context.close()


def test_what_was_begun_is_replaced_by_what_both_say(
    browser: Browser, site: Assessment, address: str
) -> None:
    site.document("q1", "fog")
    begun = [{"id": "x", "kind": "highlight", "start": 0, "end": 20}]
    site.log.append("gold", "q1", "fog", 0, begun, AT)
    page = visit(browser, address).page
    with page.expect_navigation():
        page.get_by_role("button", name="Take over the 2 documents").click()
    assert words_of(site, "fog") == ["A horn sounds."]
    page.context.close()


def test_what_is_decided_stays(browser: Browser, site: Assessment, address: str) -> None:
    site.document("q1", "fog")
    own = [{"id": "x", "kind": "not relevant"}]
    site.log.append("gold", "q1", "fog", 0, own, AT)
    page = visit(browser, address).page
    with page.expect_navigation():
        page.get_by_role("button", name="Take over the 1 document on which").click()
    assert gold_of(site, "fog").status == "not relevant"
    page.context.close()


def test_what_both_highlighted_is_not_put_back(
    browser: Browser, site: Assessment, address: str
) -> None:
    """It is offered once: who removes it has decided."""
    page = visit(browser, address + desk_of("q1", "sea")).page
    saved(page)
    press(page, "k x")
    saved(page)
    assert words_of(site) == []
    page.reload()
    page.wait_for_function("() => desk?.store.version > 1")
    saved(page)
    assert words_of(site) == []
    page.context.close()


def test_marks_are_those_of_each_assessor(browser: Browser, address: str) -> None:
    page = visit(browser, address + desk_of("q1", "sea")).page
    saved(page)
    painted = "name => [...CSS.highlights.get(name)].map(String)"
    assert page.evaluate(painted, "passage") == [BOTH]
    assert page.evaluate(painted, "first") == [ANN, "Herring swim in shoals."]
    assert page.evaluate(painted, "second") == [BOB]
    expect(page.locator(".two-marks li")).to_have_text(["both", "ann only", "bob only"])
    page.context.close()


# -- how it looks


PAGES = {"list": "/", "desk": desk_of("q1", "sea")}


@pytest.mark.parametrize("name", PAGES)
def test_quiet_and_never_too_wide(browser: Browser, address: str, name: str) -> None:
    for width in (360, 768, 1280):
        found = visit(browser, address + PAGES[name], width)
        assert found.page.evaluate("document.documentElement.scrollWidth") <= width
        assert found.errors == []
        assert all(url.startswith(address) for url in found.requests)
        found.page.context.close()


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_violation(browser: Browser, address: str, axe: str, name: str) -> None:
    for width, scheme in ((360, "light"), (1280, "light"), (1280, "dark")):
        options = {"color_scheme": scheme, "bypass_csp": True}
        page = visit(browser, address + PAGES[name], width, **options).page
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        violations = [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"]]
        assert violations == [], (width, scheme)
        page.context.close()


def test_on_a_phone(browser: Browser, site: Assessment, address: str) -> None:
    page = visit(browser, address + desk_of("q1", "sea"), 360, has_touch=True).page
    bar = page.locator("footer")
    for name in ("Next difference", "Take ann", "Take bob"):
        expect(bar.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    bar.get_by_role("button", name="Next difference").tap()
    bar.get_by_role("button", name="Take bob").tap()
    page.wait_for_function("() => desk.store.state.passages.length === 2")
    saved(page)
    assert words_of(site) == [BOTH, BOB]
    page.context.close()


# -- who may not decide, and other inputs


def test_read_only(browser: Browser, folder: Path) -> None:
    with (
        adjudicated(folder, read_only=True) as site,
        running(assess_application(site)) as address,
    ):
        page = visit(browser, address).page
        expect(page.get_by_role("button", name="Take over")).to_have_count(0)
        page.goto(address + desk_of("q1", "sea"))
        press(page, "1")
        expect(page.locator(".said")).to_have_text("These pages are read-only")
        assert page.evaluate("desk.store.state.passages") == []
        assert ask(address, "/operations", "POST", Origin=address)[0] == 405
        page.context.close()
        assert "gold" not in site.log.assessors()


def test_files_of_assessments(browser: Browser, folder: Path) -> None:
    """Files are called after their names; what only one of them judged is said."""
    for name in ("ann", "bob"):
        file = folder / f"qrels.{name}.jsonl"
        export_judgements(folder / "pool.jsonl", file, assessor=name)
    lines = (folder / "qrels.bob.jsonl").read_text().splitlines()
    kept = [line for line in lines if '"kelp"' not in line]
    (folder / "qrels.bob.jsonl").write_text("\n".join(kept) + "\n")
    two = [str(folder / f"qrels.{name}.jsonl") for name in ("ann", "bob")]
    pool, docs = folder / "pool.jsonl", str(folder / "docs")
    with (
        open_assessment(pool, docs, ["gold"], folder / "new", adjudicate=two) as site,
        running(assess_application(site)) as address,
    ):
        page = visit(browser, address).page
        expect(page.locator("h1")).to_have_text("ann and bob differ in 1 document")
        words = "1 document was judged by only one of them. Of all 2, 0 are decided."
        expect(page.locator("header")).to_contain_text(words)
        expect(page.locator(".sizes").last).to_have_text("judged by ann only")
        page.goto(address + desk_of("q1", "sea"))
        saved(page)
        assert words_of(site) == [BOTH]
        page.context.close()


def test_names_of_assessors_are_only_text(browser: Browser, folder: Path) -> None:
    with adjudicated(folder) as plain:
        pass
    with Log.open(folder / "pool.judgements") as log:
        judged = Judgement((Passage(0, 5),), None, "relevant")
        two = Adjudication.of((EVIL, "{{7*7}}"), {("q1", "sea"): judged}, {})
        given = (plain.pool, plain.pool_hash, plain.documents, log, (EVIL,), EVIL)
        site = Assessment(*given, adjudication=two)
        with running(assess_application(site)) as address:
            for path in PAGES.values():
                page = visit(browser, address + path).page
                assert page.evaluate("window.broken") is None
                assert page.locator("img, main script").count() == 0
                assert "49" not in page.locator("body").inner_text().replace("149", "")
                page.context.close()

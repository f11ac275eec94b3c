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
from spanwise.assessing.operations import ANY_SCALE, Scale
from spanwise.errors import SpanwiseError
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
    press(page, "w")
    expect(page.locator(".said")).to_have_text("bob highlighted nothing here")
    press(page, "q m")
    assert sentence(page) == BOB
    press(page, "w m")
    assert sentence(page) == "Herring swim in shoals."
    press(page, "m")
    expect(page.locator(".said")).to_have_text("No more differences")
    press(page, "Shift+M Shift+M")
    assert sentence(page) == ANN
    saved(page)
    assert words_of(site) == [BOTH, ANN, BOB]
    press(page, "u q b d")
    page.wait_for_url("**document=kelp")
    expect(page.locator("header")).to_contain_text("3 of 4 judged")
    press(page, "n")
    page.wait_for_url(f"{address}/")
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


def test_the_next_largest_difference_may_be_in_another_topic(
    browser: Browser, folder: Path
) -> None:
    with (folder / "pool.jsonl").open("a") as pool:
        pool.write('{"topic": "q2", "document": "fog"}\n')
    with Log.open(folder / "pool.judgements") as log:
        given = [{"id": "q2", "kind": "highlight", "start": 0, "end": 20}]
        log.append("ann", "q2", "fog", 0, [*given, {"id": "q2d", "kind": "done"}], AT)
        log.append("bob", "q2", "fog", 0, [{"id": "q2", "kind": "not relevant"}], AT)
    with adjudicated(folder) as site, running(assess_application(site)) as address:
        page = visit(browser, address).page
        expect(page.locator("#list a")).to_have_text(["sea", "fog", "kelp"])
        page.goto(address + desk_of("q1", "sea"))
        saved(page)
        press(page, "d")
        page.wait_for_url("**topic=q2&document=fog")
        press(page, "n")
        page.wait_for_url("**topic=q1&document=kelp")
        page.goto(address + desk_of("q1", "fish"))
        press(page, "n")
        page.wait_for_url("**topic=q1&document=kelp")
        page.context.close()


def test_enter_opens_the_first_that_is_not_decided(
    browser: Browser, site: Assessment, address: str
) -> None:
    page = visit(browser, address).page
    press(page, "Enter")
    page.wait_for_url("**document=sea")
    press(page, "q d")
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


# -- grades, aspects and best entry points


def graded(folder: Path, grades: tuple[int, int], *, entry: int | None = None) -> None:
    """What ann and bob said about the fog, with a grade each for the same sentence."""
    start, end = at("A horn sounds.", FOG)
    with Log.open(folder / "pool.judgements", scale=ANY_SCALE) as log:
        for assessor, grade in zip(("ann", "bob"), grades, strict=True):
            given: list[dict[str, Any]] = [
                {"kind": "highlight", "start": 0, "end": 20, "grade": 2, "aspects": ["cause"]},
                {"kind": "highlight", "start": start, "end": end, "grade": grade},
                {"kind": "entry", "at": entry or {"ann": 0, "bob": start}[assessor]},
                {"kind": "done"},
            ]
            named = [{**each, "id": f"graded{n}"} for n, each in enumerate(given)]
            version = log.state(assessor, "q1", "fog").version
            log.append(assessor, "q1", "fog", version, named, AT)


COAST = Passage(0, 20, 2, ("cause",))


@pytest.mark.parametrize("scale", [Scale(), Scale((1, 2), ("cause", "effect"))])
def test_grades_and_aspects_of_both_are_taken_over(
    browser: Browser, folder: Path, scale: Scale
) -> None:
    """Also without the options: then what the two gave is the scale."""
    graded(folder, (1, 1), entry=21)
    with adjudicated(folder, scale=scale) as site, running(assess_application(site)) as address:
        page = visit(browser, address).page
        with page.expect_navigation():
            page.get_by_role("button", name="Take over the 2 documents").click()
        expected = Judgement((COAST, Passage(21, 35, 1)), 21, "relevant")
        assert gold_of(site, "fog") == expected
        page.goto(address + desk_of("q1", "sea"))
        saved(page)
        press(page, "q")
        saved(page)
        assert [one.grade for one in gold_of(site, "sea").passages] == [1, 1], "as exported"
        assert words_of(site) == [BOTH, ANN]
        press(page, "j 2")
        saved(page)
        assert gold_of(site, "sea").passages[-1].grade == 2, "digits are grades"
        page.context.close()


def test_another_grade_is_a_difference(browser: Browser, folder: Path) -> None:
    graded(folder, (1, 2))
    with adjudicated(folder) as site, running(assess_application(site)) as address:
        page = visit(browser, address).page
        expect(page.locator("h1")).to_have_text("ann and bob differ in 3 documents")
        row = page.locator("#list li").nth(1)
        words = "14 with other grades or aspectstwo best entry points"
        expect(row.locator(".sizes")).to_have_text(words)
        bars = row.locator(".strip rect").evaluate_all(
            "all => all.map((one) => one.className.baseVal)"
        )
        assert bars == ["f", "first", "second"], "one beside the other, as on the desk"
        page.goto(address + desk_of("q1", "fog"))
        saved(page)
        assert gold_of(site, "fog") == Judgement((COAST,)), "what both say"
        assert sentence(page) == "A horn sounds."
        take = page.locator("aside .take button small")
        expect(take).to_have_text(["grade 1", "grade 2"])
        press(page, "q w")
        saved(page)
        assert gold_of(site, "fog").passages == (COAST, Passage(21, 35, 2))
        press(page, "k")
        expect(take).to_have_text(["grade 2, cause", "grade 2, cause"])
        page.context.close()


def test_best_entry_points_of_both_are_offered(browser: Browser, folder: Path) -> None:
    graded(folder, (1, 1))
    with adjudicated(folder) as site, running(assess_application(site)) as address:
        page = visit(browser, address + desk_of("q1", "fog")).page
        saved(page)
        expect(page.locator(".entry-now")).to_have_text("None yet")
        offered = page.locator(".entries button")
        expect(offered).to_have_text(
            ["ann: Fog hides the coast. A horn sounds.", "bob: A horn sounds."]
        )
        offered.last.click()
        saved(page)
        assert gold_of(site, "fog").entry == 21
        assert sentence(page) == "A horn sounds."
        expect(offered.last).to_be_disabled()
        page.context.close()


def test_the_entry_point_of_both_is_there_to_begin_with(browser: Browser, folder: Path) -> None:
    graded(folder, (1, 2), entry=21)
    with adjudicated(folder) as site, running(assess_application(site)) as address:
        page = visit(browser, address + desk_of("q1", "fog")).page
        saved(page)
        assert gold_of(site, "fog") == Judgement((COAST,), 21)
        page.context.close()


def test_grades_in_files_are_kept(folder: Path) -> None:
    graded(folder, (1, 2), entry=21)
    files = [folder / f"{name}.jsonl" for name in ("ann", "bob")]
    for file in files:
        export_judgements(folder / "pool.jsonl", file, assessor=file.stem)
    pool, docs = folder / "pool.jsonl", str(folder / "docs")
    two = list(map(str, files))
    with open_assessment(pool, docs, ["gold"], folder / "new", adjudicate=two) as site:
        assert site.log.scale == Scale((1, 2), ("cause",))
        assert site.adjudication is not None
        both = site.adjudication.both("q1", "fog")
        assert (both.common, both.relabelled) == ((COAST,), 14)


def test_a_scale_that_lacks_what_was_given(folder: Path) -> None:
    graded(folder, (1, 3))
    expected = "have grades 1, 3, which .*0,2.* does not have; 1 is that of highlights without"
    with pytest.raises(SpanwiseError, match=expected), adjudicated(folder, scale=Scale((0, 2))):
        pass


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
        press(page, "q")
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

"""Documents are judged in a real browser: by keyboard, by mouse and by touch."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from spanwise.assessing.judgement import Refused, as_json
from spanwise.assessing.operations import History, Scale, applied, operation_of
from spanwise.web.assess_application import assess_application
from spanwise.web.assessment import Assessment

from .assessed_pages import SEA, assessment_of, desk_of
from .conftest import Opened
from .served_pages import SHOWN_TEXT, running

Visit = Callable[..., Opened]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Assessment]:
    found = assessment_of(tmp_path)
    yield found
    found.log.close()


@pytest.fixture
def visit(browser: Browser, site: Assessment) -> Iterator[Visit]:
    contexts = []
    with running(assess_application(site)) as address:

        def show(path: str, width: int = 1280, height: int = 800, **options: Any) -> Opened:
            context = options.pop("context", None)
            if context is None:
                context = browser.new_context(
                    viewport={"width": width, "height": height}, **options
                )
                contexts.append(context)
            context.set_default_timeout(5000)
            found = Opened(context.new_page())
            found.page.on("pageerror", lambda problem: found.errors.append(str(problem)))
            found.page.on("console", lambda said: found.errors.append(said.text))
            found.page.on("request", lambda request: found.requests.append(request.url))
            found.page.goto(address + path)
            return found

        yield show
        for context in contexts:
            context.close()


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def saved(page: Page) -> None:
    """Wait until the server has everything."""
    page.wait_for_function("() => !desk.store.pending.length && !desk.store.sending")


def passages(site: Assessment, document: str = "sea", assessor: str = "ann") -> list[str]:
    """The highlighted texts, as the log has them."""
    judgement = site.log.state(assessor, "q1", document).judgement
    text = site.documents.text(document)
    return [text[one.start : one.end] for one in judgement.passages]


# -- the twin


def random_operation(draw: random.Random, length: int) -> dict[str, Any]:
    start, end = sorted(draw.sample(range(length + 1), 2))
    labels: dict[str, Any] = {}
    if draw.random() < 0.6:
        labels = {"grade": draw.choice([0, 1, 2])}
        if draw.random() < 0.5:
            labels["aspects"] = draw.choices(["b", "a", "\U0001f30a", "\uffee"], k=2)
    return draw.choice(
        [
            *({"kind": "highlight", "start": start, "end": end, **labels} for _ in range(4)),
            *({"kind": "remove", "start": start, "end": end} for _ in range(2)),
            {"kind": "entry", "at": draw.choice([None, start])},
            *({"kind": kind} for kind in ("not relevant", "done", "reopen", "opened")),
            *({"kind": kind} for kind in ("undo", "undo", "redo")),
        ]
    )


PLAYED = """operations => {
    let history = NO_HISTORY;
    return operations.map(operation => {
        let refused = false;
        try { history = apply(history, operation); } catch { refused = true; }
        const [undo, redo] = [history.before.length, history.undone.length];
        return {state: history.state, refused, undo, redo};
    });
}"""


@pytest.mark.parametrize("seed", range(6))
def test_the_script_does_what_the_log_does(visit: Visit, seed: int) -> None:
    draw = random.Random(seed)
    operations = [random_operation(draw, 12) for _ in range(400)]
    history, expected = History(), []
    for each in operations:
        refused = False
        try:
            history = applied(history, operation_of(each))
        except Refused:
            refused = True
        counts = {"undo": len(history.before), "redo": len(history.undone)}
        expected.append({"state": as_json(history.judgement), "refused": refused, **counts})
    assert visit("/assess?topic=q1").page.evaluate(PLAYED, operations) == expected


# -- places in the text


SIGNS = (
    "Tide \U0001f30a\U0001f469\u200d\U0001f680 rises. Caf\u0065\u0301 \U0001d54f\u0301 opens.\r\n"
    "הגאות עולה פעמיים. Mixed שפל here.\r\n\r\nLast \U0001f41f\U0001f41f."
)
MARKED = (
    "<p>One \U0001f30a <b>bold</b> two. Three.</p><ul><li>x \U0001f41f</li></ul><pre>\n\nkept</pre>"
)


@pytest.fixture
def hard(tmp_path: Path) -> Iterator[Assessment]:
    found = assessment_of(tmp_path / "hard", {"signs": SIGNS.encode(), "marked.html": MARKED})
    yield found
    found.log.close()


@pytest.mark.parametrize("document", ["signs", "marked"])
def test_places_are_those_of_the_text(browser: Browser, hard: Assessment, document: str) -> None:
    """Each pair of places goes to the browser's units and back, and has the text between."""
    text = hard.documents.text(document)
    with running(assess_application(hard)) as address:
        page = browser.new_page()
        page.goto(address + desk_of("q1", document))
        assert page.evaluate(SHOWN_TEXT) == text
        found = page.evaluate(
            """length => {
                const rows = [];
                for (let start = 0; start < length; start++) {
                    for (let end = start + 1; end <= length; end++) {
                        const range = desk.places.range(start, end);
                        rows.push([range.toString(),
                            desk.places.place(range.startContainer, range.startOffset),
                            desk.places.place(range.endContainer, range.endOffset)]);
                    }
                }
                return rows;
            }""",
            len(text),
        )
        page.close()
    places = [(a, b) for a in range(len(text)) for b in range(a + 1, len(text) + 1)]
    assert found == [[text[a:b], a, b] for a, b in places]


def test_what_is_selected_is_what_is_kept(browser: Browser, hard: Assessment) -> None:
    """Exact ends: the browser's selection of any text is the same text in the log."""
    text = hard.documents.text("signs")
    chosen = [
        "\U0001f30a\U0001f469\u200d\U0001f680",
        "e\u0301 \U0001d54f\u0301",
        "עולה פעמיים",
        "\r\nה",
        "\U0001f41f.",
    ]
    with running(assess_application(hard)) as address:
        page = browser.new_page()
        page.goto(address + desk_of("q1", "signs"))
        for words in chosen:
            units = len(text[: text.index(words)].encode("utf-16-le")) // 2
            page.evaluate(
                """([from, words]) => {
                    const nodes = desk.places.nodes, point = place => {
                        for (const node of nodes) {
                            if (place <= node.length) return [node, place];
                            place -= node.length;
                        }
                    };
                    getSelection().setBaseAndExtent(...point(from), ...point(from + words.length));
                }""",
                [units, words],
            )
            page.keyboard.press("Alt+Enter")
            saved(page)
            assert words in passages(hard, "signs")
            page.keyboard.press("u")
            saved(page)
        page.close()


# -- by keyboard


def test_an_assessment_by_keyboard(visit: Visit, site: Assessment) -> None:
    found = visit("/")
    page = found.page
    press(page, "j Enter")
    page.wait_for_url("**/assess?topic=q1")
    expect(page.locator("h1")).to_have_text("finding the way in fog")
    press(page, "Enter")
    page.wait_for_url("**document=sea")
    press(page, "j j j Enter j Enter")
    saved(page)
    assert passages(site) == ["Ships sound their horns in fog. Bells ring on buoys."]
    press(page, "k x")
    saved(page)
    assert passages(site) == ["Bells ring on buoys."]
    press(page, "j b k Shift+J Enter")
    expect(page.locator(".entry-now")).to_contain_text("inside passage 1")
    expect(page.locator("aside .passage-count")).to_have_text("1 passage")
    expect(page.locator("header .saved")).to_contain_text("Saved")
    press(page, "d")
    page.wait_for_url("**document=fog")
    held = site.log.state("ann", "q1", "sea").judgement
    assert held.status == "relevant"
    assert held.entry == SEA.index("Bells")
    assert passages(site) == ["Ships sound their horns in fog. Bells ring on buoys."]
    press(page, "d")
    expect(page.locator(".said")).to_have_text("Highlight something, or choose not relevant")
    press(page, "n")
    page.wait_for_url("**document=fish")
    press(page, "[")
    page.wait_for_url("**document=fog")
    expect(page.locator(".verdict-now")).to_contain_text("Judged not relevant")
    press(page, "]")
    page.wait_for_url("**document=fish")
    press(page, "n")
    page.wait_for_url("**/assess?topic=q1")
    expect(page.locator("main")).to_contain_text("All documents of this topic are judged.")
    statuses = {name: one.status for name, one in site.log.overview("ann", "q1").items()}
    assert statuses == {"sea": "relevant", "fog": "not relevant", "fish": "not relevant"}
    assert found.errors == []


def test_undo_goes_back_further_than_the_page_knows(visit: Visit, site: Assessment) -> None:
    page = visit(desk_of("q1", "sea")).page
    press(page, "Enter j j Enter b")
    saved(page)
    page.reload()
    page.wait_for_function("() => desk.store.state.passages.length === 2")
    press(page, "u")
    saved(page)
    assert site.log.state("ann", "q1", "sea").judgement.entry is None
    press(page, "Control+z")
    saved(page)
    assert passages(site) == ["The tide rises twice a day."]
    press(page, "u")
    expect(page.locator("aside .passage-count")).to_have_text("0 passages")
    saved(page)
    press(page, "u")
    expect(page.locator(".said")).to_have_text("Nothing to undo")
    press(page, "Control+Shift+Z Control+Shift+Z U")
    saved(page)
    held = site.log.state("ann", "q1", "sea").judgement
    assert len(held.passages) == 2
    assert held.entry is not None


def test_ends_are_those_of_sentences_or_exact(visit: Visit, site: Assessment) -> None:
    page = visit(desk_of("q1", "sea")).page
    drag(page, "rises", "moon")
    expect(page.locator("#choice")).to_be_visible()
    press(page, "Enter")
    saved(page)
    assert passages(site) == ["The tide rises twice a day. The moon pulls the sea."]
    press(page, "Shift+X")
    page.keyboard.down("Alt")
    drag(page, "Ships", "horns")
    page.keyboard.up("Alt")
    page.locator("#choice").get_by_role("button", name="Highlight").click()
    saved(page)
    [words] = passages(site)
    assert words in "Ships sound their horns"
    assert len(words) > 10


def drag(page: Page, first: str, last: str) -> None:
    """Select with the mouse from the middle of one word into another one."""
    boxes = [
        page.evaluate(
            """word => {
                const range = desk.places.range(...((at) => [at, at + word.length])(
                    [...desk.article.textContent].join("").indexOf(word)));
                const {x, y, width, height} = range.getBoundingClientRect();
                return [x + width / 2, y + height / 2];
            }""",
            word,
        )
        for word in (first, last)
    ]
    page.mouse.move(*boxes[0])
    page.mouse.down()
    page.mouse.move(*boxes[1], steps=4)
    page.mouse.up()
    page.wait_for_timeout(50)


def test_a_selection_over_a_highlight_is_one_passage(visit: Visit, site: Assessment) -> None:
    page = visit(desk_of("q1", "sea")).page
    press(page, "j Enter")
    drag(page, "rises", "warm")
    press(page, "Enter")
    saved(page)
    assert passages(site) == [SEA[: SEA.index(" Ships")]]


# -- by touch


def test_an_assessment_by_touch(visit: Visit, site: Assessment) -> None:
    found = visit(desk_of("q1", "sea"), 360, 740, has_touch=True, is_mobile=True)
    page = found.page
    tap(page, "horns")
    saved(page)
    assert passages(site) == ["Ships sound their horns in fog."]
    tap(page, "warm")
    tap(page, "horns")
    saved(page)
    assert passages(site) == ["Fog comes with warm air."]
    hold(page, "Bells")
    saved(page)
    assert site.log.state("ann", "q1", "sea").judgement.entry == SEA.index("Bells")
    bar = page.locator(".on-phone")
    bar.get_by_role("button", name="undo").tap()
    saved(page)
    assert site.log.state("ann", "q1", "sea").judgement.entry is None
    expect(bar).to_contain_text("1 passage")
    bar.get_by_role("button", name="Done, next").tap()
    page.wait_for_url("**document=fog")
    bar.get_by_role("button", name="Not relevant").tap()
    page.wait_for_url("**document=fish")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for button in bar.get_by_role("button").all():
        size = button.bounding_box()
        assert size is not None
        assert min(size["width"], size["height"]) >= 44
    assert found.errors == []


CENTRE = """word => {
    const at = desk.article.textContent.indexOf(word);
    const range = desk.places.range(at, at + word.length);
    range.startContainer.parentElement.scrollIntoView({block: "center"});
    const {x, y, width, height} = range.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""


def tap(page: Page, word: str) -> None:
    page.touchscreen.tap(*page.evaluate(CENTRE, word))


def hold(page: Page, word: str) -> None:
    x, y = page.evaluate(CENTRE, word)
    session = page.context.new_cdp_session(page)
    touch = {"touchPoints": [{"x": x, "y": y}]}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", **touch})
    page.wait_for_function("() => desk.store.state.entry !== null")
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_phone_says_how_to_highlight(visit: Visit) -> None:
    words = visit(desk_of("q1", "sea"), 360, 740, has_touch=True, is_mobile=True).page.locator(
        ".gestures"
    )
    expect(words).to_contain_text("Tap a sentence to highlight it")
    expect(words).to_be_in_viewport(ratio=1)
    expect(visit(desk_of("q1", "sea")).page.locator(".gestures")).to_be_hidden()


def test_a_phone_has_what_keys_do(visit: Visit, site: Assessment) -> None:
    """Forth and back, undo and redo, the topic, and the list of all that can be done."""
    page = visit(desk_of("q1", "fog"), 360, 740, has_touch=True, is_mobile=True).page
    bar = page.locator(".on-phone")
    bar.get_by_role("button", name="next document").tap()
    page.wait_for_url("**document=fish")
    bar.get_by_role("button", name="previous document").tap()
    page.wait_for_url("**document=fog")
    tap(page, "horn")
    redo = bar.get_by_role("button", name="redo")
    expect(redo).to_be_disabled()
    bar.get_by_role("button", name="undo").tap()
    saved(page)
    assert passages(site, "fog") == []
    redo.tap()
    saved(page)
    assert passages(site, "fog") == ["A horn sounds."]
    bar.get_by_role("button", name="Gestures and keys").tap()
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Hold a sentence")
    page.get_by_role("button", name="Close").tap()
    page.locator("header").get_by_role("link", name="documents of this topic").tap()
    page.wait_for_url("**/assess?topic=q1")


def test_a_phone_shows_the_grade_of_the_next_highlight(browser: Browser, tmp_path: Path) -> None:
    graded = assessment_of(tmp_path, scale=Scale((1, 2), ("cause", "effect")))
    with running(assess_application(graded)) as address:
        size = {"width": 360, "height": 740}
        page = browser.new_page(viewport=size, has_touch=True, is_mobile=True)
        page.goto(address + desk_of("q1", "sea"))
        scale = page.locator(".on-phone .scale")
        expect(scale.get_by_label("2")).to_be_checked()
        expect(scale).to_be_in_viewport(ratio=1)
        expect(page.locator("aside .scale")).to_be_hidden()
        scale.get_by_label("1").tap()
        scale.get_by_label("effect").tap()
        tap(page, "horns")
        saved(page)
        for choice in scale.locator("label").all():
            box = choice.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.set_viewport_size({"width": 1280, "height": 800})
        expect(page.locator("aside .scale").get_by_label("1")).to_be_checked()
        expect(page.locator("aside .scale").get_by_label("effect")).to_be_checked()
        page.close()
    [found] = graded.log.state("ann", "q1", "sea").judgement.passages
    assert (found.grade, found.aspects) == (1, ("effect",))
    graded.log.close()


# -- two tabs, and no server


def test_two_tabs(visit: Visit, site: Assessment) -> None:
    one = visit(desk_of("q1", "sea")).page
    other = visit(desk_of("q1", "sea"), context=one.context).page
    press(one, "Enter")
    saved(one)
    press(other, "j j Enter")
    dialog = other.locator("#conflict")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("version 1, and this page knows version 0")
    assert passages(site) == ["The tide rises twice a day."]
    dialog.get_by_role("button", name="Keep this one").click()
    saved(other)
    assert passages(site) == ["Fog comes with warm air."]
    press(one, "j Enter")
    expect(one.locator("#conflict")).to_contain_text("Here: 1 passage, not done")
    one.locator("#conflict").get_by_role("button", name="Use the other one").click()
    expect(one.locator(".passages bdi")).to_have_text(["Fog comes with warm air."])
    press(one, "u")
    saved(one)
    assert len(passages(site)) == 2 or passages(site) != ["Fog comes with warm air."]


def test_no_reflex_decides_between_two_tabs(visit: Visit, site: Assessment) -> None:
    """Enter highlights: while the question is open it must not throw work away, nor may Escape."""
    one = visit(desk_of("q1", "sea")).page
    other = visit(desk_of("q1", "sea"), context=one.context).page
    press(one, "Enter j b")
    saved(one)
    press(other, "j j Enter")
    dialog = other.locator("#conflict")
    expect(dialog).to_be_visible()
    expect(dialog.locator(".only-theirs li")).to_have_text(
        [
            "The tide rises twice a day. (27 characters)",
            "best entry point: The moon pulls the sea. Fog comes with warm air. Ships …",
        ]
    )
    expect(dialog.locator(".only-mine li")).to_have_text(
        ["Fog comes with warm air. (24 characters)"]
    )
    press(other, "Enter Enter Escape Enter Escape Escape")
    expect(dialog).to_be_visible()
    assert other.evaluate("desk.store.state.passages.length") == 1
    assert other.evaluate("desk.store.pending.length") == 1
    dialog.get_by_role("button", name="Keep this one").click()
    saved(other)
    assert passages(site) == ["Fog comes with warm air."]


def test_changes_wait_until_the_server_is_back(visit: Visit, site: Assessment) -> None:
    page = visit(desk_of("q1", "sea")).page
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    press(page, "Enter j Enter")
    expect(page.locator("header .saved")).to_contain_text("2 changes kept in this browser")
    press(page, "d")
    expect(page.locator("header .saved")).to_contain_text("3 changes kept in this browser")
    assert page.url.endswith("document=sea"), "nothing is left behind"
    assert passages(site) == []
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_url("**document=fog")
    assert site.log.state("ann", "q1", "sea").judgement.status == "relevant"


def test_who_undoes_without_a_server_stays(visit: Visit, site: Assessment) -> None:
    page = visit(desk_of("q1", "sea")).page
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    press(page, "Enter d")
    expect(page.locator(".said")).to_contain_text("opens when the server is back")
    press(page, "u")
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("header .saved")).to_contain_text("Saved")
    saved(page)
    assert page.url.endswith("document=sea")
    assert site.log.state("ann", "q1", "sea").judgement.status == "open"


@pytest.mark.parametrize("path", ["/", "/assess?topic=q1"])
def test_lists_send_what_this_browser_kept(visit: Visit, site: Assessment, path: str) -> None:
    page = visit(desk_of("q1", "sea")).page
    page.wait_for_load_state("networkidle")
    page.route("**/operations", lambda route: route.abort())
    press(page, "Enter d")
    expect(page.locator("header .saved")).to_contain_text("2 changes kept")
    page.close()
    found = visit(path, context=page.context)
    words = found.page.locator(".kept-changes")
    expect(words).to_have_text("Saved 2 changes of sea that this browser had kept")
    expect(found.page.locator("main")).to_contain_text("1 of 3 judged")
    assert passages(site) == ["The tide rises twice a day."]
    found.page.reload()
    expect(words).to_be_hidden()
    assert found.errors == []


def test_lists_say_what_could_not_be_sent(visit: Visit, site: Assessment) -> None:
    one = visit(desk_of("q1", "sea")).page
    one.wait_for_load_state("networkidle")
    one.context.route("**/operations", lambda route: route.abort())
    press(one, "Enter")
    expect(one.locator("header .saved")).to_contain_text("1 change kept")
    page = visit("/", context=one.context).page
    words = page.locator(".kept-changes")
    expect(words).to_have_text("Server not reached: 1 change of sea kept in this browser")
    one.close()
    site.document("q1", "sea")
    other = [{"id": "other", "kind": "highlight", "start": 28, "end": 51}]
    site.log.append("ann", "q1", "sea", 0, other, "2024-05-01T12:00:00Z")
    page.context.unroute("**/operations")
    expect(words).to_contain_text("sea was changed on another page; open it to choose")
    words.get_by_role("link", name="sea").click()
    page.locator("#conflict").get_by_role("button", name="Keep this one").click()
    saved(page)
    assert passages(site) == ["The tide rises twice a day."]


def test_a_page_that_waits_for_the_server_is_not_left_by_mistake(visit: Visit) -> None:
    page = visit(desk_of("q1", "sea")).page
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    press(page, "Enter")
    saved(page)
    page.reload()
    assert asked == []
    page.route("**/operations", lambda route: route.abort())
    press(page, "j Enter")
    expect(page.locator("header .saved")).to_contain_text("1 change kept")
    page.reload()
    assert asked == ["beforeunload"]


# -- what is taken back


def test_highlights_are_not_discarded_without_a_question(visit: Visit, site: Assessment) -> None:
    page = visit(desk_of("q1", "sea")).page
    press(page, "Enter j j Enter b n")
    dialog = page.locator("#discard")
    expect(dialog).to_contain_text("2 passages and the best entry point would be removed")
    press(page, "Enter")
    expect(dialog).to_be_hidden()
    press(page, "n Escape")
    saved(page)
    assert page.url.endswith("document=sea")
    assert len(passages(site)) == 2
    press(page, "n n")
    page.wait_for_url("**document=fog")
    assert site.log.state("ann", "q1", "sea").judgement.status == "not relevant"


def test_a_closed_document_says_that_it_is_reopened(visit: Visit, site: Assessment) -> None:
    page = visit(desk_of("q1", "sea")).page
    press(page, "n")
    page.wait_for_url("**document=fog")
    press(page, "[")
    page.wait_for_url("**document=sea")
    press(page, "Enter")
    expect(page.locator(".said")).to_have_text("Reopened: it was judged not relevant")
    expect(page.locator(".verdict-now")).to_be_hidden()
    saved(page)
    assert site.log.state("ann", "q1", "sea").judgement.status == "open"


def test_changes_survive_a_page_that_was_closed(visit: Visit, site: Assessment) -> None:
    page = visit(desk_of("q1", "sea")).page
    page.wait_for_load_state("networkidle")
    page.route("**/operations", lambda route: route.abort())
    press(page, "Enter")
    expect(page.locator("header .saved")).to_contain_text("1 change kept")
    other = visit(desk_of("q1", "fog"), context=page.context).page
    page.close()
    other.wait_for_function("() => !kept.keys('spanwise').length")
    assert passages(site) == ["The tide rises twice a day."]


# -- what is shown


def test_what_runs_returned_is_hidden_until_it_is_done(visit: Visit, site: Assessment) -> None:
    page = visit(desk_of("q1", "sea")).page
    assert '"ranges"' not in page.content()
    press(page, "Enter d")
    page.wait_for_url("**document=fog")
    press(page, "[")
    page.wait_for_url("**document=sea")
    expect(page.locator("#returned")).to_be_visible()
    painted = "[...CSS.highlights.get('returned')].map(String)"
    assert page.evaluate(painted) == [SEA[:10]]
    press(page, "r")
    expect(page.locator("#returned")).to_be_hidden()


def test_grades_and_aspects(browser: Browser, tmp_path: Path) -> None:
    graded = assessment_of(tmp_path, scale=Scale((0, 1, 2), ("cause", "effect")))
    with running(assess_application(graded)) as address:
        page = browser.new_page()
        page.goto(address + desk_of("q1", "sea"))
        press(page, "Enter j 2")
        page.locator("aside").get_by_label("effect").check()
        press(page, "j Enter")
        saved(page)
        expect(page.locator(".passages small")).to_have_text(
            ["grade 2", "grade 1", "grade 1, effect"]
        )
        page.close()
    found = graded.log.state("ann", "q1", "sea").judgement.passages
    assert [(one.grade, one.aspects) for one in found] == [(2, ()), (1, ()), (1, ("effect",))]
    graded.log.close()


def test_elements_are_derived_as_one_highlights(browser: Browser, tmp_path: Path) -> None:
    text = "<article><title>Sea</title><sec><p>One. Two.</p><p>Three.</p></sec></article>"
    site = assessment_of(tmp_path, {"sea.xml": text})
    with running(assess_application(site)) as address:
        page = browser.new_page()
        page.goto(address + desk_of("q1", "sea"))
        press(page, "j Enter j j Enter")
        rows = page.locator(".elements tbody tr")
        expect(rows).to_have_count(4)
        found = [row.split() for row in rows.all_inner_texts()]
        assert [row[0] for row in found] == ["article[1]", "sec[1]", "p[1]", "p[2]"]
        assert found[2][1:] == ["4", "/", "9", "0.44"]
        assert found[3][1:] == ["6", "/", "6", "1.00"]
        page.close()
    site.log.close()


def test_elements_fit_beside_the_text(browser: Browser, tmp_path: Path) -> None:
    """Names of tags are long, deep and numbered; every column can be read all the same."""
    tags = ("article", "sub-article", "boxed-text", "disp-formula-group", "statement", "table-wrap")
    inner = "".join(f"<{tag}>" for tag in tags) + "<contributed-resource-group>"
    outer = "</contributed-resource-group>" + "".join(f"</{tag}>" for tag in reversed(tags))
    site = assessment_of(tmp_path, {"sea.xml": f"{inner}<p>{'Word ' * 30000}.</p>{outer}"})
    outside = """() => {
        const panel = document.querySelector("aside").getBoundingClientRect();
        return [...document.querySelectorAll(".elements :is(th, td) > :is(bdi, svg), .elements td")]
            .filter(part => part.getBoundingClientRect().right > panel.right + 0.5
                || part.scrollWidth > part.clientWidth + 1 && part.matches("td, th"))
            .map(part => part.outerHTML);
    }"""
    with running(assess_application(site)) as address:
        page = browser.new_page()
        page.goto(address + desk_of("q1", "sea"))
        press(page, "Enter")
        expect(page.locator(".elements tbody tr")).to_have_count(8)
        for width in (360, 768, 1024, 1280, 1440):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(outside) == [], width
        expect(page.locator(".entry-now")).to_have_text("None yet")
        press(page, "b")
        expect(page.locator(".entry-now")).to_have_text("Offset 0, start of passage 1")
        page.close()
    site.log.close()


JOURNAL = (
    "<article><front><journal-meta><journal-id>J Fog</journal-id><journal-id>JFR</journal-id>"
    "<publisher><publisher-name>BioMed Central</publisher-name></publisher></journal-meta>"
    "<article-meta><article-id>123456</article-id><article-id>10.1186/1</article-id>"
    "<article-categories><subj-group><subject>Research</subject></subj-group>"
    "</article-categories><title-group><article-title>How fog forms</article-title>"
    "</title-group><contrib-group><contrib><name><surname>Cacciari</surname>"
    "<given-names>A</given-names></name></contrib></contrib-group>"
    "<abstract><p>Fog is common.</p></abstract></article-meta></front>"
    "<body><sec><title>Introduction</title><p>Warm air cools.</p></sec></body>"
    "<back><ref-list><title>References</title><ref><label>1</label><element-citation>"
    "<person-group><name><surname>Rossi</surname><given-names>B</given-names></name>"
    "</person-group><article-title>On fog</article-title><source>Fog Letters</source>"
    "</element-citation></ref><ref><label>2</label><mixed-citation><name>"
    "<surname>Brown</surname><given-names>C</given-names></name>. Drops."
    "</mixed-citation></ref></ref-list></back></article>"
)


def test_journal_articles_are_known_by_their_titles(browser: Browser, tmp_path: Path) -> None:
    """Authors are no headings, the names of the journal one line, and a reference another one."""
    site = assessment_of(tmp_path, {"12.xml": JOURNAL})
    with running(assess_application(site)) as address:
        page = browser.new_page()
        page.goto(address + desk_of("q1", "12"))
        expect(page.locator("aside h2")).to_have_text("How fog forms")
        expect(page.locator("#text :is(h1, h2, h3, h4, h5, h6)")).to_have_text(
            ["How fog forms", "Introduction", "References"]
        )
        expect(page.locator("#text h1")).to_have_text("How fog forms")
        assert page.evaluate(SHOWN_TEXT) == site.documents.text("12")
        lines = page.locator("#text").inner_text().splitlines()
        assert "J FogJFRBioMed Central" in lines
        assert "1RossiBOn fogFog Letters" in lines
        assert "2BrownC. Drops." in lines
        apart = set(page.locator("#text .apart").all_inner_texts())
        assert {"J Fog", "JFR", "123456", "Cacciari", "1", "Rossi", "B", "2", "Brown"} <= apart
        assert "C" not in apart, "a full stop follows it"
        page.close()
    site.log.close()


def test_lists_are_those_of_a_page_that_is_opened_anew(browser: Browser, tmp_path: Path) -> None:
    """Rows that stay are kept; what is shown must not depend on how it came about."""
    paragraphs = "".join(f"<p>One {n}. Two {n}. Three {n}.</p>" for n in range(6))
    site = assessment_of(tmp_path, {"sea.xml": f"<article><sec>{paragraphs}</sec></article>"})
    shown = """() => [document.querySelector(".passages").innerText,
        document.querySelector(".elements tbody").innerText,
        [...document.querySelectorAll(".judging-strip rect")].map(bar => bar.outerHTML)]"""
    with running(assess_application(site)) as address:
        page = browser.new_page()
        page.goto(address + desk_of("q1", "sea"))
        draw = random.Random(4)
        for _ in range(8):
            for _ in range(12):
                press(
                    page, draw.choice(("j", "j", "k", "k", "Enter", "Enter", "x", "u", "Shift+X"))
                )
            saved(page)
            before = page.evaluate(shown)
            page.reload()
            page.wait_for_function("() => desk?.store.version >= 0")
            assert page.evaluate(shown) == before
        page.close()
    site.log.close()

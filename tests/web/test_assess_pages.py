"""The pages of an assessment: what they show, to whom, and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from spanwise.assessing.pools import Pool
from spanwise.records import replace
from spanwise.web.assess_application import assess_application
from spanwise.web.assessment import Assessment

from .assessed_pages import DOCUMENTS, NARRATIVE, assessment_of, desk_of, pool_of
from .conftest import Opened
from .served_pages import SHOWN_TEXT, running
from .test_judging import press, saved

EVIL = "<script>window.broken=1</script><img src=x onerror=window.broken=1>\"'</title>{{7*7}}"
HARD = {**DOCUMENTS, "evil": f"{EVIL} One. {EVIL} Two.\n\n</script><!-- Three."}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assessment]:
    folder = tmp_path_factory.mktemp("assessed")
    found = assessment_of(folder, HARD, topics={"q1": "finding the way in fog", EVIL: EVIL})
    yield found
    found.log.close()


@pytest.fixture(scope="module")
def address(site: Assessment) -> Iterator[str]:
    with running(assess_application(site)) as found:
        yield found


PAGES = {"home": "/", "queue": "/assess?topic=q1", "desk": desk_of("q1", "sea")}


def visit(browser: Browser, address: str, width: int = 1280, **options: Any) -> Opened:
    context = browser.new_context(viewport={"width": width, "height": 800}, **options)
    context.set_default_timeout(5000)
    found = Opened(context.new_page())
    found.page.on("pageerror", lambda problem: found.errors.append(str(problem)))
    found.page.on("console", lambda said: found.errors.append(said.text))
    found.page.on("request", lambda request: found.requests.append(request.url))
    found.page.goto(address)
    return found


@pytest.mark.parametrize("name", PAGES)
def test_quiet_alone_and_never_too_wide(browser: Browser, address: str, name: str) -> None:
    for width in (360, 768, 1024, 1280):
        found = visit(browser, address + PAGES[name], width)
        assert found.page.evaluate("document.documentElement.scrollWidth") <= width
        assert found.errors == []
        assert all(url.startswith(address) for url in found.requests)
        found.page.context.close()


def test_enter_opens_the_first_topic_that_is_not_judged(browser: Browser, tmp_path: Path) -> None:
    topics = {"q1": "finding the way in fog", "q2": "fish"}
    site = assessment_of(tmp_path, {"fish": "Cod is salted."}, topics=topics)
    with running(assess_application(site)) as address:
        page = visit(browser, address).page
        press(page, "Enter")
        page.wait_for_url("**/assess?topic=q1")
        press(page, "Enter")
        page.wait_for_url("**document=fish")
        press(page, "n")
        page.wait_for_url("**/assess?topic=q1")
        page.goto(address)
        press(page, "Enter")
        page.wait_for_url("**/assess?topic=q2")
        page.context.close()
    site.log.close()


def test_a_long_name_stays_beside_its_box(browser: Browser, tmp_path: Path) -> None:
    name = "a-very-long-name-of-a-document-that-does-not-fit-into-a-line"
    site = assessment_of(tmp_path, {name: "Cod is salted."})
    with running(assess_application(site)) as address:
        page = visit(browser, address + "/assess?topic=q1", 360).page
        box, link = (page.locator(f"#list {part}").bounding_box() for part in ("i", "a"))
        assert box is not None
        assert link is not None
        assert link["x"] >= box["x"] + box["width"]
        assert link["y"] <= box["y"] <= link["y"] + link["height"]
        page.context.close()
    site.log.close()


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_violation(browser: Browser, address: str, axe: str, name: str) -> None:
    for width, scheme in ((360, "light"), (1280, "light"), (1280, "dark")):
        page = visit(
            browser, address + PAGES[name], width, color_scheme=scheme, bypass_csp=True
        ).page
        if name == "desk":
            press(page, "Enter j b")
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        violations = [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"]]
        assert violations == [], (width, scheme)
        page.context.close()


def test_without_javascript_documents_can_be_read(browser: Browser, address: str) -> None:
    page = visit(browser, address, java_script_enabled=False).page
    page.get_by_role("link", name="finding the way in fog").click()
    expect(page.locator("header")).to_contain_text(NARRATIVE)
    page.get_by_role("link", name="fog", exact=True).click()
    expect(page.locator("#text")).to_contain_text("Fog hides the coast.")
    expect(page.locator("footer")).to_contain_text("Judging needs JavaScript")
    expect(page.get_by_role("button", name="Done, next").first).to_be_hidden()
    page.get_by_role("link", name="the other documents").click()
    assert page.url.endswith("/assess?topic=q1")
    page.context.close()


def test_a_topic_can_be_read_whole_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    [topic] = pool_of(DOCUMENTS).topics
    wordy = replace(topic, narrative="Every word of this counts. " * 20)
    long = assessment_of(tmp_path, pool=Pool((wordy,), order="shuffled"))
    with running(assess_application(long)) as address:
        page = visit(browser, address + desk_of("q1", "sea"), 360).page
        before = page.locator(".narrative").bounding_box()
        page.get_by_role("button", name="whole topic").click()
        after = page.locator(".narrative").bounding_box()
        assert before is not None
        assert after is not None
        assert after["height"] > 3 * before["height"]
        page.context.close()
    long.log.close()


@pytest.mark.parametrize(
    "path",
    [
        f"/assess?topic={quote(EVIL, safe='')}",
        f"/assess?topic={quote(EVIL, safe='')}&document=evil",
        f"/assess?topic=q1&document={quote(EVIL, safe='')}",
        f"/{quote(EVIL)}",
    ],
)
def test_scripts_in_documents_and_topics_stay_text(
    browser: Browser, address: str, path: str
) -> None:
    page = visit(browser, address + path).page
    assert page.evaluate("window.broken") is None
    assert page.locator("img, main script").count() == 0
    assert "49" not in page.title()
    if "document=evil" in path:
        assert page.evaluate(SHOWN_TEXT) == HARD["evil"]
        press(page, "Enter")
        saved(page)
        expect(page.locator(".passages bdi")).to_contain_text("<script>")
        assert page.evaluate("window.broken") is None
    page.context.close()


# -- what is refused


def send(address: str, body: object, **headers: str) -> tuple[int, dict[str, Any]]:
    """What a server answers to a change; without headers, one of its own pages asks."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=10)
    own = {"origin": address, "content-type": "application/json"}
    given = {**own, **{name.replace("_", "-"): value for name, value in headers.items()}}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request("POST", "/operations", content, {k: v for k, v in given.items() if v})
    found = connection.getresponse()
    text = found.read().decode()
    connection.close()
    told = found.headers.get_content_type() == "application/json"
    return found.status, json.loads(text) if told else {"text": text}


def change(number: int, **more: Any) -> dict[str, Any]:
    operations = [{"id": f"x{number}", "kind": "highlight", "start": 0, "end": 3}]
    return {"topic": "q1", "document": "fish", "version": 0, "operations": operations, **more}


def test_changes_come_from_own_pages_as_json(site: Assessment, address: str) -> None:
    port = urlsplit(address).netloc
    for status, headers in (
        (403, {"origin": "http://evil.example"}),
        (403, {"origin": "null"}),
        (403, {"origin": ""}),
        (403, {"origin": "", "sec_fetch_site": "cross-site"}),
        (403, {"sec_fetch_site": "same-site"}),
        (403, {"host": "evil.example", "origin": "http://evil.example"}),
        (415, {"content_type": "text/plain"}),
        (415, {"content_type": "application/x-www-form-urlencoded"}),
        (415, {"content_type": ""}),
    ):
        assert send(address, change(1), **headers)[0] == status, headers
    assert send(address, b" " * 1_000_001)[0] == 413
    assert site.log.state("ann", "q1", "fish").version == 0
    status, told = send(address, change(1), origin=f"http://{port}", sec_fetch_site="same-origin")
    assert (status, told["version"], told["state"]["passages"]) == (
        200,
        1,
        [{"start": 0, "end": 3}],
    )
    assert send(address, change(1))[0] == 200, "sent again, because no answer came"
    status, told = send(address, change(2))
    assert (status, told["version"]) == (409, 1)
    assert told["state"]["passages"] == [{"start": 0, "end": 3}]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"{", "cannot be read"),
        (b"[]", "cannot be read"),
        (b"\xff", "cannot be read"),
        (b"[" * 100_000, "cannot be read"),
        (change(3, document="nothing"), "no document 'nothing'"),
        (change(3, document="../texts/fish.txt"), "no document"),
        (change(3, topic="q9"), "no document"),
        (change(3, operations=[{"id": "a", "kind": "explode"}]), "cannot be read"),
        (change(3, operations=[{"kind": "done"}]), "id"),
        (change(3, operations=[{"id": "b", "kind": "remove", "start": 0, "end": 99}]), "inside"),
        (change(3, operations=[{"id": str(n), "kind": "opened"} for n in range(2001)]), "at most"),
    ],
)
def test_what_is_not_possible_is_refused(
    site: Assessment, address: str, body: object, words: str
) -> None:
    before = site.log.state("ann", "q1", "fish")
    current = {**body, "version": before.version} if isinstance(body, dict) else body
    status, told = send(address, current)
    assert status == 400
    assert words in told["problem"]
    assert site.log.state("ann", "q1", "fish") == before


def ask(address: str, path: str, method: str = "GET", **headers: str) -> tuple[int, str, Any]:
    connection = HTTPConnection(urlsplit(address).netloc, timeout=10)
    connection.request(method, path, headers=headers)
    found = connection.getresponse()
    text = found.read().decode()
    connection.close()
    return found.status, text, found.headers


def test_other_names_and_other_methods_are_refused(address: str) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example", ""):
        assert ask(address, "/", Host=host)[0] == 403
        assert ask(address, "/state?topic=q1&document=sea", Host=host)[0] == 403
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH"):
        assert ask(address, "/operations", method)[0] == 405
    for path in ("/", "/assess?topic=q1", "/state"):
        assert ask(address, path, "POST", Origin=address)[0] == 405
    assert ask(address, "/operations")[0] == 404


def test_every_answer_tells_the_browser_what_to_obey(address: str) -> None:
    for path in (*PAGES.values(), "/nowhere", "/state?topic=q1&document=sea"):
        headers = ask(address, path)[2]
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'sha256-")
        assert "connect-src 'self'; frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


def test_missing_documents_and_topics_are_said(address: str) -> None:
    for path in ("/assess?topic=q9", desk_of("q1", "../pool.judgements"), desk_of("q1", "%00")):
        status, text, _ = ask(address, path)
        assert status == 404
        assert "not found" in text
    assert ask(address, "/state?topic=q1&document=nothing")[0] == 404


# -- several assessors


def test_a_token_tells_who_it_is(browser: Browser, tmp_path: Path) -> None:
    site = assessment_of(tmp_path, assessors=("ann", "bob"))
    people = {"token-of-ann": "ann", "token-of-bob": "bob"}
    with running(assess_application(site, people)) as address:
        assert ask(address, "/")[0] == 403
        assert ask(address, "/?token=wrong")[0] == 403
        assert send(address, change(1))[0] == 403
        for name in ("ann", "bob"):
            page = visit(browser, f"{address}/?token=token-of-{name}").page
            assert "token" not in page.url
            expect(page.locator("header")).to_contain_text(f"assessor {name}")
            page.goto(address + desk_of("q1", "sea"))
            press(page, "Enter" if name == "ann" else "j Enter")
            saved(page)
            page.context.close()
        headers = ask(address, "/?token=token-of-bob")[2]
        cookie = {"cookie": headers["set-cookie"].partition(";")[0]}
        assert send(address, change(5), **cookie)[0] == 200
        status, told = send(address, change(6, assessor="ann"), **cookie)
        assert (status, told["problem"].startswith("this browser is now signed in as bob")) == (
            403,
            True,
        )
    starts = [site.log.state(name, "q1", "sea").judgement.passages for name in ("ann", "bob")]
    assert [one.start for (one,) in starts] == [0, 28]
    assert site.log.state("ann", "q1", "fish").version == 0
    site.log.close()


def test_read_only_pages(browser: Browser, tmp_path: Path) -> None:
    site = assessment_of(tmp_path)
    site.document("q1", "sea")
    operations = [{"id": "a", "kind": "highlight", "start": 0, "end": 27}]
    site.log.append("ann", "q1", "sea", 0, operations, "2024-05-01T12:00:00Z")
    shown = assessment_of(tmp_path, read_only=True)
    with running(assess_application(shown)) as address:
        page = visit(browser, address + desk_of("q1", "sea")).page
        expect(page.locator("header .saved")).to_have_text("Read only")
        press(page, "j Enter")
        expect(page.locator(".said")).to_have_text("These pages are read-only")
        expect(page.locator(".passages bdi")).to_have_text("The tide rises twice a day.")
        assert send(address, change(1))[0] == 405
        for words in ("Not relevant", "Done, next", "Reopen", "undo", "Highlight"):
            expect(page.get_by_role("button", name=words)).to_have_count(0)
        expect(page.get_by_role("link", name="documents of this topic")).to_be_visible()
        press(page, "Shift+J")
        expect(page.get_by_role("toolbar")).to_be_hidden()
        press(page, "Shift+?")
        expect(page.get_by_role("dialog", name="Keys").get_by_text("undo")).to_be_hidden()
        page.context.close()
        page = visit(browser, address + desk_of("q1", "sea"), 360, has_touch=True).page
        expect(page.get_by_role("button", name="next document")).to_be_visible()
        for words in ("Not relevant", "Done, next", "undo", "redo"):
            expect(page.get_by_role("button", name=words)).to_have_count(0)
        expect(page.locator(".gestures")).to_be_hidden()
        page.context.close()
    assert site.log.state("ann", "q1", "sea").version == 1
    shown.log.close()
    site.log.close()

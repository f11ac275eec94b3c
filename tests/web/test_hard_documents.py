"""Documents and questions that are hostile, long, or in other scripts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from .conftest import Opened
from .served_pages import MARKED_TEXT, SHOWN_TEXT, served, site_of

EVIL = "<script>window.broken=1</script><img src=x onerror=window.broken=1>\"'><b>&amp;{{7*7}}"
HEBREW = "הגאות עולה פעמיים ביום. השפל בא אחריה. הירח מושך את הים."
CHINESE = "潮汐每天两次涨落。月亮吸引海水。鱼在浅水中觅食。"
SIGNS = (
    "Tide \U0001f30a\U0001f469\u200d\U0001f680 rises."
    " Caf\u0065\u0301 \U0001d54f\u0301 opens. End\u0301."
)
RELEVANT = {
    # Between signs that belong together, between a letter and its accent, around a pair.
    "signs": [(5, 7), (9, 14), (21, 27), (31, 36)],
    "hebrew": [(3, 30), (40, 44)],
    "chinese": [(0, 3), (8, 13)],
}
NOTES = (
    "# Tides\n\nHigh *water*.\r\n\r\n- one\n- two\n\n```\ncode < here\n```\n\n\n"
    "| a | b |\n|---|---|\n"
)
TABLE = (
    "<html><head><title>T</title></head><body><h1>Sea</h1><p>One.<p>Two. <b>Bold.</b> Three."
    "<table><tr><th>a</th><td>b</td></tr></table><ul><li>x</li><li>y<ul><li>z</li></ul></li></ul>"
    "<pre>\n\nkept</pre><h3>Deep</h3>stray text</body></html>"
)
MIXED = (
    "<play><speech>Who <speaker>goes</speaker> there?<p>Inside.</p> After.</speech>"
    "<table>loose<row><cell>1</cell>loose</row></table><list>no item<item>i</item></list></play>"
)
DOCUMENTS = {
    "evil.txt": f"{EVIL}\n\nThe end.",
    "hebrew.txt": HEBREW,
    "chinese.txt": CHINESE,
    "signs.txt": SIGNS,
    "notes.md": NOTES.encode(),
    "table.html": TABLE,
    "mixed.xml": MIXED,
    "odd.txt": "a\0b\x01c\rd\u2028e\u202ef",
    f"name {EVIL.replace('/', '')[:60]}.txt": "Named badly.",
    "long.txt": "\n\n".join(f"Paragraph {n}. " + "All the sea moves. " * 50 for n in range(1100)),
}


@pytest.fixture(scope="module")
def opened_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Callable]]:
    folder = tmp_path_factory.mktemp("hard")
    answers = {
        "q1": [("signs", 18, 20), ("hebrew", 26, 30), ("chinese", 10, 12), ("notes", 11, 14)],
        "q2": [("evil", 0, 20), ("table", 6, 9), ("mixed", 5, 9), ("odd", 0, 4)],
        "q3": [("long", 0, 30), ("long", 500_000, 500_400), ("long", 1_060_000, 1_060_009)],
        EVIL: [("evil", 0, 5)],
    }
    answers["q2"].append((next(name for name in DOCUMENTS if name.startswith("name"))[:-4], 0, 5))
    judged = [
        {"topic": "q1", "document": name, "start": start, "end": end}
        for name, spans in RELEVANT.items()
        for start, end in spans
    ]
    site = site_of(DOCUMENTS, answers, folder, judged)
    with served(site) as address:
        yield address, site.source.documents.text


@pytest.fixture
def visit(browser: Browser, opened_site: tuple[str, Callable]) -> Iterator[Callable[..., Opened]]:
    with ExitStack() as stack:

        def show(path: str, width: int = 1280, **options: object) -> Opened:
            size = {"width": width, "height": 800}
            context = browser.new_context(viewport=size, **options)
            stack.callback(context.close)
            found = Opened(context.new_page())
            found.page.on("pageerror", lambda problem: found.errors.append(str(problem)))
            found.page.on("console", lambda said: found.errors.append(said.text))
            found.page.goto(opened_site[0] + path)
            return found

        yield show


def read(document: str, topic: str) -> str:
    return f"/read?topic={quote(topic, safe='')}&document={quote(document, safe='')}"


# -- what is shown is what is there


@pytest.mark.parametrize(
    ("document", "topic"),
    [("signs", "q1"), ("hebrew", "q1"), ("chinese", "q1"), ("notes", "q1"), ("table", "q2")]
    + [("mixed", "q2"), ("evil", "q2"), ("odd", "q2"), ("long", "q3")],
)
def test_the_text_of_a_page_is_that_of_its_document(visit, opened_site, document, topic):
    found = visit(read(document, topic))
    text = opened_site[1](document)
    shown = found.page.evaluate(SHOWN_TEXT)
    assert shown == text.replace("\0", "\N{REPLACEMENT CHARACTER}")
    assert found.errors == []


def test_passages_end_where_sentences_end(visit):
    expected = {
        "signs": "Caf\u0065\u0301 \U0001d54f\u0301 opens.",
        "hebrew": "השפל בא אחריה.",
        "chinese": "月亮吸引海水。",
        "notes": "High *water*.",
    }
    for document, words in expected.items():
        assert visit(read(document, "q1")).page.evaluate(MARKED_TEXT, 1) == words


MARKS = """() => {
    const signs = string => [...string].length;
    const own = node => {
        const range = new Range(), added = node.querySelectorAll("[data-added]");
        const all = document.createElement("div");
        range.selectNodeContents(document.getElementById("text"));
        range.setEndBefore(node);
        all.append(range.cloneContents());
        all.querySelectorAll("[data-added]").forEach(part => part.remove());
        return signs(all.textContent);
    };
    return [...document.querySelectorAll("#text mark")].map(mark => {
        const copy = mark.cloneNode(true);
        copy.querySelectorAll("[data-added]").forEach(part => part.remove());
        return [own(mark), Number(mark.dataset.start), copy.textContent, mark.className];
    });
}"""


@pytest.mark.parametrize("document", RELEVANT)
@pytest.mark.parametrize("page", ["read", "watch"])
def test_offsets_of_marks_are_those_of_the_text(visit, opened_site, document, page):
    """Whatever is marked is where offsets say, counted in code points."""
    text = opened_site[1](document)
    found = visit(f"/{page}?topic=q1&run=run&document={document}").page.evaluate(MARKS)
    assert found
    for counted, start, words, _ in found:
        assert counted == start
        assert text[start : start + len(words)] == words
    kinds = {"f", "m"}
    relevant = {
        place
        for start, place_end, kind in ((s, s + len(w), k) for _, s, w, k in found)
        if kinds & {*kind.split()}
        for place in range(start, place_end)
    }
    wanted = {place for start, end in RELEVANT[document] for place in range(start, end)}
    # A blank alone is not outlined.
    assert {place for place in relevant ^ wanted if not text[place].isspace()} == set()


@pytest.mark.parametrize("document", [name.rpartition(".")[0] for name in DOCUMENTS])
def test_nothing_is_too_wide_for_a_phone(visit, document):
    topic = "q1" if document in ("signs", "hebrew", "chinese", "notes") else "q2"
    found = visit(read(document, "q3" if document == "long" else topic), 360)
    assert found.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert found.errors == []


def test_right_to_left(visit):
    page = visit(read("hebrew", "q1"), 360).page
    direction = "getComputedStyle(document.querySelector('#text p')).direction"
    assert page.evaluate(direction) == "rtl"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page = visit(read("hebrew", "q1")).page
    text = page.locator("#text p").bounding_box()
    assert page.locator(".arrows").bounding_box()["x"] >= text["x"] + text["width"]


def test_structure(visit):
    page = visit(read("table", "q2")).page
    expect(page.get_by_role("heading", name="Sea", level=1)).to_be_visible()
    expect(page.get_by_role("columnheader", name="a")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="z")).to_have_count(2)
    page = visit(read("notes", "q1")).page
    expect(page.get_by_role("heading", name="# Tides")).to_be_visible()
    expect(page.locator("#text pre")).to_contain_text("code < here")


@pytest.mark.parametrize("document", ["table", "mixed", "notes", "hebrew", "chinese", "signs"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(visit, axe, document, scheme):
    topic = "q2" if document in ("table", "mixed") else "q1"
    page = visit(read(document, topic), color_scheme=scheme).page
    found = page.evaluate(f"() => {{ {axe} }}") or page.evaluate(
        "() => axe.run(document, {resultTypes: ['violations'],"
        " rules: {'heading-order': {enabled: false}}})"
    )
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"]] == []


def test_a_million_characters(visit):
    page = visit(read("long", "q3")).page
    assert page.evaluate("document.getElementById('text').textContent.length") > 1_000_000
    expect(page.locator(".so-far")).to_contain_text("characters")
    page.keyboard.press("j")
    page.wait_for_url("**#p2")
    top = page.evaluate("document.getElementById('p2').getBoundingClientRect().top")
    assert 0 <= top < 800
    page.keyboard.press("j")
    page.wait_for_url("**#p3")
    expect(page.locator("#p3")).to_be_in_viewport()


# -- hostile


@pytest.mark.parametrize(
    "path",
    [
        read("evil", "q2"),
        read("evil", EVIL),
        read(EVIL, EVIL),
        f"/search?topic={quote(EVIL)}&run={quote(EVIL)}&words={quote(EVIL)}&from={quote(EVIL)}",
        f"/watch?document=evil&topic={quote(EVIL)}&at={quote(EVIL)}",
        f"/{quote(EVIL)}",
        "/search?topic=q2",
    ],
)
def test_scripts_in_documents_and_questions_stay_text(visit, path):
    page = visit(path).page
    assert page.evaluate("window.broken") is None
    assert page.locator("img, b script, main script").count() == 0
    assert "49" not in page.title()


def test_another_script_is_not_obeyed(visit):
    page = visit("/").page
    page.evaluate(
        "() => { const own = document.createElement('script');"
        " own.textContent = 'window.broken = 1'; document.body.append(own); }"
    )
    assert page.evaluate("window.broken") is None


def answer(address: str, path: str, method: str = "GET", **headers: str) -> tuple[int, str, dict]:
    connection = HTTPConnection(urlsplit(address).netloc, timeout=10)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers=given)
    found = connection.getresponse()
    body = found.read().decode("utf-8", "replace")
    connection.close()
    return found.status, body, {name.lower(): value for name, value in found.getheaders()}


def test_other_names_of_this_machine_are_refused(opened_site):
    address = opened_site[0]
    other = ("evil.example", "evil.example:18642", "127.0.0.1.evil.example", "0.0.0.0", "")
    odd = ("evil.com@127.0.0.1", "localhost#evil", "localhost/", "localhost?a", "[::1]evil")
    for host in (*other, *odd):
        status, body, _ = answer(address, "/", Host=host)
        assert status == 403, host
        assert "Named badly" not in body
    for host in ("localhost", "localhost:1", "127.0.0.1", "[::1]:80"):
        assert answer(address, "/", Host=host)[0] == 200, host


def test_pages_can_only_be_read(opened_site):
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        status, _, headers = answer(opened_site[0], "/", method, Origin="http://evil.example")
        assert status == 405
        assert "access-control-allow-origin" not in headers


def test_every_answer_tells_the_browser_what_to_obey(opened_site):
    for path in ("/", "/nowhere", "/read?document=nothing", "/search?topic=q1"):
        _, _, headers = answer(opened_site[0], path)
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'sha256-")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "name", ["../run.jsonl", "/etc/passwd", "..%2frun", "run.jsonl", "%00", "evil.txt\0"]
)
def test_documents_are_names_and_never_paths(opened_site, name):
    status, body, _ = answer(opened_site[0], f"/read?topic=q1&document={quote(name)}")
    assert status == 404
    assert "Document not found" in body
    assert json.dumps({"topic": "q1"})[1:-1] not in body
    status, body, _ = answer(opened_site[0], f"/static/{name}".replace("\0", "%00"))
    assert status == 404


def test_pages_of_other_sites_may_link_here_and_load_nothing(opened_site):
    address = opened_site[0]

    def status(path: str = "/", **fetch: str) -> int:
        return answer(address, path, **{f"Sec_Fetch_{name}": said for name, said in fetch.items()})[
            0
        ]

    for site in ("cross-site", "same-site"):
        assert status(Site=site, Mode="navigate", Dest="document") == 200
        assert status(Site=site, Mode="navigate", Dest="iframe") == 403
        assert status("/search?topic=q1", Site=site, Mode="no-cors", Dest="image") == 403
        assert status("/watch.svg", Site=site) == 403
    for site in ("same-origin", "none"):
        assert status(Site=site, Mode="cors", Dest="empty") == 200
    assert status() == 200


def cookie_of(headers: dict) -> str:
    """The cookie that an answer sets."""
    return headers["set-cookie"].partition(";")[0]


def test_a_token_opens_a_server_for_others(tmp_path: Path):
    with served(site_of({"d.txt": "Sea."}, {"q": [("d", 0, 4)]}, tmp_path), "secret") as address:
        assert answer(address, "/")[0] == 403
        assert answer(address, "/?token=wrong")[0] == 403
        status, _, headers = answer(address, "//evil.example/read?a=1&token=secret", Host="me.lan")
        assert status == 303
        assert headers["location"] == "/evil.example/read?a=1"
        assert "httponly" in headers["set-cookie"].lower()
        kept = cookie_of(headers)
        assert answer(address, "/", Cookie=kept.replace("secret", "wrong"))[0] == 403
        assert answer(address, "/", Cookie=kept, Host="me.lan")[0] == 200
        # Cookies of other servers of this machine come along.
        for other in (
            "a/b=1",
            'x={"j": "k"}',
            'q="',
            "=;;=",
            "\xe9=\xff",
            kept.replace("s", "S", 1),
        ):
            assert answer(address, "/", Cookie=other)[0] == 403
            assert answer(address, "/", Cookie=f"{other}; {kept}")[0] == 200
            assert answer(address, "/", Cookie=f"{kept}; {other}")[0] == 200


def test_two_servers_have_cookies_of_their_own(tmp_path: Path):
    site = site_of({"d.txt": "Sea."}, {"q": [("d", 0, 4)]}, tmp_path)
    with served(site, "first") as one, served(site, "second") as two:
        kept = [
            cookie_of(answer(address, f"/?token={token}")[2])
            for address, token in ((one, "first"), (two, "second"))
        ]
        names = {cookie.partition("=")[0] for cookie in kept}
        assert len(names) == 2
        assert answer(one, "/", Cookie="; ".join(kept))[0] == 200
        assert answer(two, "/", Cookie="; ".join(kept))[0] == 200


def test_a_port_in_use_gives_the_next_one():
    from spanwise.web.serving import listening

    first = listening(port=18742)
    second = listening(port=first.port)
    try:
        assert second.port > first.port
        assert second.asked == first.port
    finally:
        for place in (first, second):
            place.socket.close()

"""Documents as markup: every character stays where it was, whatever is marked."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from spanwise.collection.document_text import parse
from spanwise.collection.tag_roles import KNOWN, read_roles
from spanwise.data.elements import Paths
from spanwise.errors import InputError
from spanwise.formats.source import Source
from spanwise.web.document_layout import Box, flows_of, headings_of, layout_of, title_of
from spanwise.web.document_text import Highlight, Insertion, Marking, escaped, rendered_text
from spanwise.web.reading_chain import Sentences

DEMO = Path(__file__).parents[2] / "src" / "spanwise" / "demo" / "articles"
PIECES = st.lists(
    st.sampled_from(
        ["<p>", "</p>", "<b>", "</b>", "<i>", "</i>", "<ul>", "</ul>", "<li>", "</li>", "<table>"]
        + ["</table>", "<tr>", "</tr>", "<td>", "</td>", "<h2>", "</h2>", "<pre>\n\n", "</pre>"]
        + ["<div>", "</div>", "text. ", "More text. ", " ", "\n", "&lt;", "\U0001f30a", "e\u0301"]
    ),
    max_size=40,
)


class Texts(HTMLParser):
    """The text of markup, and that of each mark; what was added is left out."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.text, self.marks, self.added = "", dict[str, str](), 0
        self._open: list[str | None] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "mark":
            self._open.append(dict(attributes)["data-n"])
        elif tag == "added":
            self.added += 1

    def handle_endtag(self, tag: str) -> None:
        if tag == "mark":
            self._open.pop()

    def handle_data(self, data: str) -> None:
        self.text += data
        for number in self._open:
            self.marks[str(number)] = self.marks.get(str(number), "") + data


def drawn(text: str, root: Box, places: list[int]) -> Texts:
    """The document with passages between pairs of places, and something put after each."""
    ends = sorted({place % (len(text) + 1) for place in places})
    pairs = list(zip(ends[::2], ends[1::2], strict=False))
    highlights = [Highlight(a, b, "h", f"p{n}", n) for n, (a, b) in enumerate(pairs)]
    put = [Insertion(b, Markup("<added></added>"), after=bool(b % 2)) for _, b in pairs]
    terms = [(n, n + 3) for n in range(0, len(text) - 3, 11)]
    found = Texts(str(rendered_text(text, root, Marking(highlights, put, terms))))
    for number, (start, end) in enumerate(pairs):
        assert found.marks.get(str(number), "") == text[start:end]
    assert found.added == len(pairs)
    return found


@given(PIECES, st.lists(st.integers(0, 10**6), max_size=12))
def test_every_character_stays_in_its_place(pieces: list[str], places: list[int]) -> None:
    paths = Paths()
    parsed = parse("d.html", ".html", "".join(["<body>", *pieces]).encode(), paths)
    root = layout_of(parsed.text, parsed.tree, paths, "html")
    # The first line end inside of pre is dropped by browsers, and written twice for them.
    assert drawn(parsed.text, root, places).text.replace("\n", "") == parsed.text.replace("\n", "")


@given(st.text(max_size=80), st.lists(st.integers(0, 10**6), max_size=8))
def test_texts_without_elements(text: str, places: list[int]) -> None:
    text = text.replace("\0", " ").encode("utf-8", "replace").decode()
    assert drawn(text, layout_of(text, None, None, None), places).text == text


@pytest.mark.parametrize("file", sorted(DEMO.iterdir())[:6], ids=lambda file: file.stem)
def test_articles(file: Path) -> None:
    paths = Paths()
    parsed = parse(file.name, file.suffix, file.read_bytes(), paths)
    root = layout_of(parsed.text, parsed.tree, paths, "xml")
    assert drawn(parsed.text, root, list(range(7, len(parsed.text), 131))).text == parsed.text
    assert title_of(root, parsed.text, file.stem).lower().replace(" ", "-") == file.stem
    assert [one.level for one in headings_of(root, parsed.text)][:2] == [1, 2]


def test_line_ends_and_what_is_no_character_survive_a_browser() -> None:
    assert (
        escaped("\r\n\0\ud800<") == "&#13;\n\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}&lt;"
    )


def test_sentences_never_leave_their_paragraph() -> None:
    text = "A title without end\nOne. Two words\nThree."
    flows = [(0, 19), (20, 34), (35, 41)]
    root = Box("section", 0, 41, [Box("title", 0, 19), Box("paragraph", 20, 34)])
    assert (0, 19) in flows_of(root)
    assert Sentences(text, flows).around(27, 28) == (25, 34)
    assert Sentences(text, flows).around(2, 28) == (0, 34)
    start, end = Sentences(text, flows).around(19, 20)
    assert start == end, "blanks are no passage"


def test_people_add_the_tags_of_their_documents() -> None:
    roles = read_roles(Source("roles.tsv", b"Speaker bold\nverse line\n"))
    assert roles["speaker"] == "bold"
    assert roles["sec"] == KNOWN["sec"]
    with pytest.raises(InputError, match=r"roles.tsv:2: found .*speech.*, expected a tag and its"):
        read_roles(Source("roles.tsv", b"a inline\nspeech\n"))

"""XML of unknown origin: read as it is, or refused with its line, and never trusted."""

from __future__ import annotations

import gzip
import io

import pytest

from spanwise.errors import InputError
from spanwise.formats.source import Source
from spanwise.formats.xml_files import root_of, text_of, xml_events


def events(data, dropped=()):
    content = data.encode() if isinstance(data, str) else data
    return [
        (kind, element.tag, line)
        for kind, element, line in xml_events(Source("f.xml", content), dropped=dropped)
    ]


def texts(data):
    content = data.encode() if isinstance(data, str) else data
    ended = (e for kind, e, _ in xml_events(Source("f.xml", content)) if kind == "end")
    return {element.tag: text_of(element) for element in ended}


def test_elements_begin_and_end_with_the_line_of_their_start_tag():
    assert events("<a>\n<b\n x='1'/>\n\n<c>\n</c></a>") == [
        ("start", "a", 1),
        ("start", "b", 3),
        ("end", "b", 3),
        ("start", "c", 5),
        ("end", "c", 5),
        ("end", "a", 1),
    ]


@pytest.mark.parametrize(
    "data",
    [
        "<a>ä</a>",
        "\n\n  <a>ä</a>",
        "\ufeff<?xml version='1.0'?>\r\n<a>\r\nä\r\n</a>\r\n",
        "<?xml version='1.0'?><!-- c --><!DOCTYPE a SYSTEM 'http://example.org/a.dtd'><a>ä</a>",
        "<?xml version='1.0' encoding='ISO-8859-1'?><a>ä</a>".encode("latin-1"),
        "<?xml version='1.0' encoding='UTF-16'?><a>ä</a>".encode("utf-16"),
        gzip.compress("<a>ä</a>".encode(), mtime=0),
        "<a><!-- c --><![CDATA[ä]]><?pi x?></a>",
        "<!DOCTYPE a [<!ENTITY auml 'ä'>]><a>&auml;</a>",
    ],
)
def test_what_is_read_whatever_it_is_written_like(data):
    assert texts(data) == {"a": "ä"}


def test_comments_do_not_cut_a_text():
    assert texts("<a>one<!-- c -->two<?pi x?>three<b>, four</b></a>")["a"] == "onetwothree, four"


def test_entities_that_xml_defines_cannot_be_redefined():
    declared = '<!ENTITY lt "less"><!ENTITY amp "and"><!ENTITY gt "more"><!ENTITY quot "q">'
    data = f"<!DOCTYPE a [{declared}]><a>1 &lt; 2 &amp; 3 &gt; 2 &quot;</a>"
    assert texts(data) == {"a": '1 < 2 & 3 > 2 "'}


def test_the_root_is_told_before_the_rest_is_read():
    assert root_of(Source("f.xml", b"<!-- x -->\n<a b='1'><broken")) == ("a", 2)


def bomb(use):
    grown = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    return f'<!DOCTYPE a [<!ENTITY a0 "lol">{grown}]>\n{use}'


BAD = {
    "nothing": ("", 1, "no XML element"),
    "a text": ("hello\nworld", 1, "broken XML"),
    "a tag that breaks off": ("<a>\n<b", 2, "broken XML"),
    "a file that breaks off": ("<a>\n<b>\n<c>", 3, "broken XML"),
    "tags that do not match": ("<a><b>\n</c></a>", 2, "broken XML"),
    "two roots": ("<a/>\n<b/>", 2, "broken XML"),
    "a late declaration": ("\n<?xml version='1.0'?><a/>", 2, "broken XML"),
    "no UTF-8": (b"<a>\n\xff</a>", 2, "broken XML"),
    "NUL": (b"<a>\n\0</a>", 2, "broken XML"),
    "an unknown encoding": ("<?xml version='1.0' encoding='klingon'?><a/>", 1, "broken XML"),
    "an unknown entity": ("<a>\n&x;</a>", 2, "entity 'x' without a meaning"),
    "an unknown entity behind a DTD": (
        *("<!DOCTYPE a SYSTEM 'a.dtd'>\n<a b='&x;'/>", 2),
        "entity 'x' without a meaning",
    ),
    "an external entity": (
        *("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/hostname'>]>\n<a>&x;</a>", 2),
        "entity 'x' without a meaning",
    ),
    "an external parameter entity": (
        *("<!DOCTYPE a [<!ENTITY % x SYSTEM 'file:///etc/hostname'> %x;]>\n<a/>", 1),
        "entity 'x' without a meaning",
    ),
    "an entity with markup": (
        *("<!DOCTYPE a [<!ENTITY x '<b/>'>]>\n<a>&x;&x;</a>", 2),
        "entity &x; with markup in it",
    ),
    "a bomb": (bomb("<a>\n&a11;</a>"), 3, "entities that grow"),
    "a bomb in an attribute": (bomb("<a b='&a11;'/>"), 2, "entities that grow"),
    "an entity used too often": (
        *(f"<!DOCTYPE a [<!ENTITY x '{'y' * 10**5}'>]><a>\n{'&x;' * 1000}</a>", 2),
        "entities that grow",
    ),
    "entities in a circle": (
        *("<!DOCTYPE a [<!ENTITY x '&y;'><!ENTITY y '&x;'>]><a>&x;</a>", 1),
        "entities that contain themselves",
    ),
    "deep nesting": ("<a>\n" * 100_000, 257, "nested deeper than 255 levels"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_is_refused_with_its_line(name):
    data, line, found = BAD[name]
    with pytest.raises(InputError) as problem:
        events(data)
    fault = problem.value.fault
    assert (fault.file, fault.line) == ("f.xml", line)
    assert found in fault.found
    assert fault.expected
    assert fault.remedy


class Endless(io.RawIOBase):
    """A file that goes on and on; whoever reads too much of it fails."""

    def __init__(self, start):
        self.start, self.given = start, 0

    def readable(self):
        return True

    def readinto(self, buffer):
        piece = self.start or b"x" * len(buffer)
        self.start = b""
        count = min(len(buffer), len(piece))
        buffer[:count] = piece[:count]
        self.given += count
        assert self.given < 1 << 23, "too much was read"
        return count


class Stream(Source):
    """A source that gives what a stream gives."""

    def _open_raw(self):
        return io.BufferedReader(Endless(self.content))


@pytest.mark.parametrize(
    "start", [b"<a>", b"<a b='", b"<a><!--", b"<", b"<!DOCTYPE a [<!ENTITY x '"]
)
def test_a_piece_without_an_end_is_not_read_to_its_end(start):
    with pytest.raises(InputError, match="more than 1 MB in one piece"):
        list(xml_events(Stream("f.xml", start)))


def test_lines_are_counted_beyond_what_the_parser_counts():
    data = "<a>\n" + "<b>\n<c/>\n</b>\n" * 25_000 + "<d/>\n</a>"
    found = events(data, dropped=("b",))
    lines = [line for kind, tag, line in found if (kind, tag) == ("start", "c")]
    assert lines == list(range(3, 75_003, 3))
    assert found[-3:] == [("start", "d", 75_002), ("end", "d", 75_002), ("end", "a", 1)]


def test_a_fault_beyond_what_the_parser_counts_has_its_line():
    with pytest.raises(InputError, match=r"f\.xml:80002:"):
        events("<a>\n" + "<b/>\n" * 80_000 + "</wrong>")


def test_what_was_seen_is_not_kept():
    data = b"<a>" + b"<b>text<c/></b>\n" * 1000 + b"</a>"
    for _, element, _ in xml_events(Source("f.xml", data), dropped=("b",)):
        assert len(element.getroottree().getroot()) < 3


def test_only_the_elements_asked_for_are_told():
    data = b"<a>\n<b><c/></b>\n<b/>\n</a>"
    found = [(kind, e.tag, line) for kind, e, line in xml_events(Source("f", data), ("b",))]
    assert found == [("start", "b", 2), ("end", "b", 2), ("start", "b", 3), ("end", "b", 3)]

"""Text views and elements of single documents."""

from collections import Counter
from html.entities import html5

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise.collection.document_text import parse
from spanwise.data.elements import ROOT, Paths, steps_of
from spanwise.errors import InputError


def rows(parsed, paths):
    """Path and text of each element, and its parent's row."""
    tree = parsed.tree
    assert tree.parent[0] == ROOT
    assert all(0 <= parent < row for row, parent in enumerate(tree.parent.tolist()) if row)
    columns = (tree.path, tree.start, tree.end, tree.parent)
    assert all(column.dtype == "int64" for column in columns)
    return [
        (paths.text(path), parsed.text[start:end], parent)
        for path, start, end, parent in zip(*(column.tolist() for column in columns), strict=True)
    ]


def read(content, suffix=".xml"):
    paths = Paths()
    data = content if isinstance(content, bytes) else content.encode()
    parsed = parse(f"a{suffix}", suffix, data, paths)
    return parsed, [(path, text) for path, text, _ in rows(parsed, paths)]


def text_of(content, suffix=".xml"):
    return read(content, suffix)[0].text


def fault_of(content, suffix=".xml"):
    with pytest.raises(InputError) as caught:
        read(content, suffix)
    return caught.value.fault


# -- raw


@pytest.mark.parametrize("suffix", [".txt", ".md", ".py", ".unknown", ""])
def test_raw_text_is_kept_character_for_character(suffix):
    text = "\ufeffä😀\r\n\r\n\0 e\u0301\rx &amp; <b>\u2028\n\n\n"
    parsed, found = read(text, suffix)
    assert (parsed.text, parsed.view) == (text, "raw")
    assert found[0] == ("/document[1]", text)


def test_raw_text_has_to_be_utf8():
    fault = fault_of(b"ok\nok\xff", ".txt")
    assert (fault.file, fault.line, fault.found) == ("a.txt", 2, "byte 0xff")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_text_in_utf_16_is_named(encoding):
    with pytest.raises(InputError, match="found UTF-16 text, expected UTF-8 text"):
        parse("a.txt", ".txt", "\ufefffog".encode(encoding), Paths())


def test_plain_text_has_paragraphs():
    text = "\n\n  one\ntwo  \n \t\nthree\r\n\r\nfour\rfive\r\rsix\u2028seven\n"
    assert read(text, ".txt")[1] == [
        ("/document[1]", text),
        ("/document[1]/p[1]", "  one\ntwo  "),
        ("/document[1]/p[2]", "three"),
        ("/document[1]/p[3]", "four\rfive"),
        ("/document[1]/p[4]", "six\u2028seven"),
    ]


@pytest.mark.parametrize("suffix", [".txt", ".md"])
@pytest.mark.parametrize("text", ["", " ", "\n \r\n"])
def test_a_document_without_content_is_a_document(text, suffix):
    assert read(text, suffix)[1] == [("/document[1]", text)]


# -- Markdown


def test_markdown_has_sections_and_blocks():
    text = (
        "before\n\n# One\nfirst\nstill first\n\n## One a ##\n\nsecond\n\n"
        "### Deep\nx\n## One b\ny\n\nTwo\n===\n- z\n\n"
    )
    _, found = read(text, ".md")
    assert found == [
        ("/document[1]", text),
        ("/document[1]/p[1]", "before"),
        ("/document[1]/sec[1]", text[8 : text.index("\n\nTwo")]),
        ("/document[1]/sec[1]/title[1]", "# One"),
        ("/document[1]/sec[1]/p[1]", "first\nstill first"),
        ("/document[1]/sec[1]/sec[1]", "## One a ##\n\nsecond\n\n### Deep\nx"),
        ("/document[1]/sec[1]/sec[1]/title[1]", "## One a ##"),
        ("/document[1]/sec[1]/sec[1]/p[1]", "second"),
        ("/document[1]/sec[1]/sec[1]/sec[1]", "### Deep\nx"),
        ("/document[1]/sec[1]/sec[1]/sec[1]/title[1]", "### Deep"),
        ("/document[1]/sec[1]/sec[1]/sec[1]/p[1]", "x"),
        ("/document[1]/sec[1]/sec[2]", "## One b\ny"),
        ("/document[1]/sec[1]/sec[2]/title[1]", "## One b"),
        ("/document[1]/sec[1]/sec[2]/p[1]", "y"),
        ("/document[1]/sec[2]", "Two\n===\n- z"),
        ("/document[1]/sec[2]/title[1]", "Two\n==="),
        ("/document[1]/sec[2]/p[1]", "- z"),
    ]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        (
            "```py\n# no heading\n\nx\n```\ny",
            [("code", "```py\n# no heading\n\nx\n```"), ("p", "y")],
        ),
        ("a\n~~~\n```\n~~~~\nb", [("p", "a"), ("code", "~~~\n```\n~~~~"), ("p", "b")]),
        ("```\nnever closed\n\n# x", [("code", "```\nnever closed\n\n# x")]),
        ("`` ` ``` x", [("p", "`` ` ``` x")]),
        ("---\ntitle: x\n---\ny", [("code", "---\ntitle: x\n---"), ("p", "y")]),
        ("a\n\n---\nb", [("p", "a"), ("p", "---"), ("p", "b")]),
        ("a\n***\nb", [("p", "a"), ("p", "***"), ("p", "b")]),
        ("- item\n---\nb", [("p", "- item"), ("p", "---"), ("p", "b")]),
        ("#no\n####### no", [("p", "#no\n####### no")]),
        ("    # code\n    ===", [("p", "    # code\n    ===")]),
    ],
)
def test_markdown_blocks(text, blocks):
    _, found = read(text, ".md")
    assert [(path.split("/")[2][:-3], content) for path, content in found[1:]] == blocks


def test_markdown_headings_may_be_underlined():
    _, found = read("\ufeff# A\r\n\r\nB\r\nb\r\n--\r\n#\r\n", ".markdown")
    assert [path for path, _ in found if path.endswith("title[1]")] == [
        "/document[1]/sec[1]/title[1]",
        "/document[1]/sec[1]/sec[1]/title[1]",
        "/document[1]/sec[2]/title[1]",
    ]
    assert found[2:5:2] == [
        ("/document[1]/sec[1]/title[1]", "\ufeff# A"),
        ("/document[1]/sec[1]/sec[1]/title[1]", "B\r\nb\r\n--"),
    ]


# -- XML


def test_xml_text_is_what_stands_between_tags():
    data = (
        b"<?xml version='1.0'?>\n<!-- no --> <?no no?>\n<a k='no > no'>x&amp;&#233;&#x1F600;"
        b"<!-- no -->y<?no no?><b>1</b><b/><c><![CDATA[<&]]></c>\r\nz&#13;</a>\n<!-- no -->"
    )
    parsed, found = read(data)
    assert (parsed.text, parsed.view) == ("x&é😀y1<&\nz\r", "xml")
    assert found == [
        ("/a[1]", parsed.text),
        ("/a[1]/b[1]", "1"),
        ("/a[1]/b[2]", ""),
        ("/a[1]/c[1]", "<&"),
    ]
    assert parsed.tree.start.tolist() == [0, 5, 6, 6]


def test_names_are_those_that_were_written():
    data = (
        b'<a xmlns="u" xmlns:m="v" xmlns:n="v"><m:b/><b/><n:b/><m:b><c xmlns="w"/></m:b>'
        b"<\xc3\xa9/></a>"
    )
    assert [path for path, _ in read(data)[1]] == [
        "/a[1]",
        "/a[1]/m:b[1]",
        "/a[1]/b[1]",
        "/a[1]/n:b[1]",
        "/a[1]/m:b[2]",
        "/a[1]/m:b[2]/c[1]",
        "/a[1]/é[1]",
    ]


@pytest.mark.parametrize("doctype", [b"", b'<!DOCTYPE a SYSTEM "a.dtd">', b"<!DOCTYPE a []>"])
def test_prefixes_that_a_dtd_would_declare_work(doctype):
    data = doctype + b'\n<a><m:b x:y="1" z:y="2">t</m:b><c xmlns:m="own"><m:b/></c></a>'
    assert [path for path, _ in read(data)[1]] == [
        "/a[1]",
        "/a[1]/m:b[1]",
        "/a[1]/c[1]",
        "/a[1]/c[1]/m:b[1]",
    ]


def test_many_prefixes_work_beside_other_colons():
    prefixes = ["é", "x.y", *"abcdefgh"]
    inner = "".join(f"<{prefix}:p k:{prefix}='1'/>" * 150 for prefix in prefixes)
    paths = [path for path, _ in read(f"<r><![CDATA[:]]> “q:r='s' {inner}</r>")[1]]
    assert paths[1::150] == [f"/r[1]/{prefix}:p[1]" for prefix in prefixes]


def test_documents_share_their_paths():
    paths = Paths()
    first = parse("a", ".xml", b"<a><b/><b/></a>", paths)
    second = parse("b", ".xml", b"<a><c/><b/><b/><b/></a>", paths)
    assert first.tree.path.tolist() == [0, 1, 2]
    assert second.tree.path.tolist() == [0, 3, 1, 2, 4]
    other = Paths()
    other.add_path("/a[1]/b[2]")
    assert rows(parse("a", ".xml", b"<a><b/><b/></a>", other), other)[2][0] == "/a[1]/b[2]"


@pytest.mark.parametrize(
    ("encoding", "declared"),
    [
        ("utf-8", None),
        ("utf-8", "UTF-8"),
        ("utf-8-sig", None),
        ("utf-8-sig", "ISO-8859-1"),
        ("latin-1", "ISO-8859-1"),
        ("cp1252", "windows-1252"),
        ("utf-16", "UTF-16"),
        ("utf-16", None),
        ("utf-16-le", "UTF-16"),
        ("utf-16-be", None),
        ("utf-32", "UTF-32"),
        ("utf-32-be", None),
        ("cp855", "IBM855"),
    ],
)
def test_encodings(encoding, declared):
    declaration = f'<?xml version="1.0" encoding="{declared}"?>\n' if declared else ""
    text = "ж" if encoding == "cp855" else "é"
    assert text_of(f"{declaration}<a>{text}&eacute;</a>".encode(encoding)) == f"{text}é"


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"<?xml version='1.0' encoding='klingon'?><a/>", "encoding klingon"),
        (b"<?xml version='1.0' encoding='rot13'?><a/>", "encoding rot13"),
        (b"<?xml version='1.0' encoding='utf-7'?><a/>", "encoding utf-7"),
        (b"<?xml version='1.0' encoding='UTF-16'?><a/>", "encoding UTF-16"),
        (b"<?xml version='1.0' encoding='cp1252'?><a>\x81</a>", "byte 0x81"),
        ("<a>é".encode("utf-16")[:-1], "byte 0xe9"),
    ],
)
def test_encodings_that_cannot_be_read(data, found):
    fault = fault_of(data)
    assert (fault.file, fault.line, fault.found) == ("a.xml", 1, found)


# -- entities


@pytest.mark.parametrize(
    "prolog",
    [
        "",
        "<?xml version='1.0'?><!-- > --><?p >?>\n",
        "<!DOCTYPE a>",
        "<!DOCTYPE a SYSTEM 'http://example.org/a.dtd'>",
        '<!DOCTYPE a PUBLIC "-//X//DTD \'x\' > //EN"\n "a.dtd" >',
        "<!DOCTYPE a []>",
        "<!DOCTYPE a [<!ELEMENT a ANY> <!-- it's \"]> --> <?x ]> '?>]>",
        '<!DOCTYPE a PUBLIC "x" "a.dtd" [<!ENTITY % iso SYSTEM "iso.ent"> %iso; ] >',
        "<!DOCTYPE a [<!ENTITY own \"]>'\"> <!ENTITY more '\">'>]>\n",
    ],
)
def test_entities_of_html_are_known(prolog):
    text = "&nbsp;&lt;&LT;&AMP;&eacute;&alpha;&NotEqualTilde;<![CDATA[&nbsp;]]>"
    parsed, found = read(f"{prolog}<a k='&nbsp;'>\n<b>{text}</b></a>")
    assert parsed.text == "\n\xa0<<&éα" + html5["NotEqualTilde;"] + "&nbsp;"
    assert found[1] == ("/a[1]/b[1]", parsed.text[1:])


def test_every_entity_of_html_is_known():
    names = sorted(name for name in html5 if name.endswith(";"))
    data = "<a>" + "".join(f"<b>&{name}</b>" for name in names) + "</a>"
    _, found = read(data)
    assert [text for _, text in found[1:]] == [html5[name] for name in names]


def test_what_a_document_declares_itself_wins():
    data = (
        "<!DOCTYPE a SYSTEM 'a.dtd' [<!ENTITY nbsp 'mine'><!-- <!ENTITY eacute 'no'> -->"
        "<!ENTITY part '<b>&nbsp;</b>'>]><a>&nbsp;&eacute;&part;</a>"
    )
    assert read(data)[1] == [("/a[1]", "mineémine"), ("/a[1]/b[1]", "mine")]


def test_predefined_entities_cannot_be_changed():
    assert text_of("<!DOCTYPE a [<!ENTITY lt 'less'><!ENTITY amp 'and'>]><a>&lt;&amp;</a>") == "<&"


@pytest.mark.parametrize(
    "doctype", ["", "<!DOCTYPE a\nSYSTEM\n'a.dtd'\n>", "<!DOCTYPE a [\n\n]\n>"]
)
def test_lines_are_those_of_the_file(doctype):
    fault = fault_of(f"{doctype}<a>\n&nbsp;\n&unheard;</a>")
    assert (fault.line, fault.found) == (3 + doctype.count("\n"), "undefined entity &unheard;")


def test_a_document_type_for_web_pages_adds_nothing():
    data = (
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"'
        ' "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title></head><p/></html>'
    )
    assert [path for path, _ in read(data, ".xhtml")[1]] == [
        "/html[1]",
        "/html[1]/head[1]",
        "/html[1]/head[1]/title[1]",
        "/html[1]/p[1]",
    ]


# -- XML against a model of it

NAMES = st.sampled_from(["a", "b", "sec", "m:x", "ü"])
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\t\n"))


@st.composite
def written_texts(draw):
    """Some text and one of the ways to write it."""
    text = draw(TEXT.filter(lambda text: "\ufffe" not in text and "\uffff" not in text))
    way = draw(st.sampled_from(["plain", "cdata", "references"]))
    if way == "cdata" and "]]>" not in text:
        return text, f"<![CDATA[{text}]]>"
    if way == "references":
        return text, "".join(f"&#{ord(sign)};" for sign in text)
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text, escaped.replace("\xa0", "&nbsp;")


NOTHING = st.sampled_from([("", ""), ("", "<!-- <a>&x; -->"), ("", "<?x <a> ?>")])
ELEMENTS = st.deferred(
    lambda: st.tuples(NAMES, st.lists(written_texts() | NOTHING | ELEMENTS, max_size=4))
)


def write(element):
    name, parts = element
    inner = "".join(part[1] if isinstance(part[1], str) else write(part) for part in parts)
    return f'<{name} k="&gt; > &amp;">{inner}</{name}>' if inner else f"<{name}/>"


def model(element, path, pieces, found):
    start, siblings = len(pieces), Counter()
    place = len(found)
    found.append(None)
    for part in element[1]:
        if isinstance(part[1], str):
            pieces.append(part[0])
        else:
            siblings[part[0]] += 1
            model(part, f"{path}/{part[0]}[{siblings[part[0]]}]", pieces, found)
    found[place] = (path, "".join(pieces[start:]), len("".join(pieces[:start])))


@settings(deadline=None)
@given(ELEMENTS, st.sampled_from(["", "<?xml version='1.0'?>\n", "<!DOCTYPE a SYSTEM 'x.dtd'>"]))
def test_any_document_is_read_as_a_model_of_it(element, prolog):
    pieces, expected = [], []
    model(element, f"/{element[0]}[1]", pieces, expected)
    paths = Paths()
    parsed = parse("a.xml", ".xml", (prolog + write(element)).encode(), paths)
    found = [(path, text) for path, text, _ in rows(parsed, paths)]
    assert parsed.text == "".join(pieces)
    assert found == [(path, text) for path, text, _ in expected]
    assert parsed.tree.start.tolist() == [start for *_, start in expected]


# -- HTML


def test_html_is_walked_like_xml():
    data = (
        "<!DOCTYPE html><TITLE>T &amp; t</TITLE><script>no</script><style>no</style>"
        "<BODY><p>one<br>two<p class='x > y'>thr&eacute;e <!-- no --><b>f&nbsp;r</b></BODY>"
    )
    parsed, found = read(data, ".html")
    assert (parsed.text, parsed.view) == ("T & tonetwothrée f\xa0r", "html")
    assert found == [
        ("/html[1]", parsed.text),
        ("/html[1]/head[1]", "T & t"),
        ("/html[1]/head[1]/title[1]", "T & t"),
        ("/html[1]/head[1]/script[1]", ""),
        ("/html[1]/head[1]/style[1]", ""),
        ("/html[1]/body[1]", "onetwothrée f\xa0r"),
        ("/html[1]/body[1]/p[1]", "onetwo"),
        ("/html[1]/body[1]/p[1]/br[1]", ""),
        ("/html[1]/body[1]/p[2]", "thrée f\xa0r"),
        ("/html[1]/body[1]/p[2]/b[1]", "f\xa0r"),
    ]


def test_text_beside_scripts_is_kept():
    assert text_of("<p>a<script>no<b>no</b></script>b<style>no</style>c</p>", ".htm") == "abc"


@pytest.mark.parametrize("data", ["", " \n", "<!-- nothing -->"])
def test_html_without_content_is_an_empty_document(data):
    parsed, found = read(data, ".html")
    assert (parsed.text, found) == ("", [("/html[1]", "")])


def test_html_after_its_end_is_kept():
    data = "<html><body><p>a</p></body></html>b<p>c</p><html><body>d</body></html>"
    parsed, found = read(data, ".html")
    assert parsed.text == "abcd"
    assert found[0] == ("/html[1]", "abcd")


def test_html_names_fit_into_paths():
    _, found = read("<p><a[b]>x</a[b]><o:p>y</o:p></p>", ".html")
    assert all(steps_of(path) for path, _ in found)
    assert found[-1] == ("/html[1]/body[1]/p[1]/o:p[1]", "y")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("<p>é\r\nü\r</p>".encode(), "é\nü\n"),
        ("\ufeff<p>é</p>".encode(), "é"),
        ("<p>é</p>".encode("utf-16"), "é"),
        (b'<meta charset="iso-8859-1"><p>\xe9\x80</p>', "é€"),
        (b"<meta http-equiv=x content='text/html; charset=koi8-r'><p>\xc1</p>", "а"),
        ("<meta charset=utf-16><p>é</p>".encode(), "é"),
    ],
)
def test_html_encodings(data, text):
    assert text_of(data, ".html") == text


@pytest.mark.parametrize(
    ("data", "line", "found"),
    [
        (b"<p>\n\xe9</p>", 2, "byte 0xe9"),
        (b"<meta charset=utf-8>\n\n\xe9", 3, "byte 0xe9"),
        (b"\n<meta charset=klingon>", 2, "encoding klingon"),
        (b"<meta charset=hex>", 1, "encoding hex"),
        (b"<p>\n\0</p>", 2, "a NUL character"),
    ],
)
def test_html_that_cannot_be_decoded(data, line, found):
    fault = fault_of(data, ".html")
    assert (fault.line, fault.found) == (line, found)


# -- which view


@pytest.mark.parametrize(
    ("suffix", "data", "view"),
    [
        (".xml", b"<a/>", "xml"),
        (".nxml", b"<a/>", "xml"),
        (".dbk", b"<a/>", "xml"),
        (".xhtml", b"<a/>", "xml"),
        (".rss", b"<?xml version='1.0'?><a/>", "xml"),
        ("", b"\xef\xbb\xbf<?xml version='1.0'?><a/>", "xml"),
        ("", "<?xml version='1.0'?><a/>".encode("utf-16"), "xml"),
        (".rss", b"<a/>", "raw"),
        (".txt", b"<?xml version='1.0'?><a/>", "raw"),
        (".md", b"<?xml version='1.0'?><a/>", "raw"),
        (".htm", b"<a/>", "html"),
        (".html", b"<?xml version='1.0'?><html/>", "html"),
    ],
)
def test_the_ending_decides_the_view(suffix, data, view):
    assert read(data, suffix)[0].view == view

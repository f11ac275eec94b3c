"""PDF files as documents: pages and paragraphs, offsets, damage."""

from __future__ import annotations

import logging

import pytest

import spanwise
from command import run_command
from spanwise.collection.collection import open_collection


def pdf(*pages: tuple[str, ...]) -> bytes:
    """A PDF with lines of text on each page; an empty line leaves room for a paragraph."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, lines in enumerate(pages):
        shown = " ".join(f"({line}) Tj 0 -14 Td" for line in lines)
        content = f"BT /F1 12 Tf 72 720 Td {shown} ET"
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792]"
            f" /Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * number} 0 R >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    body, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>"
    return body + f"{head}{trailer}\nstartxref\n{len(body)}\n%%EOF\n".encode()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "tides.pdf").write_bytes(
        pdf(("Tides rise twice a day.", "The moon pulls the sea."), ("Harbours keep tables.",))
    )
    return tmp_path


def test_pages_are_texts_with_a_form_feed_between_them(folder):
    documents = open_collection(folder)
    text = documents.text("tides")
    first, second = text.split("\f")
    assert " ".join(first.split()) == "Tides rise twice a day. The moon pulls the sea."
    assert second.strip() == "Harbours keep tables."
    assert documents.view("tides") == "pdf"
    found = documents.elements
    assert found is not None
    tree = found.tree("tides")
    paths = [found.paths.text(path) for path in tree.path.tolist()]
    assert paths[:3] == ["/document[1]", "/document[1]/page[1]", "/document[1]/page[1]/p[1]"]
    assert "/document[1]/page[2]/p[1]" in paths
    place = paths.index("/document[1]/page[2]")
    start = int(tree.start[place])
    assert text[start : start + int(tree.size[place])] == second


def test_quotes_are_located_in_a_pdf(folder):
    [found] = spanwise.locate(["Harbours keep tables."], collection=str(folder)).placements
    assert found.place is not None
    assert found.place.document == "tides"


def test_a_built_collection_keeps_the_text(folder):
    given = ["collection", "build", "tides.pdf", "--output", "built.collection"]
    assert run_command(given, folder).code == 0
    kept = open_collection(folder / "built.collection")
    assert "Tides rise twice a day." in kept.text("tides")
    assert kept.view("tides") == "pdf"


DAMAGED = (b"", b"%PDF-1.4\n", b"no pdf at all", pdf(("x",))[:150])


@pytest.mark.parametrize("content", DAMAGED)
def test_damage_is_refused_in_words(tmp_path, content, caplog):
    (tmp_path / "bad.pdf").write_bytes(content)
    caplog.set_level(logging.WARNING)
    with pytest.raises(spanwise.SpanwiseError, match=r"bad.pdf: found a damaged PDF"):
        open_collection(tmp_path).text("bad")
    assert not caplog.records


def test_without_pypdf_it_is_said_what_to_install(folder, monkeypatch):
    monkeypatch.setattr("spanwise.extras.is_installed", lambda package: package != "pypdf")
    with pytest.raises(spanwise.SpanwiseError, match=r"spanwise\[pdf\]"):
        open_collection(folder).text("tides")

"""The text of PDF files, page by page: what pypdf extracts, with a form feed between pages.

Another version of pypdf may extract another text: build the collection once, and keep it, where
offsets are to last.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from spanwise.collection.document_checks import refuse_large
from spanwise.collection.document_text import Outline, ParsedDocument, lines_of
from spanwise.data.elements import ROOT, Paths
from spanwise.errors import Fault, InputError
from spanwise.extras import require_pypdf

BETWEEN = "\f"
"""What is between two pages."""
_DAMAGE = (ValueError, TypeError, AttributeError, RuntimeError, OSError)
"""What pypdf raises for damaged files, beside its own errors."""


def parse_pdf(file: str, data: bytes, paths: Paths) -> ParsedDocument:
    """A ``document`` with a ``page`` for each page, and a ``p`` for each paragraph of it."""
    require_pypdf(f"{file}: reading PDF")
    pages = _pages(file, data)
    text = BETWEEN.join(pages)
    refuse_large(file, len(text), "characters")
    outline = Outline(file, paths)
    document = outline.add(ROOT, "document", 0, len(text))
    start = 0
    for page in pages:
        row = outline.add(document, "page", start, start + len(page))
        _add_paragraphs(outline, row, page, start)
        start += len(page) + len(BETWEEN)
    return ParsedDocument(text, "pdf", outline.tree())


def _add_paragraphs(outline: Outline, page: int, text: str, start: int) -> None:
    row = page
    for line in lines_of(text):
        if line.follows and row != page:
            outline.end(row, start + line.end)
        else:
            row = outline.add(page, "p", start + line.start, start + line.end)


def _pages(file: str, data: bytes) -> list[str]:
    """The text of each page; surrogates, which no other text can hold, are replaced."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    with _quietly():
        try:
            reader = PdfReader(io.BytesIO(data))
            if reader.is_encrypted and not reader.decrypt(""):
                _refuse(file, "an encrypted PDF", "one that opens without a password")
            texts = [page.extract_text() for page in reader.pages]
        except InputError:
            raise
        except (PyPdfError, ArithmeticError, LookupError, *_DAMAGE) as problem:
            _refuse(file, f"a damaged PDF ({type(problem).__name__})", "a PDF that can be read")
    return [text.encode("utf-8", "replace").decode() for text in texts]


def _refuse(file: str, found: str, expected: str) -> NoReturn:
    remedy = "open it in a viewer and save it again, or leave it out"
    raise InputError(Fault(file, None, found, expected, remedy, "pdf")) from None


@contextmanager
def _quietly() -> Iterator[None]:
    """The library complains about small damage on a logger of its own."""
    logger = logging.getLogger("pypdf")
    before, logger.level = logger.level, logging.CRITICAL
    try:
        yield
    finally:
        logger.level = before

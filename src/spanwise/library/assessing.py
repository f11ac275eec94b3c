"""Assessing: judging on pages, and what becomes of the log that keeps the judgements."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from spanwise.assessing.log import Log
from spanwise.assessing.log_lock import only_writer
from spanwise.assessing.operations import Scale
from spanwise.assessing.pools import Pool, read_pool
from spanwise.assessing.readiness import (
    log_of,
    require_pooled_documents,
    require_unchanged,
    take_pool,
)
from spanwise.data.documents import Documents
from spanwise.errors import SpanwiseError, option
from spanwise.formats.budget import chosen, spending
from spanwise.formats.reading import PathLike
from spanwise.formats.source import Source
from spanwise.inputs.session import Session
from spanwise.inputs.settings import CollectionInput, Settings
from spanwise.records import require_truth
from spanwise.web import HOST, PORT

Names = str | Sequence[str]


@dataclass(frozen=True)
class OpenAssessment:
    """A pool, its documents and the log, found to fit together."""

    pool: Pool
    pool_hash: str
    documents: Documents
    log: Log
    assessors: tuple[str, ...]
    name: str
    read_only: bool


def assess(
    pool: PathLike,
    *,
    collection: CollectionInput,
    assessor: Names,
    log: PathLike | None = None,
    grades: Sequence[int] = (),
    aspects: Sequence[str] = (),
    read_only: bool = False,
    host: str = HOST,
    port: int = PORT,
    open_browser: bool = True,
    limits: bool = True,
) -> int:
    """Judge the documents of a pool in a browser, until this is interrupted.

    Every operation is kept in ``log`` (beside the pool, unless another file is named) before the
    page says that it is saved. With ``grades`` or ``aspects`` each highlight has some of them.
    """
    scale = Scale(tuple(grades), tuple(aspects))
    with (
        spending(chosen(limits=limits)),
        open_assessment(
            pool, collection, names_in(assessor), log, scale=scale, read_only=read_only
        ) as opened,
    ):
        return serve_assessment(opened, host, port, open_browser=open_browser)


def serve_assessment(opened: OpenAssessment, host: str, port: int, *, open_browser: bool) -> int:
    """Serve the pages of an assessment until they are interrupted."""
    raise SpanwiseError("pages for judging are not part of this version of spanwise")


@contextmanager
def open_assessment(
    pool: PathLike,
    collection: CollectionInput,
    assessors: Sequence[str],
    log: PathLike | None = None,
    *,
    scale: Scale = Scale(),  # noqa: B008 (it is frozen)
    read_only: bool = False,
) -> Iterator[OpenAssessment]:
    """All that judging needs, checked before anything is shown; this process alone may write."""
    require_truth("read_only", read_only)
    if not assessors:
        raise SpanwiseError(f"name who judges: {option('assessor')}")
    found, pool_hash = pool_in(pool)
    documents = require_pooled_documents(found, documents_in(collection))
    name = log_name(pool, log)
    with opened_log(name, scale=scale, read_only=read_only) as held:
        if not read_only:
            take_pool(held, found, pool_hash)
        require_unchanged(held, documents)
        shown = os.path.basename(os.fspath(pool))  # noqa: PTH119 (a name, which may be anything)
        people = tuple(dict.fromkeys(assessors))
        yield OpenAssessment(found, pool_hash, documents, held, people, shown, read_only)


# -- what all of them need


def names_in(given: Names) -> tuple[str, ...]:
    """The assessors that were named."""
    return (given,) if isinstance(given, str) else tuple(given)


def pool_in(pool: PathLike) -> tuple[Pool, str]:
    """The pool in a file, and the hash of the file."""
    source = Source.at(pool)
    return read_pool(source), source.sha256()


def documents_in(collection: CollectionInput) -> Documents | None:
    """The documents, if any were given."""
    return Session(Settings(collection=collection)).collection


def log_name(pool: PathLike, log: PathLike | None) -> str:
    """The log that is named, or the one that belongs to the pool."""
    if log is None and os.fspath(pool) == "-":
        raise SpanwiseError(f"a pool on standard input has no log beside it: give {option('log')}")
    return log_of(pool) if log is None else os.fspath(log)


@contextmanager
def opened_log(
    name: str,
    *,
    scale: Scale = Scale(),  # noqa: B008 (it is frozen)
    read_only: bool = False,
    existing: bool = False,
) -> Iterator[Log]:
    """The log; writing needs the right to it, and may need the log to be there already."""
    if read_only or existing:
        Log.open(name, read_only=True).close()
    if read_only:
        with Log.open(name, read_only=True) as log:
            yield log
        return
    with only_writer(name), Log.open(name, scale=scale) as log:
        yield log

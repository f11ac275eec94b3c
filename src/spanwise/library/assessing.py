"""Assessing: judging on pages, from a server or as a file, and deciding between two assessors."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from spanwise.assessing.assessor_names import assessor_names, require_assessor, without_common_parts
from spanwise.assessing.log import Log
from spanwise.assessing.log_lock import only_writer
from spanwise.assessing.operations import HIGHEST_GRADE, Scale
from spanwise.assessing.pools import Pool, read_pool
from spanwise.assessing.readiness import (
    log_of,
    require_pool,
    require_pooled_documents,
    require_unchanged,
    take_pool,
)
from spanwise.assessing.starting import judgements_in, require_text
from spanwise.data.documents import Documents
from spanwise.data.notes import Note
from spanwise.errors import OutputError, SpanwiseError, option
from spanwise.formats.budget import chosen, spending
from spanwise.formats.outputs import Outputs
from spanwise.formats.reading import PathLike
from spanwise.formats.source import Source
from spanwise.inputs.runs import names_of
from spanwise.inputs.session import Session
from spanwise.inputs.settings import CollectionInput, Settings
from spanwise.library.browsing import require_web, roles_in
from spanwise.records import must_be, require_truth
from spanwise.text.sentences import counted
from spanwise.web import HOST, PORT

if TYPE_CHECKING:
    from spanwise.web.adjudication import Adjudication, Judged
    from spanwise.web.assessment import Assessment

Names = str | Sequence[str]
BESIDE = ("-wal", "-shm", "-lock")
"""What the names of files beside a log end in."""
PAGE_ENDINGS = (".html", ".htm")


def assess(
    pool: PathLike,
    *,
    collection: CollectionInput,
    assessor: Names,
    log: PathLike | None = None,
    grades: Sequence[int] = (),
    aspects: Sequence[str] = (),
    adjudicate: Sequence[PathLike] = (),
    tags: PathLike | None = None,
    read_only: bool = False,
    host: str = HOST,
    port: int = PORT,
    open_browser: bool = True,
    limits: bool = True,
) -> int:
    """Judge the documents of a pool in a browser, until this is interrupted.

    Every operation is kept in ``log`` (beside the pool, unless another file is named) before the
    page says that it is saved. With ``grades`` or ``aspects`` each highlight has some of them. With
    ``adjudicate``, two assessors of the log or two files of assessments, the pages show where those
    differ, and the assessor decides. ``tags`` is a file that says what the tags of documents stand
    for.
    """
    require_web("assess")
    scale = _scale(grades, aspects)
    with (
        spending(chosen(limits=limits)),
        open_assessment(
            *(pool, collection, names_in(assessor), log),
            scale=scale,
            adjudicate=adjudicate,
            tags=tags,
            read_only=read_only,
        ) as opened,
    ):
        return _served(opened, host, port, open_browser=open_browser)


def _served(site: Assessment, host: str, port: int, *, open_browser: bool) -> int:
    """Serve the pages of an assessment; several assessors have an address each."""
    from spanwise.web.assess_application import assess_application
    from spanwise.web.serving import serve_announced

    can = "see the judgements of" if site.read_only else "judge as"
    warning = f"Anyone with an address below can {can} the assessor it names."
    return serve_announced(
        *(site.name, lambda tokens: assess_application(site, tokens), host, port),
        warning=warning,
        people=site.assessors,
        open_browser=open_browser,
    )


@contextmanager
def open_assessment(
    pool: PathLike,
    collection: CollectionInput,
    assessors: Sequence[str],
    log: PathLike | None = None,
    *,
    scale: Scale = Scale(),  # noqa: B008 (it is frozen)
    adjudicate: Sequence[PathLike] = (),
    tags: PathLike | None = None,
    read_only: bool = False,
) -> Iterator[Assessment]:
    """All that judging needs, checked before anything is shown; this process alone may write."""
    from spanwise.web.assessment import Assessment

    require_truth("read_only", read_only)
    for name in assessors or [""]:
        require_assessor(name)
    found, pool_hash = pool_in(pool)
    documents = require_pooled_documents(found, documents_in(collection))
    roles = roles_in(tags)
    with opened_log(log_name(pool, log), scale=scale, read_only=read_only) as held:
        (require_pool if read_only else take_pool)(held, found, pool_hash)
        require_unchanged(held, documents)
        people = tuple(dict.fromkeys(assessors))
        two = _adjudication(held, adjudicate, people, found, documents) if adjudicate else None
        if two is not None:
            held.scale = two.scale
        given = (found, pool_hash, documents, held, people, _shown(pool), read_only, two)
        yield Assessment(*given, roles=roles)


def _scale(grades: Sequence[int], aspects: Sequence[str]) -> Scale:
    """Grades from the lowest to the highest, as pages show them, and aspects, each once."""
    if grades and (min(grades) < 0 or max(grades) == 0):
        raise must_be("grades", "whole numbers from 0, one of them above 0", list(grades))
    if grades and max(grades) > HIGHEST_GRADE:
        raise must_be("grades", "at most 2^53 - 1", max(grades))
    return Scale(tuple(sorted({*grades})), tuple(dict.fromkeys(aspects)))


def _shown(pool: PathLike) -> str:
    """What pages call a pool: its name, which may be anything."""
    return os.path.basename(os.fspath(pool))  # noqa: PTH119


# -- two assessors, and a third one who decides


def _adjudication(
    log: Log,
    two: Sequence[PathLike],
    people: Sequence[str],
    pool: Pool,
    documents: Documents,
) -> Adjudication:
    """What two assessors of the log, or two files, say about the documents of a pool."""
    from spanwise.web.adjudication import Adjudication

    names = [os.fspath(one) for one in two]
    if len(set(names)) != 2 or len(names) != 2:
        raise SpanwiseError(
            f"{option('adjudicate')} needs two assessors, each a name in the log or a file of"
            f" assessments; got {counted(len(names), 'name')}{': ' * bool(names)}"
            f"{', '.join(names)}"
        )
    if not {*names}.isdisjoint(people):
        raise SpanwiseError(
            f"who decides must have a name of their own: give another {option('assessor')}, such"
            " as gold"
        )
    first, second = (_judged_by(log, name, documents) for name in names)
    _require_pooled_topics({topic for topic, _ in {*first, *second}}, pool)
    one, other = without_common_parts(assessor_names(names))
    return Adjudication.of((one, other), first, second, log.scale)


def _judged_by(log: Log, name: str, documents: Documents) -> Judged:
    """The finished judgements of an assessor of the log, or those of a file."""
    if name in log.assessors():
        return {
            (key.topic, key.document): history.judgement
            for key, (_, history) in log.histories(name).items()
            if history.judgement.is_finished
        }
    if not Path(name).exists():
        there = ", ".join(log.assessors()) or "nobody"
        raise SpanwiseError(
            f"{name}: no assessor of this name in {log.name} (there: {there}), and file not found"
        )
    judged = Session(Settings(collection=documents)).assessments(name)
    require_text(judged)
    unknown = [each for each in judged.documents.strings() if each not in documents.lengths]
    if unknown:
        raise SpanwiseError(
            f"{name}: document {unknown[0]} is not in the collection"
            f" ({counted(len({*unknown}), 'document')} in all); give the {option('collection')}"
            " that was judged"
        )
    return judgements_in(judged, documents.lengths)


def _require_pooled_topics(topics: set[str], pool: Pool) -> None:
    unknown = sorted(topics - {topic.topic for topic in pool.topics})
    if unknown:
        raise SpanwiseError(
            f"topic {unknown[0]} is judged and not in the pool ({counted(len(unknown), 'topic')}"
            " in all); give the pool that was judged"
        )


# -- pages that are files


def assessment_page(
    pool: PathLike,
    page: PathLike,
    *,
    collection: CollectionInput,
    assessor: str,
    grades: Sequence[int] = (),
    aspects: Sequence[str] = (),
    tags: PathLike | None = None,
    limits: bool = True,
) -> dict[str, int]:
    """Write one page with a pool and its documents, for an assessor who has only a browser.

    What is judged is kept by the browser, and exported as a file for :func:`import_judgements`. The
    page begins without any judgement, whatever a log has. A page has at most 20 MB: otherwise each
    topic has one, named after the page and the topic, or several with parts of its documents. Gives
    the size of each file.
    """
    from spanwise.web.judging_file import Offline

    file = Path(page)
    if file.suffix.lower() not in PAGE_ENDINGS:
        raise OutputError(f"{os.fspath(page)}: found another ending than .html; name a .html file")
    require_assessor(assessor)
    with spending(chosen(limits=limits)):
        found, pool_hash = pool_in(pool)
        documents = require_pooled_documents(found, documents_in(collection))
        scale, roles = _scale(grades, aspects), roles_in(tags)
        given = (found, pool_hash, documents, assessor, _shown(pool), scale, roles)
        contents = {
            os.fspath(file.with_stem(f"{file.stem}-{one.suffix}") if one.suffix else file): (
                one.content.encode()
            )
            for one in Offline(*given).pages()
        }
        outputs = Outputs(files_read(pool, collection, log_of(pool), tags))
        places = [(outputs.file(name), content) for name, content in contents.items()]
        for place, content in places:
            place.write(content)
    return {name: len(content) for name, content in contents.items()}


def notes_on_page(pool: PathLike, assessor: str, log: PathLike | None = None) -> list[Note]:
    """A note if an assessor who is given a page has judged in the log before."""
    if log is None and os.fspath(pool) == "-":
        return []
    name = log_name(pool, log)
    if log is None and not Path(name).exists():
        return []
    with opened_log(name, read_only=True) as held:
        count = sum(bool(version) for version, _ in held.histories(assessor).values())
    return [Note("not on the page", count)] if count else []


# -- what all of them need


def names_in(given: Names) -> tuple[str, ...]:
    """The assessors that were named."""
    return (given,) if isinstance(given, str) else tuple(given)


def pool_in(pool: PathLike) -> tuple[Pool, str]:
    """The pool in a file, and the hash of the file."""
    source = Source.at(pool)
    return read_pool(source), source.sha256()


def files_read(
    pool: PathLike,
    collection: CollectionInput | None,
    log: PathLike,
    tags: PathLike | None = None,
) -> list[str]:
    """Files that no output may take the place of; a log has others beside it."""
    given = [("pool", pool), ("collection", collection), ("tags", tags)]
    return [*names_of(given), *(f"{os.fspath(log)}{ending}" for ending in ("", *BESIDE))]


def documents_in(collection: CollectionInput | None) -> Documents | None:
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
    with only_writer(name), _written_log(name, scale) as log:
        yield log


@contextmanager
def _written_log(name: str, scale: Scale) -> Iterator[Log]:
    """A log that is made if it is not there; a refusal before anything is judged leaves none."""
    is_new, is_empty = not os.path.exists(name), False  # noqa: PTH110
    try:
        with Log.open(name, scale=scale) as log:
            try:
                yield log
            except SpanwiseError:
                is_empty = not log.assessors()
                raise
    finally:
        if is_new and is_empty:
            os.unlink(name)  # noqa: PTH108

"""What becomes of judgements: exported, imported, counted, moved to changed documents."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from spanwise.assessing.assessor_names import require_assessor
from spanwise.assessing.exporting import assessments_of, chosen_assessors, unjudged
from spanwise.assessing.importing import import_judging, require_fitting
from spanwise.assessing.judging_file import read_judging
from spanwise.assessing.log import Log
from spanwise.assessing.log_lock import only_writer
from spanwise.assessing.operations import ANY_SCALE
from spanwise.assessing.readiness import (
    require_pool,
    require_pooled_documents,
    require_unchanged,
    take_pool,
)
from spanwise.assessing.reanchoring import changed_documents, reanchored, write_reanchored
from spanwise.assessing.recovery import recover
from spanwise.assessing.starting import start_from
from spanwise.data.assessments import Assessments
from spanwise.data.notes import Note
from spanwise.errors import NeedError, OutputError, SpanwiseError, option
from spanwise.formats.budget import chosen, spending
from spanwise.formats.conversion import Content, Target
from spanwise.formats.outputs import Outputs
from spanwise.formats.reading import PathLike
from spanwise.formats.registry import find_any
from spanwise.formats.source import Source
from spanwise.inputs.converting import Conversion, converted
from spanwise.inputs.session import Session
from spanwise.inputs.settings import CollectionInput, Settings
from spanwise.library.assessing import (
    Names,
    documents_in,
    files_read,
    log_name,
    names_in,
    opened_log,
    pool_in,
)
from spanwise.library.clock import now
from spanwise.records import replace, require_truth
from spanwise.reporting.judging import (
    ImportResult,
    ProgressResult,
    ReanchorResult,
    RecoveredResult,
    progress_of,
)

_JUDGING = re.compile(rb'"kind"\s*:\s*"judging"')
_BEGINNING = 1000


def export_judgements(
    pool: PathLike,
    out: PathLike | None = None,
    *,
    assessor: Names = (),
    log: PathLike | None = None,
    export_format: str | None = None,
    collection: CollectionInput | None = None,
    limits: bool = True,
) -> Assessments:
    """The finished judgements of a log as assessments, written to ``out`` if that is named.

    A log of several assessors needs to know which of them; several are taken together where they
    do not contradict each other. ``collection`` has the elements of documents, which INEX
    assessments in XML need; texts are those of the log. The same log always gives the same bytes.
    """
    target = place = None
    if out is not None:
        target = Target.of(os.fspath(out), export_format, "export_format")
        place = Outputs(files_read(pool, collection, log_name(pool, log))).place(out)
    content, found = exported(pool, assessor, log, target, collection, limits=limits)
    if place is not None:
        place.write(content)
    return found


def exported(
    pool: PathLike,
    assessor: Names,
    log: PathLike | None,
    target: Target | None,
    collection: CollectionInput | None = None,
    *,
    limits: bool = True,
) -> tuple[Content, Assessments]:
    """The judgements of a log as files of a format, and as assessments with their notes."""
    with spending(chosen(limits=limits)):
        found, pool_hash = pool_in(pool)
        queries = {topic.topic: topic.query for topic in found.topics}
        documents = documents_in(collection)
        with opened_log(log_name(pool, log), read_only=True) as held:
            require_pool(held, found, pool_hash)
            judged, notes = assessments_of(held, names_in(assessor), queries)
            notes += unjudged(found, judged)
            if documents is not None:
                require_unchanged(held, documents)
            known = documents or _texts(held, judged, target)
        content, lost = _converted(judged, target, known)
    return content, replace(judged, notes=(*notes, *lost))


def _texts(log: Log, judged: Assessments, target: Target | None) -> dict[str, str] | None:
    """The texts that were judged, for a format that holds them."""
    if target is None or not find_any(target.format).writes_texts:
        return None
    return {name: log.text(name) for name in sorted({*judged.documents.strings()})} or None


def _converted(
    judged: Assessments, target: Target | None, documents: CollectionInput | None
) -> tuple[Content, Sequence[Note]]:
    if target is None:
        return b"", ()
    form = find_any(target.format)
    if documents is None and form.writes_points:
        raise NeedError(
            f"{form.assessments_title} are written as places in the trees of the documents: give"
            f" the {option('collection')} that was judged"
        )
    return converted(judged, target, Conversion(), Settings(collection=documents))


def import_judgements(
    pool: PathLike,
    given: PathLike | Assessments,
    *,
    collection: CollectionInput,
    assessor: str | None = None,
    log: PathLike | None = None,
    assessments_format: str | None = None,
    topic_from: str | None = None,
    limits: bool = True,
) -> ImportResult:
    """Add to a log what a page without a server exported, or begin with existing assessments.

    Operations that are in the log already are not added again. Assessments become the judgements of
    ``assessor``, except those that were begun already.
    """
    with spending(chosen(limits=limits)):
        settings = Settings(
            collection=collection, assessments_format=assessments_format, topic_from=topic_from
        )
        session = Session(settings)
        found, pool_hash = pool_in(pool)
        documents = require_pooled_documents(found, session.collection)
        source = _file(given)
        if source is not None and is_judging(source):
            judging = read_judging(source)
            judging = replace(judging, assessor=assessor or judging.assessor)
            require_assessor(judging.assessor)
            require_fitting(judging, found, pool_hash, documents)
            with _written(pool, log) as held:
                take_pool(held, found, pool_hash)
                return ImportResult(import_judging(held, judging, documents))
        if source is not None and _is_empty(source):
            raise source.refused("nothing", "what a page exported, or assessments")
        if not assessor:
            raise SpanwiseError(f"name whose judgements these become: {option('assessor')}")
        require_assessor(assessor)
        judged = session.assessments(given if source is None else source)
        with _written(pool, log) as held:
            take_pool(held, found, pool_hash)
            at = now().isoformat()
            begun = start_from(held, assessor, judged, found, documents, at)
    return ImportResult(replace(begun, notes=(*session.notes, *begun.notes)))


@contextmanager
def _written(pool: PathLike, log: PathLike | None) -> Iterator[Log]:
    """The log that is imported to: all that is done is kept, or nothing of it."""
    with opened_log(log_name(pool, log), scale=ANY_SCALE) as held, held.together():
        yield held


def _file(given: PathLike | Assessments) -> Source | None:
    """The file that was given; judgements in memory and folders of assessments are none."""
    if isinstance(given, Assessments) or Path(given).is_dir():
        return None
    return Source.at(given)


def is_judging(source: Source) -> bool:
    """Is this what a page exported?"""
    with source.open() as stream:
        return _JUDGING.search(stream.read(_BEGINNING)) is not None


def _is_empty(source: Source) -> bool:
    with source.open() as stream:
        return not stream.read(1)


def judging_progress(
    pool: PathLike, *, assessor: Names = (), log: PathLike | None = None, limits: bool = True
) -> ProgressResult:
    """How many documents of each topic are judged, what was found, and how long it took."""
    with spending(chosen(limits=limits)):
        found, pool_hash = pool_in(pool)
        with opened_log(log_name(pool, log), read_only=True) as held:
            require_pool(held, found, pool_hash)
            named = names_in(assessor)
            names = chosen_assessors(held, named) if named else held.assessors()
            return ProgressResult(progress_of(held, found, names))


def reanchor_judgements(
    pool: PathLike,
    *,
    collection: CollectionInput,
    log: PathLike | None = None,
    yes: bool = False,
    limits: bool = True,
) -> ReanchorResult:
    """Find the passages of documents that have changed since they were judged.

    Nothing is written before ``yes``: then each judgement of these documents has its passages at
    their new places, and is open again if one of them was not found.
    """
    require_truth("yes", yes)
    with spending(chosen(limits=limits)):
        found, pool_hash = pool_in(pool)
        documents = require_pooled_documents(found, documents_in(collection))
        with opened_log(log_name(pool, log), read_only=not yes, existing=True) as held:
            require_pool(held, found, pool_hash)
            changed = reanchored(held, documents)
            missing = [
                name for name in changed_documents(held, documents) if name not in documents.lengths
            ]
            if yes:
                write_reanchored(held, changed, now().isoformat())
    return ReanchorResult(tuple(changed), tuple(missing), yes)


def recover_judgements(
    pool: PathLike, new: PathLike, *, log: PathLike | None = None
) -> RecoveredResult:
    """Save what can be read of a damaged log in a new one."""
    name = log_name(pool, log)
    if os.path.exists(new):  # noqa: PTH110
        raise OutputError(f"{os.fspath(new)} exists already; name a new file")
    with only_writer(name), only_writer(new):
        return RecoveredResult(recover(name, new))

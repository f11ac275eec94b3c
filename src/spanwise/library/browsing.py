"""Pages in a browser: what an index finds, or what runs returned."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Unpack

from spanwise.errors import SpanwiseError, option
from spanwise.extras import is_installed
from spanwise.formats.budget import chosen, spending
from spanwise.formats.reading import PathLike
from spanwise.formats.source import Source
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings, SettingsKeywords
from spanwise.records import refuse_unknown, whole_number
from spanwise.retrieval.modes import MODE, PASSAGES, SHARE, WINDOW, Mode
from spanwise.retrieval.passages import Browsing
from spanwise.web import HOST, PORT

if TYPE_CHECKING:
    from spanwise.collection.tag_roles import Role
    from spanwise.web.application import Site

AS_USUAL = Browsing()
PACKAGES = ("starlette", "uvicorn")


def require_web(what: str) -> None:
    """Refuse pages where their packages are not installed, and say how to install them."""
    missing = [package for package in PACKAGES if not is_installed(package)]
    if missing:
        raise SpanwiseError(
            f"{what} needs {' and '.join(missing)}; install it with: pip install 'spanwise[web]'"
        )


def browse(
    index: PathLike | None = None,
    runs: Sequence[PathLike] = (),
    *,
    mode: Mode = MODE,
    k: int | None = None,
    passages: int = PASSAGES,
    share: float = SHARE,
    window: int = WINDOW,
    assessments: PathLike | None = None,
    tags: PathLike | None = None,
    host: str = HOST,
    port: int = PORT,
    open_browser: bool = True,
    **settings: Unpack[SettingsKeywords],
) -> int:
    """Show documents and their best passages in a browser, until this is interrupted.

    Give an ``index``, whose documents are searched as :func:`search` does (``k`` is 50), or
    ``runs`` with a ``collection``; with ``assessments`` relevant text is marked. The address is
    printed to standard error. Other computers are answered only with another ``host``, and need the
    token in the address.
    """
    if (index is None) == (not runs):
        raise SpanwiseError("give either an index or runs")
    how = Browsing(mode, passages, share, window)
    site = site_of(index, runs, how=how, k=k, assessments=assessments, tags=tags, **settings)
    return serve_pages(site, host, port, open_browser=open_browser)


def serve_pages(site: Site, host: str, port: int, *, open_browser: bool) -> int:
    """Serve pages until they are interrupted, and say where they are."""
    from spanwise.web.application import application
    from spanwise.web.serving import serve_announced

    return serve_announced(
        site.name,
        lambda tokens: application(site, next(iter(tokens), None)),
        host,
        port,
        warning="Anyone with this address can read these documents.",
        open_browser=open_browser,
    )


def site_of(
    index: PathLike | None,
    runs: Sequence[PathLike],
    *,
    how: Browsing = AS_USUAL,
    k: int | None = None,
    assessments: PathLike | None = None,
    tags: PathLike | None = None,
    **settings: Unpack[SettingsKeywords],
) -> Site:
    """The pages of an index or, without one, of runs."""
    if index is None:
        given = [*how.changed(), *(["k"] if k is not None else [])]
        if given:
            raise SpanwiseError(
                f"{option(given[0])} is about an index, and runs have passages of their own: leave"
                " it out"
            )
        return site_of_runs(runs, assessments=assessments, tags=tags, **settings)
    if assessments is not None:
        raise SpanwiseError(
            f"{option('assessments')} mark what runs returned: give {option('run')}"
        )
    return site_of_index(index, topics=_queries(settings), tags=tags, how=how, k=k)


_OF_AN_INDEX = ("topics", "limits")
"""Settings that pages of an index know."""


def _queries(settings: Mapping[str, Any]) -> Mapping[str, str] | None:
    """The topics of the pages of an index; what is about runs is refused."""
    checked = Settings(**settings)
    for name, value in settings.items():
        default = Settings.__dataclass_fields__[name].default
        given = value is not default and not (isinstance(value, str) and value == default)
        if given and name not in _OF_AN_INDEX:
            raise SpanwiseError(
                f"{option(name)} is about runs, and an index is searched as it is: leave it out"
            )
    if checked.topics is None or isinstance(checked.topics, Mapping):
        return checked.topics
    names = option("topics", ",".join([*checked.topics][:3]))
    raise SpanwiseError(
        f"{names} is no file of topics with their queries, which an index needs; check the path"
    )


def site_of_runs(
    runs: Sequence[PathLike],
    *,
    assessments: PathLike | None = None,
    tags: PathLike | None = None,
    name: str = "",
    **settings: Unpack[SettingsKeywords],
) -> Site:
    """The pages of runs over a collection; with assessments, relevant text is marked.

    ``tags`` is a file that says what the tags of documents stand for, one on each line.
    """
    require_web("browse")
    from spanwise.web.application import Site
    from spanwise.web.run_answers import opened_runs

    given: dict[str, Any] = {**settings}
    refuse_unknown(given, tuple(SettingsKeywords.__annotations__))
    chosen_settings = Settings(**given)
    if not runs:
        raise SpanwiseError(f"there is nothing to show: name an index, or give {option('run')}")
    if chosen_settings.collection is None:
        raise SpanwiseError(f"pages show documents: give {option('collection')} with their texts")
    with spending(chosen(limits=chosen_settings.limits)):
        session = Session(chosen_settings)
        source = opened_runs(session, runs, assessments)
    title = name or PurePath(source.documents.name).name
    commands = _commands(runs, assessments, chosen_settings.collection)
    judged = () if source.evaluation is None else source.evaluation.notes
    notes = (*session.notes, *judged)
    return Site(source, title, commands, roles_in(tags), notes=notes)


def site_of_index(
    index: PathLike,
    *,
    topics: Mapping[str, str] | None = None,
    tags: PathLike | None = None,
    how: Browsing = AS_USUAL,
    k: int | None = None,
) -> Site:
    """The pages of an index: a search box, ranked documents, documents to read."""
    require_web("browse")
    from spanwise.web.application import Site
    from spanwise.web.engine_answers import MOST_DOCUMENTS, EngineSource, opened_engine

    name = PurePath(index).name
    most = MOST_DOCUMENTS if k is None else whole_number("k", k, 1)
    source = EngineSource(opened_engine(index), topics or {}, how=how, most=most)
    flags = [word for each, value in how.changed().items() for word in (f"--{each}", f"{value}")]
    search = ["spanwise", "search", name, *flags]
    commands = [
        ("Search", shlex.join([*search, "WORDS"])),
        ("Search topics", shlex.join([*search, "--topics", "topics.jsonl", "--to", "run.fol"])),
        ("Score the engine", "spanwise evaluate assessments.jsonl run.fol -m AgP"),
    ]
    return Site(source, name, commands, roles_in(tags), search)


def with_engine(site: Site, documents: PathLike, index: PathLike) -> Site:
    """The same with a search box, if there is an engine; its index is there, or made."""
    from spanwise.web.application import Site
    from spanwise.web.both_answers import BothSources
    from spanwise.web.engine_answers import EngineSource, has_engine, opened_engine
    from spanwise.web.run_answers import RunSource

    if not has_engine() or not isinstance(site.source, RunSource):
        return site
    building: Any = import_module("spanwise.retrieval.building")
    if not Path(index).exists():
        building.build_index(documents, index)
    both = BothSources(site.source, EngineSource(opened_engine(index)))
    return Site(both, site.name, site.commands, site.roles, notes=site.notes)


def roles_in(tags: PathLike | None) -> Mapping[str, Role]:
    """What the tags of documents stand for: as usual, or as a file says."""
    from spanwise.collection.tag_roles import KNOWN, read_roles

    return KNOWN if tags is None else read_roles(Source.at(tags))


def _commands(
    runs: Sequence[PathLike], assessments: PathLike | None, collection: object
) -> list[tuple[str, str]]:
    """What can be done with the same files; names alone, for pages are shown to others."""
    files = [PurePath(run).name for run in runs]
    texts = PurePath(str(collection)).name if isinstance(collection, (str, Path)) else "docs"
    found = [("Check the files", ["spanwise", "check", *files, "--collection", texts])]
    if assessments is not None:
        judged = PurePath(assessments).name
        given = [judged, *files, "-m", "AgP", "--collection", texts]
        found = [
            ("Score the runs", ["spanwise", "evaluate", *given]),
            ("Compare them", ["spanwise", "compare", *given]),
            (
                "Explain a score",
                ["spanwise", "explain", judged, files[0], "--topic", "T", *given[-4:]],
            ),
            ("Write a report", ["spanwise", "report", *given, "--to", "report.html"]),
        ]
    return [(what, shlex.join(words)) for what, words in found]

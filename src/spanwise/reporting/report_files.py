"""The files of a report: the page, as HTML or PDF, and a folder of charts; all of them or none."""

from __future__ import annotations

import os
from pathlib import Path

from spanwise.errors import OutputError, encoded, option
from spanwise.formats.destination import Destination, Stream, folder_of_files, write_together
from spanwise.formats.outputs import Outputs
from spanwise.reporting.paper import printed, require_browser
from spanwise.reporting.render.cells import Look
from spanwise.reporting.sections import Report

PathLike = str | os.PathLike[str]
PAGES = (".html", ".pdf")
_OPENED = {".html": "open it in a browser", ".pdf": "open it in a PDF reader"}


def is_page(file: PathLike) -> bool:
    """Does the ending of a file ask for a page?"""
    return _ending(file) in PAGES


def _ending(file: PathLike) -> str:
    return Path(file).suffix.lower()


def refuse_other_endings(destination: Destination) -> None:
    """A report is a page; what cannot be made is refused before any work."""
    found = _ending(destination.file)
    if found in PAGES:
        refuse_without_browser(destination.file)
    elif found or not isinstance(destination, Stream):
        what = f"the ending {found}" if found else "no ending"
        raise OutputError(
            f"{destination.file}: found {what}, expected {' or '.join(PAGES)}; name a file such as"
            " report.html"
        )


def refuse_without_browser(file: PathLike) -> None:
    """A PDF needs a program that prints it."""
    if _ending(file) == ".pdf":
        require_browser(os.fspath(file))


def write_report(
    report: Report,
    page: Destination,
    charts: PathLike | None,
    outputs: Outputs,
    look: Look,
    *,
    all_texts: bool = False,
) -> str:
    """Write the page and its charts; how large it is and how to open it, in a line."""
    from spanwise.reporting.render.html import report_charts

    content = _page(report, page.file, look, all_texts=all_texts)
    whole = (page, content)
    if charts is None:
        write_together([whole])
    else:
        folder = Path(charts)
        drawn = report_charts(report, look).items()
        with folder_of_files(folder):
            files = [(outputs.file(folder / name), encoded(chart)) for name, chart in drawn]
            write_together([*files, whole])
    return "" if isinstance(page, Stream) else written(page.file, len(content))


def _page(report: Report, file: str, look: Look, *, all_texts: bool) -> bytes:
    from spanwise.reporting.render.html import report_page

    content = encoded(report_page(report, look, all_texts=all_texts))
    return printed(content, file) if _ending(file) == ".pdf" else content


def written(file: str, size: int) -> str:
    """A line for the person who waits.

    >>> written("report.html", 380_600)
    'report.html: 381 kB; open it in a browser'
    """
    return f"{file}: {max(round(size / 1000), 1):,} kB; {_OPENED[_ending(file)]}"


def refuse_no_folder(charts: PathLike | None, page: str) -> None:
    """A place where no folder of charts can be is refused before any work."""
    if charts is None:
        return
    name, path = os.fspath(charts), Path(charts).absolute()
    if not name or path == Path(page).absolute():
        raise OutputError(
            f"{name!r} is not a folder for charts; name another one for {option('charts')}"
        )
    if not next(place for place in (path, *path.parents) if place.exists()).is_dir():
        raise OutputError(f"{name} is not a folder; name another one for {option('charts')}")

"""Sites of documents that tests make, and a server for them in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import uvicorn

from spanwise.library.browsing import site_of_runs
from spanwise.web.application import Site, application
from spanwise.web.guard import Guard
from spanwise.web.serving import Place, listening

Answer = tuple[str, int, int]


def served(site: Site, token: str | None = None) -> AbstractContextManager[str]:
    """The address of a running server, without a slash at its end."""
    return running(application(site, token))


@contextmanager
def running(app: Guard, port: int = 18642) -> Iterator[str]:
    """The address of a server of some pages."""
    place: Place = listening(port=port)
    config = uvicorn.Config(app, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [place.socket]}, daemon=True)
    thread.start()
    while not server.started:
        sleep(0.01)
    try:
        yield f"http://127.0.0.1:{place.port}"
    finally:
        server.should_exit = True
        thread.join()


def site_of(
    documents: Mapping[str, str | bytes],
    answers: Mapping[str, Sequence[Answer]],
    folder: Path,
    assessments: Sequence[Mapping[str, Any]] = (),
    **options: Any,
) -> Site:
    """A site of one run over documents; their names with endings are those of files."""
    texts = folder / "texts"
    for name, text in documents.items():
        file = texts / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    rows = [
        {"topic": topic, "document": document, "start": start, "end": end, "score": 9.0 - number}
        for topic, own in answers.items()
        for number, (document, start, end) in enumerate(own)
    ]
    run = folder / "run.jsonl"
    run.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    judged = None
    if assessments:
        judged = folder / "assessments.jsonl"
        judged.write_text("".join(f"{json.dumps(row)}\n" for row in assessments), "utf-8")
    return site_of_runs([run], assessments=judged, collection=str(texts), **options)


SHOWN_TEXT = """() => {
    const walker = document.createTreeWalker(document.getElementById("text"),
        NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
        node => node.dataset?.added !== undefined ? NodeFilter.FILTER_REJECT
            : node.nodeType === 3 ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP);
    let text = "";
    while (walker.nextNode()) text += walker.currentNode.data;
    return text;
}"""
"""The text of a document as a browser has it."""

MARKED_TEXT = """number => {
    let text = "";
    for (const mark of document.querySelectorAll(`#text mark[data-n="${number}"]`)) {
        const copy = mark.cloneNode(true);
        copy.querySelectorAll("[data-added]").forEach(part => part.remove());
        text += copy.textContent;
    }
    return text;
}"""

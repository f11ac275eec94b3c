"""``spanwise demo``: the bundled collection, evaluated."""

from __future__ import annotations

import shlex
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.browse import serve_site, serving_options
from spanwise.cli.main import command
from spanwise.extras import is_installed
from spanwise.records import replace

if TYPE_CHECKING:
    from spanwise.evaluation.scores import Scores

ASSESSMENTS = "assessments.first.jsonl"
ARTICLES = "articles"
TOPICS = "topics.jsonl"
SITE = "The demo"
INDEX = "demo.index"
SEARCHED = ("AgP", "textP@5", "textR@5", "AgP(aveChP)")
"""Measures of the search engine."""
MEASURES = ("AP", "AgP", "textP@5", "textR@5", "textR(budget=2000)")
NXCG, MAEP = "nxCG(elements(quant=spec))@5", "MAep(elements(quant=spec))"
ELEMENT_RUNS = ("documents.trec", "elements.run", "paragraphs.jsonl", "sections.fol")
COPY = "spanwise-demo"
WIDEST = 100
"""Columns of a line of text, even on a wider terminal."""


EXAMPLES = """\b
Examples:
  spanwise demo
  spanwise demo --copy spanwise-demo
  spanwise demo --serve
"""


@command(epilog=EXAMPLES)
@click.option("--copy", metavar="DIR", help="Copy the files of the demo into a folder instead.")
@click.option("--serve", is_flag=True, help="Show the answers of the systems in a browser instead.")
@serving_options
def demo(copy: str | None, serve: bool, **options: Any) -> int:
    """Evaluate the bundled demo collection.

    Six systems answer questions about the sea and the coast with texts of different sizes:
    sentences, paragraphs, sections, chunks, whole documents, elements of any size. Which one is
    best, and in what?
    """
    folder = Path(str(files("spanwise") / "demo"))
    if serve and copy is not None:
        raise click.UsageError("Give either --copy or --serve.")
    if serve:
        return _serve(folder, options)
    if copy is None:
        _show(folder)
    else:
        _copy(folder, copy)
    return 0


def _serve(folder: Path, options: dict[str, Any]) -> int:
    """The pages of all systems and of the search engine, with relevant text marked."""
    from tempfile import TemporaryDirectory

    from spanwise.cli.options import topics_of
    from spanwise.library.browsing import site_of_runs, with_engine

    with TemporaryDirectory() as place:
        searched = _searched(folder, Path(place)) if is_installed("tantivy") else []
        site = site_of_runs(
            [*sorted((folder / "runs").iterdir()), *searched],
            assessments=folder / ASSESSMENTS,
            collection=str(folder / ARTICLES),
            topics=topics_of(str(folder / TOPICS)),
            name=SITE,
        )
        return serve_site(with_engine(site, folder / ARTICLES, Path(place) / INDEX), options)


def _searched(folder: Path, place: Path) -> list[Path]:
    """The topics searched in every mode: what each mode scores is shown, the runs are kept."""
    from spanwise.cli.delivery import look, print_bytes
    from spanwise.library.files import convert
    from spanwise.library.scoring import evaluate
    from spanwise.library.searching import index, search_in_all_modes
    from spanwise.reporting.output import Output
    from spanwise.reporting.render import rendered
    from spanwise.reporting.scores import means_table

    made = place / INDEX
    index(folder / ARTICLES, made, language="english")
    found = search_in_all_modes(made, folder / TOPICS)
    runs = {f"search by {mode}": result.run for mode, result in found.items()}
    files = []
    for name, run in runs.items():
        files.append(place / f"{name}.jsonl")
        convert(replace(run, name=name), files[-1])
    scores = evaluate(folder / ASSESSMENTS, files, SEARCHED, collection=str(folder / ARTICLES))
    said = "The demo is indexed, and its topics are searched in every mode:"
    parts = (said, means_table(scores), significance(scores))
    print_bytes(rendered(Output("demo", parts=parts), "table", look(digits=4)))
    return files


def _copy(folder: Path, to: str) -> None:
    from spanwise.cli.delivery import outputs, print_bytes
    from spanwise.errors import encoded

    paths = sorted(folder.rglob("*"))
    with outputs().folder(to).made() as place:
        for path in paths:
            copy = place / path.relative_to(folder)
            copy.mkdir() if path.is_dir() else copy.write_bytes(path.read_bytes())
    count = sum(path.is_file() for path in paths)
    lines = [f"{count} files are in {to}. Try next:", *_commands(to)]
    print_bytes(encoded("".join(f"{line}\n" for line in lines)))


def _show(folder: Path) -> None:
    from spanwise.cli.delivery import look, print_bytes
    from spanwise.library.scoring import evaluate
    from spanwise.reporting.output import Lines, Output
    from spanwise.reporting.render import rendered
    from spanwise.reporting.scores import means_table

    judged, documents = folder / ASSESSMENTS, str(folder / ARTICLES)
    runs = sorted((folder / "runs").iterdir())
    scores = evaluate(judged, runs, MEASURES, collection=documents)
    elements = [run for run in runs if run.name in ELEMENT_RUNS]
    structure = evaluate(judged, elements, (NXCG, MAEP, "overlap"), collection=documents)
    try_next = ["Try next, with a copy of the files:", f"  spanwise demo --copy {COPY}"]
    parts = (
        _beginning(folder, scores),
        means_table(scores),
        " ".join([*seen(scores), significance(scores)]),
        means_table(structure),
        " ".join(seen_in_trees(structure)),
        Lines((*try_next, *_commands(COPY))),
    )
    wide = look(digits=4)
    narrow = replace(wide, width=min(wide.width, WIDEST))
    print_bytes(rendered(Output("demo", parts=parts), "table", narrow))


def _beginning(folder: Path, scores: Scores) -> str:
    documents = len(list((folder / ARTICLES).iterdir()))
    return (
        f"{documents} articles about the sea and the coast, {scores.runs[0].counts.topics} topics,"
        f" {len(scores.runs)} systems that answer with texts of different sizes:"
    )


def seen(scores: Scores) -> list[str]:
    """What the numbers say, in sentences."""
    budget = "textR(budget=2000)"
    return [
        f"With five answers each, {_leaders(scores, 'textR@5')} of the relevant text (textR@5);",
        f"{_relevant(scores)} (textP@5).",
        f"With 2,000 characters to read for each system ({budget})",
        f"{_leaders(scores, budget)}{_others(scores, budget)}.",
        "AP looks at documents alone;",
        "AgP asks as well whether the right text in them was returned.",
    ]


def _leaders(scores: Scores, measure: str) -> str:
    """Which runs find the most, and how much that is."""
    first = _best(scores, measure)
    share = f"{scores.mean(measure, first[0]):.0%}"
    if len(first) == len(scores.runs):
        return f"all systems find {share}"
    return f"{' and '.join(first)} find the most, {share}"


def _relevant(scores: Scores) -> str:
    shares = [
        f"{scores.mean('textP@5', run):.0%} of what {run} return"
        for run in _best(scores, "textR@5")
    ]
    return f"{' and '.join(shares)} is relevant"


def _others(scores: Scores, measure: str) -> str:
    """What the runs that were best without a budget find."""
    found = [
        f"{run} {scores.mean(measure, run):.0%}"
        for run in _best(scores, "textR@5")
        if run not in _best(scores, measure)
    ]
    return f"; {' and '.join(found)}" if found else ""


def significance(scores: Scores) -> str:
    """Which run is best by AgP, and is its lead significant?"""
    from spanwise.reporting.verdicts import verdict
    from spanwise.statistics.pairing import compare_scores

    [found] = compare_scores(scores.only(["AgP"]))
    return verdict(found)


def seen_in_trees(scores: Scores) -> list[str]:
    """What the numbers say about answers that are elements of the articles."""
    best, again = _best(scores, MAEP), _best(scores, "overlap")
    first = "come first" if len(best) == 1 else "share the first place"
    share = scores.mean("overlap", again[0])
    repeated = f"{' and '.join(again)} repeat themselves most: {share:.0%} of their answers overlap"
    return [
        f"{len(scores.runs)} of them answer with elements of the articles' XML. Scored as elements,"
        " where no text is paid for twice,"
        f" {' and '.join(best)} {first} (MAep {scores.mean(MAEP, best[0]):.2f});",
        f"{repeated} another one." if share else "no answer overlaps another one of its system.",
    ]


def _best(scores: Scores, measure: str) -> list[str]:
    """The runs with the largest mean."""
    means = {run.run: scores.mean(measure, run.run) for run in scores.runs}
    return [run for run, mean in means.items() if mean == max(means.values())]


def _commands(folder: str) -> list[str]:
    """Commands that work once the files are in a folder."""
    place = shlex.quote(folder)
    lines = [
        f"spanwise evaluate {place}/{ASSESSMENTS} {place}/runs/* -m rag"
        f" --collection {place}/{ARTICLES}",
        f"spanwise compare {place}/{ASSESSMENTS} {place}/runs/* -m AgP"
        f" --collection {place}/{ARTICLES}",
        f"spanwise report {place}/{ASSESSMENTS} {place}/runs/* -m AgP --topics"
        f" {place}/topics.jsonl --collection {place}/{ARTICLES} --to report.html",
        f"spanwise explain {place}/{ASSESSMENTS} {place}/runs/sections.fol --topic t01 -m AgP",
        f"spanwise explain {place}/{ASSESSMENTS} {place}/runs/elements.run --topic t01 --document"
        f" dead-reckoning -m '{MAEP}' --collection {place}/{ARTICLES}",
        "spanwise measures AgP",
    ]
    return [f"  {line}" for line in lines]

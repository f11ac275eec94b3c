"""``spanwise assess``: judge the documents of a pool, and take the judgements out again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.browse import serving_options
from spanwise.cli.main import command
from spanwise.cli.options import FormatName, shared_options

if TYPE_CHECKING:
    from spanwise.reporting.results import Result

STANDARD = "-"
TASKS = ("page", "export", "given", "progress", "reanchor", "recover")
FILE_FLAGS = {name: f"--{name}" for name in TASKS} | {"given": "--import"}
FLAGS = "--page, --export, --import, --progress, --reanchor and --recover"

EXAMPLES = """\b
Examples:
  spanwise assess pool.jsonl --collection docs --assessor ann
  spanwise assess pool.jsonl --collection docs --assessor ann --page ann.html
  spanwise assess pool.jsonl --progress
  spanwise assess pool.jsonl --export qrels.jsonl
  spanwise assess pool.jsonl --collection docs --adjudicate ann --adjudicate bob --assessor gold
  spanwise assess pool.jsonl --collection docs --import qrels.jsonl --assessor ann
  spanwise assess pool.jsonl --collection docs --reanchor
"""


@command(epilog=EXAMPLES)
@click.argument("pool")
@click.option(
    "--assessor",
    multiple=True,
    metavar="NAME",
    help="Who judges, or whose judgements are meant. Repeatable.",
)
@click.option(
    "--log",
    metavar="FILE",
    help="The log that keeps every judgement.  [default: the pool's name with .judgements]",
)
@click.option(
    "--grades",
    metavar="0,1,2",
    help="The grades that highlighted text may have.  [default: none]",
)
@click.option(
    "--aspects",
    metavar="a,b",
    help="The aspects that highlighted text may have.  [default: none]",
)
@click.option(
    "--adjudicate",
    multiple=True,
    metavar="NAME",
    help="Decide where two differ: assessors of the log, or files of assessments. Give it twice.",
)
@click.option(
    "--tags",
    metavar="FILE",
    help="What the tags of XML documents stand for: on each line a tag and its role.",
)
@click.option(
    "--page",
    metavar="FILE.html",
    help="Write the pool and its documents as one page, for an assessor without a server.",
)
@click.option("--export", metavar="OUT", help="Write finished judgements as assessments.")
@click.option(
    "--export-format",
    type=FormatName("assessments", written=True),
    help="The format of OUT.  [default: told by its ending]",
)
@click.option(
    *("--import", "given"),
    metavar="FILE",
    help="Add what a page without a server exported, or begin with existing assessments.",
)
@click.option("--progress", is_flag=True, help="Show how far each topic is.")
@click.option("--reanchor", is_flag=True, help="Find the passages of documents that have changed.")
@click.option("--yes", is_flag=True, help="With --reanchor: write what was found to the log.")
@click.option("--recover", metavar="NEW", help="Save what can be read of a damaged log.")
@click.option("--read-only", is_flag=True, help="Show judgements, and let nobody change them.")
@serving_options
@shared_options("collection", "assessments-format", "topic-from", "no-limits")
@shared_options("output", "to", "digits", "quiet")
def assess(pool: str, **options: Any) -> int | None:
    """Judge the documents of a pool, in a browser.

    POOL is what spanwise pool made. Assessors highlight what is relevant; every operation is on the
    disk, in the log, before the page says that it is saved. With --export the finished judgements
    become assessments, in the format of the ending: .jsonl .parquet .fol .trec ...
    """
    for name in ("page", "export", "given", "recover"):
        if options[name] == "":
            raise click.UsageError(f"{FILE_FLAGS[name]} needs the name of a file.")
    asked = [name for name in TASKS if options[name]]
    if len(asked) > 1:
        raise click.UsageError(f"Give only one of {FLAGS}.")
    if options["yes"] and not options["reanchor"]:
        raise click.UsageError("--yes is for --reanchor.")
    if asked and options["adjudicate"]:
        raise click.UsageError("--adjudicate shows pages; give it alone.")
    if not asked:
        return _serve(pool, options)
    if options["page"]:
        _page(pool, options)
    elif options["export"]:
        _export(pool, options)
    else:
        _deliver(pool, asked[0], options)
    return None


def _serve(pool: str, options: dict[str, Any]) -> int:
    from spanwise.library.assessing import assess as served

    return served(
        pool,
        collection=options["collection"],
        assessor=options["assessor"],
        log=options["log"],
        grades=_grades(options["grades"]),
        aspects=_listed(options["aspects"]),
        adjudicate=options["adjudicate"],
        tags=options["tags"],
        read_only=options["read_only"],
        host=options["host"],
        port=options["port"],
        open_browser=not options["no_open"],
    )


def _page(pool: str, options: dict[str, Any]) -> None:
    from spanwise.cli.delivery import say
    from spanwise.library.assessing import assessment_page, notes_on_page

    assessor = _only_assessor(options, "--page") or ""
    notes = notes_on_page(pool, assessor, options["log"])
    sizes = assessment_page(
        pool,
        options["page"],
        collection=options["collection"],
        assessor=assessor,
        grades=_grades(options["grades"]),
        aspects=_listed(options["aspects"]),
        tags=options["tags"],
    )
    if not options["quiet"]:
        for name, size in sizes.items():
            click.echo(f"{name}: {size:,} bytes", err=True)
    say(notes, options)


def _only_assessor(options: dict[str, Any], flag: str) -> str | None:
    names = options["assessor"]
    if len(names) > 1:
        raise click.UsageError(f"{flag} is for one --assessor.")
    return names[0] if names else None


def _listed(given: str | None) -> list[str]:
    return [word.strip() for word in (given or "").split(",") if word.strip()]


def _grades(given: str | None) -> list[int]:
    try:
        return [int(word) for word in _listed(given)]
    except ValueError:
        raise click.UsageError(f"--grades must be whole numbers, got {given}.") from None


def _export(pool: str, options: dict[str, Any]) -> None:
    from spanwise.cli.delivery import print_bytes, say
    from spanwise.formats.conversion import Target
    from spanwise.library.judgements import export_judgements, exported

    out, named = options["export"], options["export_format"]
    given = {name: options[name] for name in ("assessor", "log", "collection")}
    if out == STANDARD:
        content, judged = exported(pool, target=Target.of(out, named or "jsonl"), **given)
        if isinstance(content, bytes):
            print_bytes(content)
    else:
        judged = export_judgements(pool, out, export_format=named, **given)
    say(judged.notes, options)


def _deliver(pool: str, task: str, options: dict[str, Any]) -> None:
    """Everything but pages and assessments is a result."""
    from spanwise.cli.delivery import Delivery

    delivery = Delivery.of(options)
    delivery.deliver(_RESULTS[task](pool, options).output())


def _imported(pool: str, options: dict[str, Any]) -> Result:
    from spanwise.library.judgements import import_judgements

    return import_judgements(
        pool,
        options["given"],
        collection=options["collection"],
        assessor=_only_assessor(options, "--import"),
        log=options["log"],
        assessments_format=options["assessments_format"],
        topic_from=options["topic_from"],
    )


def _progress(pool: str, options: dict[str, Any]) -> Result:
    from spanwise.library.judgements import judging_progress

    return judging_progress(pool, assessor=options["assessor"], log=options["log"])


def _reanchored(pool: str, options: dict[str, Any]) -> Result:
    from spanwise.library.judgements import reanchor_judgements

    given = {name: options[name] for name in ("collection", "log", "yes")}
    return reanchor_judgements(pool, **given)


def _recovered(pool: str, options: dict[str, Any]) -> Result:
    from spanwise.library.judgements import recover_judgements

    return recover_judgements(pool, options["recover"], log=options["log"])


_RESULTS = {
    "given": _imported,
    "progress": _progress,
    "reanchor": _reanchored,
    "recover": _recovered,
}

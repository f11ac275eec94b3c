"""``spanwise convert``: runs, assessments and topics in other formats."""

from __future__ import annotations

from typing import Any

import click

from spanwise.cli.main import command
from spanwise.cli.options import FormatName, refuse_twice, settings_of, shared_options
from spanwise.errors import SpanwiseError

STANDARD = "-"


@command()
@click.argument("given", nargs=-1, required=True, metavar="IN...")
@click.argument("out", metavar="OUT")
@click.option(
    *("--from", "from_format"),
    type=FormatName("run", "assessments"),
    help="The format of IN.  [default: told from its content]",
)
@click.option(
    *("--to", "to_format"),
    type=FormatName("run", "assessments", written=True),
    help="The format of OUT.  [default: told by its ending]",
)
@click.option(
    *("--as", "role"),
    type=click.Choice(["run", "assessments"]),
    help="What IN is.  [default: told from its content]",
)
@click.option(
    "--ideal",
    metavar="GAIN",
    help="Write the run that gains most by these assessments: elements(quant=sog), passages ...",
)
@click.option(
    "--as-elements",
    is_flag=True,
    help="Turn the ranges of a run into elements; needs --collection or --elements.",
)
@click.option(
    "--fit",
    type=click.Choice(["smallest", "inside", "best"]),
    help="With --as-elements: the smallest element around each range, the largest ones inside it,"
    " or the one with the largest F over characters.  [default: best]",
)
@shared_options(
    "collection", "tokenizer", "elements", "unit", "repair", "repeats", "chunks", "lenient", "quiet"
)
@shared_options("topic-from", "no-limits")
def convert(given: tuple[str, ...], out: str, **options: Any) -> None:
    """Write a run, assessments or topics in another format.

    The ending of OUT tells the format: .fol .element .xml (INEX) .trec .msmarco .jsonl .parquet
    .csv .tsv .ann (brat) .jsonld (W3C), and .gz or .zst after it to compress; --to names others.
    - is standard input or output. OUT/ is a folder with a file for each document (brat) or topic
    (INEX assessments); with --to parquet, runs of any size, several INs and folders of run files
    go there as Parquet for lakes. What the format cannot hold is named on standard error. Topics
    are written as .jsonl.

    \b
    Examples:
      spanwise convert run.fol run.jsonl
      spanwise convert qrels.jsonl qrels.fol --collection documents/
      spanwise convert chunks.jsonl - --chunks table.jsonl --to trec
      spanwise convert submission.xml run.fol --collection articles/
      spanwise convert qrels.jsonl ideal.fol --ideal passages
      spanwise convert run.fol run.element --as-elements --collection articles/
      spanwise convert bm25.fol dense.jsonl.zst lake/ --to parquet
    """  # noqa: D301
    from spanwise.cli.delivery import outputs, print_bytes, say
    from spanwise.formats.conversion import Target
    from spanwise.formats.destination import is_folder
    from spanwise.inputs.converting import Conversion, chosen_fit, converted
    from spanwise.inputs.settings import Settings

    if is_folder(out) and options["to_format"] == "parquet" and options["role"] != "assessments":
        _to_lake(given, out, options)
        return
    if len(given) > 1:
        raise SpanwiseError(
            f"{out} holds one input, and {len(given)} were given; write several runs to a folder:"
            " name OUT/ and use --to parquet"
        )
    target = Target.of(out, options["to_format"], "to")
    destination = None if out == STANDARD else outputs().place(out)
    conversion = Conversion(
        options["from_format"],
        options["role"],
        options["ideal"],
        chosen_fit(options["fit"], as_elements=options["as_elements"]),
    )
    content, notes = converted(given[0], target, conversion, Settings(**settings_of(options)))
    say(notes, options)
    if destination is not None:
        destination.write(content)
    elif isinstance(content, bytes):
        print_bytes(content)


def _to_lake(given: tuple[str, ...], out: str, options: dict[str, Any]) -> None:
    """Runs as a folder of Parquet."""
    from spanwise.cli.delivery import say
    from spanwise.library.files import convert as converted

    refuse_twice(*given)
    named = ("from_format", "to_format", "ideal", "as_elements")
    chosen = {name: options[name] for name in named}
    say(converted(list(given), out, **chosen, **settings_of(options)), options)

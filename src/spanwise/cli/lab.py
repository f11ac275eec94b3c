"""``spanwise lab``: experiments with measures, each a function of ``spanwise.lab``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.lab_options import (
    OUTPUTS,
    WholeNumbers,
    assessed_runs,
    deliver,
    deliver_on_runs,
    opened,
    opened_others,
    other_option,
    output_options,
    probability,
    typed_beside,
    write_runs,
)
from spanwise.cli.main import Subcommands
from spanwise.cli.options import (
    DEFAULT_MEASURE,
    input_options,
    measure_option,
    measures_of,
    refuse_twice,
    settings_of,
    shared_options,
)
from spanwise.cli.procedure import procedure_of, procedure_options, seed_option
from spanwise.errors import SpanwiseError

if TYPE_CHECKING:
    from spanwise.lab.experiment import LabResult, Progress


EXPERIMENTS = {
    "fidelity": "Do measures order simulated runs as they should? (20 runs, 36 orderings)",
    "insertion": "The cost of irrelevant answers, by where they come",
    "assessors": "Would another assessor change the ranking?",
    "topics": "How often would other topics reverse the verdict?",
    "correlation": "Do measures rank runs alike?",
    "baseline": "Do runs gain from returning parts rather than whole documents?",
    "power": "Count the pairs of runs that a measure separates",
    "all": "All of these, and which measures pass (--demo: on a synthetic collection)",
}


@click.group(cls=Subcommands)
def lab() -> None:
    """Test measures: do they measure what they should, can their verdicts be trusted?

    \b
    Examples:
      spanwise lab fidelity qrels.jsonl --collection articles -m AgP -m AP
      spanwise lab topics qrels.jsonl runs/* -m AgP
      spanwise lab all --demo --to lab.html
    """  # noqa: D301


def experiment(
    name: str, *examples: str, **settings: Any
) -> Callable[[Callable[..., None]], click.Command]:
    """A command of the group, with its line in the list and its examples."""
    epilog = "\n  spanwise lab ".join(["\b\nExamples:", *examples])
    return lab.command(
        name, short_help=EXPERIMENTS[name], epilog=epilog, context_settings=settings or None
    )


_SIMULATED = (
    *("collection", "tokenizer", "elements", "lenient", "unit", "repair", "repeats", "topics"),
    *("assessments-format", "topic-from"),
)


@experiment(
    "fidelity",
    "fidelity qrels.jsonl --collection articles",
    "fidelity qrels.txt --elements elements.tsv -m AgP -m 'AgP(by=text)' -o jsonl",
    "fidelity qrels.jsonl --collection articles --runs-to simulated",
)
@click.argument("assessments")
@measure_option("gP and gR at 1, 2 and 10, AgP, each also by text, and AP")
@click.option(
    "--runs-to",
    metavar="DIR",
    help="Also write the simulated runs, a native JSONL file for each, into a new folder.",
)
@output_options
@shared_options(*_SIMULATED)
def fidelity(assessments: str, **options: Any) -> None:
    """Do measures order runs of known quality as they should?

    From ASSESSMENTS 20 runs are simulated: five sets of parts (S the relevant passages, SL the
    smallest elements around them, SLD whole documents, SS the largest elements inside them, SST
    leaves) in four rankings (R the best one, RS with the first two documents exchanged, RI and RSI
    behind an irrelevant document). Of 36 pairs it is known which run is better. Elements come from
    --collection or --elements; without them there are S and SLD only, and 12 pairs.
    """
    from spanwise.cli.delivery import outputs
    from spanwise.lab.fidelity_orderings import MEASURES
    from spanwise.lab.fidelity_orderings import fidelity as function

    folder = None if options["runs_to"] is None else outputs().folder(options["runs_to"])
    names = measures_of(options["measures"] or MEASURES)
    refuse_twice(assessments, options["collection"], options["elements"])
    inputs = opened(assessments, (), options)

    def run(*, progress: Progress) -> LabResult[Any]:
        settings = settings_of(options)
        result = function(inputs.assessments, names, progress=progress, **settings)
        if folder is not None:
            write_runs(result.found.simulated.runs, folder)
        return result

    deliver(options, run)


@experiment(
    "insertion",
    "insertion",
    "insertion -m AgP -m AP -m ANCE --counts 1,2,5,10",
    "insertion qrels.jsonl run.jsonl -m rag --collection articles",
)
@click.argument("assessments", required=False)
@click.argument("run", required=False)
@measure_option("those of the paper's figure")
@click.option(
    "--counts",
    metavar="N,N,...",
    type=WholeNumbers(0),
    help="How many answers are inserted; 0 is always shown."
    "  [default: 1,2,3,4,5,10,50,100,500,1000]",
)
@output_options
@input_options
def insertion(assessments: str | None, run: str | None, **options: Any) -> None:
    """Show the cost of irrelevant answers, by where they come.

    n of them are inserted after the first answer of a list, or before it. Without files the list
    is the paper's: two relevant answers, the second half as good as the first. With ASSESSMENTS
    and RUN, they are inserted into every topic of the run.
    """
    from spanwise.lab.inserted_answers import COUNTS, MEASURES
    from spanwise.lab.inserted_answers import insertion as function

    names = measures_of(options["measures"] or MEASURES)
    counts = COUNTS if options["counts"] is None else options["counts"]
    chosen: dict[str, Any] = {"measures": names, "counts": counts}
    if assessments is None:
        for name in typed_beside({"measures", "counts", *OUTPUTS}):
            raise SpanwiseError(
                f"{name} is about files: give assessments and a run, or leave it out"
            )
        deliver(options, partial(function, **chosen))
        return
    inputs = opened(assessments, () if run is None else [run], options)
    only = inputs.runs[0] if inputs.runs else None
    chosen |= {"assessments": inputs.assessments, "run": only, **settings_of(options)}
    deliver(options, partial(function, **chosen), inputs)


@experiment(
    "assessors",
    "assessors first.jsonl runs/* --other second.jsonl -m AgP",
    "assessors first.jsonl runs/* --other second.jsonl --collection articles -o jsonl",
    "assessors first.jsonl runs/* --simulate 10 --jitter 0.5 --drop 0.2 -m rag",
)
@click.argument("first")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@other_option
@click.option(
    "--simulate",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Instead of --other: N assessors, made from the first by varying its ranges.",
)
@probability("jitter", 0.5, "how probably an end of a range moves, by up to half of the range.")
@probability("drop", 0.1, "how probably a range is dropped.")
@probability("join", 0.1, "how probably a range is joined to the one before it.")
@seed_option
@measure_option(DEFAULT_MEASURE)
@output_options
@input_options
def assessors(first: str, runs: tuple[str, ...], **options: Any) -> None:
    """Would another assessor change the ranking?

    FIRST holds the official assessments, each --other those of another assessor. The ranking of
    runs by each of them alone is compared with the official one: Kendall's tau, and the pairs of
    runs that swap. Mixtures are shown beside it: each topic that several assessors judged may be
    scored by any of them, in all combinations, or in 1,000 sampled ones if there are more than
    4,096. Each RUN is a file; - is standard input.
    """
    from spanwise.lab.other_assessors import assessors as function

    names, inputs = measures_of(options["measures"]), opened(first, runs, options)
    own = ("simulate", "jitter", "drop", "join", "seed")
    default, others = (DEFAULT_MEASURE,), opened_others(options)
    deliver_on_runs(options, function, inputs, names, *own, default=default, others=others)


@experiment(
    "topics",
    "topics qrels.jsonl runs/* -m AgP",
    "topics qrels.jsonl runs/* -m AgP -m AP --up-to 100 -o csv",
)
@assessed_runs
@measure_option(DEFAULT_MEASURE)
@click.option(
    "--top",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.75,
    show_default=True,
    help="The share of runs to use, the best by their mean.",
)
@click.option(
    "--trials",
    type=click.IntRange(1, 1_000_000),
    default=100,
    show_default=True,
    help="Number of draws of two topic sets for each size.",
)
@click.option(
    "--up-to",
    type=click.IntRange(1),
    metavar="N",
    help="Number of topics to extrapolate to.  [default: twice the topics]",
)
@seed_option
@output_options
@shared_options("compat")
@input_options
def topics(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """How often would other topics reverse the verdict about two runs?

    Two disjoint sets of topics are drawn again and again; a swap is a pair of runs that they rank
    in opposite order. Shown is the share of swaps by the size of the difference and the number of
    topics, extrapolated to more topics than there are. ASSESSMENTS is a file or a folder of files,
    each RUN a file; - is standard input.
    """
    from spanwise.lab.topic_samples import topics as function

    names, inputs = measures_of(options["measures"]), opened(assessments, runs, options)
    own = ("top", "trials", "up_to", "seed")
    deliver_on_runs(options, function, inputs, names, *own, default=(DEFAULT_MEASURE,))


@experiment(
    "correlation",
    "correlation qrels.jsonl runs/* -m AgP -m AP -m textF@5",
    "correlation qrels.xml runs/* -m MAep -m Q --overlap-table --collection articles",
)
@assessed_runs
@measure_option("AgP, AgP(F(beta=0.25)), AiP, AP")
@click.option(
    "--overlap-table",
    is_flag=True,
    help="Add gain measures with overlap ignored and considered against inex_eval and overlap;"
    " needs elements.",
)
@click.option(
    "--resamples",
    type=click.IntRange(0, 10_000_000),
    default=1000,
    show_default=True,
    help="Number of resamples for the intervals of tau; 0 gives none.",
)
@seed_option
@output_options
@shared_options("compat")
@input_options
def correlation(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Do measures rank the same runs alike?

    Kendall's tau of each pair of measures, with an interval, and the AP correlation, which weighs
    the top of the ranking more. A verdict needs at least 10 runs. ASSESSMENTS is a file or a
    folder of files, each RUN a file; - is standard input.
    """
    from spanwise.lab.measure_agreement import correlation as function
    from spanwise.lab.measure_agreement import default_measures

    default = default_measures(overlap_table=options["overlap_table"])
    names = measures_of(options["measures"] or default)
    inputs, own = opened(assessments, runs, options), ("overlap_table", "resamples", "seed")
    deliver_on_runs(options, function, inputs, names, *own, default=default)


@experiment(
    "baseline",
    "baseline qrels.jsonl runs/* --collection articles",
    "baseline qrels.txt *.fol -m 'AgP(T2If(tolerance=300))' -o csv",
)
@assessed_runs
@measure_option("AgP over F, F(beta=0.25), aveChP, T2If; ANCE with screens of 300 and 2000")
@output_options
@input_options
def baseline(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Do runs gain from returning parts of documents?

    Each run is compared with its own whole-document version: the same documents in the same order,
    returned whole. A paired t test over topics shows whether the difference is significant. The
    lengths of the documents must be known. ASSESSMENTS is a file or a folder of files, each RUN a
    file; - is standard input.
    """
    from spanwise.lab.whole_documents import MEASURES
    from spanwise.lab.whole_documents import baseline as function

    names = measures_of(options["measures"] or MEASURES)
    deliver_on_runs(options, function, opened(assessments, runs, options), names)


@experiment(
    "power",
    "power qrels.jsonl runs/* -m AgP -m AP -m gP@10",
    "power qrels.txt runs/* -m AgP --tail one --resamples 1000",
    # As Kamps et al. counted pairs: by the bootstrap test, without a correction.
    default_map={"test": "bootstrap", "correction": "none"},
)
@assessed_runs
@measure_option("AgP, AP")
@click.option(
    "--cutoffs",
    metavar="N,N,...",
    default="1,5,10,20,50",
    show_default=True,
    type=WholeNumbers(1, can_be_none=True),
    help="Also show measures that have a rank as cut-off at these ranks; or none.",
)
@click.option(
    "--results-cutoffs",
    metavar="N,N,...",
    type=WholeNumbers(1, can_be_none=True),
    help="Also score only the first N answers of each topic; or none.  [default: 10,100]",
)
@procedure_options
@output_options
@shared_options("compat")
@input_options
def power(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Count the pairs of runs that a measure separates, and how cut-offs change that.

    A pair is separated if p is at most 0.05; p is not corrected for the number of pairs unless
    --correction asks for it. ASSESSMENTS is a file or a folder of files, each RUN a file; - is
    standard input.
    """
    from spanwise.lab.separated_pairs import MEASURES
    from spanwise.lab.separated_pairs import power as function

    names = measures_of(options["measures"] or MEASURES)
    procedure, own = procedure_of(options), ("cutoffs", "results_cutoffs")
    inputs, more = opened(assessments, runs, options), {"procedure": procedure}
    deliver_on_runs(options, function, inputs, names, *own, default=MEASURES, **more)


@experiment(
    "all",
    "all --demo",
    "all --demo --to lab.html",
    "all qrels.jsonl runs/* --other second.jsonl --collection articles --to lab.html",
)
@click.argument("assessments", required=False)
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--demo", is_flag=True, help="On a synthetic collection: 114 topics, 24 runs.")
@other_option
@seed_option
@measure_option("ours in their main forms")
@output_options
@input_options
def all_experiments(assessments: str | None, runs: tuple[str, ...], **options: Any) -> None:
    """Run every experiment and report which measures pass.

    Tables for people show the verdicts; html, json and the other formats for programs hold every
    experiment whole. Either --demo, or ASSESSMENTS and RUNs of your own. An experiment that lacks
    something, such as a second assessor, is left out and named.
    """
    from spanwise.lab.all_experiments import MEASURES
    from spanwise.lab.all_experiments import overview as function

    names, seed = measures_of(options["measures"] or MEASURES), options["seed"]
    if options["demo"]:
        named = list(typed_beside({"demo", "measures", "seed", *OUTPUTS}))
        if named:
            raise SpanwiseError(f"--demo reads no files: leave out {', '.join(named)}, or --demo")
        deliver(options, partial(function, measures=names, seed=seed))
        return
    if assessments is None or not runs:
        raise SpanwiseError(
            f"found {'no assessments' if assessments is None else 'no run'}, expected ASSESSMENTS"
            " and one RUN or more; name them, or use --demo"
        )
    inputs, others = opened(assessments, runs, options), opened_others(options)
    deliver_on_runs(options, function, inputs, names, "seed", others=others)

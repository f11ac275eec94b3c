"""Every command of the product over the files of a world, with options that are drawn."""

from __future__ import annotations

import random
from collections.abc import Iterator

from fuzz.invocations import Invocation
from fuzz.judging import judging_commands, judging_files
from fuzz.layout import Made
from fuzz.mutations import NAMES, NUMBERS
from fuzz.written import as_json_lines, run_records
from spanwise.formats.registry import endings
from spanwise.records import replace

OUTPUTS = ("table", "tsv", "csv", "jsonl", "json", "markdown", "latex")
TARGETS = (*(ending.removeprefix(".") for ending in endings()), "jsonl.gz", "fol.zst")
MEASURES = (
    *("AP", "AgP", "AgP(R)", "textR@3", "nDCG@5", "iP@0.1", "AiP", "gP@2", "ANCE@5", "P@1"),
    *("textP(budget=10)", "AgP(BEP)", "nxCG(passages)@3", "MAep(passages)", "overlap", "rag"),
)
SPOILT_MEASURES = (
    *("AgP(", "", "@", "AgP@", "P@0", "P@1e9", "P@99999999999999999999", "F", "AgP(F(beta=nan))"),
    *("AgP(F(beta=1e400))", "iP@2", "recall", "ndcg", "x" * 5000, "AgP(" * 500, "@nowhere", "all"),
    *("gP@1_0", "textP(budget=-1)", "T2If(tolerance=inf)", "AgP(T2If(tolerance=inf))", "Ä"),
)


def commands_over(source: random.Random, found: Made) -> list[Invocation]:
    """One invocation of each command."""
    other = _other_run(source, found)
    files = {**found.files, "other.jsonl": other, "topics.jsonl": _topics(found)}
    files |= {"chunks.jsonl": _chunks(found), "groups.tsv": _groups(found)}
    judging = judging_files(source, found)
    start = Invocation({**files, **judging}, ())
    commands = [*_commands(source, found), *judging_commands(source, found, judging)]
    return [_trimmed(start.calling(*words)) for words in commands]


def _trimmed(invocation: Invocation) -> Invocation:
    """Only the files that the command names: others would be spoilt for nothing."""
    named = [
        n
        for n in invocation.files
        if any(n == w or n.startswith(f"{w}/") for w in invocation.arguments)
    ]
    return replace(invocation, files={name: invocation.files[name] for name in named})


def _commands(source: random.Random, found: Made) -> Iterator[list[str]]:
    both = [found.assessments, found.run]
    given = [*found.documents, *_options(source)]
    yield ["evaluate", *both, *given, *_measures(source), *_output(source), *_more(source, found)]
    yield ["evaluate", *both, *given, *_measures(source), "-q", "-o", "jsonl"]
    if source.random() < 0.3:
        yield ["evaluate", *both, "--compat", "inex_eval", "-m", "AgP(F(beta=0.25))", "-o", "jsonl"]
    runs = [*both, "other.jsonl"]
    few = ["--resamples", "20"]
    yield ["compare", *runs, *given, *few, *_measures(source), *_output(source)]
    yield ["gate", *both, "--baseline", "other.jsonl", *found.documents, *few, *_rules(source)]
    yield ["report", *runs, *found.documents, *few, *_measures(source), "--to", "report.html"]
    topic = source.choice([*found.world.batch.topics, "nowhere"])
    yield ["explain", *both, *found.documents, "--topic", topic, *_measures(source), *_json(source)]
    yield ["check", *both, *found.documents]
    yield ["check", found.run, "--assessments", found.assessments, *_task(source)]
    yield ["convert", source.choice(both), f"new.{source.choice(TARGETS)}", *found.documents]
    yield ["convert", "topics.jsonl", "new.jsonl"]
    yield ["locate", source.choice((*both, "chunks.jsonl")), *found.documents, *_json(source)]
    yield ["locate", source.choice(both), *found.documents, "--to", f"new.{source.choice(TARGETS)}"]
    yield ["chunks", found.assessments, "chunks.jsonl", *found.documents, *_json(source)]
    yield ["index", *(found.documents[1:] or ["nowhere"]), "--to", "new.index"]
    yield ["search", "new.index", source.choice(("tide", "", "AND (", *NAMES))]
    yield ["measures", source.choice((*MEASURES, *SPOILT_MEASURES))]
    yield from _of_collections(source, found)
    yield from _of_the_lab(source, found, runs)


def _of_collections(source: random.Random, found: Made) -> Iterator[list[str]]:
    if not found.documents:
        return
    path = found.documents[1]
    document = source.choice([*found.world.batch.texts, "nowhere"])
    yield ["collection", "info", path, *_info(source)]
    yield ["collection", "show", path, document, *_info(source)]
    yield ["collection", "elements", path, document, "-o", source.choice(("table", "jsonl"))]
    yield ["collection", "text", path, document, "--range", "0:1"]
    if not path.endswith(".collection"):
        yield ["collection", "build", path, "-o", "new.collection"]


def _of_the_lab(source: random.Random, found: Made, runs: list[str]) -> Iterator[list[str]]:
    """The experiments, in their smallest form."""
    lab = {
        "fidelity": ["-m", "AgP"],
        "insertion": ["--counts", "1,2", "-m", "AgP"],
        "assessors": ["--simulate", "2", "-m", "AgP"],
        "topics": ["--trials", "2", "-m", "AP"],
        "correlation": ["--resamples", "5", "-m", "AP", "-m", "AgP"],
        "baseline": ["-m", "AgP"],
        "power": ["--resamples", "20", "--cutoffs", "1", "--results-cutoffs", "1", "-m", "AP"],
    }
    name = source.choice(list(lab))
    inputs = runs[:1] if name == "fidelity" else runs[:2] if name == "insertion" else runs
    yield ["lab", name, *inputs, *found.documents, *lab[name], *_output(source)]


# -- options


def _measures(source: random.Random) -> list[str]:
    names = source.sample(MEASURES, source.choice((1, 1, 2)))
    if source.random() < 0.08:
        names = [source.choice(SPOILT_MEASURES)]
    return [word for name in names for word in ("-m", name)]


def _options(source: random.Random) -> list[str]:
    """Settings, some of which contradict the files."""
    drawn = {
        "--overlap": ("union", "error", "as-is"),
        "--missing": ("zero", "skip"),
        "--order": ("score", "rank", "file"),
        "--results": ("1", "2", "1500", source.choice(NUMBERS)),
        "--unit": ("codepoint", "utf16", "byte"),
        "--topics": ("t1-0", "", ",", source.choice(NAMES[:20])),
        "--run-format": ("trec", "jsonl", "csv"),
    }
    chosen = [name for name in drawn if source.random() < 0.06]
    words = [word for name in chosen for word in (name, source.choice(drawn[name]))]
    return [*words, *(["--lenient"] if source.random() < 0.25 else [])]


def _more(source: random.Random, found: Made) -> list[str]:
    """Other files beside: chunks, topics, a target."""
    kind = source.random()
    if kind < 0.1:
        return ["--chunks", "chunks.jsonl"]
    if kind < 0.2:
        return ["--topics", "topics.jsonl"]
    return ["--to", f"scores.{source.choice(('tsv', 'parquet', 'json'))}"] if kind < 0.3 else []


def _output(source: random.Random) -> list[str]:
    return ["-o", source.choice(OUTPUTS)] if source.random() < 0.8 else []


def _json(source: random.Random) -> list[str]:
    return source.choice(([], ["-o", "json"], ["--all"]))


def _info(source: random.Random) -> list[str]:
    return source.choice(([], ["-o", "json"]))


def _task(source: random.Random) -> list[str]:
    return source.choice(([], ["--task", "focused"], ["--task", "thorough"]))


def _rules(source: random.Random) -> list[str]:
    rules = ("AP < -0.01", "mean AP < 0.4", "AP significantly worse", "AP <", "AP < nan", "x < 1")
    return ["--fail-if", source.choice(rules)]


# -- more files


def _other_run(source: random.Random, found: Made) -> bytes:
    rows = run_records(found.world.batch)
    source.shuffle(rows)
    return as_json_lines([{**row, "run": "other"} for row in rows[: max(1, len(rows) - 2)]])


def _topics(found: Made) -> bytes:
    return as_json_lines([{"topic": name, "query": "what"} for name in found.world.batch.topics])


def _chunks(found: Made) -> bytes:
    texts = found.world.batch.texts
    rows = [{"document": d, "start": 0, "end": len(t), "chunk": f"c{d}"} for d, t in texts.items()]
    return as_json_lines(rows)


def _groups(found: Made) -> bytes:
    return "".join(f"{name}\tg\n" for name in found.world.batch.topics).encode()

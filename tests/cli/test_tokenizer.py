"""Budgets in tokens of any tokenizer, from the command line and from Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from inspect import isfunction, signature
from itertools import pairwise
from pathlib import Path

import click
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

import spanwise as library
from spanwise import SpanwiseError, evaluate, gate
from spanwise.cli.main import command_line
from spanwise.inputs.settings import SettingsKeywords

TEXTS = {"sea": "one two, three four😀 five", "sky": "six"}
GOLD = {"q1": {"sea": [(4, 7)]}}
RUN = {"q1": [("sea", 0, 25, 1.0)]}
READ, WITHIN = "read(unit=tokens)", "textP(budget=2,unit=tokens)"
ROWS = {
    "gold": [{"topic": "q1", "document": "sea", "start": 4, "end": 7}],
    "run": [{"topic": "q1", "document": "sea", "start": 0, "end": 25, "score": 1.0}],
    "texts": [{"document": name, "text": text} for name, text in TEXTS.items()],
    "lengths": [{"document": name, "length": len(text)} for name, text in TEXTS.items()],
}
FILES = ("gold.jsonl", "run.jsonl")
COLLECTION = ("--collection", "texts.jsonl")
TOKENIZER = (*COLLECTION, "--tokenizer", "tokenizer.json")


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> Path:
    """Everything, with a tokenizer of words that keep their marks."""
    for name, rows in ROWS.items():
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(lines)
    tokenizer = Tokenizer(models.WordLevel({"?": 0}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    return tmp_path


def quarters(text: str) -> list[tuple[int, int]]:
    edges = [len(text) * number // 4 for number in range(5)]
    return list(pairwise(edges))


# -- values


def test_tokens_are_those_of_the_tokenizer(spanwise):
    asked = ("evaluate", *FILES, "-m", READ, "-m", WITHIN, "-o", "tsv", "--quiet")
    words = spanwise(*asked, *COLLECTION)
    own = spanwise(*asked, *TOKENIZER)
    assert (words.code, own.code) == (0, 0)
    # Words and marks: one two , three four 😀 five. The budget reads "one two".
    assert [line.split("\t")[3] for line in words.out.splitlines()[1:]] == ["7.0", str(3 / 7)]
    # Without blanks: one two, three four😀 five. The budget reads "one two, ".
    assert [line.split("\t")[3] for line in own.out.splitlines()[1:]] == ["5.0", str(3 / 9)]


def test_python_gives_the_same(files):
    for tokenizer in (files / "tokenizer.json", lambda text: [(0, 3), (4, 8), (9, 14), (15, 25)]):
        found = evaluate(GOLD, RUN, WITHIN, collection=TEXTS, tokenizer=tokenizer)
        assert found.mean(WITHIN) == 3 / 9


def test_tokens_that_share_a_character_are_paid_with_it():
    # The emoji at 19 is in three tokens; one of them begins with the word before it.
    def shared(text):
        return [(0, 15), (15, 20), (19, 20), (19, 20), (21, 25)] if len(text) > 3 else []

    def values(*names, run=RUN):
        return [evaluate(GOLD, run, name, collection=TEXTS, tokenizer=shared).mean(name)
                for name in names]  # fmt: skip

    budgets = [f"textP(budget={budget},unit=tokens)" for budget in (1, 2, 3, 4, 5)]
    assert values(READ, *budgets) == [5, 3 / 15, 3 / 19, 3 / 19, 3 / 21, 3 / 25]
    assert values(READ, run={"q1": [("sea", 15, 19), ("sea", 19, 20), ("sea", 20, 25)]}) == [4]


# -- what is kept


def test_results_say_which_tokenizer_it_was(spanwise, files):
    done = spanwise("evaluate", *FILES, "-m", READ, *TOKENIZER, "--to", "result.json")
    assert done.code == 0, done.err
    saved = json.loads((files / "result.json").read_text())
    assert saved["settings"]["tokenizer"] == "tokenizer.json"
    assert [one["file"] for one in saved["inputs"] if one["role"] == "tokenizer"] == [
        "tokenizer.json"
    ]
    scores = evaluate(GOLD, RUN, READ, collection=TEXTS, tokenizer=quarters)
    assert scores.settings.to_dict()["tokenizer"].endswith("test_tokenizer.quarters")
    assert evaluate(GOLD, RUN, READ, collection=TEXTS).settings.to_dict()["tokenizer"] is None


def test_the_tokenizer_is_not_overwritten(spanwise, files):
    before = (files / "tokenizer.json").read_bytes()
    done = spanwise("evaluate", *FILES, "-m", READ, *TOKENIZER, "--to", "tokenizer.json")
    assert (done.code, done.out) == (2, "")
    assert (files / "tokenizer.json").read_bytes() == before


def test_a_baseline_with_another_tokenizer_is_noted():
    before = evaluate(GOLD, RUN, WITHIN, collection=TEXTS)
    found = gate(GOLD, RUN, baseline=before, fail_if=[f"{WITHIN} < -0.5"], collection=TEXTS,
                 tokenizer=quarters)  # fmt: skip
    assert [note.names for note in found.notes if note.kind == "other settings"] == [("tokenizer",)]


def test_a_tokenizer_that_no_measure_needs_is_noted(spanwise):
    done = spanwise("evaluate", *FILES, "-m", "textP(budget=2)", *TOKENIZER)
    assert "no measure counts tokens, so --tokenizer changes nothing" in done.err
    for measure in (READ, WITHIN):
        assert "counts tokens" not in spanwise("evaluate", *FILES, "-m", measure, *TOKENIZER).err


# -- what is refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--tokenizer", "tokenizer.json"), "--tokenizer needs the texts: give --collection"),
        (
            ("--tokenizer", "tokenizer.json", "--collection", "lengths.jsonl"),
            "--tokenizer cuts texts, and the collection lengths.jsonl has none; give --collection",
        ),
        ((*COLLECTION, "--tokenizer", "no.json"), "no.json: file not found"),
        ((*COLLECTION, "--tokenizer", "gold.jsonl"), "gold.jsonl: found a fault ("),
        ((*COLLECTION, "--tokenizer", "tiktoken:gpt-9"), "tiktoken has no encoding 'gpt-9'"),
    ],
)
def test_what_cannot_be_used_is_refused(options, message, spanwise):
    done = spanwise("evaluate", *FILES, "-m", READ, *options)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_wrong_offsets_are_refused_with_tokenizer_and_document():
    message = r"the tokenizer \S+<lambda> returned token \(0, 99\) outside the text of document sea"
    with pytest.raises(SpanwiseError, match=message):
        evaluate(GOLD, RUN, READ, collection=TEXTS, tokenizer=lambda text: [(0, 99)])


# -- every door


def commands(group: click.Group, *names: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, *names, name)
        else:
            yield " ".join((*names, name)), command


JUDGING = {
    *("assess", "assessment_page"),
    *("export_judgements", "import_judgements", "reanchor_judgements"),
}
COUNTS_NOTHING = {"locate", "browse", "agree", *JUDGING}
"""Commands and functions that use the texts of a collection and count nothing in tokens."""


def test_every_command_with_a_collection_has_a_tokenizer():
    flags = {name: {one.name for one in command.params} for name, command in commands(command_line)}
    having = {name for name, own in flags.items() if "collection" in own} - COUNTS_NOTHING
    assert {"evaluate", "compare", "gate", "chunks", "check", "lab fidelity"} <= having
    assert having == {name for name, own in flags.items() if "tokenizer" in own}


def test_every_function_with_a_collection_has_a_tokenizer():
    assert "tokenizer" in SettingsKeywords.__annotations__
    functions = [getattr(library, name) for name in set(library.__all__) - COUNTS_NOTHING]
    signatures = [signature(one).parameters for one in functions if isfunction(one)]
    having = [own for own in signatures if "collection" in own]
    assert len(having) >= 2
    assert all("tokenizer" in own for own in having)


@pytest.mark.parametrize(
    "command",
    [
        ("compare", *FILES, "-m", READ),
        ("explain", *FILES, "--topic", "q1", "-m", READ),
        ("report", *FILES, "-m", READ, "--to", "report.html"),
        ("gate", *FILES, "--require", f"{READ} <= 5"),
        ("chunks", "gold.jsonl", "run.jsonl"),
        ("pool", "run.jsonl", "--assessments", "gold.jsonl", "-m", READ),
        ("check", "run.jsonl"),
        ("convert", "run.jsonl", "run.csv"),
        ("lab", "insertion", *FILES, "-m", WITHIN),
        ("pool", "run.jsonl", "--assessments", "gold.jsonl", "-m", WITHIN),
        ("lab", "fidelity", "gold.jsonl", "-m", WITHIN),
    ],
    ids=" ".join,
)
def test_commands_take_a_tokenizer(command, spanwise):
    done = spanwise(*command, *TOKENIZER)
    assert done.code == 0, done.err

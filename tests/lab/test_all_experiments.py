"""Every experiment at once, and which measures pass."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from spanwise.errors import SpanwiseError
from spanwise.formats.source import Source
from spanwise.lab.all_experiments import (
    MEASURES,
    AllFound,
    Subject,
    run_all,
    synthetic_subject,
)
from spanwise.lab.expected_orderings import MissingDocuments, Ordering
from spanwise.lab.experiment import Step, finished
from spanwise.lab.measure_verdicts import (
    REASONS,
    MeasureSummary,
    failure,
    kind_of,
    measure_summaries,
)
from spanwise.lab.phrases import NAMED
from spanwise.measures.grammar import asked
from spanwise.records import replace
from spanwise.reporting.output import Output
from spanwise.reporting.render.rows import json_object
from spanwise.reporting.stored import stored_chapters

from .scored import DEMO, command

NAMES = ["all", "fidelity", "insertion", "assessors", "topics", "correlation", "baseline", "power"]
PRODUCERS = [f"lab {name}" for name in NAMES]
FEW = ("AgP", "AgP(by=text)", "AP", "textR@5", "ANCE@10", "overlap")


@pytest.fixture(scope="module")
def subject() -> Subject:
    return synthetic_subject(topics=12)


@pytest.fixture(scope="module")
def found(subject: Subject) -> AllFound:
    return finished(run_all(subject, FEW))


def chapters_of(found: AllFound) -> tuple[Output, ...]:
    output = found.output()
    return output, *output.appendices


@pytest.fixture(scope="module")
def drawn(found: AllFound) -> dict[str, MeasureSummary]:
    return {one.measure: one for one in measure_summaries(found)}


def test_every_experiment_is_told_under_its_name(found: AllFound):
    assert [one.producer for one in chapters_of(found)] == PRODUCERS
    assert found.notes == ()


def test_numbers_are_those_of_the_experiments(found: AllFound, drawn: dict[str, MeasureSummary]):
    one = drawn["AgP"]
    assert found.fidelity is not None
    assert one.orderings == found.fidelity.of("AgP")
    [stable] = [s for s in found.assessors.measures if (s.measure, s.scope) == ("AgP", "all")]
    assert (one.tau, one.error) == (stable.alone[0].tau, stable.errors.error)
    [errors] = [errors for errors in found.topics.measures if errors.measure == "ANCE@10"]
    assert drawn["ANCE@10"].needed == errors.needed(12).safe.low * errors.unit
    [told] = [told for told in found.power.measures if told.measure == "AgP"]
    assert one.power == told.share


def test_who_passes(drawn: dict[str, MeasureSummary]):
    assert drawn["AgP"].passes
    assert not drawn["AgP(by=text)"].passes
    assert {kind_of(one) for one in drawn["AgP(by=text)"].broken} == {"RI>RSI"}
    assert not drawn["textR@5"].passes
    assert drawn["overlap"].passes is None, "it has no better and no worse"


def test_a_measure_of_documents_passes_by_what_it_does_not_see(found: AllFound, drawn):
    blind = drawn["AP"]
    assert blind.passes
    assert blind.is_blind
    assert not drawn["AgP"].is_blind
    assert blind.seen == 10
    said = [sentence for sentence in found.output().sentences if sentence.startswith("AP ")]
    assert said == [
        "AP passes only because it ignores parts: any two sets of parts score the same here, so"
        " only 10 of 36 orderings test it."
    ]


def test_the_chapter_says_it_in_a_sentence_a_table_and_rows(found: AllFound):
    chapter = found.output()
    assert chapter.sentences[0] == (
        "3 of 5 measures pass on a synthetic collection (seed 1) with 12 topics and 24 runs;"
        " AgP(by=text) and textR@5 fail."
    )
    assert any("overlap" in sentence and "Not judged" in sentence for sentence in chapter.sentences)
    [table] = chapter.tables
    rows = {row[0]: row for row in table.rows}
    assert list(rows) == list(FEW)
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert rows["AgP"][1] == "36 of 36"
    assert rows["AgP"][-1] == "passes"
    assert rows["AgP(by=text)"][-1] == "fails"
    assert rows["overlap"][1:5] == (None, None, None, None)
    objects = {row["measure"]: row for row in chapter.rows.items}
    assert objects["AP"]["sees_parts"] is False
    assert objects["AgP"]["passes"] is True
    assert objects["AgP"]["orderings"] == 36
    assert objects["overlap"]["passes"] is None


def test_chapters_survive_being_stored(found: AllFound):
    """All experiments, written and read back."""
    chapters = [msgspec.structs.replace(one, appendices=()) for one in chapters_of(found)]
    text = json_object(found.output())
    read = stored_chapters(Source("lab.json", text.encode()))
    assert [chapter.producer for chapter in read] == PRODUCERS
    assert list(read) == chapters


def test_steps_never_go_back_and_reach_the_end():
    steps: list[Step] = []
    finished(run_all(synthetic_subject(topics=4), ["AgP", "AP"]), steps.append)
    done = [step.done for step in steps]
    assert done == sorted(done)
    assert done[-1] == steps[-1].total == 100


def test_the_same_seed_gives_the_same_chapters():
    told = [
        json_object(finished(run_all(synthetic_subject(seed, 4), ["AgP", "AP"], seed)).output())
        for seed in (3, 3, 4)
    ]
    assert told[0] == told[1] != told[2]


def test_our_measures_exist_once_each():
    labels = [one.label for name in MEASURES for one in asked(name)]
    assert labels == list(MEASURES)
    assert len(set(labels)) == len(labels)
    assert set(REASONS) < set(MEASURES)


# -- what is judged


def ordering(better: str, worse: str, *, holds: bool, flat: bool = False, p: float = 0.01):
    counts = (0, 5, 0) if flat else (3, 1, 1)
    return Ordering("m", better, worse, 0.1, *counts, None if flat else p, holds)


def summary(
    *orderings: Ordering,
    gains: bool | None = False,
    earlier: bool | None = True,
    missing: MissingDocuments | None = None,
):
    return MeasureSummary("m", "m", orderings, missing, gains, earlier, None, None, None, None)


def missing(changed: int = 5, several: int = 5, late: bool = True, rises: bool = False):
    """Scores of a measure when relevant documents are missing."""
    some = [
        ordering("SR", f"SR-without-{which}", holds=not rises)
        for which in ("last", "first", "half")
    ]
    end = ordering("SR-last-late", "SR-last-missing", holds=late)
    means = (1.0, 0.9, 0.8, 0.5, 0.51, 0.9)
    return MissingDocuments("m", means, tuple(some), end, changed, several)


KEPT, BROKEN = ordering("SR", "SLR", holds=True), ordering("SR", "SRS", holds=False)


@pytest.mark.parametrize(
    ("one", "passes"),
    [
        (summary(KEPT), True),
        (summary(KEPT, BROKEN), False),
        (summary(KEPT, gains=True), False),
        (summary(KEPT, earlier=False), False),
        (summary(KEPT, missing=missing()), True),
        (summary(KEPT, missing=missing(changed=0)), False),
        (summary(KEPT, missing=missing(late=False)), False),
        (summary(KEPT, missing=missing(rises=True)), False),
        (summary(KEPT, missing=missing(changed=0, several=0)), True),
        (summary(), None),
        (summary(KEPT, gains=None, earlier=None), None),
    ],
)
def test_what_passes(one: MeasureSummary, passes: bool | None):
    assert one.passes is passes


def test_significant_orderings_are_counted():
    broken = [replace(BROKEN, p=p) for p in (0.04, 0.2, None)]
    assert summary(KEPT, *broken).significantly_broken == 1


def test_blind_are_those_for_whom_all_parts_are_the_same():
    flat = ordering("SR", "SLR", holds=True, flat=True)
    ranked = ordering("SR", "SRI", holds=True)
    assert summary(flat, ranked).is_blind
    assert not summary(KEPT, ranked).is_blind
    assert not summary(ranked).is_blind, "nothing is known about parts"


@pytest.mark.parametrize(
    ("better", "worse", "kind"),
    [
        ("SR", "SLR", "S>SL"),
        ("SLDRSI", "SLDRSI", "RSI>RSI"),
        ("SSRI", "SSTRI", "SS>SST"),
        ("SSTR", "SSTRS", "R>RS"),
    ],
)
def test_kinds_of_orderings(better: str, worse: str, kind: str):
    assert kind_of(ordering(better, worse, holds=True)) == kind


def test_failures_are_told_with_their_weight():
    unsure = replace(BROKEN, p=0.2)
    assert failure(summary(KEPT, unsure)) == (
        "m fails: it breaks 1 of 2 orderings (SR over SRS), not significantly at the 0.05 level (t"
        " test, not corrected)."
    )
    assert (
        "2 of 2 orderings (SR over SRS, SR over SRS), 1 of them significantly at the 0.05 level"
        in (failure(summary(BROKEN, unsure)))
    )
    many = failure(summary(*[BROKEN] * (NAMED + 2)))
    assert "SR over SRS and 2 more), all significantly at the 0.05 level (t test" in many


def test_what_is_wrong_with_insertion_is_told():
    assert failure(summary(KEPT, gains=True, earlier=False)) == (
        "m fails: it gains where irrelevant answers are inserted; it loses less if such answers"
        " come earlier."
    )


def test_what_is_wrong_with_missing_documents_is_told():
    assert failure(summary(KEPT, missing=missing(changed=0))) == (
        "m fails: it does not see missing documents (its score never changes on 5 topics with two"
        " or more relevant documents)."
    )
    assert failure(summary(KEPT, missing=missing(late=False))) == (
        "m fails: it scores lower when one more relevant document is found late (0.5100 rather than"
        " 0.9000)."
    )
    assert "scores higher where relevant documents are missing (SR-without-last, SR-w" in (
        failure(summary(KEPT, missing=missing(rises=True)))
    )


def overview(found: AllFound, *measures: str) -> tuple[str, ...]:
    """What is said about some of the measures."""
    kept = found.scores.only(measures)
    return replace(found, scores=kept).output().sentences


def test_counts_of_one_measure_none_and_measures_that_cannot_be_judged(found: AllFound):
    end = "on a synthetic collection (seed 1) with 12 topics and 24 runs"
    assert overview(found, "AgP")[0] == f"1 of 1 measure passes {end}."
    assert overview(found, "textR@5")[0] == f"0 of 1 measure pass {end}; textR@5 fails."
    said = overview(found, "overlap")
    assert said[0] == f"No measure can be judged {end}."
    assert said[-1] == "Not judged, as neither high nor low values are better: overlap."
    lacking = replace(found, fidelity=None)
    assert overview(lacking, "AgP", "ANCE@10")[-1] == (
        "Not judged, as fidelity or insertion has no result: AgP and ANCE@10."
    )


def test_a_measure_that_sees_parts_does_not_pass_only_by_ignoring_them(found: AllFound):
    assert not any("ignores parts" in sentence for sentence in overview(found, "AgP", "textR@5"))


def test_a_failure_is_expected_only_where_its_reason_explains_it():
    explained = replace(summary(BROKEN), measure="textP@5")
    assert "that is expected: precision does not ask" in failure(explained)
    other = ordering("SR", "SLDR", holds=False)
    assert "expected" not in failure(replace(explained, orderings=(BROKEN, other)))
    assert "expected" not in failure(replace(explained, gains=True))


# -- what is missing


def test_an_experiment_that_lacks_something_is_named(subject: Subject):
    alone = replace(subject, others=(), assessors=None)
    found = finished(run_all(alone, ["AgP"]))
    assert [one.producer for one in chapters_of(found)] == [
        name for name in PRODUCERS if name not in ("lab assessors", "lab correlation")
    ]
    missing, other = (note.said("command line") for note in found.notes)
    assert missing == (
        "the experiment assessors is left out: it needs another assessor; give one with --other"
    )
    assert other.startswith(
        "the experiment correlation is left out: lab correlation needs at least 2 measures"
    )
    [row] = found.output().rows.items
    assert (row["tau"], row["error_rate"]) == (None, None)
    assert row["passes"] is True


def test_two_runs_of_one_name_are_refused(subject: Subject):
    twice = replace(subject, runs=[*subject.runs[:2], subject.runs[0]])
    with pytest.raises(SpanwiseError, match=r"two runs named s01-paragraph.*run_name='file'"):
        finished(run_all(twice, ["AgP"]))


# -- the command


def files(*words: object) -> tuple[int, str, str]:
    runs = sorted((DEMO / "runs").iterdir())[:3]
    judged = DEMO / "assessments.first.jsonl"
    return command("lab", "all", judged, *runs, "--collection", DEMO / "articles", *words)


def test_files_of_ones_own(tmp_path: Path):
    second = DEMO / "assessments.second.jsonl"
    to = tmp_path / "lab.json"
    code, out, err = files("--other", second, "-m", "AgP", "-m", "AP", "--to", to)
    assert (code, out) == (0, "")
    assert "unjudged" in err
    assert "left out" not in err
    chapters = json.loads(to.read_text("utf-8"))["chapters"]
    assert [chapter["producer"] for chapter in chapters] == PRODUCERS
    assert chapters[0]["settings"]["topics"] == 14
    assert chapters[0]["title"] == "How measures perform"


def test_people_see_the_verdicts_and_programs_everything(tmp_path: Path):
    code, out, err = files("-m", "AgP", "-m", "AP", "-o", "markdown")
    assert code == 0
    assert "note: the experiment assessors is left out: it needs another assessor" in err
    assert out.count("| measure |") == 1
    code, out, _ = files("-m", "AgP", "-m", "AP", "-o", "jsonl", "--quiet")
    kinds = {row["experiment"] for row in map(json.loads, out.splitlines())}
    assert kinds == set(NAMES) - {"assessors"}
    page = tmp_path / "lab.html"
    assert files("-m", "AgP", "-m", "AP", "--quiet", "--to", page) == (0, "", "")
    assert page.read_text("utf-8").count('<section class="chapter"') == 7


def test_what_was_dropped_marks_every_row(tmp_path: Path):
    run, answer = tmp_path / "bad.jsonl", {"document": "dead-reckoning", "start": 3, "run": "bad"}
    lines = [{**answer, "topic": f"t0{n}", "end": end} for n, end in ((1, 9), (2, 9), (3, 1))]
    run.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, out, _ = files(run, "-m", "AgP", "-m", "AP", "--lenient", "-o", "jsonl", "--quiet")
    assert code == 0
    assert all(json.loads(line)["lenient"] is True for line in out.splitlines())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "found no assessments, expected ASSESSMENTS and one RUN or more; name them, or use"),
        (["q.txt"], "found no run, expected ASSESSMENTS and one RUN or more"),
        (["--demo", "q.txt"], "--demo reads no files: leave out ASSESSMENTS, or --demo"),
        (
            ["--demo", "--collection", "x", "--lenient"],
            "--demo reads no files: leave out --collection, --lenient, or --demo",
        ),
        (["--demo", "-m", "AqP"], "AqP"),
        (["--demo", "--to", "lab.xyz"], "lab.xyz: found the ending .xyz, expected one of"),
        (["missing.txt", "run.txt"], "missing.txt: file not found"),
    ],
)
def test_refusals(words: list[str], said: str):
    code, out, err = command("lab", "all", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_a_page_says_that_it_was_written(tmp_path: Path):
    page, table = tmp_path / "lab.html", tmp_path / "lab.csv"
    _, _, err = files("-m", "AgP", "-m", "AP", "--to", page)
    assert err.endswith(f"{page}: {round(page.stat().st_size / 1000)} kB; open it in a browser\n")
    assert str(table) not in files("-m", "AgP", "-m", "AP", "--to", table)[2]

"""The fidelity experiment: the paper's findings, a case worked by hand, what is missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command import Finished, run_command
from spanwise import evaluate
from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.elements import Paths, Tree
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults, Note
from spanwise.errors import NeedError, SpanwiseError
from spanwise.formats.builtin.json_rows.jsonl import write_assessments
from spanwise.lab.experiment import Step, finished
from spanwise.lab.fidelity_orderings import MEASURES, POINTS, Fidelity, check_orderings
from spanwise.lab.synthetic_collection import SyntheticDocuments, synthetic
from spanwise.reporting.render import rendered

SETS = ("S", "SL", "SLD", "SS", "SST")
FOUR = ["SRI over SRSI", "SLRI over SLRSI", "SSRI over SSRSI", "SSTRI over SSTRSI"]


def found_for(judged: Assessments, measures: Any, known: Documents | None = None) -> Fidelity:
    return finished(check_orderings(judged, measures, known))


def broken(found: Fidelity, measure: str) -> list[str]:
    return [str(ordering) for ordering in found.broken(measure)]


# -- the paper's findings


@pytest.fixture(scope="module", params=[1, 2])
def paper(request: pytest.FixtureRequest) -> Fidelity:
    made = synthetic(request.param)
    names = ["AgP", "AgP(by=text)", "AgP(by=found-text)", "AP", "AgP(F(beta=0.25))"]
    names += ["AgP(aveChP)", "AgP(T2If)", "ANCE@10"]
    return found_for(made.assessments, names, made.documents)


def test_agp_keeps_every_ordering_of_114_topics(paper: Fidelity) -> None:
    assert len(paper.scores.runs[0].topics) == 114
    assert len(paper.of("AgP")) == 36
    assert broken(paper, "AgP") == []


def test_agp_by_text_breaks_the_four_orderings_that_the_paper_reports(paper: Fidelity) -> None:
    assert broken(paper, "AgP(by=text)") == FOUR


@pytest.mark.parametrize(
    "measure", ["AP", "AgP(by=found-text)", "AgP(F(beta=0.25))", "AgP(aveChP)", "ANCE@10"]
)
def test_other_measures_keep_every_ordering(paper: Fidelity, measure: str) -> None:
    assert broken(paper, measure) == []


def test_ap_is_flat_along_parts_and_exchanged_documents(paper: Fidelity) -> None:
    for ordering in paper.of("AP"):
        steps_down = (ordering.better[-1] == "I") < (ordering.worse[-1] == "I")
        assert ordering.is_flat == (not steps_down)
        assert (ordering.p is None) == ordering.is_flat


def test_law_one_of_the_rankings(paper: Fidelity) -> None:
    mean = paper.scores.mean
    for name in SETS:
        swapped = mean("AgP", f"{name}R") - mean("AgP", f"{name}RS")
        behind = mean("AgP", f"{name}RI") - mean("AgP", f"{name}RSI")
        assert behind == pytest.approx(swapped / 2, abs=1e-12)


def test_where_lower_is_better_differences_are_turned(paper: Fidelity) -> None:
    mean = paper.scores.mean
    assert mean("ANCE@10", "SR") < mean("ANCE@10", "SRI")
    (ordering,) = [o for o in paper.of("ANCE@10") if (o.better, o.worse) == ("SR", "SRI")]
    expected = mean("ANCE@10", "SRI") - mean("ANCE@10", "SR")
    assert ordering.difference == pytest.approx(expected)
    assert (ordering.more, ordering.equal, ordering.fewer) == (114, 0, 0)


def test_p_is_that_of_the_paired_t_test(paper: Fidelity) -> None:
    from scipy.stats import ttest_rel

    compared = 0
    for ordering in paper.of("AgP"):
        first, second = (
            np.array(list(paper.scores.per_topic("AgP", run).values()))
            for run in (ordering.better, ordering.worse)
        )
        if not ordering.is_flat:
            assert ordering.p == pytest.approx(ttest_rel(first, second).pvalue, rel=1e-6)
            compared += 1
        assert ordering.difference == pytest.approx(float((first - second).mean()), abs=1e-12)
        assert ordering.more + ordering.equal + ordering.fewer == 114
    assert compared > 20


def test_the_graph_falls_and_keeps_the_order_of_the_sets(paper: Fidelity) -> None:
    curves = dict(paper.curves)
    assert list(curves) == [f"{name}R" for name in SETS]
    assert curves["SR"] == (1.0,) * 11
    for curve in curves.values():
        assert len(curve) == len(POINTS)
        assert list(curve) == sorted(curve, reverse=True)
    assert all(a >= b for a, b in zip(curves["SLR"], curves["SLDR"], strict=True))


# -- by hand


def article() -> tuple[Paths, Tree]:
    paths = Paths()
    rows = [
        ("/a[1]", -1, 0, 100),
        ("/a[1]/sec[1]", 0, 0, 40),
        ("/a[1]/sec[1]/p[1]", 1, 0, 20),
        ("/a[1]/sec[1]/p[1]/i[1]", 2, 5, 5),
        ("/a[1]/sec[2]", 0, 40, 60),
        ("/a[1]/sec[2]/p[1]", 4, 40, 30),
    ]
    numbers = [paths.add_path(path) for path, *_ in rows]
    columns = [np.array(column, np.int64) for column in zip(*(r[1:] for r in rows), strict=True)]
    return paths, Tree(np.array(numbers, np.int64), *columns)


def worked() -> tuple[Assessments, SyntheticDocuments]:
    """Two documents with the same tree: 25 relevant characters of d, 30 of e."""
    paths, tree = article()
    judgements = Judgements(Faults("qrels"))
    judgements.add_range("q", "d", 0, 25)
    judgements.add_range("q", "e", 40, 70)
    return judgements.build(), SyntheticDocuments(paths, {"d": tree, "e": tree, "n": tree})


WORKED = {
    "SR": 1.0,
    "SRI": (1 / 2 + 2 / 3) / 2,
    "SLR": (1 + (1 + 50 / 65) / 2) / 2,
    "SLRS": (50 / 65 + (1 + 50 / 65) / 2) / 2,
    "SLDR": (60 / 130 + (60 / 130 + 50 / 125) / 2) / 2,
    "SSR": (1 + (1 + 40 / 45) / 2) / 2,
    "SSTR": (1 + (1 + 10 / 30) / 2) / 2,
    "SSTRSI": (10 / 30 / 2 + (1 + 10 / 30) / 3) / 2,
}


def test_scores_worked_by_hand() -> None:
    found = found_for(worked()[0], ["AgP"], worked()[1])
    for run, value in WORKED.items():
        assert found.scores.mean("AgP", run) == pytest.approx(value), run
    (ordering,) = [o for o in found.of("AgP") if str(o) == "SLR over SLRS"]
    assert ordering.difference == pytest.approx(WORKED["SLR"] - WORKED["SLRS"])
    assert (ordering.more, ordering.equal, ordering.fewer, ordering.p) == (1, 0, 0, None)


def test_an_ordering_that_is_turned_round_is_counted_so() -> None:
    judged, known = worked()
    found = found_for(judged, ["AgP(by=text)"], known)
    (ordering,) = [o for o in found.of("AgP(by=text)") if str(o) == "SRI over SRSI"]
    assert ordering.difference == pytest.approx(-(30 - 25) / (6 * 55))
    assert (ordering.more, ordering.equal, ordering.fewer) == (0, 0, 1)
    assert not ordering.holds


def test_equal_differences_on_every_topic_leave_no_doubt() -> None:
    judgements = Judgements(Faults("qrels"))
    for topic in ("q1", "q2", "q3"):
        judgements.add_range(topic, "d", 0, 10)
        judgements.add_document("d", 100)
    found = found_for(judgements.build(), ["AP"])
    by_name = {str(o): o for o in found.of("AP")}
    assert by_name["SR over SRI"].difference == 0.5
    assert by_name["SR over SRI"].p == 0.0
    assert by_name["SR over SRS"].p is None


# -- how it runs, what it says


def test_steps_lead_to_the_end() -> None:
    steps: list[Step] = []
    finished(check_orderings(*_args(worked(), ["AP"])), steps.append)
    assert [step.done for step in steps] == list(range(21))
    assert {(step.total, step.what) for step in steps} == {(20, "runs")}


def _args(made: tuple[Assessments, SyntheticDocuments], names: list[str]) -> tuple[Any, ...]:
    return made[0], names, made[1]


def test_verdicts_name_what_is_broken(paper: Fidelity) -> None:
    said = paper.output().sentences
    assert said[0] == (
        "7 of 8 measures keep all 36 orderings of 20 simulated runs (114 topics);"
        " AgP(by=text) breaks 4."
    )
    assert f"AgP(by=text) breaks 4 of 36 orderings: {', '.join(FOUR)}." in said
    assert any(one.startswith("AgP keeps all 36 orderings; in 2 of them") for one in said)
    assert any(one.startswith("AP keeps all 36 orderings; in 26 of them") for one in said)


def test_the_tables_have_the_form_of_the_paper() -> None:
    judged, known = worked()
    chapter = found_for(judged, MEASURES, known).output()
    first, missing, late, *others = chapter.tables
    assert missing.title == "Missing documents (S, perfect parts)"
    assert late.title.startswith("The last relevant document after 50 irrelevant ones")
    assert [column.name for column in first.columns] == ["run", *MEASURES]
    assert len(first.rows) == 20
    assert [table.title for table in others] == [f"Orderings under {name}" for name in MEASURES]
    assert all(len(table.rows) == 36 for table in others)
    assert others[6].rows[0][:2] == ("SR over SLR", pytest.approx(100 * (1 - WORKED["SLR"])))
    assert chapter.plots[0].places == POINTS
    for output in ("table", "csv", "tsv", "jsonl", "json", "markdown", "latex"):
        assert rendered(chapter, output)


def test_rows_have_the_keys_that_programs_expect() -> None:
    judged, known = worked()
    rows = found_for(judged, ["AgP", "AP"], known).output().rows.items
    scores = [row for row in rows if row["kind"] == "score"]
    edges = [row for row in rows if row["kind"] == "edge"]
    assert (len(scores), len(edges)) == (40, 72)
    assert list(scores[0]) == ["kind", "run", "measure", "value"]
    assert list(edges[0]) == [
        *("kind", "measure", "better", "worse", "difference"),
        *("more", "equal", "fewer", "p", "holds"),
    ]


def test_a_measure_without_a_direction_is_shown_but_not_judged() -> None:
    judged, known = worked()
    found = found_for(judged, ["overlap", "AP"], known)
    assert found.of("overlap") == ()
    assert "overlap is not checked: neither high nor low values are better." in (
        found.output().sentences
    )
    assert len(found.output().tables) == 4


def test_without_elements_twelve_orderings_remain_and_it_is_said() -> None:
    made = synthetic(1, topics=10, documents=60)
    found = found_for(made.assessments, ["AgP", "AgP(by=text)"])
    assert len(found.scores.runs) == 8
    assert len(found.of("AgP")) == 12
    said = found.output()
    assert (
        said.sentences[-1] == "Without elements only S and SLD are built: 12 of the 36 orderings."
    )
    assert Note("few part sets", detail="no elements are known") in said.notes
    assert [name for name, _ in found.curves] == ["SR", "SLDR"]


# -- what is missing


def bare(**lengths: int) -> Assessments:
    judgements = Judgements(Faults("qrels"))
    judgements.add_range("q", "d", 0, 25)
    for name, length in lengths.items():
        judgements.add_document(name, length)
    return judgements.build()


def test_whole_documents_need_lengths_where_the_measure_does() -> None:
    with pytest.raises(NeedError, match=r"the length of .* is needed .*it is returned whole"):
        found_for(bare(), ["AgP"])
    found = found_for(bare(), ["AP"])
    assert broken(found, "AP") == []
    assert found.curves == ()
    assert any(
        str(note).startswith("the graph of igP is left out: the length of") for note in found.notes
    )
    assert found.output().plots == ()


@pytest.mark.parametrize(
    ("measure", "sentence"),
    [
        ("AgP(BEPD)", "needs the mean length"),
        ("nxCG(elements(quant=spec))@10", "needs the documents' elements"),
        ("textP(budget=9,unit=tokens)", "needs the text"),
    ],
)
def test_a_measure_that_needs_what_is_missing_says_so(measure: str, sentence: str) -> None:
    with pytest.raises(NeedError, match=sentence):
        found_for(bare(d=100), [measure])


def test_members_of_nicknames_are_left_out_instead() -> None:
    found = found_for(bare(d=100), ["inex2006"])
    labels = [asked.label for asked in found.scores.measures]
    assert "AgP(BEPD(A=0.1))" not in labels
    assert "AgP" in labels
    assert any("AgP(BEPD(A=0.1)) is left out" in str(note) for note in found.output().notes)


def test_members_that_some_runs_cannot_have_are_left_out_of_all() -> None:
    found = found_for(bare(), ["trec", "inex2008"])
    labels = [asked.label for asked in found.scores.measures]
    assert "AgP(F(beta=0.25))" not in labels
    assert "AP" in labels
    assert all(value is not None for run in found.scores.runs for value in run.means)


def test_passages_that_are_no_elements_are_named_where_elements_gain() -> None:
    judged, known = worked()
    notes = found_for(judged, ["nxCG(elements(quant=spec))@10"], known).notes
    told = [note for note in notes if "not match an element" in str(note)]
    assert told == [
        note for note in notes if str(note).startswith("SR: 1 answer in relevant documents")
    ]
    assert len(told) == 1


def test_no_relevant_text_and_no_measure_are_refused() -> None:
    judgements = Judgements(Faults("qrels"))
    judgements.judge("q", "d", 0)
    with pytest.raises(SpanwiseError, match="no topic has relevant text"):
        found_for(judgements.build(), ["AP"])
    with pytest.raises(SpanwiseError, match="no measure was asked for"):
        found_for(bare(d=100), [])


# -- the command


def command(folder: Path, *arguments: str) -> Finished:
    return run_command(["lab", "fidelity", *arguments], folder, variables={"COLUMNS": "100"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small synthetic collection as files."""
    made = synthetic(2, topics=6, documents=40)
    with (tmp_path / "qrels.jsonl").open("wb") as stream:
        write_assessments(made.assessments, stream)
    lines = [
        f"{name}\t{made.documents.paths.text(path)}\t{start}\t{size}\n"
        for name, tree in made.documents.trees.items()
        for path, start, size in zip(
            tree.path.tolist(), tree.start.tolist(), tree.size.tolist(), strict=True
        )
    ]
    (tmp_path / "elements.tsv").write_text("".join(lines))
    return tmp_path


def test_the_command_writes_rows_and_runs_that_read_back(folder: Path) -> None:
    measures = ["AgP", "AgP(by=text)", "AP", "AgP(aveChP)", "nxCG(elements(quant=spec))@10"]
    asked = [word for name in measures for word in ("-m", name)]
    told = ("qrels.jsonl", "--elements", "elements.tsv", "--runs-to", "runs", "-o", "jsonl")
    done = command(folder, *told, *asked)
    assert done.code == 0, done.err
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert len([row for row in rows if row["kind"] == "edge"]) == 36 * len(measures)
    files = sorted((folder / "runs").iterdir())
    assert len(files) == 20
    assert sorted(path.name for path in folder.iterdir()) == ["elements.tsv", "qrels.jsonl", "runs"]
    scores = evaluate(folder / "qrels.jsonl", files, measures, elements=folder / "elements.tsv")
    for row in rows:
        if row["kind"] == "score":
            assert scores.mean(row["measure"], row["run"]) == row["value"]


def test_the_command_says_when_there_are_no_elements(folder: Path) -> None:
    done = command(folder, "qrels.jsonl", "-m", "AP", "-o", "jsonl")
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert (done.code, len(rows)) == (0, 8 + 12 + 4)
    assert "note: no elements are known: only S and SLD are built" in done.err


def test_the_command_shows_the_default_measures(folder: Path) -> None:
    done = command(folder, "qrels.jsonl", "--elements", "elements.tsv", "-o", "csv", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1].startswith("score,SR,gP@1,1.0")
    assert all(f"edge,,{name}," in done.out for name in MEASURES)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("qrels.jsonl", "--runs-to", "full"), "exists already; name a folder that is new"),
        (("qrels.jsonl", "--runs-to", "qrels.jsonl"), "exists already"),
        (("qrels.jsonl", "--runs-to", "no/where"), "folder not found"),
        (("missing.jsonl", "--runs-to", "new"), "missing.jsonl"),
        (("qrels.jsonl", "-m", "AgPP"), "did you mean"),
        (("qrels.jsonl", "-m", "AgP(BEPD)", "--runs-to", "new"), "needs the mean length"),
        (("qrels.jsonl", "--topics", "t999"), "topic t999 is not in the assessments"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(
    folder: Path, arguments: tuple[str, ...], said: str
) -> None:
    (folder / "full").mkdir()
    (folder / "full" / "file").write_text("kept")
    before = sorted(path.name for path in folder.iterdir())
    done = command(folder, *arguments)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
    assert done.out == ""
    assert sorted(path.name for path in folder.iterdir()) == before


def test_an_empty_folder_is_filled(folder: Path) -> None:
    (folder / "runs").mkdir()
    done = command(folder, "qrels.jsonl", "-m", "AP", "--runs-to", "runs", "--topics", "t001")
    assert done.code == 0, done.err
    assert len(list((folder / "runs").iterdir())) == 8
    assert '"t001"' in (folder / "runs" / "SR.jsonl").read_text()


def test_the_order_of_a_table_of_elements_changes_nothing(tmp_path: Path) -> None:
    rows = [
        f"{document}\t/a[1]{path}\t{start}\t{size}\n"
        for document, length in (("d1", 100), ("d2", 300), ("d3", 700), ("d4", 50))
        for path, start, size in (("", 0, length), ("/p[1]", 0, 20), ("/p[2]", 20, length - 20))
    ]
    (tmp_path / "qrels.jsonl").write_text(
        '{"topic": "q1", "document": "d1", "start": 0, "end": 20}\n'
        '{"topic": "q1", "document": "d2", "start": 20, "end": 90}\n'
    )
    found = set()
    for number, lines in enumerate((rows, rows[::-1], [*rows[6:], *rows[:6]])):
        table = tmp_path / f"elements{number}.tsv"
        table.write_text("".join(lines))
        words = ("qrels.jsonl", "--elements", table.name, "-m", "AiP", "-m", "AgP", "-o", "jsonl")
        done = command(tmp_path, *words)
        assert done.code == 0, done.err
        found.add(done.out)
    assert len(found) == 1


def test_an_invented_document_is_as_long_as_documents_are() -> None:
    judgements = Judgements(Faults("qrels"))
    judgements.add_document("d", 1000)
    judgements.add_range("q1", "d", 100, 300)
    found = finished(check_orderings(judgements.build(), ["textP", "AiP"]))
    assert found.simulated.invented
    values = {run.run: run.means[0] for run in found.scores.runs}
    assert values["SR"] == 1.0
    assert values["SRI"] == 200 / 1200

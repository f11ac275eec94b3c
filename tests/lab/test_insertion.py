"""Answers that are not relevant, between the answers of a list and before them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from cases import plain_measures
from spanwise.cli.main import main
from spanwise.data.run import Extent, Run
from spanwise.errors import NeedError, SpanwiseError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Policy
from spanwise.formats.memory import assessments_from
from spanwise.lab.experiment import Step, finished
from spanwise.lab.inserted_answers import (
    COUNTS,
    MEASURES,
    Insertion,
    drops,
    insert_answers,
    rewarding,
)
from spanwise.lab.insertion_lists import Inserting, built_in_case
from spanwise.measures.base import ListScore
from spanwise.measures.grammar import Asked, asked

PAPERS = Path(__file__).parents[1] / "papers" / "papers.json"
WORKED = {
    case["id"]: case["expected"]
    for case in json.loads(PAPERS.read_text(encoding="utf-8"))["cases"]
    if case["id"].startswith("insertion-")
}
COLUMNS = ("ep@0.1", "ep@1", "iMAep", "MAep", "Q", "Rmeasure", "MAnxCG@1500")
PRINTED = {
    ("insert", 1): (1, 0.6667, 0.8594, 0.8333, 0.8889, 0.5714, 0.9998),
    ("insert", 2): (1, 0.5, 0.7920, 0.75, 0.8182, 0.5714, 0.9996),
    ("insert", 5): (1, 0.2857, 0.7080, 0.6429, 0.7059, 0.5714, 0.9989),
    ("insert", 10): (1, 0.1667, 0.6624, 0.5833, 0.6296, 0.5714, 0.9978),
    ("insert", 100): (1, 0.0196, 0.6073, 0.5098, 0.5169, 0.5714, 0.9778),
    ("insert", 1000): (1, 0.0020, 0.6007, 0.5010, 0.5017, 0.5714, 0.7778),
    ("precede", 1): (0.1304, 0.6667, 0.4543, 0.5833, 0.6746, 0.5714, 0.9991),
    ("precede", 2): (0.0698, 0.5, 0.3118, 0.4167, 0.5404, 0, 0.9984),
    ("precede", 5): (0.0291, 0.2857, 0.1638, 0.2262, 0.3392, 0, 0.9964),
    ("precede", 10): (0.0148, 0.1667, 0.0920, 0.1288, 0.2096, 0, 0.9931),
    ("precede", 100): (0.0015, 0.0196, 0.0104, 0.0148, 0.0267, 0, 0.9331),
    ("precede", 1000): (0.0001, 0.0020, 0.0011, 0.0015, 0.0027, 0, 0.3331),
}
JUDGED = {"q1": {"a": [(0, 10)], "b": [(0, 5)]}, "q2": {"a": [(0, 4)]}}


def named(*names: str) -> list[Asked]:
    return [one for name in names for one in asked(name)]


def built_in(*names: str, counts: Any = COUNTS) -> Insertion:
    return finished(insert_answers(*built_in_case(named(*names)), counts=counts))


@pytest.fixture(scope="module")
def figure() -> Insertion:
    return built_in(*MEASURES)


def value(found: Insertion, mode: Any, count: int, measure: str) -> float:
    row = [one.label for one in found.measures].index(measure)
    result = found.values[mode][row][found.counts.index(count)]
    assert result is not None
    return result


# -- the paper's figure


@pytest.mark.parametrize("name", WORKED)
def test_the_worked_cases(figure: Insertion, name: str) -> None:
    _, mode, count = name.split("-")
    for measure, expected in WORKED[name].items():
        label = measure.replace("ep@1.0", "ep@1")
        assert value(figure, mode, int(count), label) == pytest.approx(expected, abs=1e-9), label


def test_every_count_and_measure_of_the_figure_has_a_worked_case() -> None:
    assert len(WORKED) == 2 * len(COUNTS)
    assert all(len(expected) == len(MEASURES) for expected in WORKED.values())


@pytest.mark.parametrize("place", PRINTED)
def test_the_printed_table_to_its_four_digits(figure: Insertion, place: tuple[Any, int]) -> None:
    found = [round(value(figure, *place, measure), 4) for measure in COLUMNS]
    assert found == list(PRINTED[place])


def test_the_drop_from_insert_to_precede(figure: Insertion) -> None:
    shares = {drop.measure.label: drop.share for drop in drops(figure)}
    percent = {name: round(100 * (shares[name] or 0), 2) for name in ("Q", "MAep", "iMAep")}
    assert percent == {"Q": 24.11, "MAep": 30.0, "iMAep": 47.14}
    assert "iMAep by 47.14%, MAep by 30.00%, Q by 24.11%" in figure.output().sentences[1]
    assert (
        "the same effect as after it: ep@1, Rmeasure, nxCG@3, nxCG@5"
        in figure.output().sentences[2]
    )


def test_no_measure_of_the_figure_rewards_what_is_not_relevant(figure: Insertion) -> None:
    assert rewarding(figure) == ()
    assert figure.output().sentences[0].startswith("None of 9 measures gets better")


# -- any measure


def of_lists() -> list[ListScore]:
    """Every registered list over every item, but for what describes the chunks of documents."""
    return [measure for measure in plain_measures() if not measure.describes_chunking]


@pytest.fixture(scope="module")
def everything() -> Insertion:
    """Every measure of lists."""
    measures = [Asked(str(measure), measure) for measure in of_lists()]
    return finished(insert_answers(*built_in_case(measures), counts=(1, 2, 3, 10)))


def test_every_registered_measure_is_defined(everything: Insertion) -> None:
    assert [one.label for one in everything.measures] == [str(m) for m in of_lists()]
    for rows in everything.values.values():
        assert all(value is not None and math.isfinite(value) for row in rows for value in row)
    assert everything.notes == ()


def test_no_registered_measure_rewards_what_is_not_relevant(everything: Insertion) -> None:
    assert rewarding(everything) == ()


def test_effort_rises() -> None:
    found = built_in("ANCE", "NCE@3", "AgP", counts=(1, 2))
    for mode in ("insert", "precede"):
        ance, nce, agp = found.values[mode]
        assert ance[0] == nce[0] == 0
        assert ance[0] < ance[1] < ance[2]
        assert nce[0] < nce[1]
        assert agp[0] > agp[1] > agp[2]
    effort = drops(found)[0]
    assert effort.worse is not None
    assert effort.worse > 0


def test_the_second_answer_is_half_as_good() -> None:
    """gP at rank 1 and 2 of the list as it is: 1, and the mean of 1 and a half."""
    found = built_in("gP(P)@1", "gP(P)@2", "gP(IoU)@2", "gP(BEP)@2", counts=[1])
    assert [row[0] for row in found.values["insert"]] == [1, 0.75, 0.75, 0.75]


def test_inserted_answers_have_words_too() -> None:
    """A section has 100 words of five characters; what is relevant of 750 characters read."""
    found = built_in("textP(budget=150,unit=tokens)", counts=[1])
    assert found.values["insert"][0] == (500 / 750, 500 / 750)
    assert found.values["precede"][0][1] == 250 / 750


def test_a_measure_without_direction_is_shown_and_not_judged() -> None:
    chapter = built_in("overlap", "AP", counts=[1]).output()
    assert (
        chapter.sentences[-1] == "Not judged, as neither high nor low values are better: overlap."
    )
    assert "AP never gets better" in chapter.sentences[0]
    assert chapter.rows.items[-2]["drop"] is None


def test_a_measure_that_gets_better_is_named() -> None:
    """A broken one: its values rise in precede."""
    found = built_in("AP", "Q", counts=[1, 2])
    rising = ((0.5, 0.4, 0.4), (0.5, 0.4, 0.6))
    broken = Insertion(
        *(found.run, 1, found.counts, found.measures),
        {"insert": rising[:1] * 2, "precede": rising},
        (),
    )
    assert rewarding(broken) == ("Q",)
    assert broken.output().sentences[0].startswith("1 of 2 measures gets better")


def test_a_drop_from_nothing_is_no_share() -> None:
    found = built_in("AP", counts=[1])
    none = Insertion(
        found.run, 1, found.counts, found.measures, {"insert": ((0, 0),), "precede": ((0, 0),)}, ()
    )
    assert drops(none)[0].share is None
    assert "the same effect as after it: AP" in none.output().sentences[1]


# -- data of one's own


def case(run: Run, *measures: str, policy: Policy | None = None) -> tuple[Evaluation, Run]:
    return Evaluation(assessments_from(JUDGED), tuple(named(*measures)), policy or Policy()), run


def ranges(**columns: Any) -> Run:
    return Run.of(
        "x",
        ["q1", "q1", "q2"],
        ["a", "b", "a"],
        start=[0, 0, 0],
        end=[10, 5, 4],
        **columns,
    )


def lists(run: Run) -> list[list[str]]:
    names, offsets = run.documents.strings(), run.offsets.tolist()
    return [names[offsets[place] : offsets[place + 1]] for place in range(len(run.topics))]


def test_answers_go_after_the_first_or_before_it() -> None:
    inserting = Inserting.into(*case(ranges(), "AP"), most=2)
    one, two = "inserted 1", "inserted 2"
    assert lists(inserting.longer("insert", 2)) == [["a", one, two, "b"], ["a", one, two]]
    assert lists(inserting.longer("precede", 2)) == [[one, two, "a", "b"], [one, two, "a"]]
    assert lists(inserting.longer("precede", 0)) == [["a", "b"], ["a"]]


def test_the_first_answer_is_that_of_the_order_that_counts() -> None:
    run = ranges(score=[1.0, 2.0, 1.0], order="score")
    inserting = Inserting.into(*case(run, "AP"), most=1)
    assert lists(inserting.longer("insert", 1))[0] == ["b", "inserted 1", "a"]


def test_inserted_documents_have_names_of_their_own() -> None:
    run = Run.of("x", ["q1"], ["inserted 1"], start=[0], end=[3])
    inserting = Inserting.into(*case(run, "AP"), most=1)
    assert lists(inserting.longer("precede", 1)) == [["inserted- 1", "inserted 1"]]


def test_inserted_answers_are_as_long_as_the_others() -> None:
    """textP reads 10, 5 and one of the median, 5."""
    found = finished(insert_answers(*case(ranges(), "textP"), counts=[1]))
    assert found.values["insert"][0] == (1.0, pytest.approx((15 / 20 + 4 / 9) / 2))


def test_runs_of_whole_documents_get_whole_documents() -> None:
    run = Run.of("x", ["q1", "q2"], ["a", "a"])
    inserting = Inserting.into(*case(run, "AP"), most=1)
    longer = inserting.longer("precede", 1)
    assert set(longer.extent.tolist()) == {Extent.WHOLE}
    found = finished(insert_answers(*case(run, "AP"), counts=[1]))
    assert found.values["precede"][0] == (0.75, 0.375)


def test_a_run_of_elements_without_places_can_be_ranked() -> None:
    paths = ["/article[1]", "/article[1]/p[1]"]
    run = Run.of("x", ["q1", "q2"], ["a", "a"], extent=[Extent.ELEMENT] * 2, paths=paths)
    found = finished(insert_answers(*case(run, "AP"), counts=[1]))
    assert found.values["precede"][0] == (0.75, 0.375)


def test_the_limit_on_results_counts_inserted_answers() -> None:
    found = finished(insert_answers(*case(ranges(), "AP", policy=Policy(results=2)), counts=[1, 2]))
    assert found.values["insert"][0] == (1.0, 0.75, 0.75)
    assert found.values["precede"][0][2] == 0


def test_an_empty_run_stays_at_nothing() -> None:
    run = Run.of("x", [], [], start=[], end=[])
    found = finished(insert_answers(*case(run, "AP"), counts=[3]))
    assert found.values["precede"][0] == (0, 0)


def test_steps_tell_how_far_it_is() -> None:
    steps: list[Step] = []
    finished(insert_answers(*built_in_case(named("AP")), counts=[1, 2]), steps.append)
    assert [step.done for step in steps] == [1, 2, 3, 4, 5, 6]
    assert {(step.total, step.what) for step in steps} == {(6, "lists")}


# -- what is refused


@pytest.mark.parametrize("counts", [[], [0], [-1, 3], [100_001]])
def test_counts_that_make_no_sense(counts: list[int]) -> None:
    with pytest.raises(SpanwiseError, match="expected whole numbers from 0 to 100000"):
        built_in("AP", counts=counts)


def test_what_a_measure_needs_is_said() -> None:
    optional = [Asked(one.label, one.measure, optional=True) for one in named("AgP(BEPD)")]
    evaluation = Evaluation(assessments_from(JUDGED), tuple(optional))
    with pytest.raises(NeedError, match=r"computed: AgP.BEPD.: .* needs the mean length"):
        finished(insert_answers(evaluation, ranges(), counts=[1]))


def test_the_others_are_shown_where_one_is_impossible() -> None:
    wanted = named("AgP(ChP)", "AP")
    optional = tuple(Asked(one.label, one.measure, optional=True) for one in wanted)
    evaluation = Evaluation(assessments_from(JUDGED), optional)
    found = finished(insert_answers(evaluation, ranges(), counts=[1]))
    assert [one.label for one in found.measures] == ["AP"]
    assert any(
        "AgP(ChP) is left out: the length of document a" in str(note) for note in found.notes
    )


# -- the chapter


def test_the_chapter_has_a_table_and_a_plot_for_each_mode(figure: Insertion) -> None:
    chapter = figure.output()
    assert [table.title.split(":")[0] for table in chapter.tables[:2]] == ["insert", "precede"]
    assert [row[0] for row in chapter.tables[0].rows] == list(COUNTS)
    assert len(chapter.plots) == 2
    for plot in chapter.plots:
        assert plot.ranks
        assert plot.places == tuple(map(float, COUNTS[1:])), "a place of 0 has no logarithm"
        assert [name for name, _ in plot.series] == list(MEASURES)
        assert all(len(values) == len(plot.places) for _, values in plot.series)


def test_rows_for_programs(figure: Insertion) -> None:
    rows = figure.output().rows.items
    assert {row["kind"] for row in rows} == {"score", "drop"}
    assert len(rows) == 2 * len(COUNTS) * len(MEASURES) + len(MEASURES)
    assert {
        "kind": "score",
        "mode": "precede",
        "measure": "Rmeasure",
        "canonical": "Rmeasure(elements(quant=sog,alpha=1))",
        "inserted": 2,
        "value": 0.0,
    } in rows


# -- the command

Output = pytest.CaptureFixture[str]


def command(capfd: Output, *words: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["lab", "insertion", *map(str, words)])
    return int(end.value.code or 0), *capfd.readouterr()


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("q1 Q0 a 10 100 0 0:10\nq2 Q0 b 5 50 0 0:5\n")
    (tmp_path / "run.fol").write_text("q1 Q0 a 1 2.0 x 0 10\nq2 Q0 b 1 2.0 x 0 10\n")
    return tmp_path


def test_without_files_it_is_the_paper(capfd: Output) -> None:
    code, out, err = command(capfd)
    assert code == 0
    assert "MAep by 30.00%" in " ".join(out.split())
    assert "note: printed by Kazai and Lalmas" in err


@pytest.mark.parametrize("output", ["table", "tsv", "csv", "jsonl", "json", "markdown", "latex"])
def test_every_format(capfd: Output, output: str) -> None:
    code, out, _ = command(capfd, "-m", "AP", "-m", "ANCE", "--counts", "1,2", "-o", output)
    assert code == 0
    assert "precede" in out
    assert "nan" not in out.lower()


def test_files_of_the_user(capfd: Output, files: Path) -> None:
    words = ("qrels.txt", "run.fol", "-m", "AP", "-m", "xcg", "--counts", "1", "-o", "jsonl")
    code, out, err = command(capfd, *words)
    assert code == 0, err
    rows = [json.loads(line) for line in out.splitlines()]
    found = [row["value"] for row in rows if row["kind"] == "score" and row["measure"] == "AP"]
    assert found == [1, 1, 1, 0.5]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["qrels.txt"], "found qrels.txt alone, expected assessments and a run"),
        (["qrels.txt", "nowhere.fol"], "nowhere.fol: file not found"),
        (["qrels.txt", "run.fol", "--compat", "inex_eval"], "No such option '--compat'"),
        (["qrels.txt", "two.fol"], "two.fol: found 2 runs (x, y), expected one run"),
        (["qrels.txt", "run.fol", "-m", "inex_eval"], "needs graded elements"),
        (["qrels.txt", "run.fol", "-m", "AgP(BEPD)"], "needs the mean length"),
        (["none.txt", "run.fol"], "none.txt: no topic has relevant text"),
        (["--collection", "here"], "--collection is about files"),
        (["--counts", "1,x"], "--counts: found '1,x', expected whole numbers"),
        (["--counts", "-1"], "found '-1', expected whole numbers of 0 or more"),
        (["-m", "AgQ"], "unknown measure"),
        (["--to", "here.pdf"], "here.pdf"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(
    capfd: Output, files: Path, words: list[str], message: str
) -> None:
    (files / "two.fol").write_text("q1 Q0 a 1 2.0 x 0 10\nq1 Q0 a 1 2.0 y 0 10\n")
    (files / "none.txt").write_text("q1 Q0 a 0 100\n")
    code, out, err = command(capfd, *words)
    assert code == 2
    assert out == ""
    assert message in err
    assert "Traceback" not in err

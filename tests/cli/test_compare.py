"""``spanwise compare``: what it says, what it shows, and what it does where nothing can be said."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
from pathlib import Path

import polars
import pytest
from click.testing import CliRunner

from spanwise import compare
from spanwise.cli.main import command_line

TOPICS = 12
FORMATS = ("table", "tsv", "csv", "jsonl", "json", "markdown", "latex")
KEYS = (
    *("measure", "a", "b", "mean_a", "mean_b", "difference", "low", "high"),
    *("p", "p_corrected", "wins", "ties", "losses", "topics"),
    *("test", "tail", "correction", "tests", "resamples", "seed"),
)
# Characters returned by each run for three topics in turn; 100 characters are relevant.
RETURNED = {"exact": (100, 100, 125), "wide": (200, 125, 250), "wider": (400, 160, 250)}
PRECISION = {name: sum(100 / n for n in sizes) / 3 for name, sizes in RETURNED.items()}


def run_lines(name: str, sizes: tuple[int, ...], topics: range = range(TOPICS)) -> str:
    return "".join(f"t{n:02} Q0 d{n} 1 1.0 {name} 0 {sizes[n % len(sizes)]}\n" for n in topics)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Assessments and three runs that return more and more."""
    judged = "".join(f"t{n:02} Q0 d{n} 100 1000 0 0:100\n" for n in range(TOPICS))
    (tmp_path / "qrels.txt").write_text(judged)
    for name, sizes in RETURNED.items():
        (tmp_path / f"{name}.fol").write_text(run_lines(name, sizes))
    return tmp_path


ALL = ("compare", "qrels.txt", "exact.fol", "wide.fol", "wider.fol")
TWO = ("compare", "qrels.txt", "wide.fol", "wider.fol")


def rows(done):
    assert done.code == 0, done.err
    return [json.loads(line, parse_constant=refuse) for line in done.out.splitlines()]


def without_interval(sentence):
    """Resampled numbers are the statistics' business."""
    return re.sub(r"95% CI 0\.\d+–\d\.\d+", "95% CI", sentence)


def refuse(constant):
    raise AssertionError(f"{constant} in an output")


# -- rows for programs


def test_one_row_for_each_pair_and_measure(spanwise, runs):
    found = rows(spanwise(*ALL, "-m", "textP", "-m", "ANCE@5", "-o", "jsonl"))
    assert all(tuple(row) == KEYS for row in found)
    pairs = [("exact", "wide"), ("exact", "wider"), ("wide", "wider")]
    assert [(row["measure"], row["a"], row["b"]) for row in found] == [
        (measure, *pair) for measure in ("textP", "ANCE@5") for pair in pairs
    ]


def test_rows_say_how_they_were_tested(spanwise, runs):
    words = (*ALL, "-m", "textP", "-m", "overlap", "-o", "jsonl")
    tested, *_, described = rows(spanwise(*words))
    settings = {name: tested[name] for name in KEYS[-6:]}
    assert settings == {
        **{"test": "randomisation", "tail": "two", "correction": "holm", "tests": 3},
        **{"resamples": None, "seed": None},
    }
    assert {described[name] for name in ("p", "p_corrected", *KEYS[-6:])} == {None}
    drawn = rows(spanwise(*words, "--test", "bootstrap", "--resamples", 50, "--seed", 4))[0]
    assert (drawn["test"], drawn["resamples"], drawn["seed"]) == ("bootstrap", 50, 4)


def test_p_is_corrected_over_all_measures_that_are_tested(spanwise, runs):
    words = (*ALL, "-m", "textP", "-m", "textF", "-m", "overlap", "-o", "jsonl")
    found = [row for row in rows(spanwise(*words)) if row["p"] is not None]
    assert {row["tests"] for row in found} == {6}
    smallest = min(found, key=lambda row: row["p"])
    assert smallest["p_corrected"] == pytest.approx(6 * smallest["p"])
    against = rows(spanwise(*words, "--baseline", "wide"))
    assert {row["tests"] for row in against if row["p"] is not None} == {4}


def test_differences_are_a_minus_b(spanwise, runs):
    row = rows(spanwise(*TWO, "-m", "textP", "-o", "jsonl"))[0]
    assert row["mean_a"] == pytest.approx(PRECISION["wide"])
    assert row["mean_b"] == pytest.approx(PRECISION["wider"])
    assert row["difference"] == pytest.approx(PRECISION["wide"] - PRECISION["wider"])
    assert row["low"] <= row["difference"] <= row["high"]
    assert (row["wins"], row["ties"], row["losses"], row["topics"]) == (8, 4, 0, 12)


def test_wins_are_for_the_better_run_where_lower_is_better(spanwise, files):
    words = ("compare", "qrels.txt", "first.fol", "second.fol", "-m", "ANCE@5", "-o", "jsonl")
    row = rows(spanwise(*words))[0]
    assert row["difference"] < 0, "the first run costs less"
    assert row["wins"] > row["losses"]


@pytest.mark.parametrize("test", ["bootstrap", "randomisation", "t", "wilcoxon"])
@pytest.mark.parametrize("tail", ["one", "two"])
def test_p_is_that_of_the_library(spanwise, runs, test, tail):
    options = ("--test", test, "--tail", tail, "--correction", "bh", "--resamples", 500)
    found = rows(spanwise(*ALL, "-m", "textP", "-o", "jsonl", *options, "--seed", 7))
    files = [runs / f"{name}.fol" for name in RETURNED]
    keywords = {"test": test, "tail": tail, "correction": "bh", "resamples": 500, "seed": 7}
    (expected,) = compare(runs / "qrels.txt", files, ["textP"], **keywords).comparisons
    values = [(row["p"], row["p_corrected"], row["low"]) for row in found]
    assert values == [(pair.p, pair.p_corrected, pair.low) for pair in expected.pairs]


def test_the_method_of_the_bootstrap_reaches_the_test(spanwise, runs):
    files = [runs / "wide.fol", runs / "wider.fol"]
    keywords = {"test": "bootstrap", "method": "percentile", "resamples": 200}
    (expected,) = compare(runs / "qrels.txt", files, ["textP"], **keywords).comparisons
    words = (*TWO, "-m", "textP", "--test", "bootstrap", "--method", "percentile")
    words = (*words, "--resamples", 200)
    assert rows(spanwise(*words, "-o", "jsonl"))[0]["p"] == expected.pairs[0].p
    assert "percentile" in spanwise(*words).out


def test_the_same_seed_gives_the_same_bytes(spanwise, runs):
    words = (*ALL, "-m", "textP", "--resamples", 300, "-o", "jsonl")
    one = spanwise(*words).out
    assert spanwise(*words).out == one
    assert spanwise(*words, "--seed", 2).out != one


def test_csv_and_tsv_agree(spanwise, runs):
    tsv = spanwise(*ALL, "-o", "tsv", "-m", "textP").out
    comma = spanwise(*ALL, "-o", "csv", "-m", "textP").out
    lines = [line.split("\t") for line in tsv.splitlines()]
    assert list(csv.reader(io.StringIO(comma))) == lines
    assert tuple(lines[0]) == KEYS
    exact = rows(spanwise(*ALL, "-o", "jsonl", "-m", "textP"))
    assert [float(line[5]) for line in lines[1:]] == [row["difference"] for row in exact]


def test_json_tells_everything(spanwise, runs):
    (runs / "groups.txt").write_text("t00 a\nt01 b\n")
    words = (*ALL, "-m", "textP", "--groups", "groups.txt", "--seed", 3, "--baseline", "wide")
    found = json.loads(spanwise(*words, "-o", "json").out, parse_constant=refuse)
    assert set(found["versions"]) == {"spanwise", "python", "numpy", "scipy"}
    settings = {name: found["settings"][name] for name in ("seed", "test", "baseline", "missing")}
    assert settings == {"seed": 3, "test": "randomisation", "baseline": "wide", "missing": "zero"}
    drawn = {name: found["settings"][name] for name in ("tests", "resamples", "interval_resamples")}
    assert drawn == {"tests": 2, "resamples": 10_000, "interval_resamples": 10_000}
    roles = [given["role"] for given in found["inputs"]]
    assert roles == ["assessments", "run", "run", "run", "groups"]
    (comparison,) = found["comparisons"]
    assert comparison["canonical"].startswith("textP")
    assert comparison["reference"] == "wide"
    assert "two-tailed paired randomisation test, exact" in comparison["procedure"]
    assert [mean["run"] for mean in comparison["means"]] == ["exact", "wide", "wider"]
    assert [(pair["a"], pair["b"]) for pair in comparison["pairs"]] == [
        ("exact", "wide"),
        ("wider", "wide"),
    ]
    assert [group["group"] for group in found["groups"]] == ["a", "b"]
    assert [run["counts"]["answers"] for run in found["runs"]] == [12, 12, 12]


# -- tables for people


def test_the_verdict_comes_first(spanwise, runs):
    out = spanwise(*ALL, "-m", "textP", COLUMNS="300").out
    assert without_interval(out.splitlines()[0]) == (
        "exact has the best mean textP (0.93, 95% CI):"
        " 0.37 ahead of wide and 0.51 ahead of wider, significant (corrected p = 0.001)."
    )


def test_what_is_not_significant_is_called_so(spanwise, runs):
    few = ",".join(f"t{n:02}" for n in range(3))
    out = spanwise(*TWO, "-m", "textP", "--topics", few, "--test", "t", COLUMNS="300").out
    assert "0.14 ahead of wider, not significant (p = " in out.splitlines()[0]
    assert "*" not in out.split("* corrected p at most")[0]


def test_five_topics_are_too_few_for_stars(spanwise, runs):
    few = ",".join(f"t{n:02}" for n in range(5))
    done = spanwise(*ALL, "-m", "textP", "--topics", few, COLUMNS="300")
    said = (
        "With 5 topics no difference can be significant: the smallest exact p is 0.0625, 0.19 after"
        " correction for 3 tests."
    )
    assert done.out.splitlines()[0].endswith(said)
    assert "*" not in done.out
    assert done.out.replace(said, "").count("significant") == 0
    assert "with 5 topics no difference can be significant" in done.err


def test_the_bootstrap_test_comes_with_its_figures(spanwise, runs):
    done = spanwise(*TWO, "-m", "textP", "--test", "bootstrap", COLUMNS="300")
    figures = ".24, .15, .08 and .08 with 10, 14, 25 and 50 topics"
    said = " ".join(done.out.split())
    assert "With 12 topics the bootstrap test is anti-conservative: on equal runs" in said
    assert figures in said
    assert figures in done.err


def test_one_tail_says_which_direction_it_takes(spanwise, runs):
    words = (*TWO, "-m", "textP", "--tail", "one")
    done = spanwise(*words, COLUMNS="300")
    real = "its real level is about twice the nominal one (measured .09 to .10 for .05)"
    assert real in " ".join(done.out.split())
    assert real in done.err
    caveat = "; one-tailed in the observed direction, so the real level is about 0.1."
    assert done.out.splitlines()[0].endswith(caveat)
    done = spanwise(*words, "--baseline", "wider", COLUMNS="300")
    assert "twice" not in done.out + done.err
    assert "one-tailed question: is the run better than wider?" in " ".join(done.out.split())
    better, worse = (
        rows(spanwise(*words, "--baseline", name, "-o", "jsonl"))[0] for name in ("wider", "wide")
    )
    assert better["p"] < 0.05 < worse["p"]


def test_runs_are_ranked_with_marks_and_a_legend(spanwise, runs):
    out = spanwise(*ALL, "-m", "textP", "--digits", 2, COLUMNS="300").out
    lines = out.splitlines()
    start = lines.index("textP")
    assert lines[start + 1].split("  ")[0] == "run"
    assert [line.split()[0] for line in lines[start + 3 : start + 6]] == ["exact", "wide", "wider"]
    assert lines[start + 3].endswith("best")
    assert "-0.37**" in lines[start + 4]
    assert lines[start + 4].endswith("0/0/12")
    assert lines[start + 1].split()[4:7] == ["difference", "p", "p,"]
    assert (
        "* corrected p at most 0.05, ** at most 0.01. Test: two-tailed paired randomisation test,"
        " exact (all sign flips), Holm correction over 3 tests, 12 topics."
        " 95% CI: bootstrap-t, 10,000 resamples, seed 1, uncorrected."
    ) in lines


def test_lower_can_be_better(spanwise, files):
    words = ("compare", "qrels.txt", "first.fol", "second.fol", "-m", "ANCE@5")
    lines = spanwise(*words, "--quiet", COLUMNS="300").out.splitlines()
    assert lines[0].startswith("first has the best mean ANCE@5 (")
    assert re.search(r"; lower is better\): \d\.\d\d ahead of second \(p = ", lines[0])


def test_the_matrix_is_row_minus_column(spanwise, runs):
    out = spanwise(*ALL, "-m", "textP", "--digits", 2).out
    matrix = out[out.index("textP, row minus column") :].splitlines()
    assert matrix[1].split() == ["exact", "wide", "wider"]
    assert matrix[3].split() == ["exact", "+0.37**", "+0.51**"]
    assert matrix[5].split() == ["wider", "-0.51**", "-0.14**"]
    assert "3 of 3 pairs differ significantly by textP." in out


def test_a_matrix_only_where_it_helps(spanwise, runs):
    assert "row minus column" not in spanwise(*TWO, "-m", "textP").out
    assert "row minus column" not in spanwise(*ALL, "--baseline", "wide", "-m", "textP").out
    for number in range(18):
        (runs / f"more{number}.fol").write_text(run_lines(f"more{number}", (110 + number,)))
    many = [f"more{number}.fol" for number in range(17)]
    assert "row minus column" in spanwise(*ALL, *many, "-m", "textP").out
    most = spanwise(*ALL, *many, "more17.fol", "-m", "textP", "--correction", "none").out
    assert "row minus column" not in most
    assert "of 210 pairs differ significantly" in most


def test_the_best_mean_is_bold(spanwise, runs):
    markdown = spanwise(*ALL, "-m", "textP", "-o", "markdown").out
    assert "| exact | **0.9333** |" in markdown
    assert markdown.count("**0.") == 1
    latex = spanwise(*ALL, "-m", "textP", "-o", "latex").out
    assert "exact & \\textbf{0.9333} &" in latex
    assert latex.count("\\toprule") == 2
    assert latex.startswith("% Needs \\usepackage{booktabs}")


def test_the_best_mean_is_bold_on_a_terminal(start, runs):
    import pty

    leader, follower = pty.openpty()
    process = start(*ALL, "-m", "textP", "--quiet", stdout=follower, stderr=follower)
    os.close(follower)
    assert "\x1b[1m0.9333 \u2588\u2588\u2588\u2588\u2588\u258b\x1b[0m" in _read_all(leader)
    assert process.wait(60) == 0


def _read_all(leader):
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            piece = b""
        if not piece:
            os.close(leader)
            return shown.decode()
        shown += piece


@pytest.mark.parametrize("width", [40, 60, 80])
def test_tables_fit_the_width(spanwise, runs, width):
    out = spanwise(*ALL, "-m", "textP", "--power", COLUMNS=str(width)).out
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= width


def test_power_tells_how_many_topics_would_do(spanwise, runs):
    words = (*TWO, "-m", "textP", "--power")
    out = spanwise(*words, COLUMNS="200").out
    assert "needed" in out
    assert "80% of the time" in out
    row = rows(spanwise(*words, "-o", "jsonl"))[0]
    assert tuple(row) == (*KEYS, "topics_needed")
    assert 2 <= row["topics_needed"] <= 12, "the difference is seen with 12 topics"


# -- baseline and groups


def test_a_baseline_is_the_second_of_each_pair(spanwise, runs):
    found = rows(spanwise(*ALL, "-m", "textP", "--baseline", "wide", "-o", "jsonl"))
    assert [(row["a"], row["b"]) for row in found] == [("exact", "wide"), ("wider", "wide")]
    out = spanwise(*ALL, "-m", "textP", "--baseline", "wide", COLUMNS="300").out
    assert without_interval(out.splitlines()[0]) == (
        "Against the baseline wide (textP 0.57, 95% CI):"
        " exact is 0.37 ahead, significant (corrected p < 0.001);"
        " wider is 0.14 behind, significant (corrected p = 0.008)."
    )
    assert "2 of 2 runs differ significantly from wide by textP." in out


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("widr", "did you mean 'wide"),
        ("wide.fol", "did you mean 'wide'?"),
        ("zzz", "exact, wide, wid"),
    ],
)
def test_an_unknown_baseline(spanwise, runs, given, hint):
    done = spanwise(*ALL, "-m", "textP", "--baseline", given)
    assert (done.code, done.out) == (2, "")
    assert f"no run is named {given}" in done.err
    assert hint in done.err


GROUPS = "".join(f"t{n:02}\t{'short' if n % 3 == 1 else 'long texts'}\n" for n in range(TOPICS))


def test_means_for_groups(spanwise, runs):
    (runs / "groups.tsv").write_text(GROUPS)
    out = spanwise(*TWO, "-m", "textP", "--groups", "groups.tsv", "--digits", 3).out
    grid = out[out.index("textP by group: mean, difference to wide") :].splitlines()
    assert grid[1].split() == ["run", "long", "texts", "short"]
    assert grid[3].split() == ["wide", "0.450", "0.800"]
    assert [cell.rstrip("*") for cell in grid[4].split()] == [
        *("wider", "0.325", "-0.125", "0.625", "-0.175")
    ]
    assert "Topics in groups: long texts 8, short 4" in out


def test_groups_in_json_lines_are_the_same(spanwise, runs):
    (runs / "groups.tsv").write_text(GROUPS)
    pairs = [line.split("\t") for line in GROUPS.splitlines()]
    lines = [json.dumps({"topic": topic, "group": group}) for topic, group in pairs]
    (runs / "groups.jsonl").write_text("\n".join(lines))
    words = (*TWO, "-m", "textP", "-o", "jsonl", "--groups")
    assert spanwise(*words, "groups.jsonl").out == spanwise(*words, "groups.tsv").out
    found = rows(spanwise(*words, "groups.jsonl"))
    assert [row.get("group") for row in found] == [None, "long texts", "short"]
    assert [row["topics"] for row in found] == [12, 8, 4]


def test_p_in_groups_is_corrected_over_all_groups(spanwise, runs):
    (runs / "groups.tsv").write_text(GROUPS)
    words = (*TWO, "-m", "textP", "-o", "jsonl", "--groups", "groups.tsv", "--test", "t")
    for row in rows(spanwise(*words, "--topics", "t00,t01,t03,t04,t05"))[1:]:
        assert row["p_corrected"] >= row["p"]
    alone, *grouped = rows(spanwise(*words))
    assert alone["p_corrected"] == alone["p"]
    smallest = min(row["p"] for row in grouped)
    assert min(row["p_corrected"] for row in grouped) == pytest.approx(2 * smallest)


def test_topics_without_a_group_are_counted(spanwise, runs):
    (runs / "groups.txt").write_text("# mine\nt00 a\nt01 a\nt77 b\n")
    done = spanwise(*TWO, "-m", "textP", "--groups", "groups.txt")
    assert "10 topics have no group (t02, " in done.err
    assert "1 topic of the groups is not compared (t77)" in done.err
    assert "Topics in groups: a 2;" in done.out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("t00 a\nt01\n", "bad.txt:2: found 1 column (t01), expected"),
        ("t00 a\nt00 b\n", "bad.txt:2: found topic t00 in b, expected one group for each topic"),
        ('{"topic": "t00"}\n', "bad.txt:1: found no group, expected"),
        ('{"topic": "t00", "group": 1.5}\n', "bad.txt:1: found group 1.5, expected"),
        ('{"topic": "t00", "group": "a"}\n{oops\n', "bad.txt:2: found broken JSON"),
        ("", "bad.txt: found no topics, expected"),
        ("t77 a\n", "bad.txt: none of its topics is among those compared"),
        (b"t00 \xff\n", "bad.txt:1: found byte 0xff, expected UTF-8 text"),
    ],
)
def test_groups_that_cannot_be_read(spanwise, runs, content, message):
    raw = content if isinstance(content, bytes) else content.encode()
    (runs / "bad.txt").write_bytes(raw)
    done = spanwise(*TWO, "-m", "textP", "--groups", "bad.txt")
    assert (done.code, done.out) == (2, "")
    assert message in done.err


# -- where little or nothing can be said

UNUSUAL = {
    "one run": (("qrels.txt", "wide.fol"), "there is no run to compare it with"),
    "one topic": (("qrels.txt", "wide.fol", "wider.fol", "--topics", "t00"), "(p = 1.00)"),
    "no variance": (("qrels.txt", "flat.fol", "flatter.fol"), "ahead of flatter, significant"),
    "all ties": (("qrels.txt", "flat.fol", "same.fol"), "flat and same share the best mean textP"),
    "no common topics": (
        ("qrels.txt", "early.fol", "late.fol", "--missing", "skip"),
        "no other run has a topic in common with it, so it cannot be compared",
    ),
    "no answers": (("qrels.txt", "flat.fol", "empty.fol"), "0.50 ahead of empty, significant"),
}


@pytest.fixture
def unusual(runs):
    made = {
        "flat": run_lines("flat", (200,)),
        "same": run_lines("same", (200,)),
        "flatter": run_lines("flatter", (400,)),
        "early": run_lines("early", (200, 300), range(6)),
        "late": run_lines("late", (200, 300), range(6, 12)),
        "empty": "",
    }
    for name, content in made.items():
        (runs / f"{name}.fol").write_text(content)
    return runs


@pytest.mark.parametrize("case", UNUSUAL)
def test_unusual_cases_get_a_sentence(spanwise, unusual, case):
    words, sentence = UNUSUAL[case]
    done = spanwise("compare", *words, "-m", "textP", "--power", COLUMNS="300")
    assert done.code == 0, done.err
    assert sentence in done.out
    assert "Traceback" not in done.err


@pytest.mark.parametrize("case", UNUSUAL)
def test_never_a_nan(unusual, case, monkeypatch):
    monkeypatch.chdir(unusual)
    (unusual / "groups.txt").write_text("t00 a\nt01 b\nt02 b\nt07 c\n")
    options = ("-m", "textP", "--power", "--groups", "groups.txt", "--resamples", "100")
    for output in FORMATS:
        words = ["compare", *UNUSUAL[case][0], *options, "-o", output, "--quiet"]
        done = CliRunner().invoke(command_line, words, catch_exceptions=False)
        assert done.exit_code == 0
        assert not re.search(r"\b(nan|inf|infinity)\b", done.output, re.IGNORECASE), output


@pytest.mark.parametrize("case", ["one run", "one topic", "all ties", "no common topics"])
def test_notes_say_why(spanwise, unusual, case):
    reasons = {
        "one run": "there is only one run",
        "one topic": "there is only one topic",
        "all ties": "1 pair is equal on every topic (flat and same)",
        "no common topics": "1 pair has no topic in common (early and late)",
    }
    words = ("compare", *UNUSUAL[case][0], "-m", "textP")
    assert f"note: {reasons[case]}" in spanwise(*words).err
    assert spanwise(*words, "--quiet").err == ""


def test_what_holds_under_every_measure_is_said_once(spanwise, runs):
    done = spanwise("compare", "qrels.txt", "wide.fol", "-m", "textP", "-m", "textR")
    assert done.err.count("only one run") == 1


def test_means_over_other_topics_than_differences(spanwise, runs):
    """The best mean may belong to the run that had the easy topics."""
    (runs / "easy.fol").write_text(run_lines("easy", (105, 120, 105), range(1, 12, 3)))
    (runs / "hard.fol").write_text(run_lines("hard", (400, 110, 400)))
    words = ("compare", "qrels.txt", "easy.fol", "hard.fol", "-m", "textP", "--missing", "skip")
    done = spanwise(*words, "--quiet", COLUMNS="300")
    first = done.out.splitlines()[0]
    assert first.startswith("easy has the best mean textP (0.83 over 4 topics, ")
    assert ", but means are over different topics; on the topics that both have:" in first
    assert ": 0.08 behind hard (0.83 against 0.91, 4 topics) (p = " in first
    table = done.out.splitlines()[2:]
    head = next(line for line in table if line.startswith("run "))
    assert head.split()[:2] == ["run", "topics"]
    assert "means on common" in head
    cells = next(line for line in table if line.startswith("hard ")).split()
    assert cells[1:3] == ["12", f"{(4 * 100 / 110 + 8 * 0.25) / 12:.4f}"]
    assert f"4  {100 / 110:.4f} - 0.8333" in " ".join(cells).replace(" 4 ", " 4  ")
    assert next(line for line in table if line.startswith("easy ")).endswith("best mean")
    assert "Runs have different topics. Each mean is over the topics of its run;" in done.out
    based = spanwise(*words, "--baseline", "hard", "--quiet", COLUMNS="300").out.splitlines()[0]
    assert "(textP 0.47 over 12 topics, " in based
    assert "), on the topics that both have: easy is 0.08 behind (0.83 against 0.91," in based


def test_runs_with_the_same_topics_need_no_such_words(spanwise, runs):
    out = spanwise(*TWO, "-m", "textP", "--missing", "skip").out
    assert "different topics" not in out
    assert "common" not in out


@pytest.mark.parametrize(
    ("topics", "said"),
    [
        ("t00", "95% CI: not given for a run with 1 topic."),
        ("t00,t01", "95% CI: Student's t (where too few resamples vary), uncorrected."),
    ],
)
def test_the_interval_that_is_shown_is_the_one_that_is_named(spanwise, runs, topics, said):
    done = spanwise(*TWO, "-m", "textP", "--topics", topics, "--quiet", COLUMNS="300")
    assert said in done.out
    assert "bootstrap-t" not in done.out
    wide = next(line for line in done.out.splitlines()[2:] if line.startswith("wide "))
    assert (wide.split()[2] == "-") == (topics == "t00")


def test_several_measures_have_one_legend(spanwise, runs):
    """Recall is 1 on every topic, precision is not."""
    out = spanwise(*TWO, "-m", "textP", "-m", "textR", "--quiet", COLUMNS="300").out
    assert out.count("95% CI: ") == 1
    said = "95% CI: bootstrap-t or Wilson (where all values are 0 or 1), 10,000 resamples"
    assert said in out


def test_a_p_at_the_limit_of_the_draws_is_called_a_limit(spanwise, runs):
    words = (*TWO, "-m", "textP", "--test", "bootstrap", "--resamples")
    first = spanwise(*words, 500, "--quiet", COLUMNS="400").out.splitlines()[0]
    assert "significant (p at most 0.002)" in first
    first = spanwise(*words, 5000, "--quiet", COLUMNS="400").out.splitlines()[0]
    assert "significant (p < 0.001)" in first


def test_three_topics_and_the_bootstrap_test(spanwise, runs):
    words = (*TWO, "-m", "textP", "--test", "bootstrap", "--topics", "t00,t01,t02")
    done = spanwise(*words, COLUMNS="300")
    assert "exact p" not in done.out + done.err
    assert "With 3 topics no difference is called significant: the bootstrap test" in done.out


def test_a_baseline_with_everybody_around_it(spanwise, runs):
    (runs / "same.fol").write_text(run_lines("same", RETURNED["wide"]))
    few = ",".join(f"t{n:02}" for n in range(3))
    words = (*ALL, "same.fol", "-m", "textP", "--baseline", "wide", "--topics", few, "--test", "t")
    first = spanwise(*words, COLUMNS="300").out.splitlines()[0]
    assert ": exact is 0.37 ahead, not significant (corrected p = " in first
    assert "; wider is 0.14 behind, not significant (corrected p = " in first
    assert first.endswith("; equal: same.")


def test_a_measure_without_better_or_worse(spanwise, runs):
    done = spanwise(*TWO, "-m", "overlap", COLUMNS="300")
    assert done.code == 0
    assert done.out.startswith(
        "overlap describes runs, neither high nor low is better: all runs have 0.00; not tested."
    )
    assert "*" not in done.out


# -- files, habits, refusals


@pytest.mark.parametrize("ending", ["txt", "tsv", "csv", "jsonl", "json", "md", "tex", "parquet"])
def test_to_a_file(spanwise, runs, ending):
    done = spanwise(*ALL, "-m", "textP", "--to", f"compared.{ending}")
    assert (done.code, done.out) == (0, "")
    assert b"wider" in (runs / f"compared.{ending}").read_bytes()
    assert not list(runs.glob("*.part"))


def test_parquet_has_the_rows(spanwise, runs):
    (runs / "groups.tsv").write_text(GROUPS)
    words = (*ALL, "-m", "textP", "--groups", "groups.tsv", "--power")
    spanwise(*words, "--to", "compared.parquet")
    frame = polars.read_parquet(runs / "compared.parquet")
    assert frame.columns == [*KEYS, "topics_needed", "group"]
    assert len(frame) == 9


def test_a_place_that_cannot_be_written_is_refused_first(spanwise, runs):
    done = spanwise("compare", "missing.txt", "wide.fol", "--to", "nowhere/compared.tsv")
    assert done.code == 2
    assert "nowhere" in done.err


def test_standard_input(spanwise, runs):
    plain = spanwise(*TWO, "-m", "textP", "-o", "tsv").out
    run = (runs / "wider.fol").read_bytes()
    words = ("compare", "qrels.txt", "wide.fol", "-", "-m", "textP", "-o", "tsv")
    assert spanwise(*words, stdin=run).out == plain
    done = spanwise("compare", "-", "-", "-m", "textP", stdin=run)
    assert done.code == 2
    assert "only once" in done.err


def test_the_default_measure_is_said(spanwise, runs):
    done = spanwise(*TWO)
    assert "no measure was given: AgP" in done.err
    assert "AgP" in done.out


def test_a_lenient_comparison_is_marked(spanwise, runs):
    with (runs / "wider.fol").open("a") as file:
        file.write("t00 Q0 d0 2 broken wider 0 10\n")
    assert spanwise(*ALL, "-m", "textP").code == 2
    found = rows(spanwise(*ALL, "-m", "textP", "--lenient", "-o", "jsonl"))
    assert [row.get("lenient") for row in found] == [None, True, True]
    for output in ("table", "tsv", "csv", "markdown"):
        first = spanwise(*ALL, "-m", "textP", "--lenient", "-o", output).out.splitlines()[0]
        assert first.lstrip("#> ") == "lenient: faulty input was dropped or cut for wider"


def test_as_the_official_evaluator(spanwise, runs):
    done = spanwise(*TWO, "-m", "AgP", "--compat", "inex_eval", "-o", "json")
    found = json.loads(done.out)
    assert found["settings"]["missing"] == "skip"
    assert found["comparisons"][0]["pairs"][0]["topics"] == 12


@pytest.mark.parametrize(
    "wrong",
    [
        ("--test", "sign"),
        ("--tail", "three"),
        ("--resamples", "0"),
        ("--resamples", "1.5"),
        ("--seed", "-1"),
        ("-m", "Agp"),
    ],
)
def test_wrong_options(spanwise, runs, wrong):
    done = spanwise(*TWO, *wrong)
    assert (done.code, done.out) == (2, "")
    assert "Traceback" not in done.err


def test_control_characters_do_not_reach_the_terminal(spanwise, runs):
    (runs / "evil.jsonl").write_text(
        json.dumps({"topic": "t00", "document": "d0", "start": 0, "end": 9, "run": "\x1b[2Jx"})
    )
    done = spanwise("compare", "qrels.txt", "wide.fol", "evil.jsonl", "-m", "textP")
    assert done.code == 0, done.err
    assert "\x1b" not in done.out + done.err


def test_a_closed_pipe_is_quiet(start, runs):
    process = start(*ALL, "-m", "textP", "--quiet", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 0


def test_polars_and_rich_are_not_needed(spanwise, runs, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    for name in ("polars", "rich"):
        (blocked / f"{name}.py").write_text("raise AssertionError('imported')")
    source = Path(__file__).parents[2] / "src"
    done = spanwise(*ALL, "-m", "textP", PYTHONPATH=f"{blocked}:{source}")
    assert done.code == 0, done.err


def test_help_is_quick_and_has_examples(spanwise, tmp_path):
    (tmp_path / "numpy.py").write_text("raise AssertionError('imported')")
    source = Path(__file__).parents[2] / "src"
    for command in ("compare", "gate"):
        done = spanwise(command, "--help", PYTHONPATH=f"{tmp_path}:{source}")
        assert done.code == 0, done.err
        assert "Examples:" in done.out

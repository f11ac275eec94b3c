"""``spanwise gate``: rules that are kept, rules that are broken, rules that are none."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from spanwise import evaluate, gate
from spanwise.errors import SpanwiseError
from spanwise.reporting.gate import GateResult
from spanwise.reporting.render import rendered
from spanwise.reporting.render.cells import Look
from spanwise.statistics.gate_rules import Rule, failing_rules, parse_rule
from spanwise.statistics.gates import RuleOutcome

TOPICS = 10


def run_lines(name: str, sizes: tuple[int, ...], topics: range = range(TOPICS)) -> str:
    return "".join(f"t{n} Q0 d{n} 1 1.0 {name} 0 {sizes[n % len(sizes)]}\n" for n in topics)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Two versions of one system, of one name: the new one returns more around the same text."""
    judged = "".join(f"t{n} Q0 d{n} 100 1000 0 0:100\n" for n in range(TOPICS))
    (tmp_path / "qrels.txt").write_text(judged)
    (tmp_path / "old.fol").write_text(run_lines("system", (200, 125)))
    (tmp_path / "new.fol").write_text(run_lines("system", (250, 160)))
    return tmp_path


# textP of the old run: (1/2 + 4/5) / 2, of the new one: (2/5 + 5/8) / 2.
OLD, NEW = 0.65, 0.5125
GATE = ("gate", "qrels.txt", "new.fol")
AGAINST = (*GATE, "--baseline", "old.fol")


def test_a_rule_that_is_kept(spanwise, runs):
    done = spanwise(*AGAINST, "--fail-if", "textP < -0.2", "--test", "t")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0] == "pass: system against system (baseline), 10 topics, the rule is kept"
    assert lines[1].startswith(
        "  pass  fail-if textP < -0.2: textP is 0.1375 worse than the baseline"
        " (0.5125, baseline 0.6500, uncorrected p "
    )
    assert lines[2:] == ["Test: two-tailed paired t test, p not corrected, 10 topics."]


def test_a_rule_that_is_broken(spanwise, runs):
    done = spanwise(*AGAINST, "--fail-if", "textP < -0.1", "--fail-if", "textR < -0.1")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0] == "FAIL: system against system (baseline), 10 topics, 1 of 2 rules is broken"
    assert lines[1].startswith("  FAIL  fail-if textP < -0.1: textP is 0.1375 worse")
    assert lines[2].startswith("  pass  fail-if textR < -0.1: textR is the same as the baseline")


def test_better_is_never_worse(spanwise, runs):
    words = ("gate", "qrels.txt", "old.fol", "--baseline", "new.fol")
    done = spanwise(*words, "--fail-if", "textP < -0.01", "--fail-if", "textP significantly worse")
    assert done.code == 0
    assert "0.1375 better than the baseline" in done.out


@pytest.mark.parametrize(("new", "code"), [("second.fol", 1), ("first.fol", 0)])
def test_negative_is_worse_also_where_lower_is_better(spanwise, files, new, code):
    old = "first.fol" if new == "second.fol" else "second.fol"
    words = ("gate", "qrels.txt", new, "--baseline", old, "--fail-if", "ANCE@5 < -0.5")
    done = spanwise(*words, "--quiet")
    assert done.code == code
    assert "lower is better" in done.out
    assert ("worse" if code else "better") in done.out


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (("--require", "textP >= 0.5"), 0),
        (("--require", "textP >= 0.5125"), 0),
        (("--require", "textP > 0.5125"), 1),
        (("--require", "mean textP >= 0.6"), 1),
        (("--fail-if", "textP < 0.6"), 1),
        (("--fail-if", "textP<0.5"), 0),
        (("--fail-if", "AgP(P) <= 0.5125"), 1),
    ],
)
def test_limits_of_the_mean(spanwise, runs, rule, code):
    done = spanwise(*GATE, *rule)
    assert done.code == code, done.err
    assert "0.5125" in done.out


def test_the_mean_beside_a_baseline(spanwise, runs):
    assert spanwise(*AGAINST, "--fail-if", "mean textP < 0.5").code == 0
    assert spanwise(*AGAINST, "--fail-if", "mean textP < 0.6").code == 1
    assert spanwise(*AGAINST, "--fail-if", "textP < 0.6").code == 1, "ahead by less than 0.6"
    assert spanwise(*AGAINST, "--require", "textP >= 0.5").code == 0


WORSE = ("--fail-if", "textP significantly worse")
TEST = "Test: two-tailed paired randomisation test, exact (all sign flips), "


def test_significantly_worse(spanwise, runs):
    done = spanwise(*AGAINST, *WORSE)
    assert done.code == 1
    assert done.out.splitlines()[1:3] == [
        "  FAIL  fail-if textP significantly worse: textP is 0.1375 worse than the baseline"
        " (0.5125, baseline 0.6500, p = 0.0020, corrected 0.0020, significant)",
        f"{TEST}Holm correction over 1 test, 10 topics.",
    ]


def test_not_significantly_worse(spanwise, runs):
    """Better on half of the topics, worse on the other half by a little more."""
    (runs / "new.fol").write_text(run_lines("system", (150, 190)))
    done = spanwise(*AGAINST, *WORSE)
    assert done.code == 0
    assert "worse than the baseline" in done.out
    assert ", not significant)" in done.out


def test_a_gate_that_cannot_fail_says_so(spanwise, runs):
    done = spanwise(*AGAINST, *WORSE, "--topics", "t0,t1,t2,t3,t4")
    assert done.code == 0
    said = "with 5 topics no difference can be significant: the smallest exact p is 0.0625"
    assert done.out.splitlines()[1].endswith(f"p = 0.0625, corrected 0.0625); {said}")
    assert said in done.err


def test_one_tail_asks_whether_the_run_is_worse(spanwise, runs):
    done = spanwise(*AGAINST, *WORSE, "--tail", "one")
    assert done.code == 1
    assert "p = 0.0010, corrected 0.0010, significant" in done.out
    assert "one-tailed question: is the run worse than the baseline?" in done.out
    assert "twice" not in done.out + done.err
    better = ("gate", "qrels.txt", "old.fol", "--baseline", "new.fol", *WORSE, "--tail", "one")
    done = spanwise(*better)
    assert done.code == 0
    assert "p = 1.0000, corrected 1.0000, not significant" in done.out


def test_p_is_corrected_over_the_rules_that_ask_for_significance(spanwise, runs):
    names = ("textP", "textF", "textIoU")
    words = [word for name in names for word in ("--fail-if", f"{name} significantly worse")]
    lines = spanwise(*AGAINST, *words, "--fail-if", "AgP(P) < -0.5").out.splitlines()
    assert sum("p = 0.0020, corrected 0.0059, significant" in line for line in lines) == 3
    lines = lines[: lines.index("")]
    assert "uncorrected p = 0.0020)" in lines[-3]
    assert lines[-2:] == [
        f"{TEST}Holm correction over 3 tests, 10 topics.",
        f"{TEST}p not corrected, 10 topics.",
    ]


def test_a_measure_that_only_describes_has_no_p(spanwise, runs):
    done = spanwise(*AGAINST, "--fail-if", "overlap > 0.1")
    assert done.out.splitlines()[1:] == [
        "  pass  fail-if overlap > 0.1: overlap is the same as the baseline"
        " (0.0000, baseline 0.0000)"
    ]


def test_a_nickname_is_several_measures(spanwise, runs):
    done = spanwise(*AGAINST, "--fail-if", "rag significantly worse")
    assert done.code == 1
    assert "fail-if textP@5 significantly worse" in done.out
    assert "overlap" not in done.out, "it is neither better nor worse"


# -- what is written


def test_summary_and_junit(spanwise, runs):
    rules = ("--fail-if", "textP < -0.1", "--require", "textP >= 0.5")
    done = spanwise(*AGAINST, *rules, "--summary", "gate.md", "--junit", "gate.xml")
    assert done.code == 1
    summary = (runs / "gate.md").read_text()
    assert summary.startswith(
        "## spanwise gate: system against system (baseline)\n\n"
        "**FAIL: system against system (baseline), 10 topics, 1 of 2 rules is broken**\n"
    )
    assert "| FAIL | fail-if textP \\< -0.1 | textP is 0.1375 worse" in summary
    assert "| pass | require mean textP \\>= 0.5 | textP is 0.5125 |" in summary
    assert "Test: two-tailed paired randomisation test, exact" in summary
    root = ElementTree.parse(runs / "gate.xml").getroot()
    suite = root.find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    (test,) = suite.findall("properties/property")
    assert test.get("value").startswith("Test: two-tailed paired randomisation test, exact")
    broken, kept = suite.findall("testcase")
    assert broken.get("name") == "fail-if textP < -0.1"
    assert broken.find("failure").get("message").startswith("textP is 0.1375 worse")
    assert kept.find("failure") is None
    assert not list(runs.glob(".*part"))


def test_files_are_written_whole_or_not_at_all(spanwise, runs):
    (runs / "gate.xml").write_text("old")
    words = (*AGAINST[:2], "missing.fol", "--require", "textP > 0", "--junit", "gate.xml")
    assert spanwise(*words).code == 2
    assert (runs / "gate.xml").read_text() == "old"
    done = spanwise(*AGAINST, "--fail-if", "textP < -0.1", "--junit", "nowhere/gate.xml")
    assert (done.code, done.out) == (2, "")
    assert "nowhere" in done.err


def test_names_are_safe_in_every_output():
    rule = Rule("fail-if", "AgP", "<", -0.01)
    outcome = RuleOutcome(rule, True, 0.1, baseline=0.2)
    result = GateResult("a\x1b<b>&|", "\udcff\x00", 3, (outcome,))
    lines = rendered(result.output(), "table").decode()
    assert "\x1b" not in lines
    document, table = Look(document=True), result.output(table=True)
    assert b"\\<b\\>" in rendered(table, "markdown", document)
    suite = ElementTree.fromstring(rendered(table, "junit", document)).find("testsuite")
    assert "<b>&|" in suite.get("name")


def test_only_the_verdict_is_on_standard_output(spanwise, runs):
    (runs / "new.fol").write_text(run_lines("system", (250, 160), range(8)))
    done = spanwise(*AGAINST, "--fail-if", "textP < -0.5")
    assert len(done.out.splitlines()) == 3
    assert "note: 2 topics are missing from the run" in done.err
    assert spanwise(*AGAINST, "--fail-if", "textP < -0.5", "--quiet").err == ""


def test_notes_on_the_baseline_say_so(spanwise, runs):
    (runs / "old.fol").write_text(run_lines("system", (200, 125), range(8)))
    done = spanwise(*AGAINST, "--fail-if", "textP < -0.5")
    assert "note: baseline: 2 topics are missing from the run" in done.err


def test_standard_input(spanwise, runs):
    run = (runs / "new.fol").read_bytes()
    words = ("gate", "qrels.txt", "-", "--baseline", "old.fol", "--fail-if", "textP < -0.1")
    assert spanwise(*words, stdin=run).out == spanwise(*AGAINST, "--fail-if", "textP < -0.1").out
    twice = spanwise("gate", "qrels.txt", "-", "--baseline", "-", "--fail-if", "textP < 0")
    assert twice.code == 2
    assert "only once" in twice.err


def test_a_closed_pipe_is_quiet_and_keeps_the_verdict(start, runs):
    words = (*AGAINST, "--fail-if", "textP < -0.1", "--quiet")
    process = start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 1


# -- what cannot be tried


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "a gate needs a rule"),
        (("--fail-if", "textP"), "'textP' is not a rule; write a rule such as 'AgP < -0.01'"),
        (("--fail-if", "textP = 3"), "is not a rule"),
        (("--fail-if", "< 3"), "is not a rule"),
        (("--fail-if", "textP < much"), "found 'much', expected a number"),
        (("--fail-if", "textP < nan"), "found 'nan', expected a number"),
        (("--fail-if", "textP < inf"), "found 'inf', expected a number"),
        (("--fail-if", "textP <"), "found nothing, expected a number"),
        (("--fail-if", "textQ < 1"), "unknown measure"),
        (("--require", "rag >= 0.4"), "rag is a nickname for several measures"),
        (("--fail-if", "textP significantly worse"), "give --baseline"),
        (("--fail-if", "overlap significantly worse"), "cannot be significantly worse"),
        (("--require", "textP >= 0", "--baseline", "missing.fol"), "missing.fol: file not found"),
    ],
)
def test_refusals(spanwise, runs, words, message):
    done = spanwise(*GATE, *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err


def test_a_file_with_several_runs_is_refused(spanwise, runs):
    lines = run_lines("one", (100,)) + run_lines("two", (100,))
    (runs / "both.fol").write_text(lines)
    done = spanwise("gate", "qrels.txt", "both.fol", "--require", "textP >= 0")
    assert done.code == 2
    assert "must be one run, its file has 2: one, two" in done.err


def test_no_common_topics_is_no_pass(spanwise, runs):
    (runs / "new.fol").write_text(run_lines("system", (200,), range(5)))
    (runs / "old.fol").write_text(run_lines("system", (200,), range(5, 10)))
    done = spanwise(*AGAINST, "--fail-if", "textP < -0.1", "--missing", "skip")
    assert (done.code, done.out) == (2, "")
    assert "no topic in common" in done.err


# -- rules as values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AgP<-1e-2", "fail-if AgP < -0.01"),
        ("  mean  AgP(F(beta=0.25))  >=  .5 ", "fail-if mean AgP(F(beta=0.25)) >= 0.5"),
        ("AgP(by=text) > 0", "fail-if AgP(by=text) > 0"),
    ],
)
def test_rules_say_what_they_are(text, expected):
    assert str(parse_rule("fail-if", text)) == expected


def test_a_value_at_the_limit_is_not_beyond_it():
    rule = parse_rule("fail-if", "AgP < -0.01")
    assert 0.42 - 0.43 < -0.01, "in doubles"
    assert not rule.is_broken_by(0.42 - 0.43)
    assert rule.is_broken_by(-0.0101)
    assert parse_rule("fail-if", "AgP <= -0.01").is_broken_by(0.42 - 0.43)


def test_a_measure_is_held_to_be_worse_once():
    texts = [f"{name} significantly worse" for name in ("AgP", "AP", "AgP")]
    assert [rule.measure for rule in failing_rules(texts)] == ["AgP", "AP"]
    with pytest.raises(SpanwiseError, match="neither"):
        failing_rules(["overlap significantly worse"])


@pytest.mark.parametrize("rule", ["textP < -0.01", "textP < 0"])
def test_a_rule_that_no_mean_can_break_asks_for_a_baseline(spanwise, runs, rule):
    done = spanwise("gate", "qrels.txt", "new.fol", "--fail-if", rule)
    assert (done.code, done.out) == (2, "")
    assert "can break this rule; give --baseline" in done.err


@pytest.mark.parametrize("rule", ["textP < 0.01", "overlap > 0.99", "ANCE@5 > 900"])
def test_rules_that_a_mean_could_break_are_tried(spanwise, runs, rule):
    assert spanwise("gate", "qrels.txt", "new.fol", "--fail-if", rule).code in (0, 1)


def test_what_was_dropped_marks_the_verdict(spanwise, runs):
    (runs / "bad.fol").write_text((runs / "new.fol").read_text() + "nothing\n")
    words = ("gate", "qrels.txt", "bad.fol", "--fail-if", "textP < 0.01", "--lenient")
    done = spanwise(*words, "--summary", "s.md", "--junit", "j.xml")
    assert "lenient: faulty input was dropped or cut" in done.out
    assert "lenient: faulty input" in (runs / "s.md").read_text()
    assert '<property name="lenient" value="true" />' in (runs / "j.xml").read_text()


# -- rules against the direction of the measure


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("--fail-if", "ANCE@5 > 0.5", "--baseline", "old.fol"), "'ANCE@5 < -0.5'"),
        (("--fail-if", "ANCE@5 >= -0.5", "--baseline", "old.fol"), "'ANCE@5 <= -0.5'"),
        (("--fail-if", "textR > -0.01", "--baseline", "old.fol"), "'textR < -0.01'"),
        (("--fail-if", "mean textR > 0.5", "--baseline", "old.fol"), "'mean textR < 0.5'"),
        (("--fail-if", "mean ANCE@5 < 2", "--baseline", "old.fol"), "'mean ANCE@5 > 2'"),
        (("--fail-if", "textR > 0.5"), "'textR < 0.5'"),
        (("--fail-if", "ANCE@5 < 2"), "'ANCE@5 > 2'"),
        (("--require", "ANCE@5 >= 5"), "'mean ANCE@5 <= 5'"),
        (("--require", "textP < 0.5"), "'mean textP > 0.5'"),
    ],
)
def test_a_rule_that_a_better_run_breaks_is_refused(spanwise, runs, words, meant):
    done = spanwise(*GATE, *words)
    assert (done.code, done.out) == (2, "")
    assert "a better run would break this rule" in done.err
    assert f"did you mean {meant}?" in done.err


@pytest.mark.parametrize(
    "words",
    [
        ("--fail-if", "mean ANCE@5 > 900", "--baseline", "old.fol"),
        ("--fail-if", "ANCE@5 < -900", "--baseline", "old.fol"),
        ("--require", "ANCE@5 <= 900"),
        ("--require", "overlap <= 1", "--require", "overlap >= 0"),
        ("--fail-if", "overlap > 1", "--fail-if", "overlap < -1", "--baseline", "old.fol"),
    ],
)
def test_rules_along_the_direction_of_the_measure(spanwise, runs, words):
    done = spanwise(*GATE, *words)
    assert done.code == 0, done.err


# -- runs without answers, notes


@pytest.mark.parametrize("content", ["", "nothing\n", "t99 Q0 d1 1 1.0 system 0 200\n"])
@pytest.mark.parametrize("file", ["new.fol", "old.fol"])
@pytest.mark.parametrize("missing", ["zero", "skip"])
def test_a_run_without_answers_is_no_pass(spanwise, runs, content, file, missing):
    (runs / file).write_text(content)
    rules = ("--fail-if", "textP < -1", "--fail-if", "textP significantly worse")
    words = (*rules, "--lenient", "--missing", missing, "--run-format", "fol")
    done = spanwise(*AGAINST, *words, "--summary", "s.md")
    assert (done.code, done.out) == (2, ""), done.err
    what, why = {
        "new.fol": ("run", "so there is nothing to judge"),
        "old.fol": ("baseline", "so nothing can be compared with it"),
    }[file]
    assert f"the {what} has no answers" in done.err
    assert why in done.err
    assert not (runs / "s.md").exists()


def test_a_run_without_answers_and_without_a_baseline(spanwise, runs):
    (runs / "new.fol").write_text("")
    done = spanwise(*GATE, "--fail-if", "ANCE@5 > 900", "--run-format", "fol")
    assert (done.code, done.out) == (2, "")
    assert "the run has no answers, so there is nothing to judge" in done.err


def test_notes_are_in_the_files_too(spanwise, runs):
    """Also with --quiet, which is about standard error."""
    (runs / "new.fol").write_text(run_lines("system", (250, 160), range(8)) + "nothing\n")
    (runs / "old.fol").write_text(run_lines("system", (200, 125), range(7)))
    files = ("--summary", "s.md", "--junit", "j.xml")
    done = spanwise(*AGAINST, "--fail-if", "textP < -0.9", "--lenient", "--quiet", *files)
    assert (done.code, done.err) == (0, "")
    summary = (runs / "s.md").read_text().partition("### Notes\n\n")[2]
    suite = ElementTree.parse(runs / "j.xml").getroot().find("testsuite")
    out = suite.find("system-out").text
    assert out.startswith("Notes:\n- ")
    for said in (
        "2 topics are missing from the run",
        "baseline: 3 topics are missing from the run",
        "new.fol",
    ):
        assert said in summary
        assert said in out


def test_without_notes_there_is_no_list_of_them(spanwise, runs):
    words = ("--fail-if", "textP < -0.9", "--summary", "s.md", "--junit", "j.xml")
    assert spanwise(*AGAINST, *words).code == 0
    assert "Notes" not in (runs / "s.md").read_text() + (runs / "j.xml").read_text()


def test_one_measure_under_two_names_is_tested_once():
    texts = ["AgP significantly worse", "MAgP significantly worse"]
    assert [rule.measure for rule in failing_rules(texts)] == ["AgP"]


def test_one_file_cannot_hold_both(spanwise, runs):
    words = ("gate", "qrels.txt", "new.fol", "--fail-if", "textP < 0.01")
    done = spanwise(*words, "--summary", "same", "--junit", "same")
    assert (done.code, done.out, (runs / "same").exists()) == (2, "", False)
    assert "name two files" in done.err


# -- topics that got worse


def test_the_topics_that_got_worse_are_named(spanwise, runs):
    (runs / "new.fol").write_text(run_lines("new", (200, 125, 400, 125)))
    done = spanwise(*AGAINST, "--fail-if", "textP < -0.01", "--quiet")
    assert done.code == 1
    table = done.out.partition("\n\n")[2].splitlines()
    assert table[0] == "textP: worse on 2 of 10 topics"
    assert [line.split() for line in table[3:]] == [
        ["t2", "0.2500", "0.5000", "-0.2500"],
        ["t6", "0.2500", "0.5000", "-0.2500"],
    ]


def test_the_largest_drops_come_first_and_the_rest_is_counted(spanwise, runs):
    topics = range(15)
    judged = "".join(f"t{n} Q0 d{n} 100 1000 0 0:100\n" for n in topics)
    (runs / "qrels.txt").write_text(judged)
    (runs / "old.fol").write_text(run_lines("old", (100,), topics))
    sizes = tuple(200 + 10 * n for n in topics)
    (runs / "new.fol").write_text(run_lines("new", sizes, topics))
    lines = spanwise(*AGAINST, "--fail-if", "textP < 0", "--quiet").out.splitlines()
    assert "textP: worse on 15 of 15 topics" in lines
    named = [line.split()[0] for line in lines if line.startswith("t") and line[1:2].isdigit()]
    assert named == [f"t{n}" for n in range(14, 4, -1)]
    assert lines[-1].strip() == "and 5 more topics"


def test_worse_is_higher_where_lower_is_better(spanwise, files):
    words = ("gate", "qrels.txt", "second.fol", "--baseline", "first.fol")
    out = spanwise(*words, "--fail-if", "ANCE@5 < -0.001", "--quiet").out
    row = next(line for line in out.splitlines() if line.startswith("t1"))
    _, value, baseline, difference = row.split()
    assert float(value) > float(baseline)
    assert difference.startswith("+")


def test_rules_that_are_kept_name_no_topics(spanwise, runs):
    assert "worse on" not in spanwise(*AGAINST, "--fail-if", "textP < -0.9").out
    assert "worse on" not in spanwise(*GATE, "--require", "textP > 0.9").out


def test_summaries_name_topics_with_their_queries(spanwise, runs):
    rows = [
        {"topic": f"t{n}", "query": f"Who | <b>{n}?", "document": f"d{n}", "start": 0, "end": 100}
        for n in range(TOPICS)
    ]
    (runs / "qrels.txt").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = spanwise(*AGAINST, "--fail-if", "textP < 0", "--summary", "s.md", "--junit", "j.xml")
    assert 't0 "Who | <b>0?"' in done.out
    summary = (runs / "s.md").read_text()
    assert "worse on 10 of 10 topics" in summary
    row = next(line for line in summary.splitlines() if line.startswith("| t0"))
    assert row.replace("\\|", "").count("|") == 5
    assert "<b>" not in row


def test_a_summary_is_added_to_what_is_there(spanwise, runs):
    (runs / "s.md").write_text("# Build\n\n")
    words = (*GATE, "--require", "textP > 0", "--summary", "s.md")
    for count in (1, 2):
        assert spanwise(*words).code == 0
        text = (runs / "s.md").read_text()
        assert text.startswith("# Build\n\n")
        assert text.count("pass: system") == count
    assert "\n\n**pass: system" in text.partition("pass: system")[2]


# -- saved results as baselines


@pytest.fixture
def saved(spanwise, runs):
    words = ("evaluate", "qrels.txt", "old.fol", "-m", "textP", "-m", "AgP", "-q")
    assert spanwise(*words, "--to", "old.json", "--quiet").code == 0
    return (*GATE, "--baseline", "old.json")


@pytest.mark.parametrize("rule", ["textP < -0.1", "textP significantly worse", "AgP < 0"])
def test_a_saved_result_is_as_good_as_its_run(spanwise, saved, rule):
    from_run = spanwise(*AGAINST, "--fail-if", rule)
    from_result = spanwise(*saved, "--fail-if", rule)
    assert (from_result.code, from_result.out) == (from_run.code, from_run.out)


def test_measures_of_a_saved_result_go_by_their_full_names(spanwise, saved):
    done = spanwise(*saved, "--fail-if", "AgP(F(beta=1)) < 0")
    assert done.code == 1, done.err
    done = spanwise(*saved, "--fail-if", "textR < 0")
    assert done.code == 2
    assert "old.json: found values of textP, AgP, expected values of textR" in done.err


def test_means_alone_cannot_be_compared(spanwise, runs):
    spanwise("evaluate", "qrels.txt", "old.fol", "-m", "textP", "--to", "old.json")
    done = spanwise(*GATE, "--baseline", "old.json", "--fail-if", "textP < 0")
    assert done.code == 2
    assert "found only the mean of textP, expected the values of all topics" in done.err
    assert "--per-topic" in done.err


def test_other_settings_and_assessments_are_noted(spanwise, saved, runs):
    done = spanwise(*saved, "--fail-if", "textP < -0.9", "--results", "5", "--missing", "skip")
    assert "other settings (missing, results)" in done.err
    assert "other assessments" not in done.err
    (runs / "qrels.txt").write_text((runs / "qrels.txt").read_text() + "t99 Q0 d 0 10\n")
    done = spanwise(*saved, "--fail-if", "textP < -0.9")
    assert "old.json: the baseline was evaluated with other assessments" in done.err


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-20],
        lambda text: text.replace('"value": 0.5', '"value": "x"', 1),
        lambda text: text.replace('"rows"', '"lines"'),
        lambda text: text.replace('"run": "system", "measure"', '"run": "other", "measure"', 1),
    ],
)
def test_a_damaged_result_is_refused(spanwise, saved, runs, damage):
    text = (runs / "old.json").read_text()
    assert damage(text) != text
    (runs / "old.json").write_text(damage(text))
    done = spanwise(*saved, "--fail-if", "textP < 0")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("old.json: found ")


def test_results_of_several_runs_are_no_baseline(spanwise, runs):
    (runs / "other.fol").write_text(run_lines("other", (100,)))
    words = ("evaluate", "qrels.txt", "old.fol", "other.fol", "-m", "textP", "-q")
    spanwise(*words, "--to", "both.json")
    done = spanwise(*GATE, "--baseline", "both.json", "--fail-if", "textP < 0")
    assert "the baseline must be one run, its file has 2: system, other" in done.err


def test_results_at_hand_are_baselines():
    judged = {f"q{n}": {"d": [(0, 100)]} for n in range(3)}
    short = {topic: {"d": [(0, 50)]} for topic in judged}
    before = evaluate(judged, judged, "textR")
    found = gate(judged, short, baseline=before, fail_if="textR < -0.1")
    assert not found.passed
    assert [drop.topic for drop in found.worse_topics("textR")] == ["q0", "q1", "q2"]
    assert found.worse_topics("textR")[0].ahead == -0.5
    assert found.worse_topics("textP") == ()


def test_programs_get_every_drop(spanwise, saved, runs):
    found = gate(
        runs / "qrels.txt", runs / "new.fol", baseline=runs / "old.json", fail_if="AgP < 0"
    )
    found.save(runs / "gate.json")
    stored = json.loads((runs / "gate.json").read_text())["worse"]
    assert len(stored) == TOPICS
    assert stored[0].keys() == {"measure", "topic", "value", "baseline", "ahead"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda row: row | {"value": row["value"] + 0.25}, "one value"),
        (lambda row: row | {"topic": "another", "value": 7.0}, "1 or less"),
        (lambda row: row | {"topic": "another", "value": 1.0}, "the mean of the values"),
    ],
)
def test_values_that_contradict_each_other_are_refused(spanwise, saved, runs, change, message):
    held = json.loads((runs / "old.json").read_text())
    row = next(row for row in held["rows"] if row["topic"] != "all")
    held["rows"].append(change(row))
    (runs / "old.json").write_text(json.dumps(held, indent=2))
    done = spanwise(*saved, "--fail-if", "textP < 0")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("old.json: found ")
    assert message in done.err

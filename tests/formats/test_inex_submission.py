"""INEX submissions: every result is read, or refused with its line."""

from __future__ import annotations

import gzip

import pytest

from formats.made import faults_of, read_runs, run_facts, written
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import InputError, OutputError
from spanwise.formats.builtin.markup import inex as submission
from spanwise.formats.reading import read_run
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source

MIXED = """<?xml version="1.0"?>
<inex-submission participant-id="4" run-id="IdealDoc " task="RelevantInContext " query="automatic">
<topic-fields title="yes" castitle="yes" description="no" narrative="no"/>
<description>free text about <b>results</b></description>
<collections><collection>wikipedia</collection></collections>
<topic topic-id=" 2009001 ">
  <result><file>21598</file><fol offset="81" length="1842"/></result>
  <result><file> 21598 </file><path>
    /article[1]/body[1]/p[3]
  </path><rank>2</rank></result>
</topic>
<topic topic-id="2009002">
  <result><file>851</file><path>/article[1]</path><rsv>0.1234</rsv></result>
</topic>
</inex-submission>
"""


def one(results, attributes='run-id="r"'):
    topic = f'<topic topic-id="q1">\n{results}\n</topic>'
    return f"<inex-submission {attributes}>\n{topic}\n</inex-submission>\n"


def result(document, place='<fol offset="0" length="5"/>', more=""):
    return f"<result><file>{document}</file>{place}{more}</result>\n"


def test_ranges_and_elements():
    (run,) = read_runs(submission, MIXED)
    assert (run.name, run.topics) == ("IdealDoc", ("2009001", "2009002"))
    assert run.documents.strings() == ["21598", "21598", "851"]
    assert run.extent.tolist() == [Extent.RANGE, Extent.ELEMENT, Extent.ELEMENT]
    assert (run.start.tolist(), run.end.tolist()) == ([81, 0, 0], [1923, 0, 0])
    assert run.paths.strings() == ["-", "/article[1]/body[1]/p[3]", "/article[1]"]
    assert run.line.tolist() == [7, 8, 13]
    # Neither a rank nor a score is in every result.
    assert (run.order, run.rank, run.score) == ("file", None, None)


def test_ranges_alone_have_no_paths():
    (run,) = read_runs(submission, one(result("d")))
    assert (run.paths, run.extent.tolist()) == (None, [Extent.RANGE])


@pytest.mark.parametrize(
    ("more", "order"),
    [
        (["<rank>0</rank>", "<rank>2</rank>", "<rank>1</rank>"], "rank"),
        (["<rank>0</rank><rsv>1</rsv>", "<rank>2</rank><rsv>3</rsv>", "<rank>1</rank>"], "rank"),
        (["<rsv>3</rsv>", "<rsv>-inf</rsv>", "<rsv>2.5e0</rsv>"], "score"),
        (["<rank>0</rank><rsv>3</rsv>", "<rsv>1</rsv>", "<rsv>2</rsv>"], "score"),
        (["<rank>0</rank>", "", ""], "file"),
        (["", "<rsv>1</rsv>", "<rank>1</rank>"], "file"),
    ],
)
def test_an_order_counts_if_every_result_has_it(more, order):
    content = "".join(result(name, more=said) for name, said in zip("abc", more, strict=True))
    (run,) = read_runs(submission, one(content))
    assert run.order == order
    assert (run.rank is None) == (order != "rank")
    assert (run.rank if order == "rank" else run.score) is not None or order == "file"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            ["<rank>1</rank>", "<rank>2</rank>", ""],
            ["1 of 3 results have no rank, so it does not decide"],
        ),
        (
            ["<rank>1</rank><rsv>3</rsv>", "<rsv>2</rsv>", "<rsv>1</rsv>"],
            ["2 of 3 results have no rank"],
        ),
        (["<rsv>1</rsv>", "", ""], ["2 of 3 results have no rsv"]),
        (["<rank>1</rank><rsv>1</rsv>", "<rank>2</rank>", "<rank>3</rank>"], []),
        (["", "", ""], []),
    ],
)
def test_half_an_order_is_said(more, said):
    content = "".join(result(name, more=each) for name, each in zip("abc", more, strict=True))
    faults = Faults("s.xml")
    list(submission.read_run(Source("s.xml", one(content).encode()), faults, RunOptions()))
    assert len([*map(str, faults.notes)]) == len(said)
    assert all(
        words in remark for words, remark in zip(said, [*map(str, faults.notes)], strict=True)
    )


def test_ranks_and_scores_are_as_they_stand():
    more = "<rank>0</rank><rsv>2.5</rsv>"
    (run,) = read_runs(submission, one(result("d", more=more)))
    assert (run.rank.tolist(), run.score.tolist(), run.order) == ([0], [2.5], "rank")


@pytest.mark.parametrize(
    "content",
    [
        MIXED.replace("\n", "\r\n").encode(),
        ("\ufeff" + MIXED).encode(),
        gzip.compress(MIXED.encode()),
        MIXED.replace('"1.0"', '"1.0" encoding="UTF-16"').encode("utf-16"),
        MIXED.replace("<topic-fields", "<!-- <result/> --><topic-fields").encode(),
        MIXED.replace("<inex-sub", '<!DOCTYPE inex-submission SYSTEM "i.dtd"><inex-sub').encode(),
    ],
)
def test_the_same_submission_however_it_is_written(content):
    (run,), (expected,) = read_runs(submission, content), read_runs(submission, MIXED)
    assert run_facts(run) == run_facts(expected)


def test_a_submission_without_a_name_is_called_by_its_file(tmp_path):
    path = tmp_path / "bm25.xml.gz"
    path.write_bytes(gzip.compress(one(result("d"), "").encode()))
    (run,) = read_run(path)
    assert (run.name, run.file) == ("bm25", str(path))


def test_a_submission_without_results_is_a_run_without_answers():
    (run,) = read_runs(submission, one(""))
    assert (run.name, len(run), run.topics) == ("r", 0, ())


PLACE = '<fol offset="0" length="5"/>'
BAD = [
    (result("d", ""), "range", "neither fol nor path"),
    (result("d", '<passage start="/a" end="/b"/>'), "range", "neither fol nor path"),
    (result("d", PLACE + "<path>/a[1]</path>"), "range", "both fol and path"),
    (result("d", PLACE + PLACE), "repetition", "two <fol> in one result"),
    (f"<result>{PLACE}</result>", "missing", "a result without a file"),
    (result(" "), "missing", "a result without a file"),
    (result("d", "<path>p[1]</path>"), "path", "'p[1]'"),
    (result("d", "<path/>"), "path", "''"),
    (result("d", '<fol offset="x" length="5"/>'), "type", "offset 'x'"),
    (result("d", '<fol offset="0"/>'), "missing", "no length"),
    (result("d", '<fol offset="0" length="0"/>'), "range", "offset 0 and length 0"),
    (result("d", '<fol offset="-1" length="5"/>'), "range", "offset -1"),
    (result("d", f'<fol offset="{2**63 - 1}" length="5"/>'), "range", "length 5"),
    (result("d", f'<fol offset="0" length="{2**63}"/>'), "type", f"length '{2**63}'"),
    (result("d", more="<rank>first</rank>"), "type", "rank 'first'"),
    (result("d", more="<rank>1.5</rank>"), "type", "rank '1.5'"),
    (result("d", more="<rsv>NaN</rsv>"), "score", "rsv 'NaN'"),
    (result("d", more="<rsv>0,5</rsv>"), "score", "rsv '0,5'"),
    (result("d", more="<rsv>1_0</rsv>"), "score", "rsv '1_0'"),
]


@pytest.mark.parametrize(("wrong", "rule", "found"), BAD)
def test_a_bad_result_is_refused_with_its_line(wrong, rule, found):
    content = one(result("a") + wrong.rstrip("\n") + "\n" + result("b"))
    (fault,) = faults_of(read_runs, submission, content)
    assert (fault.line, fault.rule) == (4, rule)
    assert found in fault.found
    (run,) = read_runs(submission, content, lenient=True)
    assert run.documents.strings() == ["a", "b"]


def test_every_fault_is_kept_with_its_line():
    content = one("".join(wrong.rstrip("\n") + "\n" for wrong, _, _ in BAD))
    faults = faults_of(read_runs, submission, content)
    assert [fault.line for fault in faults] == list(range(3, 3 + len(BAD)))


@pytest.mark.parametrize(
    ("content", "line", "found"),
    [
        (one(result("d")).replace('topic-id="q1"', ""), 2, "a topic without an id"),
        (one(result("d")).replace('topic-id="q1"', 'topic-id=" "'), 2, "a topic without an id"),
        (one(result("d")).replace("</inex", "<topic topic-id='q1'/></inex"), 6, "topic q1 again"),
        (f"<inex-submission>\n{result('d')}</inex-submission>", 2, "outside of a topic"),
    ],
)
def test_results_belong_to_topics_that_come_once(content, line, found):
    (fault,) = faults_of(read_runs, submission, content)
    assert fault.line == line
    assert found in fault.found


def test_the_results_of_a_bad_topic_are_dropped():
    content = one(result("a")).replace(
        "</inex", f'<topic topic-id="q1">{result("b")}</topic><topic>{result("c")}</topic></inex'
    )
    (run,) = read_runs(submission, content, lenient=True)
    assert run.documents.strings() == ["a"]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("<assessments topic='1'/>", "the root <assessments>"),
        (MIXED[:500], "broken XML"),
        (MIXED.replace("</topic>", ""), "broken XML"),
    ],
)
def test_what_is_no_submission_is_refused_lenient_or_not(content, found):
    for lenient in (False, True):
        with pytest.raises(InputError) as problem:
            read_runs(submission, content, lenient=lenient)
        assert found in problem.value.fault.found
        assert problem.value.fault.line


@pytest.mark.parametrize("cut", range(1, len(MIXED.rstrip()), 7))
def test_a_submission_that_breaks_off_anywhere_is_refused(cut):
    with pytest.raises(InputError, match="file:"):
        read_runs(submission, MIXED[:cut], lenient=True)


def test_faults_far_down_have_their_line():
    many = result("d").replace("><", ">\n<") * 20_000
    content = one(many + result("d", "") + result("e"))
    (fault,) = faults_of(read_runs, submission, content)
    assert fault.line == 3 + 4 * 20_000
    (run,) = read_runs(submission, content, lenient=True)
    assert run.line[-3:].tolist() == [3 + 4 * 19_998, 3 + 4 * 19_999, 3 + 4 * 20_000 + 1]


# -- writing


def test_results_are_written_with_what_gives_their_order():
    run = Run.of(
        "r & <s>",
        ["q1", "q1", "q2"],
        ["a<b", "c d", "e\rf"],
        extent=[Extent.ELEMENT, Extent.RANGE, Extent.ELEMENT],
        start=[0, 5, 0],
        end=[0, 9, 0],
        paths=["/a[1]", "-", "/a[1]/p[2] /a[1]/p[4]"],
        score=[2.0, 1.5, 1.0],
        rank=[1, 2, 1],
        order="rank",
    )
    data, notes = written(submission, (run,))
    assert notes == []
    assert data.decode().splitlines() == [
        '<inex-submission run-id="r &amp; &lt;s&gt;">',
        '<topic topic-id="q1">',
        "  <result><file>a&lt;b</file><path>/a[1]</path><rank>1</rank><rsv>2.0</rsv></result>",
        '  <result><file>c d</file><fol offset="5" length="4"/>'
        "<rank>2</rank><rsv>1.5</rsv></result>",
        "</topic>",
        '<topic topic-id="q2">',
        "  <result><file>e&#13;f</file><path>/a[1]/p[2] /a[1]/p[4]</path>"
        "<rank>1</rank><rsv>1.0</rsv></result>",
        "</topic>",
        "</inex-submission>",
    ]
    (again,) = read_runs(submission, data)
    assert run_facts(again) == run_facts(run)


def test_a_path_is_written_even_if_its_characters_are_known():
    run = Run.of("r", ["q"], ["d"], start=[5], end=[9], paths=["/a[1]"])
    (again,) = read_runs(submission, written(submission, (run,))[0])
    assert (again.paths.strings(), again.extent.tolist()) == (["/a[1]"], [Extent.ELEMENT])


def test_what_is_neither_range_nor_element_is_left_out():
    extent = [Extent.WHOLE, Extent.NOTHING, Extent.RANGE, Extent.POINT]
    run = Run.of("r", ["q"] * 4, list("abcd"), start=[0] * 4, end=[0, 0, 5, 0], extent=extent)
    data, notes = written(submission, (run,))
    assert data.count(b"<result>") == 1
    assert "2 answers are neither ranges nor elements; left out" in notes[-1]
    assert len(notes) == 2


def test_the_order_of_other_formats_becomes_ranks():
    run = Run.of("r", ["q"] * 2, ["a", "b"], start=[0, 0], end=[1, 1], score=[1, 2])
    (again,) = read_runs(submission, written(submission, (run,))[0])
    assert (again.order, again.rank.tolist()) == ("rank", [1, 2])


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ([Run.of("r", ["q"], ["d"]), Run.of("s", ["q"], ["d"])], "here are 2"),
        ([], "here are 0"),
        ([Run.of("r", ["q"], [" d"], start=[0], end=[1])], "document ' d'"),
        ([Run.of("r\x01", ["q"], ["d"], start=[0], end=[1])], "run 'r"),
        ([Run.of("r", ["q\ufffe"], ["d"], start=[0], end=[1])], "topic 'q"),
    ],
)
def test_what_cannot_be_written_is_refused(runs, message):
    with pytest.raises(OutputError, match=message):
        written(submission, runs)

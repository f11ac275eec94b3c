"""CSV and TSV: what is written reads back, and every fault has its line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.made import (
    NAMES,
    assessment_facts,
    assessments,
    faults_of,
    read_assessments,
    read_runs,
    written,
)
from spanwise.data.grades import TOO_SMALL, UNKNOWN
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import InputError
from spanwise.formats.builtin.tables import csv
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source


@settings(deadline=None)
@given(assessments(aspects=NAMES.filter(lambda name: "|" not in name)))
def test_assessments_read_back_as_they_were_written(made):
    data, notes = written(csv, made)
    assert assessment_facts(read_assessments(csv, data)) == assessment_facts(made)
    assert notes == []


def test_aspects_that_cannot_be_kept_are_counted():
    judgements = Judgements(Faults("made"))
    judgements.add_range("q", "d", 0, 5, aspects=["A|B"])
    _, notes = written(csv, judgements.build())
    assert notes == ["1 range has aspects with vertical bars in their names, which CSV splits"]


@pytest.mark.parametrize("mark", [",", "\t", ";"])
def test_other_names_separators_comments_and_windows(mark):
    lines = ['\ufeff# a comment, with; "marks', "", "Query-ID,DOCNO,offset,LEN,sim,system"]
    lines += ["q1,d1,10,5,0.5,s", "# q1", "q1,d2,,,1e-3,s"]
    content = "\r\n".join(lines).replace(",", mark)
    (run,) = read_runs(csv, content)
    assert (run.name, run.topics, run.line.tolist()) == ("s", ("q1",), [4, 6])
    assert run.extent.tolist() == [Extent.RANGE, Extent.WHOLE]
    assert run.end.tolist() == [15, 0]
    assert (run.order, run.score.tolist()) == ("score", [0.5, 0.001])


def test_quoted_cells_may_hold_lines_that_look_like_comments():
    content = 'topic,document,title\nq,"a\n# b\n\nc","x"\nq,d,\n'
    (run,) = read_runs(csv, content)
    assert run.documents.strings() == ["a\n# b\n\nc", "d"]
    assert run.line.tolist() == [2, 6]


def test_cells_may_be_long():
    content = f'topic,document,title\nq,d,"{"x" * 200_000}"\n'
    assert len(read_runs(csv, content)[0]) == 1


def test_whole_numbers_as_frames_write_them():
    (run,) = read_runs(csv, "topic,document,start,end\nq,d,0.0,+10.00\nq,e,,\n")
    assert (run.start.tolist(), run.end.tolist()) == ([0, 0], [10, 0])


BAD = [
    ("q,d,0", "columns", "3 columns"),
    ("q,d,0,5,1,9", "columns", "6 columns"),
    ("q,d,x,5,1", "type", "start 'x'"),
    ("q,d,0.5,5,1", "type", "start '0.5'"),
    ("q,d,0,9223372036854775808,1", "range", "end 9223372036854775808"),
    ("q,d,-1,5,1", "range", "start -1"),
    ("q,d,5,5,1", "range", "[5, 5)"),
    ("q,d,0,,1", "range", "start without end"),
    ("q,d,0,5,high", "type", "score 'high'"),
    ("q,d,0,5,nan", "score", "NaN as score"),
    ('q,d,0,5,"0,5"', "type", "score '0,5'"),
    ("q,d,0,5,", "mixed", "no score"),
    (",d,0,5,1", "missing", "no topic"),
    ("q,,0,5,1", "missing", "no document"),
    ('q,d,0,5,"1"x', "malformed", "broken CSV"),
]


@pytest.mark.parametrize(("row", "rule", "found"), BAD)
def test_a_bad_row_is_refused_with_its_line(row, rule, found):
    content = f"topic,document,start,end,score\nq,d,0,5,1\n# comment\n{row}\nq,d,0,5,1\n"
    (fault,) = faults_of(read_runs, csv, content)
    assert (fault.line, fault.rule) == (4, rule)
    assert found in fault.found
    (run,) = read_runs(csv, content, lenient=True)
    assert run.line.tolist() == [2, 5]


def test_a_cell_that_never_ends_is_refused_where_it_begins():
    (fault,) = faults_of(read_runs, csv, 'topic,document\nq,d\nq,"d\nq,d\n')
    assert (fault.line, fault.rule) == (3, "malformed")


@pytest.mark.parametrize("content", ["", "# only\n"])
def test_a_file_without_header_is_refused(content):
    with pytest.raises(InputError, match="no header"):
        read_runs(csv, content)


def test_a_header_without_our_columns_is_refused():
    with pytest.raises(InputError, match="a column for the document"):
        read_runs(csv, "topic,what\nq,d\n")


def test_a_row_that_says_nothing_is_refused():
    content = "qid,docid,start,end,rel\nq,a,,,1\nq,b,0,5,2\nq,c,,,\n"
    (fault,) = faults_of(read_assessments, csv, content)
    assert (fault.line, fault.rule, fault.found) == (4, "missing", "no judgement")


def test_columns_that_a_stronger_name_hides_are_noted():
    faults = Faults("file")
    source = Source("file", b"query,qid,docid\nWhy?,q1,d\n")
    (run,) = csv.read_run(source, faults, RunOptions())
    assert run.topics == ("q1",)
    assert [*map(str, faults.notes)] == ["column 'query' is ignored: 'qid' is the topic"]


def test_elements_have_columns_only_if_there_are_any():
    paths = ["/a[1]", "/a[1]/p[2] /a[1]/p[4]"]
    run = Run.of("r", ["q", "q"], ["d", "e"], extent=[Extent.ELEMENT] * 2, paths=paths)
    data, _ = written(csv, (run,))
    assert data.decode().splitlines() == [
        "topic,document,start,end,parts,score,rank,run,path",
        "q,d,,,,,,r,/a[1]",
        "q,e,,,,,,r,/a[1]/p[2] /a[1]/p[4]",
    ]
    assert read_runs(csv, data)[0].paths.strings() == paths
    data, _ = written(csv, (Run.of("r", ["q"], ["d"]),))
    assert data.splitlines()[0] == b"topic,document,start,end,parts,score,rank,run"


def test_judged_elements_with_grades_and_sizes():
    content = (
        "topic,document,path,exhaustivity,specificity,size,rsize\n"
        "q,d,/a[1],2,3,,\nq,d,/a[1]/b[1],?,,10,5\nq,e,/a[1],,,7,0\n"
    )
    made = read_assessments(csv, content)
    assert made.elements.exhaustivity.tolist() == [2, TOO_SMALL, UNKNOWN]
    assert made.elements.relevant_size.tolist() == [UNKNOWN, 5, 0]
    assert made.is_relevant.tolist() == [True, False]
    assert b"\nq,d,,,,,,,,/a[1]/b[1],?,,10,5\n" in written(csv, made)[0]


@pytest.mark.parametrize(
    ("row", "rule", "found"),
    [
        ("q,d,/a[1],x,3,,", "type", "exhaustivity 'x'"),
        ("q,d,/a[1],2,3.5,,", "type", "specificity '3.5'"),
        ("q,d,a[1],2,3,,", "path", "path 'a[1]'"),
        ("q,d,/a[1],2,,,", "missing", "half judged"),
    ],
)
def test_a_bad_element_is_refused_with_its_line(row, rule, found):
    content = f"topic,document,path,exhaustivity,specificity,size,rsize\nq,d,/b,1,1,,\n{row}\n"
    (fault,) = faults_of(read_assessments, csv, content)
    assert (fault.line, fault.rule) == (3, rule)
    assert found in fault.found


CELLS = st.sampled_from(["q", "d", "0", "5", "1.5", "", " ", "x y", "-1", "1_0", "é", "#", "nan"])
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n", "\n# no row\n", "\r"])


@given(
    st.lists(st.tuples(st.lists(CELLS, min_size=3, max_size=5), ENDS), max_size=6),
    st.sampled_from([",", "\t", ";"]),
)
@settings(deadline=None)
def test_plain_files_are_split_as_the_csv_reader_does(rows, mark):
    names = mark.join(["topic", "document", "start", "end"])
    text = names + "\n" + "".join(mark.join(row) + end for row, end in rows)
    with pytest.MonkeyPatch.context() as patch:
        fast = _facts(text)
        patch.setattr(csv._Cells, "at_once", lambda text: None)
        assert fast == _facts(text)


def _facts(text):
    faults = Faults("file", lenient=True)
    try:
        rows = csv.read_rows(Source("file", text.encode()), "run", faults)
    except InputError as refused:
        return str(refused)
    columns = {name: list(map(repr, values)) for name, values in rows.columns.items()}
    return columns, rows.line.tolist(), list(map(str, faults.kept))


def test_usual_files_are_split_at_once():
    cells = csv._Cells.at_once("topic,document,start,end\r\nq,d,0,5\r\nq,e,3,9")
    assert (cells.header[0], cells.columns[1], list(cells.line)) == ("topic", ["d", "e"], [2, 3])


def test_a_table_without_a_header_is_refused() -> None:
    source = Source("run.csv", b"q1,d1,0,5\nq1,d2,0,5\n")
    with pytest.raises(InputError, match="found no known column"):
        list(csv.read_run(source, Faults("run.csv"), RunOptions()))

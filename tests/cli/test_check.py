"""``spanwise check``: every fault of every file, with its line."""

from __future__ import annotations

import gzip

import pytest

from spanwise import check

FAULTY = """\
# a comment
1 Q0 d1 1 9.0 s 0 10
1 Q0 d1 2 8 s -5 10
1 Q0 d2 3 x s 5 0

1 Q0 d2 3
2 Q0 d9 1 nan s 5 9223372036854775807
2 Q0 d9 2 3 s 5 60
"""


def test_good_files_have_a_summary_and_no_faults(spanwise, files):
    done = spanwise("check", "qrels.txt", "first.fol", "judgements.txt", "documents.txt")
    assert done.code == 0
    assert done.out.splitlines() == [
        "qrels.txt: INEX FOL assessments, 3 judged documents (3 ranges, 3 entry points,"
        " 3 document lengths), 2 topics, no faults",
        "first.fol: INEX FOL run, 3 answers (3 ranges), 2 topics, no faults",
        "judgements.txt: TREC judgements, 3 judged documents (2 whole documents, 1 not relevant),"
        " 2 topics, no faults",
        "documents.txt: TREC run, 3 answers (3 whole documents), 2 topics, no faults",
    ]


def test_every_fault_is_listed_with_its_line(spanwise, files):
    (files / "bad.fol").write_text(FAULTY)
    done = spanwise("check", "bad.fol", "first.fol")
    lines = done.out.splitlines()
    assert done.code == 2
    assert [line.split(" expected")[0] for line in lines[:-2]] == [
        "bad.fol:3: found '-5',",
        "bad.fol:4: found 'x',",
        "bad.fol:4: found '0',",
        "bad.fol:6: found 4 columns,",
        "bad.fol:7: found 'nan',",
        "bad.fol:7: found '9223372036854775807',",
    ]
    assert lines[-2] == (
        "bad.fol: INEX FOL run, 2 answers (2 ranges), 2 topics, 6 faults (columns 1, range 3,"
        " score 2)"
    )


def test_faults_of_blocks_that_come_later_are_listed_too(spanwise, files):
    good = "".join(f"t{n:05} Q0 d{n} 1 1.0 s 0 10\n" for n in range(60_000))
    (files / "long.fol").write_text(f"a Q0 d 1 1 s 0\n{good}b Q0 d 1 1 s -1 5\n")
    done = spanwise("check", "long.fol", "--run-format", "fol")
    found = [line.split(": ")[0] for line in done.out.splitlines()]
    assert found == ["long.fol:1", "long.fol:60002", "long.fol"]


def test_what_others_find_when_runs_are_aligned(spanwise, files):
    (files / "twice.trec").write_text("1 Q0 a 1 3 t\n1 Q0 a 2 2 t\n1 Q0 b 3 1 t\n1 Q0 a 4 1 t\n")
    (files / "far.fol").write_text(
        "t1 Q0 d1 1 2 s 0 1001\nt1 Q0 d2 2 1 s 0 1000\nt2 Q0 d3 1 1 s 1 500\n"
    )
    done = spanwise("check", "twice.trec", "far.fol", "--assessments", "qrels.txt")
    lines = done.out.splitlines()
    again = "found document a again for topic 1, expected it once (it is at twice.trec:1 already)"
    assert [line for line in lines if line.startswith("twice.trec:")][:2] == [
        f"twice.trec:{number}: {again}; remove one of the two lines" for number in (2, 4)
    ]
    assert [line.split(":")[1] for line in lines if line.startswith("far.fol:")][:2] == ["1", "3"]
    assert "far.fol: INEX FOL run, 3 answers (3 ranges), 2 topics, 2 faults (range 2)" in lines


def test_things_worth_a_look_are_notes(spanwise, files):
    (files / "odd.fol").write_text(
        "t1 Q0 d1 1 2.0 s 0 100\nt1 Q0 d8 2 2.5 s 0 100\nt9 Q0 d1 1 1.0 s 0 10\n"
    )
    done = spanwise("check", "odd.fol", "--assessments", "qrels.txt")
    assert done.code == 0
    notes = [line for line in done.out.splitlines() if line.startswith("odd.fol: note: ")]
    assert len(notes) == 4
    for part in (
        "a rank or score that contradicts",
        "(t2)",
        "(t9)",
        "1 of 2 retrieved documents (50%) is unjudged",
    ):
        assert any(part in note for note in notes)
    assert "note" not in spanwise("check", "odd.fol", "--quiet").out


def test_ties_are_notes(spanwise, files):
    (files / "ties.trec").write_text("1 Q0 a 1 3 t\n1 Q0 b 2 3 t\n")
    assert "2 answers have tied scores" in spanwise("check", "ties.trec").out


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"1 Q0 a 1 3 t\n1 Q0 b 1 \0 t\n", "standard input:2: found a NUL byte"),
        (b"1 Q0 a 1 3 t\n1 Q0 \xff 1 2 t\n", "standard input:2: found byte 0xff"),
        (
            gzip.compress(b"1 Q0 a 1 3 t\n" * 99, mtime=0)[:40],
            "standard input: found damaged compressed data",
        ),
        (b"", "standard input: found nothing"),
        (b"one two three\n", "standard input:1: found 3 columns"),
        (b'{"topic": "q", "document": "d"}\n', "native JSONL that may be either"),
        (b'{"topic": "q", "docu', "standard input:1: found broken JSON (Unterminated string"),
        (b'{"a":' * 100_000, "standard input:1: found broken JSON (it is nested too deeply)"),
        (b'{"data": []}\n', "standard input:1: found '{\"data\": []}', expected a run or"),
        (b'{"questions": 5}\n', "standard input:1: found '5}\\n', expected a list as 'questions'"),
    ],
)
def test_what_ends_the_reading_is_a_fault(spanwise, content, found):
    done = spanwise("check", "-", stdin=content)
    assert done.code == 2
    assert found in done.out.splitlines()[0]
    assert done.err == ""


@pytest.mark.parametrize(
    "content",
    [
        '{"topic": "q", "document": "d", "start": 1, "end": 3}\n',
        "qid,docid,offset,len\nq,d,1,2\n",
    ],
)
def test_ranges_that_nothing_ranks_are_taken_as_assessments_and_this_is_said(spanwise, content):
    done = spanwise("check", "-", stdin=content)
    assert (done.code, done.err) == (0, "")
    assert "1 judged document (1 range), 1 topic, no faults" in done.out
    assert "--as run" in done.out
    assert "(1 range), 1 topic" in spanwise("check", "-", "--as", "run", stdin=content).out
    done = spanwise("convert", "-", "-", "--to", "jsonl", stdin=content)
    assert '"kind": "assessments"' in done.out
    assert "--as run" in done.err


def test_a_broken_first_line_does_not_hide_the_others(spanwise, files):
    (files / "rows.jsonl").write_text('{broken\n{"topic": "q", "document": "d", "rank": "x"}\n')
    (files / "run.trec").write_text("1 Q0 a\n1 Q0 a 1 3 t\n1 Q0 b 2 high t\n")
    done = spanwise("check", "rows.jsonl", "run.trec")
    assert [line.split(": ")[0] for line in done.out.splitlines()] == [
        *("rows.jsonl:1", "rows.jsonl:2", "rows.jsonl"),
        *("run.trec:1", "run.trec:3", "run.trec"),
    ]


def test_faults_of_assessments(spanwise, files):
    (files / "bad.txt").write_text(
        "t1 Q0 d1 99 1000 0 0:100\nt1 Q0 d2 50 20 10 10:50\nt1 Q0 d1 5 1000 0 0:5\n"
    )
    done = spanwise("check", "bad.txt")
    assert done.code == 2
    assert [line.split(": ")[0] for line in done.out.splitlines()] == [
        *("bad.txt:1", "bad.txt:2", "bad.txt:3", "bad.txt"),
    ]


def test_assessments_without_relevant_text_are_faulty(spanwise, files):
    (files / "none.txt").write_text("t1 0 d1 0\n")
    done = spanwise("check", "none.txt")
    assert done.code == 2
    assert done.out.startswith("none.txt: found no relevant text")


def test_assessments_are_held_against_a_collection(spanwise, files):
    (files / "lengths.tsv").write_text("d1\t50\nd2\t1000\n")
    done = spanwise("check", "qrels.txt", "--collection", "lengths.tsv")
    assert done.code == 2
    assert "relevant text up to 100 in document d1 (topic t1), expected an end of at most 50" in (
        done.out
    )


def test_many_faults_are_counted(spanwise, files):
    (files / "bad.trec").write_text("1 Q0 a 1 x t\n" * 30)
    done = spanwise("check", "bad.trec", "--most", "5")
    lines = done.out.splitlines()
    assert len(lines) == 7
    assert lines[5] == "bad.trec: 25 more faults are not listed; see --most"
    assert lines[6].endswith("30 faults (score 30)")


def test_compressed_files_and_folders(spanwise, files):
    folder = files / "folder"
    folder.mkdir()
    (folder / "a.txt.gz").write_bytes(gzip.compress((files / "qrels.txt").read_bytes()))
    (folder / "b.fol").write_bytes((files / "first.fol").read_bytes())
    done = spanwise("check", "folder", "nosuch")
    assert done.code == 2
    assert [line.split(":")[0] for line in done.out.splitlines()] == [
        *("folder/a.txt.gz", "folder/b.fol", "nosuch", "nosuch"),
    ]


def test_the_kind_can_be_said(spanwise, files):
    (files / "either.jsonl").write_text('{"topic": "q", "document": "d", "start": 1, "end": 3}\n')
    assert "native JSONL run" in spanwise("check", "either.jsonl", "--as", "run").out
    judged = spanwise("check", "either.jsonl", "--assessments-format", "jsonl")
    assert "native JSONL assessments" in judged.out
    assert judged.code == 0


def test_topics_in_pieces_are_read_whole(spanwise, files):
    lines = [f"t{n % 7} Q0 d{n} {n} {-n} s 0 10\n" for n in range(90_000)]
    (files / "scattered.fol").write_text("".join(lines))
    done = spanwise("check", "scattered.fol")
    assert done.out.startswith("scattered.fol: INEX FOL run, 90,000 answers (90,000 ranges), 7")


# -- what evaluate refuses


JUDGED = (
    '{"topic": "q1", "document": "a.md", "start": 0, "end": 10}\n'
    '{"topic": "q1", "document": "a.md", "start": 5, "end": 20}\n'
    '{"topic": "q1", "document": "b.md", "grade": 1}\n'
    '{"topic": "q1", "document": "c.md", "grade": 0}\n'
    '{"topic": "q1", "document": "a.md", "bep": 3}\n'
    '{"document": "a.md", "length": 40}\n'
)


def answers(count, prefix="", topic="q1", more=""):
    names = ("a.md", *(f"x{n}.md" for n in range(1, count)))
    rows = (f'"topic": "{topic}", "document": "{prefix}{name}"{more}' for name in names)
    return "".join(f"{{{row}}}\n" for row in rows)


@pytest.mark.parametrize(
    ("prefix", "topic", "message"),
    [
        ("docs/", "q1", "(run: docs/a.md, assessments: a.md); drop the folders"),
        ("", "Q1", "(run: Q1, assessments: q1); use the same upper and lower case"),
    ],
)
def test_names_that_nobody_knows_are_found_as_evaluate_finds_them(
    spanwise, files, prefix, topic, message
):
    (files / "judged.jsonl").write_text(JUDGED)
    (files / "run.jsonl").write_text(answers(20, prefix, topic, ', "start": 0, "end": 5'))
    done = spanwise("check", "run.jsonl", "--as", "run", "--assessments", "judged.jsonl")
    refused = spanwise("evaluate", "judged.jsonl", "run.jsonl", "-m", "AP")
    assert (done.code, refused.code, refused.out) == (2, 2, "")
    assert message in refused.err
    assert done.out.splitlines()[0] == refused.err.strip()


def test_each_kind_of_row_is_counted(spanwise, files):
    (files / "judged.jsonl").write_text(JUDGED)
    more = '{"topic": "q1", "document": "b.md", "parts": false}\n'
    (files / "run.jsonl").write_text(
        answers(1, more=', "start": 0, "end": 5') + answers(2, "d/") + more
    )
    done = spanwise("check", "judged.jsonl", "run.jsonl", "--assessments", "judged.jsonl")
    assert done.code == 0
    assert (
        "judged.jsonl: native JSONL assessments, 3 judged documents (2 ranges, 1 whole document,"
        " 1 not relevant, 1 entry point, 1 document length), 1 topic, no faults"
    ) in done.out
    assert (
        "run.jsonl: native JSONL run, 4 answers (1 range, 2 whole documents, 1 listed only),"
        in (done.out)
    )
    for note in (
        "judged.jsonl: note: 2 relevant ranges overlap another",
        "run.jsonl: note: 2 of 4 answers have no range; scored as whole documents",
        "run.jsonl: note: answers have neither rank nor score; ranked in file order",
    ):
        assert note in done.out


def test_faults_of_the_assessments_are_found_with_the_run(spanwise, files):
    (files / "judged.jsonl").write_text(JUDGED + '{"document": "b.md", "length": 0}\n')
    (files / "run.jsonl").write_text(answers(2, more=', "start": 0, "end": 5'))
    done = spanwise("check", "run.jsonl", "--as", "run", "--assessments", "judged.jsonl")
    refused = spanwise("evaluate", "judged.jsonl", "run.jsonl", "-m", "AP")
    assert (done.code, refused.code) == (2, 2)
    assert "judged.jsonl: found relevant document b.md (topic q1) of length 0" in refused.err
    assert done.out.splitlines()[0] == refused.err.strip()


def test_overlap_is_refused_at_the_line_that_check_names(spanwise, files):
    (files / "run.fol").write_text(
        "t1 Q0 d1 1 3 s 0 100\nt1 Q0 d2 2 2 s 0 100\nt1 Q0 d1 3 1 s 50 100\n"
    )
    done = spanwise("check", "run.fol", "--task", "focused")
    refused = spanwise("evaluate", "qrels.txt", "run.fol", "--overlap", "error")
    words = "run.fol:3: found [50, 150) of document d1 for topic t1, expected text that no"
    assert (done.code, refused.code) == (2, 2)
    assert done.out.startswith(words)
    assert refused.err.startswith(words)
    assert "([0, 100) is at run.fol:1)" in done.out
    assert "([0, 100) is at run.fol:1)" in refused.err


def test_a_first_line_that_hides_the_format_is_a_fault(spanwise, files):
    (files / "gold.fol").write_text("t1 x d1 5 6 0 1:5\nt1 Q0 d2 5 6 0 1:5\n")
    done = spanwise("check", "gold.fol", "--as", "assessments")
    assert done.code == 2
    assert done.out.startswith("gold.fol:1: found 7 columns, expected assessments")
    assert spanwise("evaluate", "gold.fol", "first.fol").code == 2


def test_how_much_of_the_first_answers_is_unjudged(spanwise, files):
    (files / "some.fol").write_text(
        "t1 Q0 d8 1 4 s 0 10\nt1 Q0 d1 2 3 s 0 10\nt1 Q0 d1 3 2 s 20 5\nt1 Q0 d7 4 1 s 0 10\n"
        "t2 Q0 d9 1 1 s 0 10\n"
    )
    table = spanwise("check", "some.fol", "--assessments", "qrels.txt", "--pool", 2, "--quiet").out
    assert table.splitlines()[2:] == [
        "Unjudged among the first 2 of each topic",
        "run  topics  unjudged documents  of documents  unjudged answers  of answers",
        "---------------------------------------------------------------------------",
        "s         2              2 of 3         66.7%            2 of 3       66.7%",
    ]
    found = check(files / "some.fol", assessments=files / "qrels.txt", pool=3)
    assert found.output().record["unjudged"] == [
        {
            **{"file": str(files / "some.fol"), "run": "s", "depth": 3, "topics": 2},
            **{"documents": 4, "unjudged_documents": 3, "answers": 4, "unjudged_answers": 2},
        }
    ]
    refused = spanwise("check", "some.fol", "--pool", 2)
    assert (refused.code, refused.out) == (2, "")
    assert "--pool asks what is unjudged: give --assessments, too" in refused.err

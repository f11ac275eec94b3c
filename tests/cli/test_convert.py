"""``spanwise convert``: what both formats can hold comes back, and what is lost is said."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

FITS = ("smallest", "inside", "best")
RUN_ENDINGS = ("fol", "jsonl", "parquet", "csv", "tsv", "jsonl.gz", "csv.zst")
RICH = """\
{"spanwise": 1, "kind": "assessments", "unit": "codepoint"}
{"document": "d1", "length": 100}
{"document": "d2", "length": 50}
{"topic": "q1", "document": "d1", "start": 10, "end": 20}
{"topic": "q1", "document": "d1", "start": 20, "end": 30, "grade": 2, "aspect": ["A", "B"]}
{"topic": "q1", "document": "d2", "grade": 0}
{"topic": "q2", "document": "d2", "start": 0, "end": 5}
{"topic": "q1", "document": "d1", "bep": 12}
"""


def converted(spanwise, given, out, *options):
    done = spanwise("convert", given, out, *options)
    assert (done.code, done.out) == (0, ""), done.err
    return done.err


def scores(spanwise, qrels, run, *measures):
    asked = [word for measure in measures for word in ("-m", measure)]
    done = spanwise("evaluate", qrels, run, *asked, "-q", "-o", "jsonl", "--quiet")
    assert done.code == 0, done.err
    return done.out


@pytest.mark.parametrize(("one", "two"), list(pairwise((*RUN_ENDINGS, *RUN_ENDINGS[:1]))))
def test_there_and_back_again_gives_the_same_bytes(spanwise, files, one, two):
    assert converted(spanwise, "first.fol", f"a.{one}") == ""
    assert converted(spanwise, f"a.{one}", f"b.{two}") == ""
    assert converted(spanwise, f"b.{two}", f"c.{one}") == ""
    assert (files / f"c.{one}").read_bytes() == (files / f"a.{one}").read_bytes()


@pytest.mark.parametrize("ending", RUN_ENDINGS)
def test_assessments_come_back(spanwise, files, ending):
    assert converted(spanwise, "qrels.txt", f"a.{ending}") == ""
    converted(spanwise, f"a.{ending}", "b.fol")
    converted(spanwise, f"a.{ending}", f"c.{ending}")
    assert (files / "b.fol").read_bytes() == (files / "qrels.txt").read_bytes()
    assert (files / f"c.{ending}").read_bytes() == (files / f"a.{ending}").read_bytes()
    expected = scores(spanwise, "qrels.txt", "first.fol", "AgP", "AiP")
    assert scores(spanwise, f"a.{ending}", "first.fol", "AgP", "AiP") == expected


def test_scores_decide_the_order_of_formats_that_have_no_rule(spanwise, files):
    (files / "run.jsonl").write_text(
        '{"topic": "t1", "document": "d2", "start": 10, "end": 60, "score": 1, "run": "r"}\n'
        '{"topic": "t1", "document": "d1", "start": 0, "end": 10, "score": 2, "run": "r"}\n'
        '{"topic": "t1", "document": "d1", "start": 0, "end": 50, "score": 2, "run": "r"}\n'
    )
    for ending in ("fol", "csv", "parquet"):
        converted(spanwise, "run.jsonl", f"run.{ending}")
        assert scores(spanwise, "qrels.txt", f"run.{ending}", "AgP", "textR@1") == scores(
            spanwise, "qrels.txt", "run.jsonl", "AgP", "textR@1"
        )


def test_trec_has_the_derived_ranking(spanwise, files):
    (files / "run.fol").write_text(
        "t1 Q0 d2 1 2.0 r 0 10\nt1 Q0 d1 2 1.5 r 0 10\nt1 Q0 d2 3 1.0 r 20 10\n"
    )
    notes = converted(spanwise, "run.fol", "run.trec")
    assert (files / "run.trec").read_text() == "t1 Q0 d2 1 2.0 r\nt1 Q0 d1 2 1.5 r\n"
    assert notes == (
        "note: run r: ranges are lost; documents are in the order of their first answers\n"
    )
    plain = ("AP", "RR", "P@1")
    assert scores(spanwise, "qrels.txt", "run.trec", *plain) == scores(
        spanwise, "qrels.txt", "run.fol", *plain
    )


def test_trec_scores_that_would_change_the_order_are_written_anew(spanwise, files):
    (files / "run.fol").write_text("t1 Q0 a 1 1.0 r 0 10\nt1 Q0 b 2 1.0 r 0 10\n")
    notes = converted(spanwise, "run.fol", "run.trec")
    assert (files / "run.trec").read_text() == "t1 Q0 a 1 2.0 r\nt1 Q0 b 2 1.0 r\n"
    assert "new scores are written" in notes


def test_a_trec_run_stays_as_it_is(spanwise, files):
    assert converted(spanwise, "documents.txt", "again.trec") == ""
    assert (files / "again.trec").read_bytes() == (files / "documents.txt").read_bytes()
    assert converted(spanwise, "judgements.txt", "again.txt", "--to", "trec") == ""
    assert (files / "again.txt").read_bytes() == (files / "judgements.txt").read_bytes()


def test_only_what_is_lost_is_said(spanwise, files):
    (files / "rich.jsonl").write_text(RICH)
    assert converted(spanwise, "rich.jsonl", "rich.csv") == ""
    assert converted(spanwise, "rich.jsonl", "rich.fol") == (
        "note: grades other than relevant or not are lost (1)\n"
        "note: aspects of ranges are lost (2)\n"
    )
    assert (files / "rich.fol").read_text() == (
        "q1 Q0 d1 20 100 12 10:10 20:10\nq1 Q0 d2 0 50\nq2 Q0 d2 5 50 -1 0:5\n"
    )
    assert converted(spanwise, "rich.jsonl", "rich.trec").splitlines() == [
        "note: ranges are lost (3)",
        "note: aspects of ranges are lost (2)",
        "note: entry points are lost (1)",
        "note: lengths of documents are lost (2)",
    ]


def test_a_collection_gives_whole_documents_their_ranges(spanwise, files):
    (files / "lengths.tsv").write_text("d1\t1000\nd2\t1000\nd3\t500\n")
    alone = converted(spanwise, "documents.txt", "alone.fol")
    assert "3 whole documents are of unknown length; left out; give --collection" in alone
    assert (files / "alone.fol").read_text() == ""
    assert converted(spanwise, "documents.txt", "run.fol", "--collection", "lengths.tsv") == ""
    assert (files / "run.fol").read_text().startswith("t1 Q0 d1 1 2.0 whole 0 1000\n")
    converted(spanwise, "judgements.txt", "judged.fol", "--collection", "lengths.tsv")
    assert (files / "judged.fol").read_text().startswith("t1 Q0 d1 1000 1000 -1 0:1000\n")


def test_chunks_and_units_are_resolved(spanwise, files):
    texts = [{"document": "d", "text": "a😀b"}]
    (files / "texts.jsonl").write_text("\n".join(map(json.dumps, texts)))
    (files / "wide.jsonl").write_text(
        '{"topic": "q", "document": "d", "start": 1, "end": 3, "rank": 1, "run": "r"}\n'
    )
    done = spanwise(
        *("convert", "wide.jsonl", "-", "--to", "fol"),
        *("--unit", "utf16", "--collection", "texts.jsonl"),
    )
    assert done.out == "q Q0 d 1 -1.0 r 1 1\n"
    (files / "chunks.jsonl").write_text('{"chunk": "c1", "document": "d", "start": 5, "end": 9}\n')
    (files / "ids.jsonl").write_text('{"topic": "q", "chunk": "c1", "score": 0.5, "run": "r"}\n')
    named = spanwise("convert", "ids.jsonl", "-", "--to", "fol", "--chunks", "chunks.jsonl")
    assert named.out == "q Q0 d 1 0.5 r 5 4\n"


def test_several_runs_stay_together(spanwise, files):
    both = (files / "first.fol").read_text() + (files / "second.fol").read_text()
    (files / "both.fol").write_text(both)
    for ending in ("jsonl", "parquet", "tsv"):
        converted(spanwise, "both.fol", f"both.{ending}")
        converted(spanwise, f"both.{ending}", "back.fol")
        assert (files / "back.fol").read_text() == both


def test_standard_input_and_output(spanwise, files):
    data = (files / "first.fol").read_bytes()
    done = spanwise("convert", "-", "-", "--to", "csv", stdin=data)
    assert done.out.startswith("topic,document,start,end,parts,score,rank,run\n")
    back = spanwise("convert", "-", "-", "--to", "fol", stdin=done.out)
    assert back.out.encode() == data


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("first.fol", "out.txt"), "found the ending .txt"),
        (("first.fol", "out"), "found no ending"),
        (("first.fol", "nowhere/out.fol"), "folder not found"),
        (("first.fol", "folder.fol"), "folder.fol is a folder"),
        (("nosuch", "out.fol"), "nosuch: file not found"),
        (("bad.fol", "out.jsonl"), "bad.fol:1: found '-1'"),
        (("blank.jsonl", "out.fol"), "document 'a b' has blanks"),
        (("blank.jsonl", "out.trec"), "document 'a b' has blanks"),
        (("comment.jsonl", "out.fol"), "topic '#1' would make its line a comment"),
        (("either.jsonl", "out.csv"), "--as run or --as assessments"),
        (("first.fol", "out.jsonl", "--unit", "byte"), "give --collection"),
    ],
)
def test_refusals_write_nothing(spanwise, files, arguments, message):
    (files / "folder.fol").mkdir()
    (files / "bad.fol").write_text("t1 Q0 d1 1 1 r -1 10\n")
    (files / "blank.jsonl").write_text('{"topic": "q", "document": "a b", "rank": 1}\n')
    (files / "comment.jsonl").write_text('{"topic": "#1", "document": "a", "rank": 1}\n')
    (files / "either.jsonl").write_text('{"topic": "q", "document": "d"}\n')
    before = sorted(files.iterdir())
    done = spanwise("convert", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert sorted(files.iterdir()) == before


def test_lenient_conversion_counts_what_it_drops(spanwise, files):
    (files / "bad.fol").write_text("t1 Q0 d1 1 1 r -1 10\nt1 Q0 d1 2 0 r 1 10\n")
    assert "by rule: range 1" in converted(spanwise, "bad.fol", "good.fol", "--lenient")
    assert (files / "good.fol").read_text() == "t1 Q0 d1 2 0.0 r 1 10\n"


# -- ideal runs


def test_the_run_that_gains_most(spanwise, tmp_path):
    (tmp_path / "qrels.jsonl").write_text(
        '{"topic": "q", "document": "d", "start": 3, "end": 9}\n'
        '{"topic": "q", "document": "e", "start": 0, "end": 4}\n'
    )
    done = spanwise("convert", "qrels.jsonl", "-", "--ideal", "passages", "--to", "fol")
    assert (done.code, done.err) == (0, "")
    assert done.out == "q Q0 d 1 -1.0 ideal 3 6\nq Q0 e 2 -2.0 ideal 0 4\n"


def test_an_ideal_run_of_elements_needs_elements(spanwise, tmp_path):
    (tmp_path / "d.xml").write_text("<d><p>one</p><p>two</p></d>")
    (tmp_path / "qrels.jsonl").write_text('{"topic": "q", "document": "d", "start": 3, "end": 6}\n')
    asked = ("convert", "qrels.jsonl", "-", "--ideal", "elements(quant=spec)", "--to", "element")
    assert "give --collection or --elements" in spanwise(*asked).err
    done = spanwise(*asked, "--elements", "none.tsv")
    assert done.code == 2
    (tmp_path / "documents").mkdir()
    (tmp_path / "d.xml").rename(tmp_path / "documents" / "d.xml")
    done = spanwise(*asked, "--collection", "documents")
    assert (done.code, done.out) == (0, "q Q0 d 1 -1.0 ideal /d[1]/p[2]\n")


def test_no_ideal_run_of_a_run(spanwise, tmp_path):
    (tmp_path / "run.fol").write_text("q Q0 d 1 2.0 r 3 6\n")
    done = spanwise("convert", "run.fol", "-", "--ideal", "passages", "--to", "fol")
    assert (done.code, done.out) == (2, "")
    assert "expected assessments" in done.err


# -- formats that are only read, or hold only assessments

CHROMA = (
    'question,references,corpus_id\nWho?,"[{""content"": ""The buyer."", ""start_index"": 3,'
    ' ""end_index"": 13}]",book\n'
)


def test_the_format_of_assessments_alone_can_be_named(spanwise, tmp_path):
    (tmp_path / "q.csv").write_text(CHROMA)
    rows = spanwise("convert", "q.csv", "-", "--to", "jsonl", "--from", "chroma-numbered").out
    assert json.loads(rows.splitlines()[1])["topic"] == "q000"


def test_a_format_that_cannot_hold_the_role_is_refused(spanwise, tmp_path):
    (tmp_path / "q.csv").write_text(CHROMA)
    done = spanwise("convert", "q.csv", "-", "--to", "jsonl", "--from", "chroma", "--as", "run")
    assert (done.code, done.out) == (2, "")
    assert "chroma" in done.err


def test_formats_that_are_only_read_are_no_targets(spanwise, tmp_path):
    (tmp_path / "q.csv").write_text(CHROMA)
    done = spanwise("convert", "q.csv", "-", "--to", "chroma")
    assert (done.code, done.out) == (2, "")
    assert "'jsonl'" in done.err
    assert "'squad'" not in done.err


@pytest.mark.parametrize("given", ["run", "assessments"])
@pytest.mark.parametrize("target", ["out.jsonl", "out.csv", "out.fol"])
def test_texts_beside_ranges_that_nothing_was_compared_with_are_said(
    spanwise, files, given, target
):
    others = {"score": 1} if given == "run" else {"grade": 1}
    row = {"topic": "q1", "document": "d.txt", "start": 0, "end": 4, "text": "Peru", **others}
    listed = {"topic": "q1", "document": "e", "parts": False, "text": "Chile", "score": 0}
    rows = [row, listed] if given == "run" else [row]
    (files / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = converted(spanwise, "rows.jsonl", target, "--as", given)
    assert "1 text beside ranges was not compared with the documents; give --collection" in said
    assert "not as long" not in said
    (files / "texts").mkdir(exist_ok=True)
    (files / "texts" / "d.txt").write_text("Peru joined.")
    (files / "texts" / "e.txt").write_text("Chile.")
    options = ("--as", given, "--collection", "texts")
    assert "compared" not in converted(spanwise, "rows.jsonl", target, *options)


@pytest.mark.parametrize(
    "options",
    [("--to", "jsonl"), *(("--to", "element", "--as-elements", "--fit", fit) for fit in FITS)],
)
def test_ranges_beyond_the_documents_are_refused_or_cut(spanwise, tmp_path, options):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "d.xml").write_text("<a><s><p>one two</p></s><p>six</p></a>")
    row = '{{"topic": "q", "document": "d", "start": {}, "end": {}, "score": 1}}\n'
    run = tmp_path / "run.jsonl"
    given = ["convert", run.name, "-", *options, "--collection", "docs"]
    for start, end in ((100, 200), (4, 200), (0, 11)):
        run.write_text(row.format(start, end))
        done = spanwise(*given)
        assert (done.code, done.out) == (2, "")
        assert done.err == (
            f"run.jsonl:1: found range [{start}, {end}), expected an end of at most 10, the length"
            " of document d; fix the offsets (is it another --unit?) or use --lenient\n"
        )
    run.write_text(row.format(8, 200) + row.format(100, 200))
    done = spanwise(*given, "--lenient")
    assert done.code == 0
    assert "2 ranges of run.jsonl end beyond their document; cut or dropped" in done.err
    [*_, last] = done.out.splitlines()
    assert '"start": 8, "end": 10' in last or last.split()[-1] == "/a[1]/p[1]"


@pytest.mark.parametrize("options", [(), ("--ideal", "passages")])
def test_judged_ranges_beyond_the_documents_are_refused_or_cut(spanwise, tmp_path, options):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "d.txt").write_text("one two six")
    judged = tmp_path / "judged.jsonl"
    judged.write_text('{"topic": "q", "document": "d", "start": 4, "end": 200}\n')
    given = ["convert", judged.name, "-", "--as", "assessments", "--to", "jsonl", *options]
    done = spanwise(*given, "--collection", "docs")
    assert (done.code, done.out) == (2, "")
    assert "found relevant text up to 200 in document d (topic q), expected an end of" in done.err
    done = spanwise(*given, "--collection", "docs", "--lenient")
    assert done.code == 0
    assert '"start": 4, "end": 11' in done.out

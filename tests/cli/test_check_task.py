"""``spanwise check --task``: which rules of an INEX task a run breaks, and where."""

from __future__ import annotations

import pytest

RUN = """\
t1 Q0 d1 1 9 s 0 100
t1 Q0 d2 2 8 s 0 100
t1 Q0 d1 3 7 s 50 100
t2 Q0 d1 1 9 s 0 1100
"""
OVERLAP = (
    "run.fol:3: found [50, 150) of document d1 for topic t1, expected text that no"
    " better-ranked answer returns ([0, 100) is at run.fol:1); keep one of the two (rule: overlap)"
)
INTERLEAVING = (
    "run.fol:3: found [50, 150) of document d1 for topic t1, after results of other documents,"
    " expected the results of a document together ([0, 100) is at run.fol:1); move it there"
    " (rule: interleaving)"
)
SECOND = (
    "run.fol:3: found another result, [50, 150) of document d1 for topic t1, expected one for each"
    " document ([0, 100) is at run.fol:1); keep the better one (rule: one per document)"
)
CHARACTERS = (
    "run.fol:4: found 1100 characters for topic t2, expected at most 1000 (there are more with"
    " [0, 1100) of document d1); cut this result, and leave out all after it (rule: characters)"
)
TOO_MANY = (
    "run.fol:3: found 3 results for topic t1, expected at most 2 (this one is number 3 in the"
    " ranking); leave out the last 1 (rule: results)"
)
READ = "run.fol: INEX FOL run, 4 answers (4 ranges), 2 topics, no faults"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["thorough"], [READ, "run.fol: task thorough, no breaches; kept: results, repetition"]),
        (
            ["focused"],
            [OVERLAP, READ, "run.fol: task focused, 1 breach (overlap 1); kept: results"],
        ),
        (
            ["relevant-in-context"],
            [
                *(OVERLAP, INTERLEAVING, READ),
                "run.fol: task relevant-in-context, 2 breaches (interleaving 1, overlap 1);"
                " kept: results",
            ],
        ),
        (
            ["best-in-context"],
            [
                *(SECOND, READ),
                "run.fol: task best-in-context, 1 breach (one per document 1); kept: results",
            ],
        ),
        (
            ["restricted"],
            [
                *(OVERLAP, CHARACTERS, READ),
                "run.fol: task restricted, 2 breaches (characters 1, overlap 1); kept: results",
            ],
        ),
        (
            ["restricted", "--characters", "1100"],
            [
                *(OVERLAP, READ),
                "run.fol: task restricted, 1 breach (overlap 1); kept: results, characters",
            ],
        ),
        (
            ["thorough", "--results", "2"],
            [TOO_MANY, READ, "run.fol: task thorough, 1 breach (results 1); kept: repetition"],
        ),
    ],
    ids=" ".join,
)
def test_each_task_has_its_rules(spanwise, tmp_path, options, expected):
    (tmp_path / "run.fol").write_text(RUN)
    done = spanwise("check", "run.fol", "--task", *options)
    assert done.out.splitlines() == expected
    assert done.code == (0 if "no breaches" in done.out else 2)
    assert done.err == ""


def test_breaches_stand_after_the_faults_and_are_none(spanwise, tmp_path):
    (tmp_path / "run.fol").write_text(RUN + "t3 Q0 d1 1 9 s -1 5\n")
    lines = spanwise("check", "run.fol", "--task", "focused").out.splitlines()
    assert lines[0].startswith("run.fol:5: found '-1'")
    assert lines[1:] == [
        OVERLAP,
        "run.fol: INEX FOL run, 4 answers (4 ranges), 2 topics, 1 fault (range 1)",
        "run.fol: task focused, 1 breach (overlap 1); kept: results",
    ]


def test_without_a_task_nothing_is_broken(spanwise, tmp_path):
    (tmp_path / "run.fol").write_text(RUN)
    done = spanwise("check", "run.fol")
    assert done.code == 0
    assert done.out.splitlines() == [READ]


def test_the_limit_of_results_is_1500(spanwise, tmp_path):
    rows = [f"t Q0 d{n} 1 {-n} s 0 5\n" for n in range(1501)]
    (tmp_path / "fits.fol").write_text("".join(rows[:1500]))
    (tmp_path / "long.fol").write_text("".join(rows))
    assert spanwise("check", "fits.fol", "--task", "focused").code == 0
    done = spanwise("check", "long.fol", "--task", "focused")
    assert done.code == 2
    assert done.out.startswith("long.fol:1501: found 1501 results for topic t, expected at most")


def test_the_limit_of_characters_is_1000(spanwise, tmp_path):
    (tmp_path / "run.fol").write_text("t Q0 a 1 9 s 0 600\nt Q0 b 2 8 s 0 400\n")
    assert spanwise("check", "run.fol", "--task", "restricted").code == 0
    (tmp_path / "run.fol").write_text("t Q0 a 1 9 s 0 600\nt Q0 b 2 8 s 0 401\n")
    done = spanwise("check", "run.fol", "--task", "restricted")
    assert done.code == 2
    assert done.out.startswith("run.fol:2: found 1001 characters for topic t")


def test_whole_documents_are_counted_with_their_lengths(spanwise, tmp_path):
    (tmp_path / "run.trec").write_text("t Q0 a 1 9 s\nt Q0 b 2 8 s\n")
    (tmp_path / "lengths.tsv").write_text("a\t300\nb\t701\n")
    blind = spanwise("check", "run.trec", "--task", "restricted")
    assert blind.code == 2
    assert blind.out.splitlines() == [
        "run.trec:1: found the whole of document a for topic t, of unknown size, expected sizes"
        " that can be added up (2 are unknown); give the documents with --collection"
        " (rule: characters undecided)",
        "run.trec: TREC run, 2 answers (2 whole documents), 1 topic, no faults",
        "run.trec: task restricted, 1 breach (characters undecided 1); kept: results, overlap",
    ]
    known = ("check", "run.trec", "--task", "restricted", "--collection", "lengths.tsv")
    assert spanwise(*known).out.startswith("run.trec:2: found 1001 characters for topic t")
    assert spanwise(*known, "--characters", "1001").code == 0


def test_the_order_of_the_format_decides(spanwise, tmp_path):
    """The better result is the one with the higher score here, not the first line."""
    (tmp_path / "run.jsonl").write_text(
        '{"topic": "t", "document": "a", "start": 0, "end": 9, "score": 1.0}\n'
        '{"topic": "t", "document": "b", "start": 0, "end": 9, "score": 2.0}\n'
        '{"topic": "t", "document": "a", "start": 8, "end": 12, "score": 3.0}\n'
    )
    done = spanwise("check", "run.jsonl", "--as", "run", "--task", "relevant-in-context")
    assert [line.split(" of document")[0] for line in done.out.splitlines()[:2]] == [
        "run.jsonl:1: found [0, 9)",
        "run.jsonl:1: found [0, 9)",
    ]
    assert "([8, 12) is at run.jsonl:3)" in done.out
    assert "2 breaches (interleaving 1, overlap 1)" in done.out


def test_entry_points_come_once_for_a_document(spanwise, tmp_path):
    (tmp_path / "bep.txt").write_text("t Q0 a 1 9 s 50\nt Q0 b 2 8 s 0\nt Q0 a 3 7 s 60\n")
    done = spanwise("check", "bep.txt", "--task", "best-in-context")
    assert done.code == 2
    assert done.out.startswith(
        "bep.txt:3: found another result, entry point 60 of document a for topic t, expected one"
        " for each document (entry point 50 is at bep.txt:1)"
    )
    assert spanwise("check", "bep.txt", "--task", "focused").code == 0


def test_topics_in_pieces_are_looked_at_whole(spanwise, tmp_path):
    lines = [f"t{n % 7} Q0 d{n // 14} {n} {-n} s 0 10\n" for n in range(70_000)]
    (tmp_path / "scattered.fol").write_text("".join(lines))
    done = spanwise("check", "scattered.fol", "--task", "best-in-context", "--results", "10000")
    assert done.out.splitlines()[-1] == (
        "scattered.fol: task best-in-context, 35000 breaches (one per document 35000);"
        " kept: results"
    )


def test_many_breaches_are_counted(spanwise, tmp_path):
    (tmp_path / "run.fol").write_text("t Q0 a 1 1 s 0 5\n" * 30)
    done = spanwise("check", "run.fol", "--task", "thorough", "--most", "4")
    lines = done.out.splitlines()
    assert [line.split(":")[1] for line in lines[:4]] == ["2", "3", "4", "5"]
    assert lines[4:] == [
        "run.fol: 25 more breaches are not listed; see --most",
        "run.fol: INEX FOL run, 30 answers (30 ranges), 1 topic, no faults",
        "run.fol: task thorough, 29 breaches (repetition 29); kept: results",
    ]


def test_each_file_is_held_against_the_task_by_itself(spanwise, files):
    (files / "run.fol").write_text(RUN)
    done = spanwise("check", "run.fol", "qrels.txt", "first.fol", "--task", "focused")
    assert done.code == 2
    assert [line for line in done.out.splitlines() if "task" in line] == [
        "run.fol: task focused, 1 breach (overlap 1); kept: results",
        "first.fol: task focused, no breaches; kept: results, overlap",
    ]


@pytest.mark.parametrize("limit", ["--results", "--characters"])
def test_a_limit_needs_a_task(spanwise, files, limit):
    done = spanwise("check", "first.fol", limit, "5")
    assert (done.code, done.out) == (2, "")
    assert f"{limit} is a limit of a task: give --task, too" in done.err


@pytest.mark.parametrize("words", [["--task", "adhoc"], ["--task", "focused", "--results", "0"]])
def test_tasks_and_limits_that_do_not_exist(spanwise, files, words):
    done = spanwise("check", "first.fol", *words)
    assert (done.code, done.out) == (2, "")


ELEMENTS = """\
t1 Q0 d1 1 9 s /article[1]/sec[1]
t1 Q0 d2 2 8 s /article[1]/sec[1]
t1 Q0 d1 3 7 s /article[1]/sec[1]/p[2]
t1 Q0 d1 4 6 s /article[1]/sec[11]
"""
NESTED = "/article[1]/sec[1]/p[2] of document d1 for topic t1"


def test_elements_are_compared_by_their_paths(spanwise, tmp_path):
    (tmp_path / "run.txt").write_text(ELEMENTS)
    done = spanwise("check", "run.txt", "--task", "relevant-in-context")
    assert done.code == 2
    assert done.out.splitlines() == [
        f"run.txt:3: found {NESTED}, expected text that no better-ranked answer returns"
        " (/article[1]/sec[1] is at run.txt:1); keep one of the two (rule: overlap)",
        f"run.txt:3: found {NESTED}, after results of other documents, expected the results of a"
        " document together (/article[1]/sec[1] is at run.txt:1); move it there"
        " (rule: interleaving)",
        "run.txt: INEX element run, 4 answers (4 elements), 1 topic, no faults",
        "run.txt: task relevant-in-context, 2 breaches (interleaving 1, overlap 1); kept: results",
    ]
    assert spanwise("check", "run.txt", "--task", "thorough").code == 0


def test_an_element_that_comes_twice_breaks_even_the_thorough_task(spanwise, tmp_path):
    (tmp_path / "run.txt").write_text(ELEMENTS + "t1 Q0 d2 5 5 s /article/sec\n")
    done = spanwise("check", "run.txt", "--task", "thorough")
    assert done.code == 2
    assert done.out.startswith(
        "run.txt:5: found /article/sec of document d2 for topic t1 again, expected it once"
        " (/article[1]/sec[1] is at run.txt:2); remove one of the two (rule: repetition)\n"
    )


def test_the_collection_tells_the_sizes_of_elements(spanwise, tmp_path):
    (tmp_path / "documents").mkdir()
    for name, letters in (("d1", 600), ("d2", 400)):
        text = f"<article><sec><p>a</p><p>{'b' * letters}</p></sec></article>"
        (tmp_path / "documents" / f"{name}.xml").write_text(text)
    (tmp_path / "run.txt").write_text("\n".join(ELEMENTS.splitlines()[:2]) + "\n")
    blind = spanwise("check", "run.txt", "--task", "restricted")
    assert blind.code == 2
    assert "1 breach (characters undecided 1)" in blind.out
    known = spanwise("check", "run.txt", "--task", "restricted", "--collection", "documents")
    assert known.code == 2
    assert known.out.startswith(
        "run.txt:2: found 1002 characters for topic t1, expected at most 1000 (there are more with"
        " /article[1]/sec[1] of document d2)"
    )


def test_a_table_of_elements_tells_them_too(spanwise, tmp_path):
    """A range of characters beside an element can only be compared where the element lies."""
    (tmp_path / "elements.tsv").write_text("d1\t/a[1]\t0\t900\nd1\t/a[1]/p[1]\t100\t50\n")
    (tmp_path / "run.jsonl").write_text(
        '{"topic": "t", "document": "d1", "path": "/a[1]/p[1]", "rank": 1, "run": "s"}\n'
        '{"topic": "t", "document": "d1", "start": 140, "end": 160, "rank": 2, "run": "s"}\n'
    )
    task = ("check", "run.jsonl", "--as", "run", "--task", "focused")
    blind = spanwise(*task)
    assert blind.code == 2
    assert "run.jsonl:1: found /a[1]/p[1] of document d1 for topic t, expected ranges" in blind.out
    assert "1 breach (overlap undecided 1); kept: results" in blind.out
    known = spanwise(*task, "--elements", "elements.tsv")
    assert known.code == 2
    assert known.out.startswith(
        "run.jsonl:2: found [140, 160) of document d1 for topic t, expected text that no"
        " better-ranked answer returns (/a[1]/p[1] is at run.jsonl:1)"
    )


def test_submissions_are_held_against_tasks(spanwise, tmp_path):
    results = "".join(
        f"<result><file>{file}</file><path>{path}</path></result>\n"
        for file, path in (("d1", "/a[1]/p[1]"), ("d2", "/a[1]"), ("d1", "/a[1]/p[2]"))
    )
    (tmp_path / "run.xml").write_text(
        '<inex-submission participant-id="4" run-id="r" task="BestInContext">\n'
        f'<topic topic-id="7">\n{results}</topic>\n</inex-submission>\n'
    )
    done = spanwise("check", "run.xml", "--task", "best-in-context")
    assert done.code == 2
    assert done.out.startswith(
        "run.xml:5: found another result, /a[1]/p[2] of document d1 for topic 7, expected one for"
        " each document (/a[1]/p[1] is at run.xml:3); keep the better one (rule: one per document)"
    )
    assert spanwise("check", "run.xml", "--task", "focused").code == 0

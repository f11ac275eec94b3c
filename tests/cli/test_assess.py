"""``spanwise assess`` without its pages: export, import, progress, changed documents, damage."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from hashlib import sha256

import pytest

from spanwise.assessing.log import Log
from spanwise.collection.collection import open_collection
from spanwise.text.sentences import counted

SEA = (
    "The tide rises twice a day. The moon pulls the sea.\n\n"
    "Fog comes with warm air. Ships sound their horns in fog. Bells ring on buoys.\n\n"
    "Herring swim in shoals. Nets catch them at night."
)
BOAT = "<article><title>Boats</title><p>A boat floats. It has oars.</p></article>"
TEXTS = {
    "sea.txt": SEA,
    "fog.txt": "Fog hides the coast. A horn sounds.",
    "fish.txt": "Cod is salted.",
    "boat.xml": BOAT,
}
JUDGED = [
    ("ann", "q1", "sea", {"kind": "highlight", "start": 53, "end": 77}),
    ("ann", "q1", "sea", {"kind": "highlight", "start": 0, "end": 27}),
    ("ann", "q1", "sea", {"kind": "entry", "at": 53}),
    ("ann", "q1", "sea", {"kind": "done"}),
    ("ann", "q1", "fog", {"kind": "not relevant"}),
    ("ann", "q1", "fish", {"kind": "highlight", "start": 0, "end": 3}),
    ("ann", "q2", "boat", {"kind": "highlight", "start": 5, "end": 19}),
    ("ann", "q2", "boat", {"kind": "done"}),
    ("bob", "q1", "sea", {"kind": "highlight", "start": 53, "end": 109}),
    ("bob", "q1", "sea", {"kind": "done"}),
    ("bob", "q1", "fog", {"kind": "highlight", "start": 0, "end": 20}),
    ("bob", "q1", "fog", {"kind": "done"}),
]
OPEN = "note: 1 judgement is still open and left out\n"
LEFT = "note: 5 of 8 documents of the pool are not judged\n"


def write_texts(folder, texts=TEXTS):
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text)


def pool_lines(topics=("q1", "q2"), documents=("sea", "fog", "fish", "boat"), query="fog horns"):
    first = {"spanwise": 1, "kind": "pool", "depth": 10, "order": "shuffled", "runs": ["a", "b"]}
    asked = [{"topic": "q1", "query": query}]
    rows = [{"topic": t, "document": d, "ranges": [[0, 10]]} for t in topics for d in documents]
    return "".join(f"{json.dumps(row)}\n" for row in (first, *asked, *rows))


def write_log(path, documents, judged=JUDGED):
    with Log.open(path) as log:
        for number, (assessor, topic, document, operation) in enumerate(judged):
            log.add_document(document, documents.text(document))
            version = log.state(assessor, topic, document).version
            at = f"2024-05-01T12:00:{number:02}Z"
            named = {**operation, "id": f"{number}"}
            log.append(assessor, topic, document, version, [named], at)


@pytest.fixture
def folder(tmp_path):
    """Documents, a pool of them for two topics, and what two assessors made of it."""
    write_texts(tmp_path / "docs")
    (tmp_path / "pool.jsonl").write_text(pool_lines())
    write_log(tmp_path / "pool.judgements", open_collection(str(tmp_path / "docs"), None, None))
    return tmp_path


@pytest.fixture
def assess(spanwise, folder):
    """``spanwise assess pool.jsonl`` with some options."""
    return lambda *words: spanwise("assess", "pool.jsonl", *words)


def refused(done, *words):
    """Exit code 2, nothing on standard output, and these words in the message."""
    assert (done.code, done.out) == (2, "")
    assert "Traceback" not in done.err
    for each in words:
        assert each in done.err
    return True


def state(folder, assessor, document, topic="q1", log="pool.judgements"):
    with Log.open(folder / log, read_only=True) as opened:
        return opened.state(assessor, topic, document).judgement


def passages(*words):
    return [(one.start, one.end) for one in state(*words).passages]


# -- export

HASHES = {name: sha256(text.encode()).hexdigest() for name, text in TEXTS.items()}
BOAT_TEXT = "BoatsA boat floats. It has oars."
ABOUT = f"""\
{{"spanwise": 1, "kind": "assessments", "unit": "codepoint"}}
{{"document": "boat", "length": 32, "sha256": "{sha256(BOAT_TEXT.encode()).hexdigest()}"}}
{{"document": "fog", "length": 35, "sha256": "{HASHES["fog.txt"]}"}}
{{"document": "sea", "length": 181, "sha256": "{HASHES["sea.txt"]}"}}
"""
JSONL = f"""\
{ABOUT}{{"topic": "q1", "document": "sea", "start": 0, "end": 27, "query": "fog horns"}}
{{"topic": "q1", "document": "sea", "start": 53, "end": 77}}
{{"topic": "q2", "document": "boat", "start": 5, "end": 19}}
{{"topic": "q1", "document": "fog", "grade": 0}}
{{"topic": "q1", "document": "sea", "bep": 53}}
"""
SEA_XML = """\
<assessments topic="q1" version="2" whitespace-text-node="keep">
 <file name="fog"/>
 <file name="sea">
  <best-entry-point path="/document[1]/p[2]/text()[1].0"/>
  <passage start="/document[1]/p[1]/text()[1].0" end="/document[1]/p[1]/text()[1].27" size="27"/>
  <passage start="/document[1]/p[2]/text()[1].0" end="/document[1]/p[2]/text()[1].24" size="24"/>
  <element path="/document[1]" size="181" rsize="51"/>
  <element path="/document[1]/p[1]" size="51" rsize="27"/>
  <element path="/document[1]/p[2]" size="77" rsize="24"/>
 </file>
</assessments>
"""
BOAT_XML = """\
<assessments topic="q2" version="2" whitespace-text-node="keep">
 <file name="boat">
  <passage start="/article[1]/p[1]/text()[1].0" end="/article[1]/p[1]/text()[1].14" size="14"/>
  <element path="/article[1]" size="32" rsize="14"/>
  <element path="/article[1]/p[1]" size="27" rsize="14"/>
 </file>
</assessments>
"""
SEA_ANN = "T1\tq1 0 27\tThe tide rises twice a day.\nT2\tq1 53 77\tFog comes with warm air.\n"
DOCCANO = [
    {"id": 1, "text": BOAT_TEXT, "label": [[5, 19, "q2"]], "meta": {"document": "boat"}},
    {"id": 2, "text": SEA, "label": [[0, 27, "q1"], [53, 77, "q1"]], "meta": {"document": "sea"}},
]
FILES = {
    "qrels.jsonl": JSONL,
    "qrels.trec": "q1 0 fog 0\nq1 0 sea 1\nq2 0 boat 1\n",
    "qrels.fol": "q1 Q0 fog 0 35\nq1 Q0 sea 51 181 53 0:27 53:24\nq2 Q0 boat 14 32 -1 5:14\n",
    "doccano": "".join(f"{json.dumps(row)}\n" for row in DOCCANO),
    "inex/": {"q1.xml": SEA_XML, "q2.xml": BOAT_XML},
    "brat/": {
        "boat.ann": "T1\tq2 5 19\tA boat floats.\n",
        "boat.txt": BOAT_TEXT,
        "sea.ann": SEA_ANN,
        "sea.txt": SEA,
    },
}


def written(place):
    """The content of a file, or of each file of a folder."""
    if place.is_dir():
        return {each.name: each.read_text() for each in sorted(place.iterdir())}
    return place.read_text()


def named_format(name):
    """The format, where the ending of a name does not tell it."""
    known = {"doccano": "doccano", "inex/": "inex", "brat/": "brat", "studio": "label-studio"}
    return ("--export-format", known[name]) if name in known else ()


@pytest.mark.parametrize(("name", "expected"), FILES.items(), ids=FILES)
def test_judgements_in_each_format(assess, folder, name, expected):
    documents = ("--collection", "docs") if name == "inex/" else ()
    words = ("--export", name, *named_format(name), "--assessor", "ann", *documents)
    done = assess(*words)
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith(OPEN)
    assert written(folder / name) == expected


def test_annotations_quote_the_texts_of_the_log(assess, folder):
    """The documents may be gone: the log has what was judged."""
    shutil.rmtree(folder / "docs")
    assess("--export", "a.jsonld", "--assessor", "ann")
    targets = [each["target"] for each in json.loads((folder / "a.jsonld").read_text())]
    quoted = [target["selector"][1]["exact"] for target in targets]
    assert quoted == ["A boat floats.", "The tide rises twice a day.", "Fog comes with warm air."]
    assess("--export", "studio", "--export-format", "label-studio", "--assessor", "ann")
    boat, sea = json.loads((folder / "studio").read_text())
    assert (boat["data"]["text"], sea["data"]["text"]) == (BOAT_TEXT, SEA)


def test_snippets_have_the_texts_that_were_judged(assess, spanwise, folder):
    """Without them nobody can tell whether their ends are inclusive."""
    assess("--export", "a.json", "--export-format", "bioasq", "--assessor", "ann")
    questions = json.loads((folder / "a.json").read_text())["questions"]
    texts = [one["text"] for each in questions for one in each["snippets"]]
    assert texts == ["The tide rises twice a day.", "Fog comes with warm air.", "A boat floats."]
    done = spanwise("convert", "a.json", "b.jsonl", "--as", "assessments")
    assert "3 of 3 have the length of their text" in done.err


EVERY = ("a.jsonl", "a.csv", "a.tsv", "a.fol", "a.trec", "a.parquet", "a.jsonld", "a.jsonl.gz")


@pytest.mark.parametrize("name", [*EVERY, "doccano", "studio", "brat/", "inex/"])
def test_the_same_log_gives_the_same_bytes(assess, folder, name):
    """Also without the table that only saves the time to read all operations."""
    copy = folder / "copy.judgements"
    shutil.copy(folder / "pool.judgements", copy)
    connection = sqlite3.connect(copy)
    connection.execute("DROP TABLE judgements")
    connection.commit()
    connection.close()
    found = []
    for place, log in (("one", "pool"), ("two", "pool"), ("three", "copy")):
        (folder / place).mkdir()
        out, log = f"{place}/{name}", f"{log}.judgements"
        words = ("--export", out, *named_format(name), "--log", log, "--collection", "docs")
        assert assess(*words, "--assessor", "ann", "--quiet").err == ""
        made = folder / out
        files = sorted(made.iterdir()) if made.is_dir() else [made]
        found.append([(each.name, each.read_bytes()) for each in files])
    assert found[0]
    assert found[0] == found[1] == found[2]


def test_a_log_without_its_view_is_written_to(folder):
    connection = sqlite3.connect(folder / "pool.judgements")
    connection.execute("DROP TABLE judgements")
    connection.commit()
    connection.close()
    with Log.open(folder / "pool.judgements") as log:
        assert log.overview("ann", "q1")["sea"] == ("relevant", 4, 2)


def test_standard_output(assess):
    done = assess("--export", "-", "--assessor", "ann")
    assert (done.code, done.out, done.err) == (0, JSONL, OPEN + LEFT)


def test_whose_judgements_must_be_known(assess, folder):
    assert refused(assess("--export", "a.jsonl"), "judgements of ann and bob; choose with --assess")
    assert refused(assess("--export", "a.jsonl", "--assessor", "eve"), "no judgements of eve; it h")
    assert not (folder / "a.jsonl").exists()


def test_assessors_who_contradict_each_other_are_refused(assess, folder):
    done = assess("--export", "a.jsonl", "--assessor", "ann", "--assessor", "bob")
    assert refused(done, "contradict each other about 1 document (fog of topic q1)", "adjudicated")
    assert not (folder / "a.jsonl").exists()


def test_assessors_who_agree_are_taken_together(assess, folder):
    both = [row for row in JUDGED if row[2] != "fog"]
    write_log(folder / "two", open_collection(str(folder / "docs"), None, None), both)
    done = assess("--export", "-", "--log", "two", "--assessor", "ann", "--assessor", "bob")
    rows = [json.loads(line) for line in done.out.splitlines()[1:]]
    sea = [(row["start"], row["end"]) for row in rows if row["document"] == "sea" and "end" in row]
    assert sea == [(0, 27), (53, 77), (53, 109)]


def test_places_in_trees_need_the_documents_that_were_judged(assess, folder):
    words = ("--export", "inex/", "--export-format", "inex", "--assessor", "ann")
    assert refused(assess(*words), "places in the trees of the documents: give the --collection")
    (folder / "docs" / "sea.txt").write_text(f"New. {SEA}")
    changed = "1 of 4 documents (sea) have changed"
    assert refused(assess(*words, "--collection", "docs"), changed, "--reanchor")


def test_one_file_cannot_hold_several_topics_in_xml(assess):
    words = ("--export", "a.xml", "--assessor", "ann", "--collection", "docs")
    assert refused(assess(*words), "is about one topic, and here are 2; name a folder to write")


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("a.foo", "found the ending .foo, expected one of .ann, .csv"),
        ("pool.jsonl", "pool.jsonl is read by this command"),
        ("pool.judgements", "pool.judgements is read by this command"),
        ("nowhere/a.jsonl", "nowhere/a.jsonl: folder not found: "),
        ("docs", "docs is a folder; name another file to write"),
    ],
)
def test_where_nothing_can_be_written(assess, out, words):
    named = ("--export-format", "jsonl") if out == "pool.judgements" else ()
    done = assess("--export", out, "--assessor", "ann", *named)
    assert refused(done, words)
    assert " --to " not in done.err


def test_what_of_the_pool_is_not_judged_is_said(assess):
    assert assess("--export", "ann.jsonl", "--assessor", "ann").err == OPEN + LEFT


@pytest.mark.parametrize("out", ["docs/boat.xml", "pool.judgements-wal"])
def test_an_export_replaces_nothing_that_is_read(assess, folder, out):
    (folder / out).touch()
    before = (folder / out).read_bytes()
    words = ("--assessor", "ann", "--export-format", "jsonl", *DOCS)
    assert refused(assess("--export", out, *words), out)
    assert (folder / out).read_bytes() == before


# -- progress


def test_progress(assess):
    done = assess("--progress")
    first, _, names, _, *rows = done.out.splitlines()
    assert first == "ann 3, bob 2 of 8 documents judged"
    assert names.split()[:5] == ["topic", "assessor", "judged", "pool", "relevant"]
    assert rows[0].split() == ["q1", "ann", "2", "4", "1", "2", "51", "0:02"]
    assert assess("--progress", "--assessor", "bob").out.startswith("2 of 8 documents judged")


def test_progress_for_programs(assess):
    rows = [json.loads(line) for line in assess("--progress", "-o", "jsonl").out.splitlines()]
    assert rows[0] == {
        **{"topic": "q1", "assessor": "ann", "judged": 2, "pool": 4, "relevant": 1},
        **{"passages": 2, "characters": 51, "seconds": 2.5},
    }
    assert rows[3] == {
        **{"topic": "q2", "assessor": "bob", "judged": 0, "pool": 4, "relevant": 0},
        **{"passages": 0, "characters": 0, "seconds": None},
    }
    assert len(rows) == 4


def test_progress_in_a_pool_that_is_not_that_of_the_log(assess, folder):
    (folder / "pool.jsonl").write_text(pool_lines(topics=("q1",)))
    words = "1 of 4 documents (boat of topic q2) judged there is not in this one; give that pool"
    assert refused(assess("--progress"), "pool.judgements belongs to another pool", words)
    (folder / "pool.jsonl").write_text(pool_lines(topics=("q0", "q1", "q2")))
    assert assess("--progress").out.startswith("ann 3, bob 2 of 12 documents judged\n")


def test_progress_of_somebody_unknown(assess):
    assert refused(assess("--progress", "--assessor", "eve"), "has no judgements of eve")
    assert refused(assess("--progress", "--log", "none"), "none: log of judgements not found")


# -- what a page exported


def judging(folder, assessor="cleo", pool="pool.jsonl", **more):
    """A file as a page exports it."""
    fish = {"topic": "q1", "document": "fish"}
    operations = [
        {**fish, "id": "c1", "time": "2024-06-01T10:00:00.000Z", "kind": "opened"},
        {**fish, "id": "c2", "time": "2024-06-01T10:00:01.000Z", "kind": "highlight"}
        | {"start": 0, "end": 14},
        {**fish, "id": "c3", "time": "2024-06-01T10:00:02.000Z", "kind": "done"},
    ]
    content = {
        **{"spanwise": 1, "kind": "judging", "assessor": assessor},
        "pool": sha256((folder / pool).read_bytes()).hexdigest(),
        "documents": {"fish": HASHES["fish.txt"]},
        "operations": operations,
        **more,
    }
    (folder / "cleo.json").write_text(json.dumps(content))
    return operations


DOCS = ("--collection", "docs")


def test_what_a_page_exported_comes_into_the_log_once(assess, folder):
    judging(folder)
    done = assess("--import", "cleo.json", *DOCS)
    assert (done.code, done.out) == (0, "3 operations on 1 judgement added for cleo\n")
    assert passages(folder, "cleo", "fish") == [(0, 14)]
    done = assess("--import", "cleo.json", *DOCS)
    known = "0 operations on 0 judgements added for cleo; 3 were known already\n"
    assert (done.code, done.out) == (0, known)
    done = assess("--import", "cleo.json", *DOCS, "-o", "jsonl")
    row = {"assessor": "cleo", "operations": 0, "judgements": 0, "known": 3}
    assert json.loads(done.out) == row
    with Log.open(folder / "pool.judgements", read_only=True) as log:
        events = [(each.id, each.at) for each in log.events("cleo")]
    assert events == [(f"c{n}", f"2024-06-01T10:00:0{n - 1}.000Z") for n in (1, 2, 3)]


def test_what_was_done_later_is_added_to_it(assess, folder):
    operations = judging(folder)
    assess("--import", "cleo.json", *DOCS)
    fish = {"topic": "q1", "document": "fish", "time": "2024-06-01T11:00:00Z"}
    judging(folder, operations=[*operations, {**fish, "id": "c4", "kind": "entry", "at": 4}])
    done = assess("--import", "cleo.json", *DOCS)
    assert done.out == "1 operation on 1 judgement added for cleo; 3 were known already\n"
    assert state(folder, "cleo", "fish").entry == 4


def test_what_another_assessor_exported(assess, folder):
    judging(folder)
    assess("--import", "cleo.json", *DOCS, "--assessor", "dora")
    assert passages(folder, "dora", "fish") == [(0, 14)]
    assert passages(folder, "cleo", "fish") == []


def test_what_the_log_has_otherwise_is_left_out(assess, folder):
    """The other documents come in: nothing that is in the log is lost, or changed."""
    more = {"topic": "q2", "document": "fish", "time": "2024-06-01T11:00:00Z"}
    operations = judging(folder, assessor="ann")
    own = {**more, "id": "c9", "kind": "not relevant"}
    judging(folder, assessor="ann", operations=[*operations, own])
    done = assess("--import", "cleo.json", *DOCS)
    assert (done.code, done.out) == (0, "1 operation on 1 judgement added for ann\n")
    assert "1 judgement is another one in the log of the same assessor, where it stays" in done.err
    assert "left out (fish of topic q1); to compare both, import the file for another" in done.err
    assert passages(folder, "ann", "fish") == [(0, 3)]
    assert state(folder, "ann", "fish", "q2").status == "not relevant"


def test_a_page_says_what_it_begins_without(assess, folder):
    words = "note: 4 judgements are in the log and not on the page, which begins without any;"
    assert words in assess("--page", "a.html", *DOCS, "--assessor", "ann").err
    assert "note" not in assess("--page", "b.html", *DOCS, "--assessor", "cleo").err
    done = assess("--page", "c.html", *DOCS, "--assessor", "ann", "--log", "none")
    assert refused(done, "none: log of judgements not found")
    assert not (folder / "c.html").exists()


def test_known_operations_that_say_something_else_are_refused(assess, folder):
    operations = judging(folder)
    assess("--import", "cleo.json", *DOCS)
    operations[1]["end"] = 5
    judging(folder, operations=operations)
    done = assess("--import", "cleo.json", *DOCS)
    assert refused(done, "1 document (fish of topic q1) is judged by other operations in the log")
    assert passages(folder, "cleo", "fish") == [(0, 14)]


@pytest.mark.parametrize(
    "words", [("--export", "-", "--assessor", "ann"), ("--progress",), ("--reanchor", *DOCS)]
)
def test_a_log_of_another_pool_is_not_read(assess, folder, words):
    (folder / "pool.jsonl").write_text(pool_lines(documents=("sea", "fish", "boat")))
    assert refused(assess(*words), "pool.judgements belongs to another pool", "fog of topic q1")


def test_another_pool_is_refused(assess, folder):
    judging(folder)
    (folder / "pool.jsonl").write_text(pool_lines(query="other"))
    assert refused(assess("--import", "cleo.json", *DOCS), "were made with another pool; give the")


def test_another_document_is_refused(assess, folder):
    judging(folder)
    (folder / "docs" / "fish.txt").write_text("Cod is fresh.")
    done = assess("--import", "cleo.json", *DOCS, "--log", "new")
    assert refused(done, "1 document (fish) is not what was judged on the page; nothing was import")
    assert not (folder / "new").exists()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"operations": [{"kind": "done"}]}, "cleo.json: operation 1: it names no topic or no doc"),
        ({"operations": 3}, "cleo.json: found operations 3, expected a list"),
        ({"spanwise": 2}, "cleo.json: found version 2, expected version 1"),
        ({"assessor": ""}, "cleo.json: found assessor '', expected text"),
        ({"assessor": "\ud800"}, "the name of an assessor must be at most 100 characters that can"),
        (
            {"assessor": "x" * 101},
            "the name of an assessor must be at most 100 characters that can",
        ),
        ({"assessor": " "}, "name who judges: --assessor"),
        ({"documents": []}, "cleo.json: found documents [], expected an object"),
    ],
)
def test_files_that_no_page_exported(assess, folder, more, words):
    judging(folder, **more)
    assert refused(assess("--import", "cleo.json", *DOCS), words)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"topic": "q9"}, "1 document (fish of topic q9) is not in the pool"),
        ({"kind": "explode"}, "operation 2: the operation {'kind': 'explode'"),
        ({"end": 99}, "operation c2 on document fish of topic q1 is not possible: range [0, 99)"),
        ({"time": "noon"}, "operation 2: 'noon' is not a moment"),
        (
            {"grade": 2**63},
            "on document fish of topic q1 is not possible: grade 9223372036854775808",
        ),
        (
            {"grade": -3},
            "operation c2 on document fish of topic q1 is not possible: grade -3 is no",
        ),
        ({"id": "c1"}, "operation 2: the id c1 again, which another operation has"),
        ({"aspects": ["\ud800"]}, "operation c2 on document fish of topic q1 is not possible: asp"),
        (
            {"time": "9999-12-31T23:59:59-14:00"},
            "operation 2: '9999-12-31T23:59:59-14:00' is not a",
        ),
        ({"id": ""}, "operation 2: the id of an operation must be"),
    ],
)
def test_operations_that_are_not_possible(assess, folder, change, words):
    opened, second, done = judging(folder)
    judging(folder, operations=[opened, {**second, **change}, done])
    assert refused(assess("--import", "cleo.json", *DOCS), words)
    assert passages(folder, "cleo", "fish") == []


# -- existing assessments


def test_nobody_knows_how_long_existing_assessments_took(assess, folder):
    assess("--export", "ann.jsonl", "--assessor", "ann")
    assess("--import", "ann.jsonl", *DOCS, "--assessor", "dora")
    done = assess("--progress", "--assessor", "dora")
    assert done.out.startswith("3 of 8 documents judged\n")
    times = [line.split()[-1] for line in done.out.splitlines() if line.startswith("q")]
    assert times == ["-", "-"]
    rows = assess("--progress", "--assessor", "dora", "-o", "jsonl").out.splitlines()
    assert [json.loads(row)["seconds"] for row in rows] == [None, None]


def test_to_begin_with_existing_assessments(assess, folder):
    assess("--export", "ann.jsonl", "--assessor", "ann")
    done = assess("--import", "ann.jsonl", *DOCS, "--assessor", "dora")
    assert (done.code, done.out) == (0, "7 operations on 3 judgements added for dora\n")
    assert passages(folder, "dora", "sea") == [(0, 27), (53, 77)]
    assert assess("--export", "-", "--assessor", "dora").out == JSONL
    done = assess("--import", "ann.jsonl", *DOCS, "--assessor", "bob")
    assert done.out == "2 operations on 1 judgement added for bob\n"
    assert "2" in done.err
    assert passages(folder, "bob", "sea") == [(53, 109)]


def test_documents_outside_the_pool_are_left_out_and_counted(assess, folder):
    (folder / "old.trec").write_text("q1 0 fish 1\nq7 0 fish 1\n")
    done = assess("--import", "old.trec", *DOCS, "--assessor", "dora")
    assert done.out == "2 operations on 1 judgement added for dora\n"
    assert done.err.startswith("note: 1 ")
    assert passages(folder, "dora", "fish") == [(0, 14)]


# -- documents that have changed


@pytest.fixture
def changed(folder):
    (folder / "docs" / "sea.txt").write_text(
        f"New here. {SEA.replace('The tide rises twice a day.', 'Low.')}"
    )
    (folder / "docs" / "fog.txt").write_text("Something else.")
    return folder


@pytest.mark.parametrize("task", [(), ("--adjudicate", "ann", "--adjudicate", "bob")])
def test_changed_documents_are_not_shown(assess, changed, task):
    done = assess(*DOCS, "--assessor", "cleo", *task)
    words = "2 of 4 documents (fog, sea) have changed since they were judged", "--reanchor"
    assert refused(done, *words)


MOVED = [
    ["q1", "fog", "bob", "passage", 0, 20, None, None, "nowhere"],
    ["q1", "sea", "ann", "passage", 0, 27, None, None, "nowhere"],
    ["q1", "sea", "ann", "passage", 53, 77, 40, 64, "exact"],
    ["q1", "sea", "ann", "entry point", 53, 133, 40, 120, "exact"],
    ["q1", "sea", "bob", "passage", 53, 109, 40, 96, "exact"],
]


def test_every_moved_range_is_listed(assess, changed):
    before = (changed / "pool.judgements").read_bytes()
    done = assess("--reanchor", *DOCS)
    assert done.code == 0
    first, *lines = done.out.splitlines()
    assert first == "2 judged documents have changed: 3 of 5 places found"
    assert len(lines) == 3 + len(MOVED)
    assert "[53, 77)" in lines[5]
    assert "[40, 64)" in lines[5]
    assert "nothing was written; --yes writes it to the log" in done.err
    rows = assess("--reanchor", *DOCS, "-o", "jsonl").out.splitlines()
    names = ("topic", "document", "assessor", "what", "start", "end", "new_start", "new_end")
    found = [[row[name] for name in (*names, "found")] for row in map(json.loads, rows)]
    assert found == MOVED
    assert (changed / "pool.judgements").read_bytes() == before


def test_yes_writes_the_new_places(assess, changed):
    done = assess("--reanchor", "--yes", *DOCS)
    assert done.code == 0
    assert "2 judgements lose a passage that is not found and are open again" in done.err
    assert passages(changed, "ann", "sea") == [(40, 64)]
    assert state(changed, "ann", "sea").status == "open"
    assert state(changed, "ann", "sea").entry == 40
    assert passages(changed, "bob", "sea") == [(40, 96)]
    assert state(changed, "bob", "sea").status == "relevant"
    assert assess("--reanchor", *DOCS).out == "No judged document has changed\n"
    rows = assess("--export", "-", "--assessor", "bob").out
    assert '{"topic": "q1", "document": "sea", "start": 40, "end": 96' in rows


def test_whole_sentences_are_moved_to_whole_sentences(assess, folder):
    """Similar text may begin or end inside a sentence: what the assessor marked did not."""
    new = SEA.replace("Ships sound their horns", "On nights like these big ships sound their horns")
    (folder / "docs" / "sea.txt").write_text(new.replace("buoys.", "buoys along the coast."))
    start, end = SEA.index("Ships"), SEA.index("buoys.") + 6
    write_log(
        folder / "log",
        open_collection({"sea": SEA}),
        [
            ("cleo", "q1", "sea", {"kind": "highlight", "start": start, "end": end}),
            ("cleo", "q1", "sea", {"kind": "entry", "at": start}),
            ("cleo", "q1", "sea", {"kind": "done"}),
        ],
    )
    moved = "On nights like these big ships sound their horns in fog. Bells ring on buoys along"
    rows = assess("--reanchor", *DOCS, "--log", "log", "-o", "jsonl").out.splitlines()
    [passage, entry] = map(json.loads, rows)
    assert (passage["found"], passage["new_text"]) == ("similar", f"{moved} the coast.")
    assert entry["new_start"] == passage["new_start"]
    assert "On nights like these big ships" in assess("--reanchor", *DOCS, "--log", "log").out


def test_documents_that_are_gone_are_named(assess, folder):
    (folder / "docs" / "fish.txt").unlink()
    gone = "1 of 4 documents (fish) of the pool is not in the collection"
    assert refused(assess(*DOCS, "--assessor", "ann"), gone)
    assert refused(assess("--reanchor", *DOCS), gone)
    assert refused(assess("--page", "a.html", *DOCS, "--assessor", "ann"), gone)
    assert not (folder / "a.html").exists()


# -- damage


def test_what_is_left_of_a_log_that_was_cut(assess, folder):
    many = [("ann", "q1", "sea", {"kind": "entry", "at": n % 100}) for n in range(400)]
    with Log.open(folder / "long") as log:
        log.add_document("sea", SEA)
        named = [{**row[3], "id": f"{n}"} for n, row in enumerate(many)]
        log.append("ann", "q1", "sea", 0, named, "2024-05-01T12:00:00Z")
        log.remember("pool", "abc")
    content = (folder / "long").read_bytes()
    (folder / "cut").write_bytes(content[: len(content) * 6 // 10])
    before = sorted(path.name for path in folder.iterdir())
    done = assess("--export", "-", "--log", "cut")
    assert refused(done, "cut: found a damaged log", "spanwise assess POOL --recover NEW")
    assert refused(assess(*DOCS, "--assessor", "ann", "--log", "cut"), "cut: found a damaged log")
    done = assess("--recover", "saved", "--log", "cut", "-o", "jsonl")
    row = json.loads(done.out)
    assert done.code == 0
    with Log.open(folder / "saved", read_only=True) as log:
        assert log.about()["pool"] == "abc"
    assert 50 < row["events"] < 400
    assert row["judgements"] == 1
    assert state(folder, "ann", "sea", log="saved").entry == (row["events"] - 1) % 100
    assert sorted(path.name for path in folder.iterdir()) == sorted([*before, "saved"])
    assert (folder / "cut").read_bytes() == content[: len(content) * 6 // 10]


def test_who_and_how_much_is_lost_of_a_log_that_was_cut(assess, folder):
    """The end of a file is the work of those who came last: nothing may be left of them."""
    with Log.open(folder / "long") as log:
        log.add_document("sea", SEA)
        for assessor in ("ann", "bob", "gold"):
            given = [{"kind": "entry", "at": n % 100, "id": f"{n}"} for n in range(200)]
            log.append(assessor, "q1", "sea", 0, given, "2024-05-01T12:00:00Z")
    content = (folder / "long").read_bytes()
    (folder / "cut").write_bytes(content[: len(content) * 2 // 3])
    words = " ".join(assess("--recover", "saved", "--log", "cut").out.split())
    size = len(content)
    assert f"has {size * 2 // 3:,} of the {size:,} bytes that its header tells: 34% is" in words
    row = json.loads(assess("--recover", "saved2", "--log", "cut", "-o", "jsonl").out)
    assert row["assessors"] == "ann, bob, gold"
    saved = row["events"] - 200
    rows = f"ann 200 0 1 0 bob {saved} {200 - saved} 1 0 gold 0 200 0 1"
    assert words.endswith(rows), "gold is known by the judgements alone"
    assert f"At least {counted(row['lost'], 'operation')} lost" in words
    assert row["events"] + row["lost"] == 600


def test_a_whole_log_is_recovered_whole(assess, folder):
    done = assess("--recover", "saved")
    assert done.out.startswith("12 operations of 6 judgements saved\n")
    assert "operations lost" not in done.out
    assert "header" not in done.out
    rows = [line.split() for line in done.out.splitlines()[-2:]]
    assert rows == [["ann", "8", "0", "4", "0"], ["bob", "4", "0", "2", "0"]]
    ours, theirs = (
        assess("--export", "-", "--assessor", "ann", "--log", name).out
        for name in ("saved", "pool.judgements")
    )
    assert ours == theirs


def test_a_judgement_is_cut_at_a_lost_operation_that_a_visit_hides(assess, folder):
    judged = [
        *({"kind": "highlight", "start": at, "end": at + 5} for at in (0, 20)),
        *({"kind": kind} for kind in ("left", "opened", "done")),
    ]
    with Log.open(folder / "gap") as log:
        log.add_document("sea", SEA)
        for number, one in enumerate(judged):
            version = log.state("ann", "q1", "sea").version
            log.append(
                "ann", "q1", "sea", version, [{**one, "id": f"{number}"}], "2024-05-01T12:00Z"
            )
    with closing(sqlite3.connect(folder / "gap", isolation_level=None)) as damaged:
        damaged.execute("DROP TRIGGER events_DELETE")
        damaged.execute("DELETE FROM events WHERE sequence = 2")
    row = json.loads(assess("--recover", "saved", "--log", "gap", "-o", "jsonl").out)
    assert (row["events"], row["judgements"]) == (1, 1)
    saved = state(folder, "ann", "sea", log="saved")
    assert ([(one.start, one.end) for one in saved.passages], saved.status) == ([(0, 5)], "open")


def test_what_cannot_be_recovered(assess, folder):
    assert refused(assess("--recover", "docs"), "docs exists already; name a new file")
    assert refused(assess("--recover", "new", "--log", "none"), "none: log of judgements not found")
    assert refused(assess("--recover", "new", "--log", "pool.jsonl"), "found nothing that can be r")
    assert not (folder / "new").exists()


# -- usage

USAGE = {
    "two tasks": (("--export", "-", "--progress"), "Give only one of --page, --export"),
    "yes alone": (("--yes",), "--yes is for --reanchor."),
    "adjudicate with a task": (
        ("--progress", "--adjudicate", "ann"),
        "--adjudicate shows pages; give it alone.",
    ),
    "no assessor": (DOCS, "name who judges: --assessor"),
    "an assessor without a name": ((*DOCS, "--assessor", ""), "name who judges: --assessor"),
    "no documents": (("--assessor", "ann"), "needs the texts of documents: give --collection"),
    "lengths are no texts": (
        ("--assessor", "ann", "--collection", "lengths.tsv"),
        "needs the texts of documents: give --collection",
    ),
    "documents not found": (("--assessor", "ann", "--collection", "x"), "x: file not found"),
    "a page for nobody": (("--page", "a.html", *DOCS), "name who judges: --assessor"),
    "a page for two": (
        ("--page", "a.html", *DOCS, "--assessor", "ann", "--assessor", "bob"),
        "--page is for one --assessor.",
    ),
    "a page of another kind": (
        ("--page", "a.txt", *DOCS, "--assessor", "ann"),
        "a.txt: found another ending than .html",
    ),
    "an import for two": (
        ("--import", "x", *DOCS, "--assessor", "ann", "--assessor", "bob"),
        "--import is for one --assessor.",
    ),
    "an import for nobody": (
        ("--import", "old.trec", *DOCS),
        "name whose judgements these become: --assessor",
    ),
    "an empty file": (("--import", "nothing", *DOCS), "nothing: found nothing, expected what a pa"),
    "an export without a name": (("--export", ""), "--export needs the name of a file."),
    "an import of nothing": (("--import", "x", *DOCS), "x: file not found"),
    "an import without documents": (("--import", "old.trec"), "needs the texts of documents"),
    "grades that are no numbers": (
        (*DOCS, "--assessor", "ann", "--grades", "1,x"),
        "--grades must be whole numbers, got 1,x.",
    ),
    "only one grade, and not relevant": (
        (*DOCS, "--assessor", "ann", "--grades", "0"),
        "grades must be whole numbers from 0, one of them above 0, got [0]",
    ),
    "grades below 0": (
        (*DOCS, "--assessor", "ann", "--grades", "-1,1"),
        "grades must be whole numbers from 0",
    ),
    "grades that no page can hold": (
        ("--page", "a.html", *DOCS, "--assessor", "ann", "--grades", f"1,{2**53}"),
        "grades must be at most 2^53 - 1, got 9007199254740992",
    ),
    "a log in no folder": (
        (*DOCS, "--assessor", "ann", "--log", "x/log"),
        "folder not found: x; create it first",
    ),
    "a log of another kind": (
        (*DOCS, "--assessor", "ann", "--log", "pool.jsonl"),
        "pool.jsonl: found a file of another kind, expected a log",
    ),
    "no host": (
        (*DOCS, "--assessor", "ann", "--host", "no.such.host.example"),
        "choose another --host or --port",
    ),
}


@pytest.mark.parametrize(("words", "message"), USAGE.values(), ids=USAGE)
def test_usage(assess, folder, words, message):
    (folder / "lengths.tsv").write_text("document\tlength\nsea\t181\n")
    (folder / "old.trec").write_text("q1 0 fish 1\n")
    (folder / "nothing").touch()
    assert refused(assess(*words), message)


GOLD = ("--assessor", "gold", *DOCS)
WHO = {
    "one": (("ann",), GOLD, "needs two assessors", "got 1 name: ann"),
    "the same": (("ann", "ann"), GOLD, "got 2 names: ann, ann"),
    "three": (("ann", "bob", "cleo"), GOLD, "got 3 names: ann, bob, cleo"),
    "unknown": (("ann", "eve"), GOLD, "eve: no assessor of this name in pool.judgements"),
    "who decides": (("ann", "bob"), ("--assessor", "ann", *DOCS), "a name of their own"),
    "other topics": (("ann", "old.trec"), GOLD, "topic q7 is judged and not in the pool"),
    "other documents": (("ann", "other.trec"), GOLD, "other.trec", "whale"),
}


@pytest.mark.parametrize(
    ("names", "words", "messages"), [(w[0], w[1], w[2:]) for w in WHO.values()]
)
def test_two_to_decide_between(assess, folder, names, words, messages):
    (folder / "old.trec").write_text("q1 0 fish 1\nq7 0 fish 1\n")
    (folder / "other.trec").write_text("q1 0 whale 1\n")
    chosen = [word for name in names for word in ("--adjudicate", name)]
    assert refused(assess(*chosen, *words), *messages)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "pool.jsonl: found nothing, expected a pool"),
        ("q1 0 sea 1\n", "pool.jsonl"),
        (
            '{"spanwise": 1, "kind": "assessments"}\n',
            "pool.jsonl:1: found a file of kind 'assessme",
        ),
        (
            pool_lines() + '{"topic": "q1", "document": "sea"}\n',
            "pool.jsonl:11: found document sea",
        ),
        (pool_lines(documents=("sea", "eel")), "1 of 2 documents (eel) of the pool is not in the"),
    ],
)
def test_pools_that_cannot_be_used(assess, folder, content, words):
    (folder / "pool.jsonl").write_text(content)
    assert refused(assess(*DOCS, "--assessor", "ann"), words)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"spanwise": 1, "kind": "pool"}\n', "the pool has no documents, so there is nothing to"),
        (
            '{"spanwise": 1, "kind": "pool"}\n'
            '{"topic": "q1", "document": "fish", "ranges": [[0, 99]]}\n',
            "document fish of topic q1 has 14 characters, and the pool a range that ends at 99",
        ),
    ],
)
def test_pools_that_documents_do_not_fit(assess, folder, content, words):
    (folder / "pool.jsonl").write_text(content)
    assert refused(assess("--page", "a.html", *DOCS, "--assessor", "ann"), words)


def test_another_pool_needs_all_that_was_judged(assess, folder):
    (folder / "pool.jsonl").write_text(pool_lines(documents=("sea", "fog", "fish")))
    done = assess(*DOCS, "--assessor", "ann")
    assert refused(done, "pool.judgements belongs to another pool", "boat of topic q2")

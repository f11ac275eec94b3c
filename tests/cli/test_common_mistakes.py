"""The commonest mistakes of newcomers: each gets a clear sentence, and a number only with one."""

import json

import pytest

from spanwise import SpanwiseError, evaluate

TEXT = "Tides rise twice a day. The moon pulls the sea. Harbours keep tables of the tides.\n"
GOLD = [{"topic": f"q{n}", "document": "tides.txt", "start": 24, "end": 47} for n in (1, 2)]
ANSWERS = [
    {"topic": topic, "document": "tides.txt", "start": start, "end": end, "score": score}
    for topic in ("q1", "q2")
    for start, end, score in ((24, 47, 0.9), (0, 23, 0.5), (48, 82, 0.1))
]


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def write(tmp_path):
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "tides.txt").write_text(TEXT)
    (tmp_path / "gold.jsonl").write_text(lines(GOLD))

    def put(name, rows):
        (tmp_path / name).write_text(rows if isinstance(rows, str) else lines(rows))

    return put


def changed(**names):
    """The answers with other names for some of their fields."""
    return [{names.get(name, name): value for name, value in row.items()} for row in ANSWERS]


@pytest.fixture
def value(spanwise):
    def run(file, *options):
        done = spanwise("evaluate", "gold.jsonl", file, "-m", "textR@1", "-o", "jsonl", *options)
        assert done.code == 0, done.err
        return json.loads(done.out)["value"], done.err

    return run


@pytest.fixture
def refused(spanwise):
    def run(*arguments):
        done = spanwise(*arguments)
        assert (done.code, done.out) == (2, ""), (done.out, done.err)
        assert "Traceback" not in done.err
        return done.err

    return run


def test_offset_and_length_in_json_are_the_range(write, value):
    rows = changed(start="offset", end="length")
    write("run.jsonl", [{**row, "length": row["length"] - row["offset"]} for row in rows])
    assert value("run.jsonl")[0] == 1.0


def test_from_and_to_are_refused_with_the_right_names(write, refused):
    write("run.jsonl", changed(**{"start": "from", "end": "to"}))
    assert "rename it to 'start'" in refused("evaluate", "gold.jsonl", "run.jsonl")


def test_documents_spelled_in_two_ways(write, refused, spanwise):
    write("run.jsonl", [{**row, "document": "/data/docs/tides.txt"} for row in 4 * ANSWERS])
    message = refused("evaluate", "gold.jsonl", "run.jsonl")
    assert "/data/docs/tides.txt" in message
    assert "tides.txt" in message.replace("/data/docs/tides.txt", "")
    write("run.jsonl", [{**row, "document": "/data/docs/tides.txt"} for row in ANSWERS])
    done = spanwise("evaluate", "gold.jsonl", "run.jsonl")
    assert (done.code, "/data/docs/tides.txt" in done.err) == (0, True)


def test_distances_taken_for_scores_are_said_loudly(write, value):
    rows = [{**row, "score": 1 - row["score"]} for row in ANSWERS]
    write("run.jsonl", rows)
    assert "look like distances" in value("run.jsonl")[1]
    assert value("run.jsonl", "--order", "ascending")[0] == 1.0
    write("run.jsonl", [{"distance": row.pop("score"), **row} for row in rows])
    assert value("run.jsonl")[0] == 1.0


def test_assessments_and_run_exchanged(write, refused):
    write("run.jsonl", ANSWERS)
    assert "swap the two files" in refused("evaluate", "run.jsonl", "gold.jsonl")


def test_topics_given_as_a_run(write, refused):
    write("topics.jsonl", [{"topic": "q1", "query": "what moves the sea?"}])
    assert "topics" in refused("evaluate", "gold.jsonl", "topics.jsonl")


@pytest.mark.parametrize(
    ("name", "meant"),
    [("recall@5", "textR@5"), ("Precision@5", "textP@5"), ("mrr", "RR"), ("agp", "AgP")],
)
def test_names_of_other_tools(write, refused, name, meant):
    write("run.jsonl", ANSWERS)
    assert meant in refused("evaluate", "gold.jsonl", "run.jsonl", "-m", name)


def test_chunks_that_the_splitter_did_not_find(write, refused):
    write("run.jsonl", [ANSWERS[0], {**ANSWERS[1], "start": -1}])
    message = refused("evaluate", "gold.jsonl", "run.jsonl")
    assert "run.jsonl:2" in message
    assert "could not find" in message
    assert "--lenient" not in message


def test_offsets_that_do_not_match_their_text(write, refused):
    row = {**ANSWERS[0], "text": TEXT[23:46]}
    write("run.jsonl", [row])
    message = refused("evaluate", "gold.jsonl", "run.jsonl", "--collection", "documents")
    assert "run.jsonl:1" in message
    assert "The moon" in message


def test_texts_without_offsets(write, refused, spanwise):
    write("run.jsonl", [{"topic": "q1", "document": "tides.txt", "text": TEXT[24:47], "rank": 1}])
    message = refused("evaluate", "gold.jsonl", "run.jsonl")
    assert "run.jsonl:1: found text without a range (1 answer)" in message
    assert "give --collection" in message
    done = spanwise("evaluate", "gold.jsonl", "run.jsonl", "--collection", "documents")
    assert done.code == 0
    assert "1 answer had no usable offsets and was located by its text" in done.err


def test_chunk_ids_without_their_table(write, refused):
    write("run.jsonl", [{"topic": "q1", "chunk_id": "c17", "score": 0.5}])
    assert "--chunks" in refused("evaluate", "gold.jsonl", "run.jsonl")


def test_an_output_over_an_input(write, refused, tmp_path):
    write("run.jsonl", ANSWERS)
    message = refused("evaluate", "gold.jsonl", "run.jsonl", "--to", "gold.jsonl")
    assert "gold.jsonl" in message
    assert (tmp_path / "gold.jsonl").read_text() == lines(GOLD)


def test_what_is_refused_is_found_by_check_too(write, spanwise):
    bad = {
        "names.jsonl": changed(**{"start": "from", "end": "to"}),
        "lost.jsonl": [{**ANSWERS[0], "start": -1}],
        "texts.jsonl": [{"topic": "q1", "document": "tides.txt", "text": "a comet", "rank": 1}],
        "quotes.jsonl": [{**ANSWERS[0], "text": "something else"}],
        "elsewhere.jsonl": [{**row, "document": "x/tides.txt"} for row in 4 * ANSWERS],
    }
    for name, rows in bad.items():
        write(name, rows)
        held = ("--assessments", "gold.jsonl", "--collection", "documents")
        done = spanwise("check", "--as", "run", name, *held)
        assert (done.code, done.err) == (2, ""), (name, done.out, done.err)
        done = spanwise("evaluate", "gold.jsonl", name, "--collection", "documents")
        assert (done.code, done.out) == (2, ""), name


# -- what is half right


def test_some_documents_spelled_differently_are_noticed(write, value):
    half = [
        {**row, "document": "docs/Tides.txt"} if row["topic"] == "q1" else row for row in ANSWERS
    ]
    write("run.jsonl", half)
    score, notes = value("run.jsonl")
    assert score == 0.5
    assert (
        "spelled differently in the assessments (run: docs/Tides.txt, assessments: tides.txt"
        in (notes)
    )
    _, notes = value("run.jsonl", "--collection", "documents")
    assert "3 of 6 answers name a document that is not in the collection" in notes
    assert "such as docs/Tides.txt" in notes


def test_texts_that_nothing_is_compared_with_are_said(write, value):
    write("run.jsonl", [{**row, "text": TEXT[row["start"] : row["end"]]} for row in ANSWERS])
    score, notes = value("run.jsonl")
    assert score == 1.0
    assert "6 texts beside ranges were not compared with the documents; give --collection" in notes
    assert "not as long" not in notes
    assert "compared" not in value("run.jsonl", "--collection", "documents")[1]
    shifted = [{**row, "text": TEXT[row["start"] : row["end"] + 1]} for row in ANSWERS[:2]]
    write("run.jsonl", shifted)
    assert (
        "2 of 2 texts are not as long as their ranges (run.jsonl:1: 24 characters for 23)"
        in (value("run.jsonl")[1])
    )


def test_quotes_of_gold_are_said_too(write, value):
    write("run.jsonl", ANSWERS)
    write("gold.jsonl", [{**row, "quote": "too short"} for row in GOLD])
    assert "2 of 2 texts are not as long as their ranges" in value("run.jsonl")[1]


def test_ranks_that_are_all_equal_are_said(write, value):
    write("run.jsonl", [{**row, "rank": 1} for row in ANSWERS])
    assert "6 answers have tied ranks; ordered by place in the file" in value("run.jsonl")[1]


def test_the_chunk_table_of_another_chunker(write, refused, spanwise):
    write("chunks.jsonl", [{"document": "tides.txt", "chunk": "0", "start": 0, "end": 23}])
    write("run.jsonl", [{"topic": "q1", "chunk": "0", "score": 1.0}])
    write("other.jsonl", [{"topic": "q1", "chunk": "0", "score": 1.0}])
    done = spanwise(
        "evaluate", "gold.jsonl", "run.jsonl", "other.jsonl", "--chunks", "chunks.jsonl"
    )
    assert done.code == 0
    assert "chunk table chunks.jsonl is used for all 2 runs" in done.err
    rows = [{"document": "tides.txt", "chunk": "0", "start": 0, "end": 23, "text": TEXT[:23]}]
    write("chunks.jsonl", rows)
    write("run.jsonl", [{"topic": "q1", "chunk": "0", "score": 1.0, "text": "The moon"}])
    message = refused("evaluate", "gold.jsonl", "run.jsonl", "--chunks", "chunks.jsonl")
    assert "chunk '0' with another text than in the table of chunks" in message


def test_check_shows_names_that_are_not_used(write, spanwise):
    write("run.jsonl", [{**row, "colour": "red"} for row in ANSWERS])
    assert "note: field 'colour' is unknown and ignored" in spanwise("check", "run.jsonl").out


def test_beside_assessments_bare_ranges_are_a_run(write, spanwise):
    write("run.jsonl", [{name: row[name] for name in list(row)[:4]} for row in ANSWERS])
    done = spanwise("check", "run.jsonl", "--assessments", "gold.jsonl")
    assert "native JSONL run, 6 answers" in done.out


@pytest.mark.parametrize("names", [("pos", "n_chars"), ("char_offset", "char_len")])
def test_other_names_of_offsets_do_not_make_whole_documents(write, refused, names):
    write("run.jsonl", changed(start=names[0], end=names[1]))
    assert "which may be the start" in refused("evaluate", "gold.jsonl", "run.jsonl")


@pytest.mark.parametrize("mark", [",", "\t", ";"])
def test_a_table_without_a_column_for_the_topic(write, refused, mark):
    write(
        "run.csv",
        "\n".join(mark.join(line) for line in (("number", "doc_id", "score"), ("1", "d", "2"))),
    )
    message = refused("evaluate", "gold.jsonl", "run.csv")
    assert "columns number, doc_id, score" in message
    assert "a column for the topic" in message


def test_no_run_at_all():
    with pytest.raises(SpanwiseError, match="give at least one"):
        evaluate({"q1": {"d": [(0, 5)]}}, [], "textR")

"""``spanwise measures``: the list, and one measure in full."""

from __future__ import annotations

import json

import pytest

from spanwise.measures.registry import items, lists
from spanwise.reporting.catalogue import entries
from spanwise.reporting.measure_pages import measures_markdown


def test_the_list_has_every_measure_and_nickname(spanwise):
    done = spanwise("measures")
    words = done.out.replace("(", " ").replace("@", " ").replace("[", " ").split()
    assert set(items()) | set(lists()) <= set(words)
    for heading in ("Document scores", "Effort scores", "Lists over documents", "Nicknames"):
        assert heading in done.out


def test_lists_are_in_a_family(spanwise):
    assert "Other lists" not in spanwise("measures").out


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("AgP", ["AgP(F(beta=1))", "Σ[j: rel(d_j)]", "Kamps", "higher is better", "found-text"]),
        ("MAgP", ["AgP(F(beta=1))"]),
        ("AgP(aveChP)", ["AgP(aveChP(after=natural,within=document))"]),
        ("gP(T2If)", ["gP(T2If(tolerance=300,beta=1))@k", "the lengths of relevant documents"]),
        ("F(beta=0.25)", ["F(beta=0.25)", "a number above 0 [default: 1]", "AgP(F(beta=0.25))"]),
        ("LE", ["lower is better", "a whole number, 2 or more [default: 5]"]),
        ("ANCE", ["a rank, 1 or more, or none [default: 600]"]),
        ("rag", ["textR(budget=2000)", "Text recall", "hit@5", "read@5"]),
        ("nDCG", ["nDCG[@k]", "plain document list, or over a gain, as nDCG(passages)"]),
        ("nDCG(passages)", ["nDCG(passages(alpha=1))[@k]", "plain document list, over a gain\n"]),
        ("hitP", ["hitP(share=0)@k", "it rewards fragments"]),
        ("read", ["neither direction is better", "0 or more"]),
        ("nxCG", ["nxCG@k", "gain list, over a gain (if none is named: elements where"]),
        ("nxCG(passages)@5", ["nxCG(passages(alpha=1))@k", "gain list, over a gain\n"]),
        ("elements", ["gain\n", "sog, gen, strict, spec, binary", "nxCG(elements(quant=sog"]),
        (
            "elements(near=distance(reach=7))",
            ["elements(quant=sog,alpha=1,near=distance(reach=7))"],
        ),
        ("MAnxCG", ["MAnxCG[@k]", "[default: 1500]"]),
        ("ep", ["ep@x", "a recall point above 0, up to 1", "one of ratio, linear"]),
        ("inex_eval", ["inex_eval(quant=strict)", "old official list", "the documents' elements"]),
        ("xcg", ["nxCG@1500", "ep@1.0", "Rmeasure", "overlap"]),
    ],
)
def test_one_in_full(spanwise, name, parts):
    done = spanwise("measures", name, COLUMNS="100")
    assert done.code == 0
    for part in parts:
        assert part in done.out


def test_two_that_share_a_name_are_both_shown(spanwise):
    both = spanwise("measures", "P").out
    assert "document score" in both
    assert "plain document list" in both
    assert "document score\n" not in spanwise("measures", "P@10").out


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("AgPP", "did you mean AgP?"),
        ("avechp", "did you mean aveChP?"),
        ("inex2009", "did you mean inex2"),
        ("AgP(F(bta=2))", "did you mean beta?"),
        ("gP@0", "a rank between 1 and 10,000,000"),
        ("ep@0", "a recall point above 0, up to 1"),
        ("nxCG(F)@5", "nxCG is a list over a gain, not over F"),
        ("elements(near=distence(reach=3))", "did you mean distance?"),
        ("elements(near=distance(3))", "parameters are given by name"),
        ("elements(near=distance(span=3))", "unknown parameter 'span'"),
        ("elements(alpha=1.5)", "alpha must be a number between 0 and 1, got 1.5"),
        ("inex_eval(quant=sogg)", "did you mean sog?"),
        ("zzzzzz", "spanwise measures lists them all"),
    ],
)
def test_unknown_ones_are_refused(spanwise, name, hint):
    done = spanwise("measures", name)
    assert (done.code, done.out) == (2, "")
    assert hint in done.err


def test_json_has_the_same(spanwise):
    found = json.loads(spanwise("measures", "-o", "json").out)
    assert len(found["measures"]) == len(items()) + len(lists())
    assert found["nicknames"]["rag"][:2] == ["hit@5", "hitRR"]
    one = json.loads(spanwise("measures", "AgP", "-o", "json").out)["measures"]
    assert [entry["canonical"] for entry in one] == ["AgP(F(beta=1))"]
    assert one[0]["parameters"][0]["name"] == "by"


def test_markdown_is_the_page_of_the_documentation(spanwise):
    page = spanwise("measures", "-o", "markdown").out
    assert page == measures_markdown()
    assert "| `F(beta=1)` |" in page


def test_every_renderer_shows_the_traps(spanwise):
    trap = "over passages it rewards fragments"
    assert trap in " ".join(spanwise("measures", "Q").out.split())
    assert f"- trap: {trap}" in spanwise("measures", "Q", "-o", "markdown").out
    (found,) = json.loads(spanwise("measures", "Q", "-o", "json").out)["measures"]
    assert found["traps"][0].startswith(trap)
    assert not any("Trap:" in entry.where for entry in entries())
    traps = [(entry.score.name, trap) for entry in entries() for trap in entry.traps]
    assert {"Q", "MAep", "AgP", "AiP", "ANCE"} <= {name for name, _ in traps}
    assert all(f"- `{name}`: {trap}\n" in measures_markdown() for name, trap in traps)

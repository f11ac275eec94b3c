"""Names that people type: other tools' names, other capitals, near misses."""

from __future__ import annotations

import pytest

import spanwise
from spanwise.errors import MeasureError
from spanwise.measures import registry
from spanwise.measures.grammar import asked, parse_measure
from spanwise.measures.nicknames import NICKNAMES
from spanwise.measures.other_names import OTHER_ITEMS, OTHER_NAMES
from spanwise.measures.registry import items, lists, means
from spanwise.reporting.catalogue import find

RECALL = "textR@{k} counts characters, rangeR@{k} counts relevant ranges, R@{k} counts documents"
PRECISION = "textP@{k} counts characters, hitP@{k} counts answers (chunks), P@{k} counts documents"
HIT = "hit{at} counts answers (chunks), Success@{k} counts documents"
RANK = "hitRR{at} counts answers (chunks), RR{at} (MRR) counts documents"
GAIN = "nDCG(passages){at} counts answers (chunks), nDCG{at} counts documents"


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("recall", RECALL.format(k="k")),
        ("recall@5", RECALL.format(k=5)),
        ("Recall@10", RECALL.format(k=10)),
        ("RECALL @ 07", RECALL.format(k=7)),
        ("recall_5", RECALL.format(k=5)),
        ("recall_at_5", RECALL.format(k=5)),
        ("recall@k", RECALL.format(k="k")),
        ("recall@0", RECALL.format(k="k")),
        ("recall@0.5", RECALL.format(k="k")),
        ("recall(k=5)@3", RECALL.format(k=3)),
        ("context_recall", RECALL.format(k="k")),
        ("precision", PRECISION.format(k="k")),
        ("context-precision@5", PRECISION.format(k=5)),
        ("hit_rate", HIT.format(at="", k="k")),
        ("hitrate@3", HIT.format(at="@3", k=3)),
        ("Hit-Rate@3", HIT.format(at="@3", k=3)),
        ("mrr", RANK.format(at="")),
        ("mrr@10", RANK.format(at="@10")),
        ("recip_rank", RANK.format(at="")),
        ("ndcg", GAIN.format(at="")),
        ("ndcg_cut_10", GAIN.format(at="@10")),
        ("evidence_recall@5", "rangeR@5 counts relevant ranges, textR@5 counts characters"),
        ("context_tokens@5", "read@5 counts characters, read(unit=tokens)@5 counts tokens"),
        ("Hit@5", "did you mean hit@5?"),
        ("hitrr", "did you mean hitRR?"),
        ("hits@5", HIT.format(at="@5", k=5)),
        ("DocumentMRR", RANK.format(at="")),
        ("iou", "textIoU@k counts characters, AgP(IoU) scores document by document"),
        ("f1@5", "textF@5 counts characters, AgP(F(beta=1)) scores document by document"),
        ("map", "AP (MAP) counts documents, AgP scores the text returned of them"),
        ("agp", "did you mean AgP?"),
        ("AGP(aveChP)", "did you mean AgP(aveChP)?"),
        ("agp@5", "did you mean AgP?"),
        ("magp", "did you mean MAgP?"),
        ("textr@5", "did you mean textR@5?"),
        ("TEXTR(budget=2000)", "did you mean textR(budget=2000)?"),
        ("textRR@5", "did you mean textR@5?"),
        ("p@5", "did you mean P@5?"),
        ("p", "did you mean P? P is a document score: write AgP(P)"),
        ("gp", "did you mean gP? gP(F(beta=1)) needs a cut-off"),
        ("avechp", "did you mean aveChP? aveChP is a document score: write AgP(aveChP)"),
        ("RAG", "did you mean rag?"),
        ("Inex2008", "did you mean inex2008?"),
        ("inex2009", "did you mean inex20"),
    ],
)
def test_what_is_meant(typed, hint):
    with pytest.raises(MeasureError) as refused:
        asked(typed)
    assert str(refused.value).startswith(f"unknown measure {typed!r}: {hint}")


@pytest.mark.parametrize(("typed", "right"), [*OTHER_ITEMS.items(), ("ioU", "IoU"), ("f", "F")])
def test_what_is_meant_by_an_item(typed, right):
    assert right in items()
    with pytest.raises(MeasureError, match=f"unknown item score {typed!r}: did you mean {right}"):
        parse_measure(f"AgP({typed})")


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_other_names_are_not_ours_and_lead_to_ours(name):
    assert name not in {*lists(), *items(), *means(), *NICKNAMES}
    for measure, does in OTHER_NAMES[name]:
        parse_measure(measure.replace("[", "").replace("]", "").replace("@k", "@5"))
        if "@k" not in measure or "[" in measure:
            parse_measure(measure.replace("[@k]", ""))
        assert does


def test_measures_are_looked_up_the_same_way():
    for typed, hint in (("hit_rate@5", HIT.format(at="@5", k=5)), ("agp", "did you mean AgP?")):
        with pytest.raises(MeasureError) as refused:
            find(typed)
        assert str(refused.value) == f"unknown measure {typed!r}: {hint}"


@pytest.mark.parametrize("nickname", NICKNAMES)
def test_nicknames_ask_for_divided_gains_over_elements_only(nickname):
    """Over passages they reward fragments."""
    members = {one.label: str(one.measure) for one in asked(nickname) if one.optional}
    for label in {"MAep", "Q"} & members.keys():
        assert members[label] == f"{label}(elements(quant=sog,alpha=1))"
    assert {"xcg": {"MAep", "Q"}, "inex2006": {"MAep"}}.get(nickname, set()) <= members.keys()


@pytest.mark.parametrize("measures", [["xcg"], ["xcg", "MAep"], ["MAep", "xcg"]])
def test_members_over_passages_are_left_out_unless_asked_for_by_name(measures):
    found = spanwise.evaluate({"q": {"d": [(0, 9)]}}, {"q": [("d", 0, 9, 1.0)]}, measures)
    labels = {one.label for one in found.measures}
    assert {"nxCG@10", "ep@1.0", "Rmeasure"} <= labels
    assert ("MAep" in labels, "Q" in labels) == ("MAep" in measures, False)
    left = "Q is" if "MAep" in measures else "MAep, Q are"
    assert any(str(note).startswith(f"{left} left out: quant=sog needs") for note in found.notes)
    if "MAep" in measures:
        assert found.mean("MAep") == 1


@pytest.fixture
def entry_points(monkeypatch):
    """The calls that ask for entry points; there are none until one is added."""
    asked_for, found = [], []
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: asked_for.append(group) or found
    )
    registry._discover_others.cache_clear()
    parse_measure.cache_clear()
    yield asked_for, found
    registry._discover_others.cache_clear()


def test_entry_points_are_asked_for_only_when_a_name_is_unknown(entry_points):
    asked_for, _ = entry_points
    for name in ("AgP(F)", "MAP", "P@5", "nxCG(elements(near=distance(reach=7)))@3"):
        parse_measure(name)
    spanwise.evaluate({"q": {"d": [(0, 9)]}}, {"q": [("d", 0, 9, 1.0)]}, ["rag", "xcg", "AgP"])
    assert not asked_for
    with pytest.raises(MeasureError, match="unknown measure"):
        parse_measure("zzz")
    assert asked_for == ["spanwise.measures"]


def test_a_package_that_cannot_be_loaded_is_named(entry_points):
    class Broken:
        value = "their.measures"

        def load(self):
            raise ImportError("no module named 'theirs'")

    entry_points[1].append(Broken())
    with pytest.raises(MeasureError, match=r"the measures of their\.measures cannot be loaded: no"):
        parse_measure("zzz")
    assert parse_measure("AgP") == parse_measure("MAgP")

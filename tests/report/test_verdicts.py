"""The sentence that a comparison comes to."""

from __future__ import annotations

from spanwise.report.comparison_verdicts import verdict
from spanwise.statistics.comparison import Comparison, Mean, Pair, Procedure


def compared(p: float, p_corrected: float, topics: int = 20) -> Comparison:
    means = (Mean("good", 0.5, 0.4, 0.6, topics), Mean("bad", 0.3, 0.2, 0.4, topics))
    numbers = (0.5, 0.3, 0.2, 0.1, 0.3, 1.0, p, p_corrected)
    pair = Pair("good", "bad", *numbers, wins=topics, ties=0, losses=0, topics=topics)
    return Comparison("AgP", "AgP(F(beta=1))", "higher", means, (pair,), Procedure(), ())


def test_the_corrected_p_decides_what_is_more_than_luck():
    assert "which may be luck (p = 0.20)" in verdict(compared(0.01, 0.2))
    assert "which is more than luck" in verdict(compared(0.01, 0.04))


def test_few_topics_are_said():
    assert verdict(compared(0.01, 0.04)).endswith("which is more than luck.")
    assert "With 4 topics the bootstrap test is too sure" in verdict(compared(0.01, 0.04, 4))
    assert "too sure" not in verdict(compared(0.3, 0.3, 4))


def with_means(good: float, bad: float, difference: float, p: float = 0.5) -> Comparison:
    means = (Mean("good", good, 0.1, 0.9, 20), Mean("bad", bad, 0.1, 0.9, 12))
    numbers = (0.5, 0.5 - difference, difference, -0.1, 0.1, 0.0, p, p)
    pair = Pair("good", "bad", *numbers, wins=4, ties=4, losses=4, topics=12)
    return Comparison("AgP", "AgP(F(beta=1))", "higher", means, (pair,), Procedure(), ())


def test_only_equal_means_share_the_first_place():
    assert "good and bad share the first place" in verdict(with_means(0.5, 0.5, 0.0))
    assert verdict(with_means(0.5, 0.3, 0.0)).startswith("good is best by AgP (0.50,")


def test_behind_on_common_topics_is_told_with_its_weight():
    assert "it is behind bad by 0.10, which may be luck" in verdict(with_means(0.5, 0.4, -0.1))
    assert "bad by 0.10, which is more than luck" in verdict(with_means(0.5, 0.4, -0.1, 0.001))


def test_a_baseline_without_topics():
    means = (Mean("good", 0.5, 0.4, 0.6, 20), Mean("bad", 0.0, 0.0, 0.0, 0))
    pair = Pair("good", "bad", 0, 0, 0, 0, 0, None, 1, 1, wins=0, ties=0, losses=0, topics=0)
    found = Comparison("AgP", "AgP(F(beta=1))", "higher", means, (pair,), Procedure(), ())
    assert verdict(found, "bad") == "bad has AgP for no topic: nothing can be held against it."

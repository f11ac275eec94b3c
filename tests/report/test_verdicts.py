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

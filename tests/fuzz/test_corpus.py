"""What the fuzzer once found stays fixed."""

from __future__ import annotations

import pytest

from fuzz.corpus import Kept, kept_cases


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in kept_cases()])
def test_findings_stay_fixed(case: Kept) -> None:
    assert case.problems() == []

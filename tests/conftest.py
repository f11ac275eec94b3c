"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

# How long an example takes depends on what else the machine does; no test is about that.
settings.register_profile("spanwise", deadline=None)
settings.load_profile("spanwise")


@pytest.fixture(scope="session", autouse=True)
def small_process() -> Iterator[None]:
    """A process that has run thousands of tests takes more than commands do, and leaves no room."""
    taken = 90_000_000
    with pytest.MonkeyPatch.context() as patched:
        for module in ("in_process", "assessed_parts"):
            patched.setattr(f"spanwise.engines.{module}.taken_now", lambda: taken)
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tests that were left out for want of something are the last thing said, loudly."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = [dict(report.user_properties).get("left out") for report in skipped]
    for reason in dict.fromkeys(filter(None, reasons)):
        count = reasons.count(reason)
        terminalreporter.write_line(f"{count} TESTS WERE LEFT OUT: {reason}", red=True, bold=True)

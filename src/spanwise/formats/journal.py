"""What this process is writing and has written, for when it has to end immediately.

Loaded before signals are handled: nothing is imported that takes time.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Journal:
    """Temporary files that are there, files that are finished, and when it is safe to stop."""

    def __init__(self) -> None:
        self.unfinished: set[str] = set()
        self.written: list[str] = []
        self._steps = 0
        self._postponed: Callable[[], None] | None = None

    def step(self) -> Journal:
        """``with`` it: work that an interruption waits for, as half of it is worse than none."""
        return self

    def __enter__(self) -> None:
        self._steps += 1

    def __exit__(self, *_: object) -> None:
        self._steps -= 1
        if self._postponed is not None and not self._steps:
            self._postponed()

    def between_steps(self, action: Callable[[], None]) -> None:
        """Do it now, or as soon as the step that is under way is done."""
        if self._steps:
            self._postponed = action
        else:
            action()

    def remove_unfinished(self) -> None:
        """Remove files that will not be finished."""
        for path in self.unfinished:
            remove(path)


def remove(path: str) -> None:
    """A file or a folder with everything in it; one that is already gone is not an error."""
    try:
        os.unlink(path)  # noqa: PTH108 (this module is imported before anything can go wrong)
    except FileNotFoundError:
        pass
    except OSError:
        import shutil

        shutil.rmtree(path, ignore_errors=True)


journal = Journal()
"""Of this process."""

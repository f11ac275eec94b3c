"""Several cores: the same function over many items in threads, results in the order of the items.

Reading and scoring let go of the interpreter's lock in native code and in most of NumPy's, so that
threads are enough. Results never depend on the number of threads.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextvars import copy_context
from itertools import chain, islice
from threading import Event
from typing import TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")


class Stopped(BaseException):
    """What ends a thread whose results nobody waits for any more."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers:
    """A number of threads.

    >>> list(Workers(2).map(abs, [3, -1, -2]))
    [3, 1, 2]
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._stopped = Event()

    def map(self, function: Callable[[Item], Made], items: Iterable[Item]) -> Iterator[Made]:
        """The result for each item, in order; a few items ahead are worked on at the same time.

        The first item that fails, in the order of the items, ends it with its exception.
        """
        several = iter(items)
        first = list(islice(several, 2))
        if self.jobs > 1 and len(first) > 1:
            return self._in_threads(function, chain(first, several))
        # Not the built-in map: that would take a StopIteration of the function for the end.
        return (function(item) for item in chain(first, several))

    def _in_threads(
        self, function: Callable[[Item], Made], items: Iterable[Item]
    ) -> Iterator[Made]:
        from concurrent.futures import Future, ThreadPoolExecutor

        waiting: deque[Future[Made]] = deque()
        pool = ThreadPoolExecutor(self.jobs)
        try:
            several, problem = iter(items), None
            while problem is None:
                try:
                    # Budgets and the like are those of the caller.
                    item = next(several)
                except BaseException as raised:
                    # Items before it have their turn first, as with one thread.
                    problem = raised
                    break
                waiting.append(pool.submit(copy_context().run, function, item))
                if len(waiting) > self.jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
            if not isinstance(problem, StopIteration):
                raise problem
        except BaseException:
            self._stopped.set()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def check(self) -> None:
        """Long work asks from time to time whether its result is still wanted."""
        if self._stopped.is_set():
            raise Stopped

"""Dask: a scheduler hands parts to worker processes, and answers travel between these.

What a lost worker held is made again by another one, from its file.
"""

from __future__ import annotations

import logging
import os
import pickle
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from spanwise.engines.parts import Part, lines_in
from spanwise.engines.work import Job, Outcome, read, score
from spanwise.errors import EngineError, SpanwiseError
from spanwise.inputs.scoring import cores
from spanwise.records import Struct

if TYPE_CHECKING:
    from distributed import Client, Future

PATIENCE = 15
"""Seconds in which a scheduler has to answer, and its first worker to be there."""
_WARNINGS = "PYTHONWARNINGS"


@contextmanager
def dask_cluster(address: str | None, workers: int | None) -> Iterator[DaskCluster]:
    """The workers of a scheduler, or worker processes on this machine."""
    with _quiet(), _client(address, workers) as client:
        yield DaskCluster(client)


@contextmanager
def _client(address: str | None, workers: int | None) -> Iterator[Client]:
    from distributed import Client, LocalCluster

    if address is not None:
        with _found(address) as client:
            yield client
        return
    with (
        _empty_main(),
        LocalCluster(
            n_workers=workers or cores(),
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


@contextmanager
def _empty_main() -> Iterator[None]:
    """Let new processes import no script: one that does not ask for its name would run in them."""
    main, warned = sys.modules["__main__"], os.environ.get(_WARNINGS)
    sys.modules["__main__"] = ModuleType("__main__")
    # The process that clears up after an interruption would warn of what it clears up.
    os.environ[_WARNINGS] = "ignore"
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        os.environ.pop(_WARNINGS)
        if warned is not None:
            os.environ[_WARNINGS] = warned


@contextmanager
def _found(address: str) -> Iterator[Client]:
    """The scheduler at an address."""
    from distributed import Client

    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    # What something else answers may be taken for the size of a message.
    except (OSError, ValueError, TypeError, ImportError, MemoryError) as problem:
        said = _short(problem) or "what answers is something else"
        raise SpanwiseError(
            f"no Dask scheduler answers at {address} ({said}); check that it runs, and"
            " its address, such as tcp://127.0.0.1:8786"
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise SpanwiseError(
                f"the Dask scheduler at {address} has no workers; start some with: dask worker"
                f" {address}"
            ) from None
        yield client


def _short(problem: BaseException) -> str:
    return str(problem).partition("\n")[0]


@contextmanager
def _quiet() -> Iterator[None]:
    """Workers that come and go are Dask's business: their logs are not for users."""
    import dask

    names = ("distributed", "tornado", "bokeh", "asyncio")
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.level for logger in loggers]
    critical = {f"logging.{name}": "critical" for name in names}
    with dask.config.set(critical), warnings.catch_warnings():
        import distributed  # noqa: F401  (It sets the levels when it is imported.)

        warnings.simplefilter("ignore")
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        try:
            yield
        finally:
            for logger, level in zip(loggers, before, strict=True):
                logger.setLevel(level)


class DaskCluster(Struct, frozen=True):
    """Workers of a scheduler."""

    client: Any

    def counts(self, parts: Sequence[Part]) -> list[int]:
        """How many lines each part has."""
        with _losses():
            found: list[int] = self.client.gather(self.client.map(lines_in, parts, pure=False))
        return found

    def outcomes(self, job: bytes, parts: int, buckets: int) -> Iterator[tuple[int, Outcome]]:
        """What each part and each portion gave."""
        with _losses():
            yield from self._outcomes(job, parts)

    def _outcomes(self, packed: bytes, parts: int) -> Iterator[tuple[int, Outcome]]:
        from distributed import as_completed

        client = self.client
        # A task and not data that is handed out: a lost worker's copy can then be made again.
        job = client.submit(pickle.loads, packed, pure=False)
        reading = [client.submit(_read, job, number, pure=False) for number in range(parts)]
        about = {client.submit(_outcome, each, pure=False): n for n, each in enumerate(reading)}
        portions: dict[int, list[Future]] = {}
        failed, missing = parts, set(range(parts))
        for future, (outcome, held) in as_completed(about, loop=client.loop, with_results=True):
            number = about[future]
            missing.discard(number)
            yield number, outcome
            if outcome.failure is not None:
                failed = min(failed, number)
            if failed < min(missing, default=parts):
                break
            for bucket in held:
                part = client.submit(_portion, reading[number], bucket, pure=False)
                portions.setdefault(bucket, []).append(part)
        scoring = [client.submit(_score, job, each, pure=False) for each in portions.values()]
        portions.clear()
        for _, outcome in as_completed(scoring, loop=client.loop, with_results=True):
            yield -1, outcome


# -- what workers run


def _read(job: Job, number: int) -> tuple[Outcome, dict[int, pa.Table]]:
    outcome, answers = read(job, number)
    found = answers.column("bucket").unique().to_pylist()
    column = answers.column("bucket")
    return outcome, {each: answers.filter(pa.compute.equal(column, each)) for each in found}


def _outcome(done: tuple[Outcome, dict[int, pa.Table]]) -> tuple[Outcome, list[int]]:
    return done[0], list(done[1])


def _portion(done: tuple[Outcome, dict[int, pa.Table]], bucket: int) -> pa.Table:
    return done[1][bucket]


def _score(job: Job, portions: list[pa.Table]) -> Outcome:
    return score(job, pa.concat_tables(portions, promote_options="default"))


@contextmanager
def _losses() -> Iterator[None]:
    """Turn what Dask says about lost workers into one sentence."""
    from asyncio import CancelledError
    from concurrent.futures import CancelledError as Cancelled

    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError
    from distributed.scheduler import KilledWorker

    try:
        yield
    except (KilledWorker, CancelledError, Cancelled, FutureCancelledError, CommClosedError) as lost:
        raise EngineError(
            f"Dask lost its workers again and again ({type(lost).__name__}): nothing was written;"
            " do they have enough memory?"
        ) from None

"""Spark: parts are rows of a frame, and answers of topics that go on elsewhere are grouped by it.

Each part becomes rows with its answers and one that holds what else it gave; a group is either such
a row, which is passed on, or a portion of answers, which is scored. Spark runs lost tasks again.
"""

from __future__ import annotations

import os
import pickle
import re
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from spanwise.engines.arrow import Form
from spanwise.engines.java import require_java
from spanwise.engines.parts import Part, lines_in
from spanwise.engines.work import PLACE, Outcome, Packed, read, score
from spanwise.errors import EngineError, SpanwiseError
from spanwise.formats.temporary_files import temporary_folder
from spanwise.inputs.scoring import cores
from spanwise.records import Struct

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PATIENCE = 15
"""Seconds in which a master has to answer, and its first worker to be there."""
_MASTERS = ("local", "spark://", "yarn", "k8s://")
_TRIALS = 4
"""How often a task is tried; Spark's own number, but for masters on this machine."""


@contextmanager
def spark_cluster(master: str | None, workers: int | None) -> Iterator[SparkCluster]:
    """The session that runs already, else one on this machine or of a master."""
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession() if master is None else None
    if running is not None:
        yield SparkCluster(running)
        return
    require_java()
    master = master or f"local[{workers or cores()},{_TRIALS}]"
    _require_master(master)
    with (
        temporary_folder(Path(gettempdir())) as folder,
        spark_session(master, folder) as spark,
    ):
        yield SparkCluster(spark)


def _require_master(master: str) -> None:
    """Refuse what is no master, or does not answer: Spark itself tries for a minute."""
    if not master.startswith(_MASTERS):
        raise SpanwiseError(
            f"found Spark master {master!r}, expected local[N], spark://HOST:PORT, yarn or"
            " k8s://..."
        )
    for place in master.removeprefix("spark://").split(",") if "spark://" in master else ():
        host, _, port = place.rpartition(":")
        try:
            socket.create_connection((host, int(port)), timeout=PATIENCE).close()
        except (OSError, ValueError, OverflowError) as problem:
            raise SpanwiseError(
                f"no Spark master answers at {master} ({problem}); check that it runs, and its"
                " address, such as spark://127.0.0.1:7077"
            ) from None
        return


@contextmanager
def spark_session(master: str, folder: Path) -> Iterator[SparkSession]:
    """A session of our own. What its processes print goes to a file, never to our streams."""
    from py4j.protocol import Py4JError
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    conf = SparkConf(loadDefaults=False)
    conf.setAll([*_settings(master, folder).items()])
    log = folder / "spark.log"
    with log.open("wb") as said, without_warnings():
        streams = {"stdout": said, "stderr": said}
        context = gateway = None
        try:
            gateway = launch_gateway(conf, streams)
            with _same_interruption():
                context = SparkContext(conf=conf, gateway=gateway)
            if master.startswith("local"):
                context.pythonExec = os.environ.get("PYSPARK_PYTHON", sys.executable)
            # It prints a stack trace when Spark's own process ends.
            context._accumulatorServer.handle_error = lambda *_: None
            spark = SparkSession(context)
            _require_workers(context, master)
            yield spark
        except (Py4JError, PySparkException, OSError) as problem:
            raise _failed(f"{problem}\n{log.read_text(errors='replace')}") from None
        finally:
            _stop(context, gateway)


@contextmanager
def _same_interruption() -> Iterator[None]:
    """Spark takes over what happens at an interruption, which is ours to say."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, before)


@contextmanager
def without_warnings() -> Iterator[None]:
    """Spark has a word about every new version of pandas, of which nothing is used here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _stop(context: Any, gateway: Any) -> None:
    """End all processes; some may have ended by themselves."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    with suppress(Exception):
        if context is not None:
            SparkSession(context).stop()
    if gateway is None:
        return
    with suppress(Exception):
        gateway.shutdown()
    SparkContext._gateway = SparkContext._jvm = None
    process = getattr(gateway, "proc", None)
    if process is not None:
        process.stdin.close()
        process.wait()


def _settings(master: str, folder: Path) -> Mapping[str, str]:
    found = {
        "spark.master": master,
        "spark.app.name": "spanwise",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.maxResultSize": "0",
        "spark.sql.warehouse.dir": str(folder),
    }
    if not master.startswith("local"):
        return found
    path = os.environ.get("PYTHONPATH")
    return {
        **found,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.local.dir": str(folder),
        "spark.sql.shuffle.partitions": str(2 * cores()),
        **({"spark.executorEnv.PYTHONPATH": path} if path else {}),
    }


def _require_workers(context: Any, master: str) -> None:
    """Refuse a master without workers: Spark would wait for them for ever."""
    if not master.startswith("spark://"):
        return
    known = context._jsc.sc()
    end = time.monotonic() + PATIENCE
    # The driver is one of them.
    while known.getExecutorMemoryStatus().size() < 2:
        if time.monotonic() > end:
            raise SpanwiseError(
                f"the Spark master {master} gives no workers; start some, or free some of them"
            )
        time.sleep(0.1)


_MISSING = re.compile(
    r"ModuleNotFoundError: No module named '([A-Za-z0-9_]+)|(\w+) >= [0-9.]+ must be installed",
)


@contextmanager
def losses() -> Iterator[None]:
    """Turn what Spark says about lost workers and the like into one sentence."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (Py4JError, PySparkException, OSError, EOFError) as problem:
        raise _failed(str(problem)) from None


def _failed(said: str) -> EngineError:
    missing = _MISSING.search(said)
    if missing is not None:
        return EngineError(
            f"the workers' Python lacks {missing[1] or missing[2]}; set PYSPARK_PYTHON to one that"
            " has it"
        )
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    words = ("Job aborted", "OutOfMemory", "Exception", "Error")
    line = next(
        (each for word in words for each in lines if word in each), (lines or ["no reason"])[0]
    )
    return EngineError(f"Spark failed, and nothing was written: {line[:300]}")


# -- the work

_PLAIN = {pa.uint8(): pa.int16(), pa.large_string(): pa.string()}
"""Types that Spark has instead."""


def _row_schema() -> pa.Schema:
    """Answers of any form, and beside them what else a part gave."""
    form = Form.decoded(-1 & (1 << 20) - 1 & ~7, "run")
    fields = [*PLACE, *form.schema()]
    plain = [pa.field(each.name, _PLAIN.get(each.type, each.type)) for each in fields]
    return pa.schema([*plain, pa.field("outcome", pa.binary())])


_ROWS = _row_schema()
_OUTCOMES = pa.schema([("number", pa.int32()), ("outcome", pa.binary())])


class SparkCluster(Struct, frozen=True):
    """A session with workers."""

    spark: Any

    def counts(self, parts: Sequence[Part]) -> list[int]:
        """How many lines each part has."""
        context = self.spark.sparkContext
        with without_warnings(), losses():
            found: list[int] = context.parallelize(list(parts), len(parts)).map(lines_in).collect()
        return found

    def outcomes(self, job: bytes, parts: int, buckets: int) -> Iterator[tuple[int, Outcome]]:
        """What each part and each portion gave."""
        shared = self.spark.sparkContext.broadcast(Packed(job))

        def read_all(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            return _read_all(shared, batches)

        # Spark 4 asks for the types of an argument and a result.
        def settle(group: pa.Table) -> pa.Table:
            return _settle(shared, group)

        with without_warnings(), losses():
            numbers = self.spark.range(0, parts, 1, parts)
            rows = numbers.mapInArrow(read_all, _spark(_ROWS))
            done = rows.groupBy("bucket").applyInArrow(settle, _spark(_OUTCOMES)).collect()
            shared.unpersist()
        for row in done:
            yield row["number"], pickle.loads(row["outcome"])


def _spark(schema: pa.Schema) -> Any:
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(schema)


def _read_all(shared: Any, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The rows of the parts with these numbers."""
    for batch in batches:
        for number in batch.column(0).to_pylist():
            outcome, answers = read(shared.value.job, number)
            yield from _rows(answers)
            own = {"bucket": [-1 - number], "outcome": [pickle.dumps(outcome)]}
            yield from _rows(pa.table(own))


def _rows(table: pa.Table) -> Iterator[pa.RecordBatch]:
    columns = [
        table.column(each.name).cast(each.type)
        if each.name in table.column_names
        else pa.nulls(len(table), each.type)
        for each in _ROWS
    ]
    yield from pa.table(columns, schema=_ROWS).to_batches(max_chunksize=100_000)


def _settle(shared: Any, group: pa.Table) -> pa.Table:
    """Pass on what a part gave; score a portion of answers."""
    bucket = group.column("bucket")[0].as_py()
    if bucket < 0:
        found = [-1 - bucket], group.column("outcome").to_pylist()
    else:
        found = [-1], [pickle.dumps(score(shared.value.job, group))]
    return pa.table(list(found), schema=_OUTCOMES)

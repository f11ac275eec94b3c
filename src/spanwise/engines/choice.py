"""Which engine is asked for: ``dask``, ``dask=tcp://host:port``, ``spark``, ``spark=local[4]``."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Literal, Self

from spanwise.errors import SpanwiseError, option, shown
from spanwise.extras import require_dask, require_spark
from spanwise.inputs.settings import Settings
from spanwise.records import Struct

if TYPE_CHECKING:
    from spanwise.engines.distributed import Cluster, Distributed
    from spanwise.inputs.session import Session

NAMES = ("dask", "spark")


class EngineChoice(Struct, frozen=True):
    """An engine and where it runs.

    >>> EngineChoice.named("dask=tcp://10.0.0.7:8786")
    EngineChoice(name='dask', address='tcp://10.0.0.7:8786')
    """

    name: Literal["dask", "spark"]
    address: str | None = None
    """A scheduler or master that exists; None: one is started on this machine."""

    @classmethod
    def named(cls, text: object) -> Self:
        """The engine of this name; anything else is refused."""
        if not isinstance(text, str):
            raise SpanwiseError(
                f"engine must be a name such as 'dask' or 'spark', got {shown(text)}"
            )
        name, mark, address = text.partition("=")
        if name not in NAMES:
            raise SpanwiseError(
                f"unknown engine {shown(text)}: dask, dask=ADDRESS, spark or spark=MASTER"
            )
        if mark and not address:
            raise SpanwiseError(f"found no address in {shown(text)}; name one, or write {name}")
        return cls(name, address or None)  # type: ignore[arg-type]

    def refuse(self, settings: Settings) -> None:
        """Refuse what cannot hold where workers read and score."""
        asked = option("engine", self.name)
        if settings.compat is not None:
            mode = option("compat", settings.compat)
            raise SpanwiseError(f"{mode} works in one process: leave out {asked}")
        if settings.jobs is not None and self.address is not None:
            raise SpanwiseError(
                f"{option('jobs')} is for workers that are started here, and those of"
                f" {self.address} run already: leave it out"
            )

    def engine(self) -> Distributed:
        """What scores runs."""
        what = f"the engine {self.name}"
        (require_dask if self.name == "dask" else require_spark)(what)
        from spanwise.engines.distributed import Distributed

        return Distributed(self._opened)

    def _opened(self, session: Session) -> AbstractContextManager[Cluster]:
        jobs = session.settings.jobs
        if self.name == "dask":
            from spanwise.engines.dask_cluster import dask_cluster

            return dask_cluster(self.address, jobs)
        from spanwise.engines.spark_cluster import spark_cluster

        return spark_cluster(self.address, jobs)

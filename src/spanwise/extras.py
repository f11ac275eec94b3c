"""Packages that only some inputs and outputs need: asked for when one of these is used."""

from __future__ import annotations

from importlib.util import find_spec

from spanwise.errors import SpanwiseError


def is_installed(package: str) -> bool:
    """Whether a package can be imported.

    >>> is_installed("json"), is_installed("no_such_package")
    (True, False)
    """
    try:
        return find_spec(package) is not None
    except ValueError:  # A module that was set to nothing cannot be imported either.
        return False


def require_polars(what: str) -> None:
    """Refuse what needs polars where it is not installed, and say how to install it."""
    if not is_installed("polars"):
        raise SpanwiseError(f"{what} needs polars; install it with: pip install 'spanwise[frames]'")


def require_tantivy(what: str) -> None:
    """Refuse what needs tantivy where it is not installed, and say how to install it."""
    if not is_installed("tantivy"):
        raise SpanwiseError(
            f"{what} needs tantivy; install it with: pip install 'spanwise[search]'"
        )


def require_pypdf(what: str) -> None:
    """Refuse what needs pypdf where it is not installed, and say how to install it."""
    if not is_installed("pypdf"):
        raise SpanwiseError(f"{what} needs pypdf; install it with: pip install 'spanwise[pdf]'")


def require_package(package: str, what: str) -> None:
    """Refuse what needs a package where it is not installed, and say how to install it."""
    if not is_installed(package):
        raise SpanwiseError(f"{what} needs {package}; install it with: pip install {package}")


def require_dask(what: str) -> None:
    """Refuse what needs Dask where it is not installed, and say how to install it."""
    _require_extra(("dask", "distributed", "pyarrow", "polars"), what, "dask")


def require_spark(what: str) -> None:
    """Refuse what needs Spark where it is not installed, and say how to install it."""
    _require_extra(("pyspark", "pandas", "pyarrow", "polars"), what, "spark")


def _require_extra(packages: tuple[str, ...], what: str, extra: str) -> None:
    for package in packages:
        if not is_installed(package):
            raise SpanwiseError(
                f"{what} needs {package}; install it with: pip install 'spanwise[{extra}]'"
            )

"""The optional C extension; everything else stands in pyproject.toml.

Without a compiler the installation succeeds and the NumPy code does the same work. With
``SPANWISE_BUILD=native`` a build without the extension fails; with ``SPANWISE_BUILD=pure`` the
extension is left out and the wheel is for any platform.
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

BUILD = os.environ.get("SPANWISE_BUILD", "")
if BUILD not in ("", "native", "pure"):
    sys.exit(f"SPANWISE_BUILD must be native or pure, got {BUILD!r}")

# Nothing is fused or reordered: sums have the same bits as in NumPy. -g0: the flags of the
# interpreter's own build would otherwise decide whether debug data is included.
FLAGS = ["-std=c11", "-O3", "-ffp-contract=off", "-g0"]

CORE = Extension(
    "spanwise.native._core",
    sources=["src/spanwise/native/core.c"],
    depends=sorted(map(str, Path("src/spanwise/native").glob("*.[ch]"))),
    define_macros=[("Py_LIMITED_API", "0x030B0000")],
    extra_compile_args=[] if sys.platform == "win32" else FLAGS,
    py_limited_api=True,
    optional=BUILD != "native",
)


class BuildAnew(build_ext):
    """Compiles every time: what an earlier build left must not pass for this one if it fails."""

    def build_extension(self, ext: Extension) -> None:
        """Remove an earlier result, then compile."""
        Path(self.get_ext_fullpath(ext.name)).unlink(missing_ok=True)
        self.force = True
        super().build_extension(ext)


setup(
    cmdclass={"build_ext": BuildAnew},
    ext_modules=[] if BUILD == "pure" else [CORE],
    options={} if BUILD == "pure" else {"bdist_wheel": {"py_limited_api": "cp311"}},
)

"""``python -m spanwise``."""

from __future__ import annotations

from spanwise.cli.process import start

if __name__ == "__main__":
    start()

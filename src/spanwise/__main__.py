"""``python -m spanwise``."""

from __future__ import annotations

from spanwise.cli.main import main

if __name__ == "__main__":
    main()

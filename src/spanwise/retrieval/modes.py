"""What a search returns of each document, in words and numbers; light enough for ``--help``."""

from typing import Literal, get_args

Mode = Literal["document", "window", "sentence", "paragraph", "element"]
"""What the passages of a document are."""
MODES: tuple[Mode, ...] = get_args(Mode)

By = Literal["documents", "passages"]
"""How the answers of a topic are ranked: by their documents and then by their own scores, or by
their own scores alone."""
ORDERS: tuple[By, ...] = get_args(By)

BROWSING = ("mode", "passages", "share", "window")
"""The settings that say which passages of a document are returned."""
MODE: Mode = "paragraph"
PASSAGES, SHARE, WINDOW = 5, 0.5, 600
"""Passages of a document; least share of the best one's score; characters of a window."""

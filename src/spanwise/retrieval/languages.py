"""The languages that words can be stemmed in."""

from typing import Literal, get_args

Language = Literal[
    "arabic",
    "danish",
    "dutch",
    "english",
    "finnish",
    "french",
    "german",
    "greek",
    "hungarian",
    "italian",
    "norwegian",
    "portuguese",
    "romanian",
    "russian",
    "spanish",
    "swedish",
    "tamil",
    "turkish",
]

LANGUAGES: tuple[str, ...] = get_args(Language)
Stemming = Language | Literal["none"]
"""What can be asked for: words of a language stemmed, or words as they are."""
STEMMINGS = (*LANGUAGES, "none")

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

"""Documents that are hard on offsets, the same ones every time.

About half of the texts have what real ones have: Markdown, line ends of Windows, emoji, accents in
two forms, paragraphs that come back, code, HTML and tables.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator
from random import Random

SYLLABLES = ("ka", "lo", "mi", "ren", "tas", "ul", "ver", "ost", "in", "pra", "du", "shel", "qui")
EMOJI = ("😀", "👩‍🔬", "🇵🇪", "👍🏽", "🏴‍☠️", "☂️")
ACCENTED = ("café", "naïve", "Ångström", "señor", "žluťoučký", "Việt")
BOILERPLATE = (
    "This page is part of the handbook. Nothing in it is advice, and nothing in it is a promise.\n"
    "Questions go to the office; answers come back within ten working days."
)


def made_documents(characters: int = 1_000_000, seed: int = 7) -> dict[str, str]:
    """Documents of all kinds, about so many characters together."""
    random = Random(seed)
    documents: dict[str, str] = {}
    size = 0
    while size < characters:
        for ending, make in KINDS.items():
            name = f"{len(documents):03}-{ending}"
            documents[name] = make(random)
            size += len(documents[name])
    return documents


def word(random: Random) -> str:
    return "".join(random.choices(SYLLABLES, k=random.randint(1, 4)))


def sentence(random: Random, odd: float = 0.0) -> str:
    words = [word(random) for _ in range(random.randint(4, 18))]
    if random.random() < odd:
        form = random.choice(("NFC", "NFD"))
        strange = unicodedata.normalize(form, random.choice((*EMOJI, *ACCENTED)))
        words[random.randrange(len(words))] = strange
    mark = random.choice((".", ".", ".", "?", "!", ": “" + word(random) + "”."))
    return " ".join(words).capitalize() + mark


def paragraph(random: Random, odd: float = 0.0) -> str:
    return " ".join(sentence(random, odd) for _ in range(random.randint(1, 8)))


def plain(random: Random, odd: float = 0.0) -> str:
    parts = [paragraph(random, odd) for _ in range(40)]
    for place in random.sample(range(len(parts)), 4):
        parts[place] = BOILERPLATE
    parts.insert(20, "-" * 80)
    return "\n\n".join(parts) + "\n"


def strange(random: Random) -> str:
    return plain(random, odd=0.6).replace(". ", ".\u00a0 ", 20).replace("\n\n", "\f\n", 3)


def markdown(random: Random) -> str:
    return "\n".join(markdown_lines(random)) + "\n"


def markdown_lines(random: Random) -> Iterator[str]:
    yield f"# {word(random).title()}\n"
    for _ in range(12):
        yield f"## {word(random).title()} {word(random)}\n"
        yield paragraph(random, odd=0.2) + "\n"
        yield from (f"- {sentence(random)}" for _ in range(random.randint(0, 5)))
        yield f"\n### {word(random).title()}   \n"
        yield "| name | number |\n|---|---:|"
        yield from (f"| {word(random)} | {random.randint(0, 9)} |" for _ in range(4))
        yield f"\n```python\n{function(random)}\n```\n"
        yield f"{BOILERPLATE}\n"


def windows(random: Random) -> str:
    return markdown(random).replace("\n", "\r\n")


def function(random: Random) -> str:
    name, value = word(random), word(random)
    return (
        f"def {name}_{random.randint(0, 999)}({value}_):\n"
        f'    """{sentence(random)}"""\n'
        f"    for number in range({random.randint(2, 99)}):\n"
        f"        {value}_ = {value}_ + number  # {word(random)}\n"
        f"    return {value}_"
    )


def code(random: Random) -> str:
    return "import os\nimport sys\n\n\n" + "\n\n\n".join(code_units(random)) + "\n"


def code_units(random: Random) -> Iterator[str]:
    for number in range(20):
        yield function(random)
        methods = [function(random).replace("\n", "\n    ") for _ in range(3)]
        yield f"class Made{number}:\n    " + "\n\n    ".join(methods)


def html(random: Random) -> str:
    sections = "\n".join(html_section(random) for _ in range(15))
    title = word(random).title()
    head = f"<head><title>{title}</title></head>"
    return f"<!DOCTYPE html>\n<html>{head}<body>\n{sections}\n</body></html>\n"


def html_section(random: Random) -> str:
    head = f"<h1>{word(random).title()}</h1>\n<p>{paragraph(random, 0.3)}</p>"
    items = "".join(f"<li>{sentence(random)}</li>" for _ in range(3))
    below = f"<h2>{word(random).title()} &amp; {word(random)}</h2><p>{paragraph(random)}</p>"
    return f"{head}\n<ul>{items}</ul>\n{below}\n<p>{BOILERPLATE}</p>"


def table(random: Random) -> str:
    rows = (f"{word(random)},{random.randint(0, 999)},{word(random)}" for _ in range(200))
    return "name,number,place\n" + "\n".join(rows) + "\n"


def structured(random: Random) -> str:
    records = {word(random) + str(n): {"text": sentence(random), "n": n} for n in range(60)}
    return json.dumps(records, ensure_ascii=False, indent=1)


KINDS: dict[str, Callable[[Random], str]] = {
    "plain.txt": plain,
    "strange.txt": strange,
    "handbook.md": markdown,
    "windows.md": windows,
    "module.py": code,
    "page.html": html,
    "table.csv": table,
    "data.json": structured,
}

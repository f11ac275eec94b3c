"""Strips as markup: two bands, a mark for the best entry point, the words, the text on demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.reporting.html.escape import escaped
from spanwise.reporting.html.findings import Findings, Texts
from spanwise.reporting.html.passages import passages
from spanwise.reporting.html.strips import Spans, Strip, TopicStrips
from spanwise.text.ranges import Ranges

LONG = 1000
"""A strip is as wide as so many units, however long its document."""
THINNEST = 3
NUMBERED = 9
"""Up to so many answers of a document carry their number."""
NAMED = 3
"""Documents that a list misses are named, up to so many."""
LISTED = 4
"""Ranges of a document that are spelled out for those who do not see the strip."""
LEAST_TEXT, MOST_TEXT = 150, 2000
"""Characters of text below one strip."""
FRAME, MARKED = 70, 1.7
"""Bytes around a text, and bytes for each of its characters with their marks, by experience."""


def strips_section(findings: Findings) -> str:
    """All topics, the first one open."""
    room = _room(findings)
    return "".join(
        _topic(topic, findings, room if number < topics_with_text(findings) else 0, number == 0)
        for number, topic in enumerate(findings.strips)
    )


def topics_with_text(findings: Findings) -> int:
    """As many as there is room for if each strip has a little; the first topics differ most."""
    left = findings.text_room if findings.texts is not None else 0
    for number, topic in enumerate(findings.strips):
        left -= round(_count(topic) * (FRAME + MARKED * LEAST_TEXT))
        if left < 0:
            return number
    return len(findings.strips)


def _room(findings: Findings) -> int:
    """Characters of text below each strip that has some."""
    topics = findings.strips[: topics_with_text(findings)]
    count = max(sum(map(_count, topics)), 1)
    return min(MOST_TEXT, round((findings.text_room / count - FRAME) / MARKED))


def _count(topic: TopicStrips) -> int:
    return sum(len(strips) for _, _, strips in topic.lists)


def _topic(topic: TopicStrips, findings: Findings, room: int, opened: bool) -> str:
    measure = findings.comparisons[0].measure
    texts = findings.texts if room else None
    lists = "".join(
        f"<section><h4>{escaped(run)}<small>{_value(value, measure, findings)}</small></h4>"
        f"{_list(strips, texts, room)}{_missed(strips, topic.relevant)}</section>"
        for run, value, strips in topic.lists
    )
    state = " open" if opened else ""
    name = f"<h3>Topic {escaped(topic.topic)}</h3>"
    return f'<details class="topic"{state}><summary>{name}</summary><div>{lists}</div></details>'


def _missed(strips: Sequence[Strip], relevant: Sequence[str]) -> str:
    """Where a run fails: what it should have shown by now."""
    shown = {strip.document for strip in strips}
    missed = [document for document in relevant if document not in shown]
    if not missed:
        return ""
    more = f" and {len(missed) - NAMED} more" if len(missed) > NAMED else ""
    names = escaped(", ".join(missed[:NAMED]) + more)
    return f"<p><small>Relevant, not among these: {names}.</small></p>"


def _value(value: float | None, measure: str, findings: Findings) -> str:
    if value is None:
        return "not defined for this topic"
    return f"{escaped(measure)} {findings.text(value)}"


def _list(strips: Sequence[Strip], texts: Texts | None, room: int) -> str:
    if not strips:
        return "<p>No answers.</p>"
    return f"<ol>{''.join(_strip(strip, texts, room) for strip in strips)}</ol>"


def _strip(strip: Strip, texts: Texts | None, room: int) -> str:
    text = None if texts is None else texts(strip.document)
    shown = "" if text is None else _text(strip, text, room)
    kind = "bar n" if _numbers(strip) else "bar"
    return (
        f"<li><b>{escaped(strip.document)}</b> <small>{words(strip)}</small>"
        f'<div class="{kind}" role="img" aria-label="{places(strip)}">'
        f"{''.join(_bands(strip))}</div>{shown}</li>"
    )


def _bands(strip: Strip) -> Iterator[str]:
    yield f'<svg viewBox="0 0 {LONG} 22" preserveAspectRatio="none">'
    for kind, spans, middle in (("rel", strip.relevant, 5), ("ret", strip.retrieved, 17)):
        if spans:
            yield f'<path class="{kind}" d="{_band(spans, strip.length, middle)}"/>'
    if strip.entry is not None:
        yield f'<path class="bep" d="M{_at(strip.entry, strip.length)} 0v22"/>'
    yield "</svg>"
    for left, numbers in _numbers(strip).items():
        yield f"<i style=left:{left}%>{numbers}</i>"


def _numbers(strip: Strip) -> dict[int, str]:
    """In which order the parts were returned, by where they begin, in hundredths."""
    found: dict[int, str] = {}
    if 1 < len(strip.retrieved) <= NUMBERED:
        for number, (start, _) in enumerate(strip.retrieved, 1):
            left = min(round(100 * start / strip.length), 98)
            found[left] = f"{found[left]}+{number}" if left in found else str(number)
    return found


def _band(spans: Spans, length: int, middle: int) -> str:
    """Thick lines: they take half the room of rectangles in a file with thousands of them."""
    parts = []
    for start, end in spans:
        x = min(_at(start, length), LONG - THINNEST)
        parts.append(f"M{x} {middle}h{max(_at(end, length) - x, THINNEST)}")
    return "".join(parts)


def _at(position: int, length: int) -> int:
    return round(position * LONG / max(length, 1))


def words(strip: Strip) -> str:
    """What the strip shows, in a few words."""
    if not strip.places_known:
        return "elements whose places are not known"
    read, found, wanted = counts(strip)
    if not wanted:
        return f"{'not relevant' if strip.judged else 'not judged'}, {read:,} returned"
    return f"{found:,} of {wanted:,} relevant characters, {read:,} returned"


def counts(strip: Strip) -> tuple[int, int, int]:
    """Characters returned, relevant ones among them, relevant ones in the document."""
    both = Ranges.of([strip.retrieved]), Ranges.of([strip.relevant])
    read, wanted = (int(ranges.sizes()[0]) for ranges in both)
    return read, int(both[0].overlap_sizes(both[1])[0]), wanted


def places(strip: Strip) -> str:
    """The same strip as a list of places, for those who do not see it."""
    length = f"{strip.length:,} characters" if strip.length_known else "length not known"
    said = [length]
    for word, spans in (("relevant", strip.relevant), ("returned", strip.retrieved)):
        if spans:
            said.append(f"{word} {_listed(spans)}")
    if strip.entry is not None:
        said.append(f"best entry point {strip.entry}")
    return "; ".join(said)


def _listed(spans: Spans) -> str:
    listed = ", ".join(f"{start}–{end}" for start, end in spans[:LISTED])
    return f"{listed} and {len(spans) - LISTED} more" if len(spans) > LISTED else listed


def _text(strip: Strip, text: str, room: int) -> str:
    shown = passages(text, strip.relevant, strip.retrieved, room)
    if not shown:
        return ""
    return f'<details><summary>Text</summary><p dir="auto">{shown}</p></details>'

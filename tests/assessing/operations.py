"""Operations of assessors drawn at random, and their slow twin: a label for each character."""

from __future__ import annotations

from hypothesis import strategies as st

from spanwise.assessing.judgement import Refused

LENGTH = 12
GRADES, ASPECTS = (0, 1, 2), ("b", "a")


def drawn_ranges():
    places = st.integers(0, LENGTH)
    pairs = st.tuples(places, places).filter(lambda pair: pair[0] != pair[1])
    return pairs.map(sorted)


def drawn_highlights():
    label = st.fixed_dictionaries(
        {"grade": st.sampled_from(GRADES)},
        optional={"aspects": st.lists(st.sampled_from(ASPECTS), max_size=3)},
    )
    return st.builds(
        lambda place, about: {"kind": "highlight", "start": place[0], "end": place[1], **about},
        drawn_ranges(),
        label,
    )


def drawn_operations(*, timing: bool = True):
    """One operation as a page sends it, but for its id."""
    kinds = ["not relevant", "done", "reopen", "undo", "redo"] + ["opened", "left"] * timing
    return st.one_of(
        drawn_highlights(),
        drawn_ranges().map(lambda at: {"kind": "remove", "start": at[0], "end": at[1]}),
        st.none().map(lambda _: {"kind": "entry", "at": None}),
        st.integers(0, LENGTH - 1).map(lambda at: {"kind": "entry", "at": at}),
        st.sampled_from(kinds).map(lambda kind: {"kind": kind}),
    )


class SlowJudgement:
    """Undo and redo by keeping every state; a state is labels, entry point, status."""

    def __init__(self):
        self.states, self.place = [({}, None, "open")], 0

    def apply(self, operation):
        """What the operation does to the labels of characters."""
        if operation["kind"] == "undo":
            self.place = max(self.place - 1, 0)
        elif operation["kind"] == "redo":
            self.place = min(self.place + 1, len(self.states) - 1)
        else:
            changed = self._changed(operation, *self.states[self.place])
            if changed != self.states[self.place]:
                self.states[self.place + 1 :] = [changed]
                self.place += 1

    def _changed(self, operation, labels, entry, status):
        match operation["kind"]:
            case "highlight":
                label = (operation.get("grade"), tuple(sorted({*operation.get("aspects", ())})))
                places = range(operation["start"], operation["end"])
                status = "open" if status == "not relevant" else status
                labels = {**labels, **dict.fromkeys(places, label)}
                return labels, entry, self._left(labels, status)
            case "remove":
                gone = range(operation["start"], operation["end"])
                labels = {at: labels[at] for at in labels if at not in gone}
                return labels, entry, self._left(labels, status)
            case "entry":
                return labels, operation["at"], status
            case "not relevant":
                return {}, None, "not relevant"
            case "done":
                if all(grade == 0 for grade, _ in labels.values()):
                    raise Refused("nothing relevant is highlighted")
                return labels, entry, "relevant"
            case "reopen":
                return labels, entry, "open"
        return labels, entry, status

    def _left(self, labels, status):
        """What is finished is open again if nothing relevant is left."""
        nothing = all(grade == 0 for grade, _ in labels.values())
        return "open" if nothing and status == "relevant" else status

    def as_json(self):
        """Neighbouring characters of one label are a passage."""
        labels, entry, status = self.states[self.place]
        passages = []
        for at in range(LENGTH):
            if at not in labels:
                continue
            if at and labels.get(at - 1) == labels[at]:
                passages[-1]["end"] = at + 1
                continue
            grade, aspects = labels[at]
            passage = {"start": at, "end": at + 1}
            passage |= {"grade": grade} if grade is not None else {}
            passage |= {"aspects": list(aspects)} if aspects else {}
            passages.append(passage)
        return {"passages": passages, "entry": entry, "status": status}

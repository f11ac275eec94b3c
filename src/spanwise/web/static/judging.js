// What an assessor does to a judgement, step by step: the twin of assessing/operations.py.
const NOTHING = { passages: [], entry: null, status: "open" };
const NO_HISTORY = { state: NOTHING, before: [], undone: [] };
const equal = (one, other) => JSON.stringify(one) === JSON.stringify(other);
function byCodePoints(one, other) {
  const a = [...one], b = [...other], place = a.findIndex((sign, n) => sign !== b[n]);
  if (place < 0 || place >= b.length) return a.length - b.length;
  return a[place].codePointAt(0) - b[place].codePointAt(0);
}
function labelled(start, end, { grade, aspects }) {
  const passage = { start, end };
  if (grade !== undefined && grade !== null) passage.grade = grade;
  if (aspects?.length) passage.aspects = [...new Set(aspects)].sort(byCodePoints);
  return passage;
}
const sameLabel = (one, other) => one.grade === other.grade && equal(one.aspects, other.aspects);
function without(passage, start, end) {
  const left = { ...passage, end: Math.min(passage.end, start) };
  const right = { ...passage, start: Math.max(passage.start, end) };
  return [left, right].filter((piece) => piece.start < piece.end);
}
const isRelevant = (state) => state.passages.some((passage) => passage.grade !== 0);
const openIfNothingIsLeft = (state) => (state.status !== "relevant" || isRelevant(state) ? state : { ...state, status: "open" });
function highlighted(state, added) {
  const kept = [];
  let joined = added;
  for (const passage of state.passages) {
    const meets = passage.start <= added.end && added.start <= passage.end;
    if (meets && sameLabel(passage, added)) {
      joined = { ...added, start: Math.min(joined.start, passage.start), end: Math.max(joined.end, passage.end) };
    } else kept.push(...without(passage, added.start, added.end));
  }
  const passages = [...kept, joined].sort((a, b) => a.start - b.start);
  return openIfNothingIsLeft({ ...state, passages, status: state.status === "not relevant" ? "open" : state.status });
}
function changed(state, operation) {
  switch (operation.kind) {
    case "highlight": return highlighted(state, labelled(operation.start, operation.end, operation));
    case "remove":
      return openIfNothingIsLeft({ ...state, passages: state.passages.flatMap((one) => without(one, operation.start, operation.end)) });
    case "entry": return { ...state, entry: operation.at };
    case "not relevant": return { ...NOTHING, status: "not relevant" };
    case "done":
      if (!isRelevant(state)) throw new Error("Highlight something, or choose not relevant");
      return { ...state, status: "relevant" };
    case "reopen": return { ...state, status: "open" };
    default: return state;
  }
}
function apply(history, operation) {
  const { state, before, undone } = history;
  if (operation.kind === "undo") {
    return before.length ? { state: before.at(-1), before: before.slice(0, -1), undone: [...undone, state] } : history;
  }
  if (operation.kind === "redo") {
    return undone.length ? { state: undone.at(-1), before: [...before, state], undone: undone.slice(0, -1) } : history;
  }
  const next = changed(state, operation);
  return equal(next, state) ? history : { state: next, before: [...before, state], undone: [] };
}

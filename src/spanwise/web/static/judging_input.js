// Keys, mouse and touch of the page of a document.
const HOLD = 500, MOVED = 10;
const isBusy = () => desk === null || find("dialog[open]") !== null;
// A key that presses a button or opens a link means nothing else.
const isPress = (event) => event.target.closest?.("a, button, summary, input, select") && ["Enter", " "].includes(event.key);
const DESK_KEYS = {
  j: () => desk.moveTo(desk.row + 1), k: () => desk.moveTo(desk.row - 1),
  J: () => desk.moveTo(desk.row + 1, true), K: () => desk.moveTo(desk.row - 1, true),
  Enter: () => desk.highlight(), x: () => desk.remove(), X: () => desk.removePassage(), b: () => desk.entry(),
  n: () => desk.finish("not relevant"), d: () => desk.finish("done"), r: () => desk.do({ kind: "reopen" }),
  u: () => desk.undo(), U: () => desk.redo(), "[": () => desk.step(-1), "]": () => desk.step(1),
  t: () => find("a.to-topic").click(), Escape: () => desk.unchoose(),
  q: () => desk.sheet.marks && desk.takeFrom("first"), w: () => desk.sheet.marks && desk.takeFrom("second"),
  m: () => desk.sheet.marks && desk.nextDifference(1), M: () => desk.sheet.marks && desk.nextDifference(-1),
};
function numbered(number) {
  if (number <= desk.sheet.grades.length) setGrade(desk.sheet.grades[number - 1], true);
}
function setGrade(grade, andHighlight) {
  desk.label.grade = grade;
  showLabel();
  if (andHighlight) desk.highlight();
}
// What is chosen is shown beside the text and below it.
function showLabel() {
  const { grade, aspects } = desk.label;
  for (const radio of document.querySelectorAll(".scale [name=grade]")) radio.checked = Number(radio.value) === grade;
  for (const box of document.querySelectorAll(".scale [name=aspect]")) box.checked = aspects.includes(box.value);
}
for (const [key, act] of Object.entries(DESK_KEYS)) {
  onKey[key] = (event) => {
    if (isBusy() || isPress(event)) return;
    event.preventDefault();
    act();
  };
}
for (let number = 1; number <= 9; number++) onKey[number] = () => { if (!isBusy()) numbered(number); };
addEventListener("keydown", (event) => {
  if (isBusy() || isPress(event)) return;
  const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z";
  const isExact = event.altKey && ["Enter", "x"].includes(event.key);
  if (!isUndo && !isExact) return;
  event.preventDefault();
  if (isUndo) { if (event.shiftKey) desk.redo(); else desk.undo(); }
  else if (event.key === "Enter") desk.highlight(true);
  else desk.remove(true);
});
const ACTIONS = {
  undo: () => desk.undo(), redo: () => desk.redo(), before: () => desk.step(-1), after: () => desk.step(1), keys: () => keys.showModal(), highlight: () => desk.highlight(), remove: () => desk.remove(), entry: () => desk.entry(),
  "not relevant": () => desk.finish("not relevant"), done: () => desk.finish("done"), reopen: () => desk.do({ kind: "reopen" }),
  first: () => desk.takeFrom("first"), second: () => desk.takeFrom("second"), difference: () => desk.nextDifference(1),
};
addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-do]");
  if (button && desk) ACTIONS[button.dataset.do]();
});
addEventListener("change", (event) => {
  if (!desk || !event.target.matches(".scale input")) return;
  const { form } = event.target;
  desk.label = {
    grade: desk.sheet.grades.length ? Number(form.querySelector("[name=grade]:checked")?.value) : undefined,
    aspects: [...form.querySelectorAll("[name=aspect]:checked")].map((box) => box.value),
  };
  showLabel();
});
// Keys are for the text again after a click.
addEventListener("click", (event) => { if (event.detail && event.target.matches?.(".scale input")) event.target.blur(); });
// The buttons of a selection must not take it away before they act.
addEventListener("pointerdown", (event) => { if (event.target.closest?.("#choice")) event.preventDefault(); });
addEventListener("mousedown", (event) => { if (event.target.closest?.("#choice")) event.preventDefault(); });
// The sentence under a point, if the point is on its text.
function sentenceAt(x, y) {
  const caret = document.caretPositionFromPoint?.(x, y);
  const range = caret ? null : document.caretRangeFromPoint?.(x, y);
  const [node, offset] = caret ? [caret.offsetNode, caret.offset] : [range?.startContainer, range?.startOffset];
  if (!node || !desk.article.contains(node) || !desk.starts.length) return -1;
  const place = desk.places.place(node, offset);
  // A caret after the last character of a sentence belongs to it.
  for (const row of [desk.rowAt(place), desk.rowAt(Math.max(place - 1, 0))]) {
    const lines = linesOf(desk.places.range(desk.starts[row], desk.ends[row]));
    if (lines.some(([left, top, right, bottom]) => x >= left - 4 && x <= right + 4 && y >= top - 4 && y <= bottom + 4)) return row;
  }
  return -1;
}
const touch = { timer: null, x: 0, y: 0, held: false, row: -1 };
function endTouch() {
  clearTimeout(touch.timer);
  touch.timer = null;
}
addEventListener("pointerdown", (event) => {
  if (isBusy() || !event.target.closest?.("#text")) return;
  if (event.pointerType !== "touch") return;
  endTouch();
  Object.assign(touch, { x: event.clientX, y: event.clientY, held: false, row: sentenceAt(event.clientX, event.clientY) });
  if (touch.row < 0) return;
  touch.timer = setTimeout(() => {
    touch.held = true;
    desk.moveTo(touch.row);
    desk.entry();
    navigator.vibrate?.(20);
  }, HOLD);
});
addEventListener("pointermove", (event) => {
  if (touch.timer && Math.hypot(event.clientX - touch.x, event.clientY - touch.y) > MOVED) endTouch();
});
addEventListener("pointercancel", endTouch);
addEventListener("pointerup", (event) => {
  if (isBusy() || !event.target.closest?.("main")) return;
  if (event.pointerType === "touch") {
    const isTap = touch.timer !== null && !touch.held;
    endTouch();
    if (isTap) desk.toggle(touch.row);
    return;
  }
  const exact = event.altKey;
  // The browser settles its selection after this event.
  setTimeout(() => {
    if (desk.selected()) return desk.took(exact);
    desk.unchoose();
    const row = sentenceAt(event.clientX, event.clientY);
    if (row >= 0) desk.moveTo(row);
  });
});
addEventListener("contextmenu", (event) => { if (touch.held && event.target.closest?.("#text")) event.preventDefault(); });
addEventListener("scroll", () => { if (desk?.chosen && !find("#choice").hidden) desk.offer(); }, { passive: true });
addEventListener("online", () => desk?.store.send?.());
addEventListener("pageshow", (event) => { if (event.persisted && desk) desk.store.refresh(); });
document.addEventListener("visibilitychange", () => { desk?.store.mark(document.hidden ? "left" : "opened"); });
find("#discard")?.addEventListener("keydown", (event) => {
  if (event.key !== "n" || event.repeat) return;
  // The same key would ask again.
  event.stopPropagation();
  event.currentTarget.close("discard");
});
addEventListener("beforeunload", (event) => { if (desk?.store.isWaiting) event.preventDefault(); });
// Only a button chooses; Escape puts the question again.
find("#conflict")?.addEventListener("close", (event) => {
  const chosen = event.target.returnValue;
  if (chosen === "mine") desk.store.keepMine();
  else if (chosen === "theirs") desk.store.useTheirs();
  else event.target.showModal();
});
// On a phone the narrative is cut, and shown whole on demand.
function offerNarrative() {
  const words = find(".narrative"), button = find(".whole-topic");
  if (!words || !button || button.ariaExpanded === "true") return;
  button.hidden = words.scrollHeight <= words.clientHeight + 2;
}
addEventListener("click", (event) => {
  const button = event.target.closest?.(".whole-topic");
  if (!button) return;
  const isWhole = button.ariaExpanded !== "true";
  button.ariaExpanded = isWhole;
  button.textContent = isWhole ? "less" : "whole topic";
  button.parentElement.classList.toggle("whole", isWhole);
});
addEventListener("resize", offerNarrative);

// The page of a document that is judged: a cursor that moves by sentences, highlights over text
// that is never changed, and what is derived from them. One desk is open at a time.
const grouped = (number) => number.toLocaleString("en-US");
const plural = (number, what) => `${grouped(number)} ${what}${number === 1 ? "" : "s"}`;
const find = (selector) => document.querySelector(selector);
const MOST_ROWS = 100, MOST_TOLD = 5, WIDE = 1100, LEAST = 4;
let desk = null;
function made(tag, properties = {}, ...content) {
  const part = Object.assign(document.createElement(tag), properties);
  part.append(...content);
  return part;
}
function drawn(tag, attributes) {
  const part = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
  return part;
}
const addressOf = (sheet, document) => sheet.home + new URLSearchParams(document === undefined ? { topic: sheet.topic } : { topic: sheet.topic, document });
const isJudged = (status) => status === "relevant" || status === "not relevant";
class Desk {
  constructor(sheet, Store) {
    this.sheet = sheet;
    this.article = find("#text");
    this.places = new TextPlaces(this.article);
    this.isExact = this.places.length === sheet.length;
    this.starts = sheet.sentences.filter((_, n) => n % 2 === 0);
    this.ends = sheet.sentences.filter((_, n) => n % 2);
    this.marks = new Marks(this.places);
    this.panel = new Panel(this);
    this.lines = made("div", { className: "cursor", ariaHidden: "true" });
    this.lines.dataset.added = "";
    this.article.append(this.lines);
    this.row = this.anchor = -1;
    this.chosen = null;
    this.isLeaving = false;
    this.label = { grade: sheet.grades.at(-1), aspects: [] };
    this.store = new Store(sheet, this);
    this.observer = new ResizeObserver(() => this.resized());
    for (const part of [this.article, find("header.bar")]) this.observer.observe(part);
  }
  start() {
    this.store.start();
    this.changed();
    offerNarrative();
    const { passages, status } = this.store.state, last = passages.at(-1), first = this.sheet.differences[0];
    if (this.starts.length) this.row = this.anchor = 0;
    if (this.sheet.marks) this.seed();
    // Who comes back goes on after what was highlighted last; who decides begins where two differ.
    if (first) this.moveTo(this.rowAt(first[0]));
    else if (last && status === "open") this.moveTo(this.rowAt(last.end));
    this.outline();
  }
  close() {
    this.store.mark("left");
    this.observer.disconnect();
    this.marks.clear();
    this.lines.remove();
  }
  resized() {
    document.documentElement.style.setProperty("--head", `${find("header.bar").offsetHeight}px`);
    this.outline();
  }
  // -- what the store tells
  changed() {
    const { state } = this.store;
    this.marks.show("passage", state.passages.filter((one) => this.isFull(one.grade)));
    this.marks.show("lesser", state.passages.filter((one) => !this.isFull(one.grade)));
    const done = isJudged(state.status);
    this.marks.show("returned", done ? (this.sheet.ranges ?? []).map(([start, end]) => ({ start, end })) : []);
    for (const own of this.sheet.marks ?? []) this.marks.show(own.side, this.undecided(own.passages, state.passages));
    this.marks.pin(state.entry);
    this.panel.show(state);
    this.outline();
  }
  // Without grades to choose from, those that were given before all mean relevant.
  isFull(grade) { return grade === undefined || (this.sheet.grades.length ? grade === this.sheet.grades.at(-1) : grade > 0); }
  said(kind, words) {
    for (const part of document.querySelectorAll(".saved")) {
      part.className = `saved ${kind}`;
      part.querySelector("span").textContent = words;
    }
  }
  conflict(held) {
    const dialog = find("#conflict");
    for (const [name, state, other] of [["theirs", held.state, this.store.state], ["mine", this.store.state, held.state]]) {
      dialog.querySelector(`.${name}`).textContent = described(state);
      dialog.querySelector(`.only-${name}`).replaceChildren(...this.onlyIn(state, other).map((words) => made("li", {}, made("bdi", { textContent: words }))));
    }
    dialog.querySelector(".versions").textContent = `It was changed on another page: version ${held.version}, and this page knows version ${this.store.version}.`;
    dialog.returnValue = "";
    dialog.showModal();
  }
  // What only one of two states has, by its first words.
  onlyIn(state, other) {
    const own = state.passages.filter((one) => !other.passages.some((each) => equal(one, each)));
    const words = own.slice(0, MOST_TOLD).map((one) => [`${this.firstWords(one.start, one.end)} (${plural(one.end - one.start, "character")})`, labelOf(one)].filter(Boolean).join(", "));
    if (own.length > MOST_TOLD) words.push(`${plural(own.length - MOST_TOLD, "more passage")}`);
    if (state.entry !== other.entry && state.entry !== null) words.push(`best entry point: ${this.firstWords(state.entry, this.sheet.length)}`);
    return words;
  }
  firstWords(start, end) { return clipped(this.places.text(start, Math.min(end, start + 60)), end - start > 60); }
  // -- sentences
  rowAt(place) { return Math.min(firstAbove(this.ends, place), this.starts.length - 1); }
  around(start, end) {
    const first = firstAbove(this.ends, start), last = firstAbove(this.starts, end - 1) - 1;
    return first <= last ? [this.starts[first], this.ends[last]] : null;
  }
  get sentence() { return this.row < 0 ? null : [this.starts[this.row], this.ends[this.row]]; }
  moveTo(row, extend = false) {
    if (!this.starts.length) return;
    this.row = Math.min(Math.max(row, 0), this.starts.length - 1);
    if (extend) this.choose(this.starts[Math.min(this.anchor, this.row)], this.ends[Math.max(this.anchor, this.row)]);
    else {
      this.anchor = this.row;
      this.unchoose();
    }
    this.outline();
    this.reveal();
    const [start, end] = this.sentence, inside = this.coverage(start, end) ? ", highlighted" : "";
    find(".heard").textContent = `${this.places.text(start, end)} (sentence ${this.row + 1} of ${this.starts.length}${inside})`;
  }
  coverage(start, end) {
    return this.store.state.passages.reduce((sum, one) => sum + Math.max(0, Math.min(one.end, end) - Math.max(one.start, start)), 0);
  }
  outline() {
    this.tellSides();
    const lines = this.row < 0 || this.chosen ? [] : linesOf(this.places.range(...this.sentence));
    const origin = this.article.getBoundingClientRect();
    this.lines.replaceChildren(...lines.map(([left, top, right, bottom]) => {
      const line = made("i");
      Object.assign(line.style, { left: `${left - origin.left - 3}px`, top: `${top - origin.top - 2}px`, width: `${right - left + 6}px`, height: `${bottom - top + 4}px` });
      return line;
    }));
  }
  reveal() {
    const [start, end] = this.sentence, box = () => this.places.range(start, end).getBoundingClientRect();
    this.bring(box);
    // The height of text that was never drawn is a guess, until it is drawn.
    requestAnimationFrame(() => this.bring(box));
  }
  bring(box) {
    const { top, bottom } = box(), low = find("header.bar").getBoundingClientRect().bottom + 12;
    const high = find("footer.bar").getBoundingClientRect().top - 12;
    if (top < low) scrollBy(0, top - low - 40);
    else if (bottom > high) scrollBy(0, Math.min(bottom - high + 40, top - low));
  }
  // -- what is selected
  choose(start, end, raw = null) {
    this.chosen = { start, end, raw };
    const range = this.places.range(start, end);
    getSelection().setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
    this.outline();
  }
  unchoose() {
    this.chosen = null;
    find("#choice").hidden = true;
    const selection = getSelection();
    if (!selection.isCollapsed) selection.removeAllRanges();
  }
  // What the browser has selected, in places of the text.
  selected() {
    const selection = getSelection();
    if (selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(this.article)) return null;
    const start = this.places.place(range.startContainer, range.startOffset);
    const end = this.places.place(range.endContainer, range.endOffset);
    return start < end ? [start, end] : null;
  }
  took(exact) {
    const raw = this.selected();
    const snapped = raw && (exact ? raw : this.around(...raw));
    if (!snapped) return this.unchoose();
    this.choose(...snapped, raw);
    this.row = this.anchor = this.rowAt(snapped[1] - 1);
    this.offer();
  }
  offer() {
    if (this.sheet.readOnly) return;
    const box = this.places.range(this.chosen.start, this.chosen.end).getBoundingClientRect(), bar = find("#choice");
    bar.hidden = false;
    const most = find("footer.bar").getBoundingClientRect().top - bar.offsetHeight - 8;
    bar.style.top = `${Math.min(Math.max(box.bottom + 8, 0), most)}px`;
    bar.style.left = `${Math.min(Math.max(box.left, 8), innerWidth - bar.offsetWidth - 8)}px`;
  }
  target(exact = false) {
    const own = this.chosen ? null : this.selected();
    if (own) return exact ? own : this.around(...own);
    if (!this.chosen) return this.sentence;
    return exact && this.chosen.raw ? this.chosen.raw : [this.chosen.start, this.chosen.end];
  }
  // -- what the assessor does
  do(operation) {
    if (this.sheet.readOnly) return say("These pages are read-only");
    // Places would be those of another text.
    if (!this.isExact) return say("This browser shows another text than that of the document; it cannot be judged here");
    this.isLeaving = false;
    return this.store.do(operation);
  }
  highlight(exact = false, label = this.label) {
    const wasClosed = this.store.state.status === "not relevant";
    const range = this.target(exact);
    if (!range) return;
    const [start, end] = exact ? range : this.joined(range, label);
    this.settle(range);
    const isDone = this.do({ kind: "highlight", ...labelled(start, end, label) });
    if (isDone === false) say("Highlighted already");
    else if (isDone && wasClosed) say("Reopened: it was judged not relevant");
  }
  // Blanks between two highlighted sentences are highlighted as well.
  joined([start, end], label) {
    const own = labelled(start, end, label), { passages } = this.store.state;
    const before = firstAbove(this.ends, start), after = firstAbove(this.starts, end - 1);
    const isBorder = this.starts[before] === start && this.ends[after - 1] === end;
    if (!isBorder) return [start, end];
    const left = passages.find((one) => one.end === this.ends[before - 1] && sameLabel(one, own));
    const right = passages.find((one) => one.start === this.starts[after] && sameLabel(one, own));
    return [left ? left.end : start, right ? right.start : end];
  }
  remove(exact = false) {
    const range = this.target(exact);
    if (!range) return;
    const [start, end] = range, before = firstAbove(this.ends, start), after = firstAbove(this.starts, end - 1);
    const whole = this.starts[before] === start && this.ends[after - 1] === end && !exact;
    this.settle(range);
    const wide = whole ? [this.ends[before - 1] ?? 0, this.starts[after] ?? this.sheet.length] : range;
    if (this.do({ kind: "remove", start: wide[0], end: wide[1] }) === false) say("Nothing is highlighted here");
  }
  removePassage() {
    const place = this.sentence?.[0], own = this.store.state.passages.find((one) => one.start <= place && place < one.end);
    if (own) this.do({ kind: "remove", start: own.start, end: own.end });
    else say("Nothing is highlighted here");
  }
  settle(range) {
    this.row = this.anchor = this.rowAt(range[1] - 1);
    this.unchoose();
    this.outline();
  }
  entry() {
    const range = this.target();
    if (!range) return;
    this.unchoose();
    this.do({ kind: "entry", at: this.store.state.entry === range[0] ? null : range[0] });
  }
  undo() { if (!this.do({ kind: "undo" })) say("Nothing to undo"); }
  redo() { if (!this.do({ kind: "redo" })) say("Nothing to redo"); }
  toggle(row) {
    this.row = this.anchor = row;
    const [start, end] = this.sentence;
    if (this.coverage(start, end) === end - start) this.remove(); else this.highlight();
  }
  async finish(kind) {
    if (kind === "done" && !isRelevant(this.store.state)) return say("Highlight something, or choose not relevant");
    if (this.sheet.readOnly) return this.step(1);
    if (kind === "not relevant" && !await this.discards()) return;
    this.do({ kind });
    if (await this.store.settled()) return this.onwards();
    this.isLeaving = this.store.isWaiting;
    if (this.isLeaving) say("Kept in this browser; the next document opens when the server is back");
  }
  // The server has what waited for it: who was done meanwhile goes on.
  delivered() {
    if (this.isLeaving && isJudged(this.store.state.status)) this.onwards();
    this.isLeaving = false;
  }
  // May what is highlighted be taken back? The next page would not show that it was.
  async discards() {
    const { passages, entry } = this.store.state;
    if (!passages.length) return true;
    const lost = plural(passages.length, "passage") + (entry === null ? "" : " and the best entry point");
    find("#discard b").textContent = lost;
    return await answerOf(find("#discard")) === "discard";
  }
  // -- from document to document
  get place() { return this.sheet.queue.findIndex(([document]) => document === this.sheet.document); }
  onwards() {
    if (this.sheet.onwards) return location.assign(this.sheet.onwards);
    const { queue } = this.sheet, here = this.place;
    const order = [...queue.slice(here + 1), ...queue.slice(0, here)];
    const next = order.find(([, status]) => !isJudged(status));
    location.assign(addressOf(this.sheet, next?.[0]));
  }
  async step(by) {
    const next = this.sheet.queue[this.place + by];
    if (!next) return say(by > 0 ? "This is the last document" : "This is the first document");
    if (await this.store.settled()) location.assign(addressOf(this.sheet, next[0]));
  }
  // -- two assessments
  side(name) { return this.sheet.marks?.find((own) => own.side === name); }
  seed() {
    if (this.store.version || this.store.pending?.length || this.sheet.readOnly) return;
    for (const operation of this.sheet.agreed) this.do(operation);
  }
  // What an assessor highlighted as relevant, without what both did and is taken over.
  undecided(passages, taken) {
    let rest = passages.filter((one) => one.grade !== 0);
    for (const one of this.sheet.agreed) {
      if (one.kind !== "highlight") continue;
      for (const { start, end } of taken) {
        const [from, to] = [Math.max(one.start, start), Math.min(one.end, end)];
        if (from < to) rest = rest.flatMap((own) => without(own, from, to));
      }
    }
    return rest;
  }
  // What an assessor highlighted in the sentence of the cursor.
  here(own) {
    const place = this.sentence;
    return place ? own.passages.filter((one) => one.start < place[1] && place[0] < one.end) : [];
  }
  takeFrom(side) {
    const own = this.side(side), passages = own ? this.here(own) : [];
    if (!passages.length) return say(own ? `${own.name} highlighted nothing here` : "");
    for (const one of passages) this.do({ kind: "highlight", ...one });
  }
  // The grades and aspects that each gave to the text at the cursor.
  tellSides() {
    if (!this.sheet.grades.length && !this.sheet.aspects.length) return;
    for (const own of this.sheet.marks ?? []) {
      const labels = [...new Set(this.here(own).map(labelOf))].join("; ") || "nothing here";
      for (const part of document.querySelectorAll(`[data-do=${own.side}] small`)) part.textContent = labels;
    }
  }
  nextDifference(by) {
    const rows = [...new Set(this.sheet.differences.map(([start]) => this.rowAt(start)))];
    const next = by > 0 ? rows.find((row) => row > this.row) : rows.findLast((row) => row < this.row);
    if (next === undefined) say("No more differences"); else this.moveTo(next);
  }
}
const labelOf = ({ grade, aspects }) => [grade === undefined ? "" : `grade ${grade}`, ...(aspects ?? [])].filter(Boolean).join(", ");
// What a dialog was closed with; nothing if no button was pressed.
function answerOf(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((answered) => dialog.addEventListener("close", () => answered(dialog.returnValue), { once: true }));
}
function described({ passages, status }) {
  return status === "not relevant" ? "not relevant" : `${plural(passages.length, "passage")}, ${status === "open" ? "not done" : "relevant"}`;
}
// The boxes of a range, one for each line.
function linesOf(range) {
  const found = [];
  for (const { left, top, right, bottom, width } of range.getClientRects()) {
    if (!width) continue;
    const line = found.at(-1);
    if (line && top < line[3] - 4 && bottom > line[1] + 4) {
      found[found.length - 1] = [Math.min(left, line[0]), Math.min(top, line[1]), Math.max(right, line[2]), Math.max(bottom, line[3])];
    } else found.push([left, top, right, bottom]);
  }
  return found;
}

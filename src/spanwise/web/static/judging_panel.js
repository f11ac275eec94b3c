// What is derived from a judgement: how far the topic is, and the passages and elements.
class Panel {
  constructor(owner) {
    this.desk = owner;
    this.sheet = owner.sheet;
    this.ends = subtreeEnds(this.sheet.elements);
  }
  show(state) {
    const sizes = state.passages.reduce((sum, one) => sum + one.end - one.start, 0);
    const share = Math.round(100 * sizes / Math.max(this.sheet.length, 1));
    for (const part of document.querySelectorAll(".share")) part.textContent = `${share}%`;
    for (const part of document.querySelectorAll(".passage-count")) part.textContent = plural(state.passages.length, "passage");
    for (const strip of document.querySelectorAll(".judging-strip svg")) this.#strip(strip, state, share);
    this.#queue(state);
    this.#passages(state);
    this.#entry(state);
    this.#elements(state);
    const done = isJudged(state.status);
    find(".verdict-now").hidden = !done;
    find(".verdict-now b").textContent = state.status === "relevant" ? "Judged relevant" : "Judged not relevant";
    find("#returned").hidden = !done || !this.sheet.ranges?.length;
    for (const button of document.querySelectorAll("[data-do=undo]")) button.disabled = !this.desk.store.canUndo;
    for (const button of document.querySelectorAll("[data-do=redo]")) button.disabled = !this.desk.store.canRedo;
    document.body.classList.toggle("judged", done);
  }
  #strip(strip, state, share) {
    const bars = this.#bars("f", state.passages.map(({ start, end }) => [start, end]));
    if (isJudged(state.status)) bars.push(...this.#bars("v", this.sheet.ranges ?? []));
    for (const own of this.sheet.marks ?? []) for (const { start, end, grade } of own.passages) if (grade !== 0) bars.push(this.#bar(own.side, start, end));
    if (state.entry !== null) bars.push(this.#tick(state.entry));
    strip.replaceChildren(...bars);
    strip.setAttribute("aria-label", `${share}% highlighted: ${plural(state.passages.length, "passage")}`);
  }
  #at(place) { return 100 * place / Math.max(this.sheet.length, 1); }
  // Those of hundreds of passages would lie on one another.
  #bars(kind, ranges) {
    const joined = [], least = this.sheet.length * LEAST / 360;
    for (const [start, end] of ranges) {
      const last = joined.at(-1);
      if (last && start < last[0] + least) last[1] = Math.max(last[1], end);
      else joined.push([start, end]);
    }
    return joined.map(([start, end]) => this.#bar(kind, start, end));
  }
  #bar(kind, start, end) {
    const least = 100 * LEAST / 360, width = Math.max(this.#at(end - start), least);
    return drawn("rect", { class: kind, x: `${Math.min(this.#at(start), 100 - least)}%`, width: `${width}%` });
  }
  #tick(place) {
    const tick = drawn("svg", { x: `${this.#at(place)}%`, class: "tick" });
    tick.append(drawn("path", { d: "M-5 -3h10l-5 7z" }));
    return tick;
  }
  #queue(state) {
    const { queue } = this.sheet, here = this.desk.place;
    if (here >= 0) queue[here][1] = state.status === "open" && this.#isTouched(state) ? "started" : state.status;
    for (const part of document.querySelectorAll(".judged-count")) part.textContent = queue.filter(([, status]) => isJudged(status)).length;
    for (const part of document.querySelectorAll(".pool-size")) part.textContent = queue.length;
    const squares = find(".squares"), isNew = squares.children.length !== queue.length;
    if (isNew) {
      squares.replaceChildren(...queue.map(([document]) => made("li", {}, made("a", { href: addressOf(this.sheet, document) }))));
    }
    queue.forEach(([document, status], n) => {
      const link = squares.children[n].firstChild, words = `${document}, ${status === "open" ? "not judged" : status}`;
      if (link.ariaLabel === words && n !== here) return;
      link.className = status.replace(" ", "-");
      link.ariaLabel = words;
      link.title = words;
      if (n === here) link.ariaCurrent = "page";
    });
    const own = squares.children[here];
    if (own && isNew) squares.scrollLeft = own.offsetLeft - squares.offsetLeft - squares.clientWidth / 2 + 12;
  }
  #isTouched(state) { return state.passages.length > 0 || state.entry !== null; }
  #passages({ passages }) {
    const list = find(".passages"), from = this.desk.sentence?.[0] ?? 0;
    const near = firstAbove(passages.map((one) => one.start), from);
    const first = passages.length <= MOST_ROWS ? 0 : Math.min(Math.max(near - MOST_ROWS / 2, 0), passages.length - MOST_ROWS);
    const shown = passages.slice(first, first + MOST_ROWS);
    refill(list, shown.map((one) => [JSON.stringify(one), () => this.#passage(one)]));
    [...list.children].forEach((row, n) => { row.firstChild.firstChild.firstChild.data = first + n + 1; });
    find(".passages-more").textContent = passages.length > shown.length ? `${plural(shown.length, "passage")} near the cursor of ${grouped(passages.length)}` : "";
    find(".no-passages").hidden = passages.length > 0;
  }
  #passage(one) {
    const words = this.desk.firstWords(one.start, one.end);
    const label = labelOf(one);
    const button = made("button", { type: "button" }, made("b", {}, "0"), made("bdi", { textContent: words }), made("span", { textContent: grouped(one.end - one.start) }));
    if (label) button.append(made("small", { textContent: label }));
    button.addEventListener("click", () => this.desk.moveTo(this.desk.rowAt(one.start)));
    return made("li", {}, button);
  }
  #entry({ entry, passages }) {
    const inside = entry === null ? -1 : passages.findIndex((one) => one.start <= entry && entry < one.end);
    const where = inside < 0 ? "outside of the passages" : passages[inside].start === entry ? `start of passage ${inside + 1}` : `inside passage ${inside + 1}`;
    const given = (this.sheet.marks ?? []).filter((own) => own.entry !== null);
    if (given.length) refill(find(".entries"), given.map((own) => [`${own.side} ${own.entry === entry}`, () => this.#given(own, own.entry === entry)]));
    find(".entry-now").textContent = entry === null ? "None yet" : `Offset ${grouped(entry)}, ${where}`;
  }
  // Where one of two assessors would begin to read.
  #given({ name, entry }, isTaken) {
    const { places } = this.desk, end = Math.min(entry + 40, this.sheet.length);
    const words = clipped(places.text(entry, end), end < this.sheet.length);
    const button = made("button", { type: "button", disabled: isTaken }, made("bdi", { textContent: name }), `: ${words}`);
    button.addEventListener("click", () => {
      this.desk.moveTo(this.desk.rowAt(entry));
      this.desk.do({ kind: "entry", at: entry });
    });
    return made("li", {}, button);
  }
  // Elements with highlighted text; those without any are passed over with all that they hold.
  #elements({ passages }) {
    const { elements } = this.sheet, rows = [], before = [0];
    for (const one of passages) before.push(before.at(-1) + one.end - one.start);
    const starts = passages.map((one) => one.start);
    const upTo = (place) => {
      const n = firstAbove(starts, place - 1);
      return n ? before[n - 1] + Math.min(place, passages[n - 1].end) - passages[n - 1].start : 0;
    };
    let more = 0;
    for (let n = 0; n < elements.length;) {
      const here = n, [, , start, end] = elements[n], found = upTo(end) - upTo(start);
      if (found && rows.length < MOST_ROWS) rows.push([`${here} ${found}`, () => this.#element(here, found)]);
      else if (found) more++;
      n = found ? n + 1 : this.ends[n];
      if (more > 10 * MOST_ROWS) break;
    }
    refill(find(".elements tbody"), rows);
    find(".elements-more").textContent = more ? `More elements have highlighted text; the first ${MOST_ROWS} are listed` : "";
    find(".elements-now").hidden = !rows.length;
  }
  #element(n, found) {
    const [path, depth, start, end] = this.sheet.elements[n], share = found / (end - start);
    const bar = drawn("svg", { "aria-hidden": "true" });
    bar.append(drawn("rect", { width: `${100 * share}%` }));
    const name = made("bdi", { textContent: path.slice(path.lastIndexOf("/") + 1), title: path });
    const row = made("tr", {}, made("th", { scope: "row" }, name), made("td", { textContent: `${grouped(found)} / ${grouped(end - start)}` }), made("td", {}, bar), made("td", { textContent: share.toFixed(2) }));
    row.className = `depth${Math.min(depth, 6)}${this.ends[n] > n + 1 ? " inner" : ""}`;
    return row;
  }
}
// Rows that stay are left where they are: laying out a hundred takes longer than a key press may.
const filled = new WeakMap();
function refill(list, rows) {
  const before = filled.get(list) ?? new Map(), after = new Map(rows.map(([key, make]) => [key, before.get(key) ?? make()]));
  for (const [key, row] of before) if (!after.has(key)) row.remove();
  let next = list.firstChild;
  for (const row of after.values()) {
    if (row === next) next = next.nextSibling;
    else list.insertBefore(row, next);
  }
  filled.set(list, after);
}
function clipped(words, isCut) {
  const one = words.replace(/\s+/g, " ").trim();
  return isCut ? `${one.replace(/\s\S*$/, "")} …` : one;
}
// After the last element inside of each.
function subtreeEnds(elements) {
  const ends = elements.map((_, n) => n + 1), open = [];
  elements.forEach(([, depth], n) => {
    while (open.length && elements[open.at(-1)][1] >= depth) ends[open.pop()] = n;
    open.push(n);
  });
  for (const n of open) ends[n] = elements.length;
  return ends;
}

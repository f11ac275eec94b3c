// What is drawn over the text: ranges that the browser paints, so that the text stays as it is.
// Browsers that cannot do this get elements around the text.
class Marks {
  constructor(places) {
    this.places = places;
    this.shown = new Map();
    this.entry = null;
    // Its words are no text of the page: nothing that is selected or highlighted holds them.
    this.label = made("span", { className: "entry-pin", role: "img", ariaLabel: "Best entry point" });
    this.label.dataset.added = "";
  }
  show(name, passages) {
    const before = this.shown.get(name) ?? new Map(), after = new Map();
    if (!before.size && !passages.length) return;
    for (const { start, end } of passages) after.set(`${start}-${end}`, [start, end]);
    if (before.size === after.size && [...after.keys()].every((key) => before.has(key))) return;
    if (globalThis.Highlight) this.#paint(name, before, after);
    this.shown.set(name, after);
    if (!globalThis.Highlight) this.#wrap();
  }
  #paint(name, before, after) {
    const painted = CSS.highlights.get(name) ?? new Highlight();
    for (const [key, range] of before) if (!after.has(key)) painted.delete(range);
    for (const [key, [start, end]] of after) {
      const range = before.get(key) ?? this.places.range(start, end);
      after.set(key, range);
      painted.add(range);
    }
    CSS.highlights.set(name, painted);
  }
  #wrap() {
    for (const mark of this.places.root.querySelectorAll("mark.own")) mark.replaceWith(...mark.childNodes);
    this.places.root.normalize();
    this.places.read();
    for (const [name, ranges] of this.shown) for (const [start, end] of ranges.values()) this.#wrapRange(name, start, end);
    this.places.read();
  }
  #wrapRange(name, start, end) {
    const { startContainer, startOffset, endContainer, endOffset } = this.places.range(start, end);
    const { nodes } = this.places, first = nodes.indexOf(startContainer), last = nodes.indexOf(endContainer);
    for (const node of nodes.slice(first, last + 1)) {
      const part = document.createRange();
      part.selectNodeContents(node);
      if (node === endContainer) part.setEnd(node, endOffset);
      if (node === startContainer) part.setStart(node, startOffset);
      if (!part.collapsed) part.surroundContents(made("mark", { className: `own ${name}` }));
    }
    this.places.read();
  }
  // The best entry point stands in the text, before its first character.
  pin(place) {
    if (place === this.entry) return;
    const before = this.label.parentNode;
    this.label.remove();
    before?.normalize();
    this.entry = place;
    if (before) this.places.read();
    if (place === null) return;
    const range = this.places.range(place, place);
    this.label.classList.toggle("begins", isBegin(range));
    range.insertNode(this.label);
    this.places.read();
  }
  clear() {
    this.pin(null);
    if (globalThis.Highlight) CSS.highlights.clear();
  }
}
// Is this where a block of text begins?
function isBegin({ startContainer, startOffset }) {
  const block = startContainer.parentElement.closest("p, li, div, pre, blockquote, h1, h2, h3, h4, h5, h6");
  const before = document.createRange();
  before.setStart(block, 0);
  before.setEnd(startContainer, startOffset);
  return !before.toString().trim();
}

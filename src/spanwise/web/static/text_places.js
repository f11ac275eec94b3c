// Places in the text of a document: code points from its beginning, as assessments count them,
// and text nodes with UTF-16 units, as browsers do. Parts that are marked as added do not count.
class TextPlaces {
  constructor(root) {
    this.root = root;
    this.read();
  }
  read() {
    this.nodes = [];
    this.starts = [];
    this.length = 0;
    const accept = (node) => node.nodeType === Node.TEXT_NODE ? NodeFilter.FILTER_ACCEPT
      : node.dataset.added === undefined ? NodeFilter.FILTER_SKIP : NodeFilter.FILTER_REJECT;
    const walker = document.createTreeWalker(this.root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, accept);
    while (walker.nextNode()) {
      this.nodes.push(walker.currentNode);
      this.starts.push(this.length);
      this.length += walker.currentNode.length - surrogatePairs(walker.currentNode).length;
    }
  }
  // The node of the character before a place, or of the one after it.
  #row(place, isEnd) {
    const row = firstAbove(this.starts, isEnd ? place - 1 : place) - 1;
    return Math.min(Math.max(row, 0), this.nodes.length - 1);
  }
  #point(place, isEnd) {
    const row = this.#row(place, isEnd), node = this.nodes[row], own = place - this.starts[row];
    const pairs = surrogatePairs(node);
    // The pair with number n begins at the character pairs[n] - n of the node.
    let low = 0, high = pairs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[middle] - middle < own) low = middle + 1; else high = middle;
    }
    return [node, Math.min(own + low, node.length)];
  }
  range(start, end) {
    const range = document.createRange();
    if (!this.nodes.length) return range;
    range.setStart(...this.#point(start, false));
    range.setEnd(...this.#point(end, end > start));
    return range;
  }
  // The place of a boundary of the browser; inside of a pair, that of its character.
  place(container, offset) {
    if (container.nodeType === Node.TEXT_NODE && !container.parentElement.closest("[data-added]")) {
      const row = this.#rowOf(container);
      return this.starts[row] + offset - firstAbove(surrogatePairs(container), offset - 1);
    }
    const row = this.#firstAfter(container, offset);
    return row < this.nodes.length ? this.starts[row] : this.length;
  }
  #rowOf(node) {
    let low = 0, high = this.nodes.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1, other = this.nodes[middle];
      if (other !== node && other.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  #firstAfter(container, offset) {
    const range = document.createRange();
    range.setStart(container, offset);
    range.collapse(true);
    let low = 0, high = this.nodes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (range.comparePoint(this.nodes[middle], 0) < 0) low = middle + 1; else high = middle;
    }
    return low;
  }
  text(start, end) {
    return this.range(start, end).toString();
  }
}
// How many of the sorted numbers are not above a number.
function firstAbove(numbers, number) {
  let low = 0, high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= number) low = middle + 1; else high = middle;
  }
  return low;
}
const NO_PAIRS = [], knownPairs = new WeakMap();
// Where in a text node the characters of two units begin.
function surrogatePairs(node) {
  let found = knownPairs.get(node);
  if (!found || found.data !== node.data) {
    const pairs = /[\ud800-\udbff]/.test(node.data) ? [...node.data.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)].map((one) => one.index) : NO_PAIRS;
    found = { data: node.data, pairs };
    knownPairs.set(node, found);
  }
  return found.pairs;
}

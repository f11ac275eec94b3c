// Where judgements are kept: on the server, with a queue in this browser for what it has not taken
// yet; or in this browser alone, for a page that is one file. Both tell the page what they hold.
const newId = () => [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join("-");
const clock = (time) => new Date(time).toLocaleTimeString("en-GB");
// What this browser keeps; where it keeps nothing, what this page keeps until it is closed.
const kept = {
  memory: new Map(),
  read(key) {
    // What the browser could not keep is newer than what it has.
    if (this.memory.has(key)) return JSON.parse(this.memory.get(key));
    try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
  },
  write(key, value) {
    const text = JSON.stringify(value);
    try {
      localStorage.setItem(key, text);
      this.memory.delete(key);
      return true;
    } catch {
      this.memory.set(key, text);
      return false;
    }
  },
  remove(key) {
    this.memory.delete(key);
    try { localStorage.removeItem(key); } catch { /* Nothing was kept there. */ }
  },
  // The keys that are lists and begin with these values.
  keys(...first) {
    const names = new Set(this.memory.keys()), found = [];
    try { for (let n = 0; n < localStorage.length; n++) names.add(localStorage.key(n)); } catch { /* Nothing is kept there. */ }
    for (const key of names) {
      let parts = null;
      try { parts = JSON.parse(key); } catch { /* Not one of ours. */ }
      if (Array.isArray(parts) && equal(parts.slice(0, first.length), first)) found.push([key, parts]);
    }
    return found;
  },
};
// Changes that pages of this pool could not send, document by document.
class KeptChanges {
  constructor({ pool, assessor }) {
    this.first = ["spanwise", pool, assessor];
    this.assessor = assessor;
  }
  get all() {
    const found = [];
    for (const [key, [, , , topic, document]] of kept.keys(...this.first)) {
      const queue = kept.read(key);
      if (queue?.operations?.length) found.push({ key, topic, document, queue });
      else kept.remove(key);
    }
    return found;
  }
  // The answer of the server: null if it was not reached, and its problem if it refused.
  async deliver({ key, topic, document, queue: { version, operations } }) {
    const answer = await post({ topic, document, assessor: this.assessor, version, operations }).catch(() => null);
    if (!answer || answer.status >= 500) return null;
    if (answer.ok) kept.remove(key);
    return { status: answer.status, ...await answer.json().catch(() => ({})) };
  }
}
const TOGETHER = 500, PAUSES = [1000, 2000, 5000, 10000];
class ServerStore {
  constructor(sheet, page) {
    this.sheet = sheet;
    this.page = page;
    this.tab = newId();
    this.pending = [];
    this.failures = 0;
    this.conflict = null;
    this.take(sheet.held);
  }
  get #key() { return JSON.stringify(["spanwise", this.sheet.pool, this.sheet.assessor, this.sheet.topic, this.sheet.document, this.tab]); }
  get state() { return this.history.state; }
  get canUndo() { return this.history.before.length > 0 || this.undoBeyond; }
  get canRedo() { return this.history.undone.length > 0 || this.redoBeyond; }
  // Are there changes that the server was not reached for?
  get isWaiting() { return this.failures > 0 && this.pending.length > 0; }
  // What the server holds; its history stays there.
  take(held) {
    this.version = held.version;
    this.base = held.state;
    this.history = { ...NO_HISTORY, state: held.state };
    this.undoBeyond = held.can_undo;
    this.redoBeyond = held.can_redo;
    if (held.ranges) this.sheet.ranges = held.ranges;
  }
  start() {
    if (this.sheet.readOnly) return this.page.said("idle", "Read only");
    this.page.said("idle", "Nothing to save");
    const changes = new KeptChanges(this.sheet);
    for (const one of changes.all) {
      if (one.topic === this.sheet.topic && one.document === this.sheet.document) this.#adopt(one.key, one.queue);
      // A conflict of another document is shown when that one is opened.
      else changes.deliver(one);
    }
    this.mark("opened");
    this.send();
  }
  // Changes of this document that an earlier page could not send.
  #adopt(key, queue) {
    this.version = queue.version;
    this.history = { ...NO_HISTORY, state: queue.base };
    for (const operation of queue.operations) this.history = apply(this.history, operation);
    this.pending.push(...queue.operations);
    kept.remove(key);
    this.#keep();
    this.page.changed();
  }
  do(operation) {
    const before = this.history;
    this.history = apply(before, operation);
    const beyond = (operation.kind === "undo" && !before.before.length && this.undoBeyond)
      || (operation.kind === "redo" && !before.undone.length && this.redoBeyond);
    if (this.history === before && !beyond) return false;
    if (!["undo", "redo"].includes(operation.kind)) this.redoBeyond = false;
    this.pending.push({ id: newId(), ...operation });
    this.#keep();
    this.page.changed();
    this.send();
    return true;
  }
  #keep() {
    if (!this.pending.length) return kept.remove(this.#key);
    const isKept = kept.write(this.#key, { version: this.version, base: this.base, operations: this.pending });
    if (!isKept && this.failures) this.page.said("problem", "Not saved, and this browser keeps nothing: leave the page open");
  }
  send() {
    if (!this.sending && this.pending.length) this.sending = this.#sendAll().finally(() => { this.sending = null; });
    return this.sending ?? Promise.resolve();
  }
  async #sendAll() {
    while (this.pending.length && !this.conflict) {
      const operations = this.pending.slice(0, TOGETHER);
      if (!this.failures) this.page.said("busy", "Saving …");
      const answer = await post({ ...this.#names(), version: this.version, operations }).catch(() => null);
      const held = await answer?.json().catch(() => null);
      if (!held || answer.status >= 500) return this.#wait();
      this.failures = 0;
      if (answer.ok) this.#saved(held, operations.length);
      else if (answer.status === 409) return this.#refused(held);
      else return this.#dropped(held, answer.status);
    }
  }
  #names() { return { topic: this.sheet.topic, document: this.sheet.document, assessor: this.sheet.assessor }; }
  #saved(held, count) {
    this.pending.splice(0, count);
    this.version = held.version;
    this.base = held.state;
    if (held.ranges) this.sheet.ranges = held.ranges;
    // Undo may go back further than this page knows.
    if (!this.pending.length && !equal(held.state, this.state)) this.take(held);
    this.#keep();
    if (!this.pending.length) this.page.said("saved", `Saved ${clock(held.saved)}`);
    this.page.changed();
    if (!this.pending.length) this.page.delivered();
  }
  #wait() {
    const pause = PAUSES[Math.min(this.failures++, PAUSES.length - 1)], count = this.pending.length;
    this.page.said("problem", `Server not reached: ${count} ${count === 1 ? "change" : "changes"} kept in this browser`);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), pause);
  }
  #refused(held) {
    // What another tab saved needs no choice as long as nothing was changed here.
    this.conflict = held;
    this.page.said("problem", "Changed elsewhere");
    this.page.conflict(held);
  }
  #dropped(held, status) {
    this.page.said("problem", held.problem ?? `The server refused this (${status})`);
    if (status !== 400) return;
    this.pending = [];
    this.#keep();
    this.refresh();
  }
  // The state of the server instead of that of this page.
  useTheirs() {
    this.pending = [];
    this.#keep();
    this.take(this.conflict);
    this.conflict = null;
    this.page.said("saved", `Version ${this.version} of the other page`);
    this.page.changed();
  }
  // The state of this page instead of that of the server, as a change that can be undone.
  keepMine() {
    const mine = this.state, theirs = this.conflict;
    this.conflict = null;
    this.take(theirs);
    this.pending = [];
    for (const operation of replacing(theirs.state, mine, this.sheet.length)) this.do(operation);
    if (this.pending.length) return;
    this.#keep();
    this.page.said("saved", "Both are the same");
    this.page.changed();
  }
  async refresh() {
    if (this.pending.length || this.conflict) return;
    const query = new URLSearchParams(this.#names());
    const answer = await fetch(`/state?${query}`).catch(() => null);
    if (!answer?.ok || this.pending.length) return;
    this.take(await answer.json());
    this.page.changed();
  }
  // When the document comes into view and leaves it; nothing depends on the answer.
  mark(kind) {
    if (this.sheet.readOnly) return;
    post({ ...this.#names(), version: this.version, operations: [{ id: newId(), kind }] }, true).catch(() => null);
  }
  async settled() {
    await this.send();
    return !this.pending.length && !this.conflict;
  }
}
const post = (body, keepalive = false) => fetch("/operations", {
  method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), keepalive,
});
// Operations that make one state of another.
function replacing(from, to, length) {
  if (to.status === "not relevant") return from.status === "not relevant" && equal(from, to) ? [] : [{ kind: "not relevant" }, ...entryOf(to)];
  if (equal(from, to)) return [];
  const found = from.passages.length ? [{ kind: "remove", start: 0, end: length }] : [];
  for (const { start, end, grade, aspects } of to.passages) found.push({ kind: "highlight", ...labelled(start, end, { grade, aspects }) });
  found.push({ kind: "entry", at: to.entry });
  found.push({ kind: to.status === "relevant" ? "done" : "reopen" });
  return found;
}
const entryOf = (state) => state.entry === null ? [] : [{ kind: "entry", at: state.entry }];
class FileStore {
  constructor(sheet, page) {
    this.sheet = sheet;
    this.page = page;
    this.key = FileStore.key(sheet);
    this.operations = [];
    this.history = NO_HISTORY;
    this.read();
  }
  static key({ pool, assessor, topic, document }) { return JSON.stringify(["spanwise file", pool, assessor, topic, document]); }
  static state(place) { return (kept.read(FileStore.key(place)) ?? []).reduce(apply, NO_HISTORY).state; }
  get state() { return this.history.state; }
  get canUndo() { return this.history.before.length > 0; }
  get canRedo() { return this.history.undone.length > 0; }
  get isWaiting() { return kept.memory.has(this.key); }
  // Another tab may have written meanwhile.
  read() {
    const stored = kept.read(this.key) ?? [];
    if (stored.length === this.operations.length && stored.at(-1)?.id === this.operations.at(-1)?.id) return;
    this.operations = stored;
    this.history = stored.reduce(apply, NO_HISTORY);
  }
  start() {
    this.page.said("idle", "Kept in this browser");
    this.mark("opened");
  }
  do(operation) {
    this.read();
    const before = this.history;
    this.history = apply(before, operation);
    if (this.history === before) return false;
    this.#append(operation);
    this.page.changed();
    return true;
  }
  #append(operation) {
    const at = new Date().toISOString();
    this.operations = [...this.operations, { id: newId(), time: at, ...operation }];
    const isKept = kept.write(this.key, this.operations);
    if (["opened", "left"].includes(operation.kind) && isKept) return;
    this.page.said(isKept ? "saved" : "problem", isKept ? `Kept ${clock(at)}` : "This browser cannot keep more: export now");
  }
  mark(kind) {
    this.read();
    this.#append({ kind });
  }
  refresh() {
    this.read();
    this.page.changed();
  }
  async settled() { return true; }
}

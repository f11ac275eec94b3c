// A page that is one file: its lists and its desk are shown by what stands after # in its address.
document.documentElement.classList.add("js");
const pool = JSON.parse(find("#pool").textContent);
const blocks = new Map([...document.querySelectorAll("script[data-name]")].map((block) => [block.dataset.name, block]));
const topicOf = (name) => pool.topics.find((one) => one.topic === name);
const placeOf = (topic, document) => ({ pool: pool.pool, assessor: pool.assessor, topic, document });
function statusOf(topic, document) {
  const state = FileStore.state(placeOf(topic, document));
  return state.status === "open" && (state.passages.length || state.entry !== null) ? "started" : state.status;
}
const queueOf = (topic) => topic.documents.map(([document]) => [document, statusOf(topic.topic, document)]);
const countJudged = (queue) => queue.filter(([, status]) => isJudged(status)).length;
const fragment = (values) => "#" + new URLSearchParams(values);
function route() {
  desk?.close();
  desk = null;
  const given = new URLSearchParams(location.hash.slice(1)), topic = topicOf(given.get("topic"));
  const document = topic?.documents.find(([name]) => name === given.get("document"));
  if (document) openDesk(topic, document);
  else openList(topic);
  scrollTo(0, 0);
}
function showing(isDesk) {
  find("#desk").hidden = !isDesk;
  find("#lists").hidden = isDesk;
  document.body.classList.toggle("read", isDesk);
  document.body.classList.toggle("topic-queue", !isDesk);
}
function fill(selector, words) {
  for (const part of document.querySelectorAll(selector)) part.textContent = words;
}
function openList(topic) {
  showing(false);
  const rows = topic ? queueOf(topic).map(([name, status]) => row(name, fragment({ topic: topic.topic, document: name }), status, status === "open" ? "" : status))
    : pool.topics.map(topicRow);
  find("#list").replaceChildren(...rows);
  find("#list").ariaLabel = topic ? "Documents of this topic" : "Topics";
  find("#lists h1").textContent = topic ? topic.query : "What is judged here";
  find(".narrative-here").textContent = topic ? topic.narrative : "Highlight all text that answers a topic, and only that.";
  const queues = (topic ? [topic] : pool.topics).map((one) => [one, queueOf(one)]);
  const every = queues.reduce((sum, [, queue]) => sum + queue.length, 0), judged = queues.reduce((sum, [, queue]) => sum + countJudged(queue), 0);
  find(".how-far").textContent = `${grouped(judged)} of ${plural(every, "document")} judged`;
  const waiting = queues.flatMap(([one, queue]) => queue.filter(([, status]) => !isJudged(status)).map(([name]) => fragment({ topic: one.topic, document: name })));
  const onwards = find("a.go-on");
  onwards.hidden = judged === every && !topic;
  onwards.href = waiting[0] ?? "#";
  onwards.firstChild.data = waiting.length ? "Next unjudged " : "All topics ";
  document.title = `${topic ? `${topic.query} · ` : ""}${pool.name}`;
  tellExport();
}
function row(name, href, status, words) {
  const link = made("a", { href }, made("bdi", { textContent: name }));
  return made("li", { className: `row ${status.replace(" ", "-")}` }, made("i", { ariaHidden: "true" }), link, made("small", { textContent: words }));
}
function topicRow(topic) {
  const queue = queueOf(topic), judged = countJudged(queue), isDone = judged === queue.length && judged > 0;
  return row(topic.query, fragment({ topic: topic.topic }), isDone ? "relevant" : judged ? "started" : "open", `${judged} of ${queue.length} judged`);
}
function openDesk(topic, [name, ranges]) {
  showing(true);
  const found = JSON.parse(blocks.get(name).textContent), back = fragment({ topic: topic.topic });
  find("#text").innerHTML = found.markup;
  find("#text").dataset.document = name;
  document.body.classList.toggle("long", found.isLong);
  find("h2.name").hidden = found.hasTitle;
  find("h2.name bdi").textContent = name;
  fill(".topic-name", topic.topic);
  fill(".topic-number", pool.topics.indexOf(topic) + 1);
  fill(".query", topic.query);
  fill(".narrative", topic.narrative);
  find(".narrative").hidden = !topic.narrative;
  fill(".document-title", found.title);
  for (const link of document.querySelectorAll("a.to-topic")) link.href = back;
  find(".squares").replaceChildren();
  document.title = `${found.title} · ${pool.name}`;
  const { pool: hash, assessor, grades, aspects } = pool;
  desk = new Desk({
    ...found, ranges, pool: hash, assessor, grades, aspects, home: "#", topic: topic.topic, document: name,
    queue: queueOf(topic), readOnly: false, marks: null, agreed: [], differences: [],
  }, FileStore);
  desk.start();
}
// -- export
const exportKey = JSON.stringify(["spanwise export", pool.pool, pool.assessor, location.pathname]);
function allOperations() {
  const found = [];
  for (const topic of pool.topics) {
    for (const [document] of topic.documents) {
      const stored = kept.read(FileStore.key(placeOf(topic.topic, document))) ?? [];
      for (const operation of stored) found.push({ topic: topic.topic, document, ...operation });
    }
  }
  return found;
}
const isChange = (operation) => operation.kind !== "opened" && operation.kind !== "left";
function exportAll() {
  const operations = allOperations(), changes = operations.filter(isChange).length;
  if (!changes) return say("Nothing is judged yet");
  const used = new Set(operations.map((one) => one.document));
  const documents = Object.fromEntries(Object.entries(pool.documents).filter(([name]) => used.has(name)));
  const content = { spanwise: 1, kind: "judging", assessor: pool.assessor, pool: pool.pool, documents, operations };
  const link = made("a", { href: URL.createObjectURL(new Blob([JSON.stringify(content)], { type: "application/json" })), download: `${fileName()}.judging.json` });
  link.click();
  URL.revokeObjectURL(link.href);
  kept.write(exportKey, { changes, at: new Date().toISOString() });
  tellExport();
}
const fileName = () => (decodeURIComponent(location.pathname).split("/").at(-1) || "pool").replace(/\.html?$/, "");
function tellExport() {
  const before = kept.read(exportKey), every = allOperations(), changes = every.filter(isChange).length, fresh = changes - (before?.changes ?? 0);
  // An import counts all operations: say both numbers, or they would seem to contradict each other.
  const others = plural(every.length - changes, "time") + " a document was opened or left";
  find(".export-state").textContent = !changes ? "Nothing is judged yet." : !fresh ? `Everything is exported (${clock(before.at)}): ${plural(every.length, "operation")}, of which ${plural(changes, "change")} and ${others}.` : `${plural(fresh, "change")} not exported yet.`;
}
ACTIONS.export = exportAll;
addEventListener("click", (event) => { if (!desk && event.target.closest?.("[data-do=export]")) exportAll(); });
const deskKeys = { ...onKey }, listKeys = {
  j: () => stepRow(1), k: () => stepRow(-1), e: exportAll, h: () => { location.hash = ""; },
  Enter: (event) => { if (!isPress(event) && !find("a.go-on").hidden) find("a.go-on").click(); },
};
function stepRow(by) {
  const links = [...document.querySelectorAll("#list a")], here = links.indexOf(document.activeElement);
  links[here < 0 ? (by > 0 ? 0 : links.length - 1) : here + by]?.focus();
}
for (const [key, act] of Object.entries(listKeys)) onKey[key] = (event) => { if (desk) deskKeys[key]?.(event); else act(event); };
addEventListener("hashchange", route);
addEventListener("storage", () => { if (desk) desk.store.refresh(); else route(); });
addEventListener("pagehide", () => desk?.store.mark("left"));
route();

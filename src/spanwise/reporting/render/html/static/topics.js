const filters = document.querySelector(".filters");
const topics = [...document.querySelectorAll(".topics > *")];
function chosenLists(topic) {
  const { left, right } = filters.elements;
  if (!left) return;
  for (const list of topic.querySelectorAll(".lists > section")) {
    const first = list.dataset.run === left.value;
    list.hidden = !first && list.dataset.run !== right.value;
    list.style.order = first ? 0 : 1;
  }
}
function fits(topic, words, group, diagnosis, run) {
  if (group && !topic.dataset.g.split(" ").includes(group)) return false;
  const codes = topic.dataset.d, code = diagnosis && Number(diagnosis).toString(36);
  if (run) {
    const own = codes[run] ?? "-";
    if (code ? own !== code : own === "-") return false;
  } else if (code && !codes.includes(code)) return false;
  const text = words.length ? (topic.querySelector("summary") ?? topic).textContent.toLowerCase() : "";
  return words.every((word) => text.includes(word));
}
function filter() {
  const { words, group, diagnosis, run, order } = filters.elements;
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const topic of topics) {
    topic.hidden = !fits(topic, wanted, group.value, diagnosis.value, run.value);
    shown += !topic.hidden;
  }
  const number = (topic, name) => Number(topic.dataset[name] ?? 2);
  const sorted = { v: (a, b) => number(a, "v") - number(b, "v"), s: (a, b) => number(b, "s") - number(a, "s") }[order.value];
  topics[0]?.parentNode.append(...(sorted ? [...topics].sort(sorted) : topics));
  const said = (number) => Number(number).toLocaleString("en"), every = filters.dataset.every;
  const part = every ? `${said(topics.length)} of ${said(every)} topics are in this page` : "";
  filters.querySelector("[role=status]").textContent = part && shown === topics.length ? part
    : `${said(shown)} of ${said(topics.length)} topics${part && "; " + part}`;
}
function follow() {
  let name = location.hash.slice(1);
  try { name = decodeURIComponent(name); } catch { }
  const group = /^group=(\d+)$/.exec(name);
  if (group) {
    filters.reset();
    chooseTwo();
    filters.elements.group.value = group[1];
    filter();
    filters.scrollIntoView();
    return;
  }
  const topic = name.startsWith("topic=") && document.getElementById(name);
  if (!topic) return;
  if (topic.hidden) { filters.reset(); chooseTwo(); filter(); }
  if ("open" in topic) topic.open = true;
  focusOn(topic);
}
function chooseTwo() {
  if (filters.elements.right) filters.elements.right.value = "1";
  topics.filter((topic) => topic.open).forEach(chosenLists);
}
if (filters) {
  filters.hidden = false;
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("input", (event) => {
    if (["left", "right"].includes(event.target.name)) topics.filter((topic) => topic.open).forEach(chosenLists);
    else filter();
  });
  for (const topic of topics) {
    topic.addEventListener("toggle", () => {
      if (!topic.open) return;
      chosenLists(topic);
      if (topic.contains(document.activeElement)) history.replaceState(null, "", "#topic=" + encodeURIComponent(topic.id.slice(6)));
    });
  }
  chooseTwo();
  addEventListener("hashchange", follow);
  follow();
}

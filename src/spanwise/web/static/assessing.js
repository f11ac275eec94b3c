// Pages of a server: lists of topics and documents, and the desk of a document.
document.documentElement.classList.add("js");
function stepRow(by) {
  const links = [...document.querySelectorAll(".rows a")], here = links.indexOf(document.activeElement);
  const next = links[here < 0 ? (by > 0 ? 0 : links.length - 1) : here + by];
  next?.focus();
}
// What both assessors say is what the third one says, document by document.
async function accept(button) {
  const { assessor, agreed } = JSON.parse(find("#agreed").textContent), told = find(".accept [role=status]");
  button.disabled = true;
  for (let done = 0; done < agreed.length; done++) {
    const { topic, document, operations } = agreed[done];
    const { version, state } = await fetch(`/state?${new URLSearchParams({ topic, document })}`).then((answer) => answer.json());
    const first = state.passages.length || state.entry !== null ? [{ kind: "not relevant" }] : [];
    const answer = await post({ topic, document, assessor, version, operations: [...first, ...operations].map((one) => ({ id: newId(), ...one })) });
    if (!answer.ok) {
      told.textContent = (await answer.json().catch(() => ({}))).problem ?? "The server refused this";
      button.disabled = false;
      return;
    }
    told.textContent = `${done + 1} of ${agreed.length}`;
  }
  location.reload();
}
// Changes of any document that an earlier page could not send: lists send them, and say so.
const TOLD = "spanwise saved";
async function sendKept(part, failures = 0) {
  const changes = new KeptChanges(part.dataset), all = changes.all;
  if (!all.length) return;
  const words = wordsOf(all);
  if (!failures) told(part, `Saving ${words} kept in this browser …`);
  const saved = [], refused = [];
  for (const one of all) {
    const answer = await changes.deliver(one);
    if (answer?.status === 200) saved.push(one);
    else if (answer) refused.push([one, answer]);
    else {
      told(part, `Server not reached: ${wordsOf(all.filter((each) => !saved.includes(each)))} kept in this browser`, "problem");
      setTimeout(() => sendKept(part, failures + 1), PAUSES[Math.min(failures, PAUSES.length - 1)]);
      return;
    }
  }
  if (saved.length) {
    try { sessionStorage.setItem(TOLD, `Saved ${wordsOf(saved)} that this browser had kept`); } catch { /* It is saved all the same. */ }
    location.reload();
  } else if (refused.length) {
    told(part, `Not saved: ${wordsOf(refused.map(([one]) => one))} kept in this browser. `, "problem");
    for (const [{ topic, document }, { status, problem }] of refused) {
      const link = made("a", { href: `/assess?${new URLSearchParams({ topic, document })}` }, made("bdi", { textContent: document }));
      part.append(link, status === 409 ? " was changed on another page; open it to choose. " : `: ${problem ?? status}. `);
    }
  }
}
function wordsOf(all) {
  const names = [...new Set(all.map((one) => one.document))], count = all.reduce((sum, one) => sum + one.queue.operations.length, 0);
  return `${plural(count, "change")} of ${names.length > 3 ? plural(names.length, "document") : names.join(", ")}`;
}
function told(part, words, kind = "") {
  part.hidden = false;
  part.className = `kept-changes ${kind}`;
  part.textContent = words;
}
function startKept(part) {
  try {
    const words = sessionStorage.getItem(TOLD);
    if (words) told(part, words);
    sessionStorage.removeItem(TOLD);
  } catch { /* Nothing is kept there. */ }
  sendKept(part);
}
if (!document.body.matches(".read")) {
  if (find(".kept-changes")) startKept(find(".kept-changes"));
  onKey.j = () => stepRow(1);
  onKey.k = () => stepRow(-1);
  onKey.h = () => { location.href = "/"; };
  onKey.Enter = (event) => { if (!isPress(event)) (find("a.go-on") ?? find("#list .row:not(.finished, .relevant, .not-relevant) a") ?? find("#list a"))?.click(); };
  find("[data-do=accept]")?.addEventListener("click", (event) => accept(event.target));
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
} else {
  const sheet = JSON.parse(find("#sheet").textContent);
  desk = new Desk(sheet, ServerStore);
  desk.start();
}

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
if (!document.body.matches(".read")) {
  onKey.j = () => stepRow(1);
  onKey.k = () => stepRow(-1);
  onKey.h = () => { location.href = "/"; };
  onKey.Enter = (event) => { if (!isPress(event)) find("a.go-on")?.click(); };
  find("[data-do=accept]")?.addEventListener("click", (event) => accept(event.target));
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
} else {
  const sheet = JSON.parse(find("#sheet").textContent);
  desk = new Desk(sheet, ServerStore);
  desk.start();
}

// Pages of a server: lists of topics and documents, and the desk of a document.
document.documentElement.classList.add("js");
function stepRow(by) {
  const links = [...document.querySelectorAll(".rows a")], here = links.indexOf(document.activeElement);
  const next = links[here < 0 ? (by > 0 ? 0 : links.length - 1) : here + by];
  next?.focus();
}
if (!document.body.matches(".read")) {
  onKey.j = () => stepRow(1);
  onKey.k = () => stepRow(-1);
  onKey.h = () => { location.href = "/"; };
  onKey.Enter = (event) => { if (!isPress(event)) find("a.go-on")?.click(); };
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
} else {
  const sheet = JSON.parse(find("#sheet").textContent);
  desk = new Desk(sheet, ServerStore);
  desk.start();
}

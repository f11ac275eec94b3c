function made(tag, properties, ...content) {
  const part = Object.assign(document.createElement(tag), properties);
  part.append(...content);
  return part;
}
function sortBy(header) {
  const table = header.closest("table"), column = header.cellIndex;
  const before = header.getAttribute("aria-sort");
  const rising = before === "descending" || (before === null && column === 0);
  const key = (row) => column === 0 ? row.cells[0].textContent : Number(row.cells[column]?.dataset.v ?? -Infinity);
  const rows = [...table.tBodies[0].rows].sort((a, b) => {
    const x = key(a), y = key(b);
    return (x < y ? -1 : x > y ? 1 : 0) * (rising ? 1 : -1);
  });
  for (const other of header.parentNode.cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", rising ? "ascending" : "descending");
  table.tBodies[0].append(...rows);
}
for (const button of document.querySelectorAll(".sortable thead button")) {
  button.addEventListener("click", () => sortBy(button.closest("th")));
}
const printed = 20;
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details.more")) part.open = true;
  for (const part of [...document.querySelectorAll("details.topic:not([hidden])")].slice(0, printed)) part.open = true;
});
function stops() {
  return [...document.querySelectorAll(".topics > :not([hidden]), details.topic:not(.topics *), section.chapter, .disagreements > li:not(details:not([open]) li)")];
}
function focusOn(stop) {
  const part = stop.querySelector("summary, h2, h3");
  if (part.tagName !== "SUMMARY") part.tabIndex = -1;
  part.focus({ preventScroll: true });
  stop.scrollIntoView({ block: "start", behavior: "instant" });
  const name = stop.id || part.id;
  if (name) history.replaceState(null, "", "#" + encodeURIComponent(name).replace("%3D", "="));
}
function goTo(step) {
  const all = stops(), here = all.findIndex((stop) => stop.contains(document.activeElement));
  const next = all[here < 0 ? (step > 0 ? 0 : all.length - 1) : here + step];
  if (next) focusOn(next);
}
onKey.j = () => goTo(1);
onKey.k = () => goTo(-1);
onKey["/"] = (event) => {
  const search = document.querySelector(".filters input");
  if (!search) return;
  event.preventDefault();
  search.focus();
  search.scrollIntoView({ block: "center" });
};

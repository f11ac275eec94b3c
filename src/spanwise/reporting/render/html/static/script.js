"use strict";
for (const button of document.querySelectorAll(".legend button")) {
  button.addEventListener("click", () => {
    const shown = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", shown);
    const here = button.closest("section");
    for (const part of here.querySelectorAll("figure .s" + button.dataset.series)) {
      part.style.display = shown ? "" : "none";
    }
  });
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
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details.topic, details.more, figure + details")) part.open = true;
});
const stops = [...document.querySelectorAll("details.topic, section.chapter")];
function goTo(step) {
  const here = stops.findIndex((stop) => stop.contains(document.activeElement));
  const next = stops[here < 0 ? (step > 0 ? 0 : stops.length - 1) : here + step];
  if (!next) return;
  next.open = true;
  next.querySelector("summary, h2").focus({ preventScroll: true });
  next.scrollIntoView();
}
const keys = document.querySelector("dialog");
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "?") keys.showModal();
  else if (!keys.open && event.key === "j") goTo(1);
  else if (!keys.open && event.key === "k") goTo(-1);
});
const opener = document.querySelector("footer button");
opener.hidden = false;
opener.addEventListener("click", () => keys.showModal());
const drawn = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family", "font-weight", "display"];
function saved(svg) {
  const copy = svg.cloneNode(true), from = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((part, number) => {
    const style = getComputedStyle(from[number]);
    for (const name of drawn) part.style.setProperty(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.style.background = getComputedStyle(document.documentElement).backgroundColor;
  return new XMLSerializer().serializeToString(copy);
}
for (const figure of document.querySelectorAll("figure")) {
  const button = document.createElement("button"), svg = figure.querySelector("svg");
  button.type = "button";
  button.className = "save";
  button.textContent = "Save as SVG";
  button.setAttribute("aria-label", "Save as SVG: " + figure.querySelector("figcaption").textContent);
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([saved(svg)], { type: "image/svg+xml" }));
    link.download = svg.querySelector("title").id.replace(/-t$/, ".svg");
    link.click();
    URL.revokeObjectURL(link.href);
  });
  figure.append(button);
}

"use strict";
for (const button of document.querySelectorAll(".legend button")) {
  button.addEventListener("click", () => {
    const shown = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", shown);
    for (const part of document.querySelectorAll("figure .s" + button.dataset.series)) {
      part.style.display = shown ? "" : "none";
    }
  });
}
function sortBy(header) {
  const table = header.closest("table"), column = header.cellIndex;
  const before = header.getAttribute("aria-sort");
  const rising = before === "descending" || (before === null && column === 0);
  const key = (row) => column === 0 ? row.cells[0].textContent : Number(row.cells[column].dataset.v ?? -Infinity);
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
  for (const part of document.querySelectorAll("details.topic, figure + details")) part.open = true;
});

document.documentElement.classList.add("js");
const row = (place) => document.querySelectorAll(".rows > .row")[place];
const rowNow = () => document.activeElement.closest?.(".rows > .row");
function goToRow(next) {
  const link = next?.querySelector("a");
  if (!link) return;
  link.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}
function stepRows(step) {
  const rows = [...document.querySelectorAll(".rows > .row")], here = rows.indexOf(rowNow());
  goToRow(rows[here < 0 ? (step > 0 ? 0 : rows.length - 1) : here + step]);
}
if (document.body.matches(".results")) {
  onKey.j = () => stepRows(1);
  onKey.k = () => stepRows(-1);
  addEventListener("click", (event) => {
    const chosen = event.target.closest(".rows > .row");
    // Back leads to the row that was left.
    if (chosen && event.target.closest("a")) history.replaceState(null, "", "#" + chosen.id);
  });
  addEventListener("pageshow", () => {
    const wanted = location.hash.startsWith("#d") && document.getElementById(location.hash.slice(1));
    if (wanted) goToRow(wanted);
    else row(0)?.querySelector("a")?.focus({ preventScroll: true });
  });
}
if (document.body.matches(".home")) {
  const links = () => [...document.querySelectorAll("main a")];
  const step = (by) => {
    const all = links(), here = all.indexOf(document.activeElement);
    all[here < 0 ? 0 : here + by]?.focus();
  };
  onKey.j = () => step(1);
  onKey.k = () => step(-1);
}
onKey["/"] = (event) => {
  event.preventDefault();
  const box = document.querySelector(".search input, .search select");
  if (box) {
    box.focus();
    box.select?.();
  } else location.href = document.querySelector("[data-to=results], a[href^='/search'], a[href='/']").href;
};
function toggleMarks() {
  const off = document.body.classList.toggle("unmarked");
  const here = new URL(location.href);
  if (off) here.searchParams.set("marks", "off"); else here.searchParams.delete("marks");
  history.replaceState(null, "", here);
  say(off ? "Marks off" : "Marks on");
}

"use strict";
const saying = document.querySelector(".said");
function say(text) {
  saying.textContent = text;
  setTimeout(() => { if (saying.textContent === text) saying.textContent = ""; }, 4000);
}
const keys = document.querySelector("dialog");
const onKey = { "?": () => keys.showModal() };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
  if (event.target.matches("input, select, textarea")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (Object.hasOwn(onKey, event.key)) onKey[event.key](event);
});
const opener = document.querySelector("footer button.keys");
opener.hidden = false;
opener.addEventListener("click", () => keys.showModal());

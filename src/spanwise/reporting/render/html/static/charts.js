const labelHeight = 15;
function placeLabels(chart) {
  const ends = [...chart.querySelectorAll(":scope > svg.end")].filter((end) => !end.classList.contains("hidden"));
  if (!ends.length) return;
  const window = chart.querySelector(":scope > svg[viewBox]");
  const top = Number(window.getAttribute("y")), bottom = top + Number(window.getAttribute("height"));
  const room = Math.floor((bottom - top) / labelHeight) + 1;
  const at = (end) => Number(end.dataset.y);
  ends.forEach((end, place) => end.classList.toggle("out", place >= room));
  const shown = ends.slice(0, room).sort((a, b) => at(a) - at(b)), moved = [];
  for (const end of shown) moved.push(Math.max(at(end), moved.length ? moved.at(-1) + labelHeight : -Infinity));
  let lowest = bottom;
  for (let n = moved.length - 1; n >= 0; n--) {
    moved[n] = Math.min(moved[n], lowest);
    lowest = moved[n] - labelHeight;
  }
  shown.forEach((end, n) => {
    end.querySelector("path").setAttribute("d", `M2 ${at(end)}L10 ${moved[n]}`);
    end.querySelector("text").setAttribute("y", moved[n]);
  });
}
for (const button of document.querySelectorAll(".legend button")) {
  button.addEventListener("click", () => {
    const shown = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", shown);
    const here = button.closest("section");
    for (const part of here.querySelectorAll("figure .s" + button.dataset.series)) {
      part.style.display = shown ? "" : "none";
      part.classList.toggle("hidden", !shown);
    }
    here.querySelectorAll("figure > .chart").forEach(placeLabels);
  });
}
const drawn = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "paint-order", "font-size", "font-family", "font-weight", "display", "vector-effect"];
function shownChart(figure) {
  return [...figure.querySelectorAll(":scope > .chart")].find((chart) => chart.checkVisibility());
}
function saved(svg) {
  const copy = svg.cloneNode(true), from = svg.querySelectorAll("*"), margin = 12;
  copy.querySelectorAll("*").forEach((part, number) => {
    const style = getComputedStyle(from[number]);
    for (const name of drawn) part.style.setProperty(name, style.getPropertyValue(name));
  });
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const whole = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const wide = width + 2 * margin, high = height + 2 * margin;
  for (const [name, value] of Object.entries({ width: wide, height: high, viewBox: `${-margin} ${-margin} ${wide} ${high}` })) whole.setAttribute(name, value);
  whole.style.background = getComputedStyle(document.documentElement).backgroundColor;
  whole.append(copy);
  return { text: new XMLSerializer().serializeToString(whole), wide, high, name: svg.querySelector("title").id.replace(/-t$/, "") };
}
function save(content, name) {
  const link = made("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
function saveImage(figure) {
  const { text, wide, high, name } = saved(shownChart(figure)), image = new Image(), scale = 2;
  image.onload = () => {
    const canvas = made("canvas", { width: wide * scale, height: high * scale }), pen = canvas.getContext("2d");
    pen.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((content) => save(content, name + ".png"));
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
}
function markdown(table) {
  const escaped = (cell) => cell.textContent.trim().replace(/[\\|*_<>`[\]]/g, "\\$&");
  const lines = [...table.rows].map((row) => "| " + [...row.cells].map(escaped).join(" | ") + " |");
  lines.splice(1, 0, "|" + [...table.rows[0].cells].map((_, n) => n ? " ---: |" : " --- |").join(""));
  return lines.join("\n") + "\n";
}
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const box = made("textarea", { value: text });
    document.body.append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
  }
  say("Copied");
}
for (const figure of document.querySelectorAll("figure")) {
  const title = figure.querySelector("figcaption").textContent, tools = made("div", { className: "tools" });
  const add = (text, what, action) => {
    const button = made("button", { type: "button", className: "save", onclick: action }, text);
    button.setAttribute("aria-label", `${what}: ${title}`);
    tools.append(button);
  };
  add("SVG", "Save as SVG", () => {
    const { text, name } = saved(shownChart(figure));
    save(new Blob([text], { type: "image/svg+xml" }), name + ".svg");
  });
  add("PNG", "Save as PNG", () => saveImage(figure));
  const table = figure.querySelector(".numbers table");
  if (table) add("Copy numbers", "Copy numbers as Markdown", () => copy(markdown(table)));
  figure.querySelector(".foot").append(tools);
}

if (document.body.matches(".read")) {
  const text = document.getElementById("text");
  const effort = document.querySelector(".effort");
  const reads = [...document.querySelectorAll(".stops li")].map((stop) => Number(stop.dataset.read));
  const last = reads.length, results = document.querySelector("[data-to=results]").href;
  const passage = (number) => document.getElementById("p" + number);
  let current = 0, held = false;
  const grouped = (number) => number.toLocaleString("en-US");
  const inHash = () => Number(/^#p(\d+)$/.exec(location.hash)?.[1] ?? 0);
  const fill = (boxes, most) => boxes.querySelectorAll("i").forEach((box, n) => box.classList.toggle("on", n < most));
  function show(number) {
    current = number;
    for (const part of document.querySelectorAll("[data-n]")) {
      const own = Number(part.dataset.n) === number;
      if (part.matches(".arrows")) part.classList.toggle("current", own);
      else if (part.matches("text")) part.classList.toggle("now", number >= part.dataset.n && number <= part.dataset.last);
    }
    if (!last) return;
    count();
    const onwards = document.querySelector(".onwards"), atEnd = number === last;
    onwards.href = atEnd ? "#top" : "#p" + (number + 1);
    onwards.classList.toggle("at-end", atEnd);
    onwards.lastElementChild.textContent = atEnd ? "Beginning" : "Passage " + (number + 1);
    document.querySelector(".chain .count b").textContent = number;
  }
  // Of a passage that goes on below the screen only what was seen of it is read.
  function shareSeen(number) {
    const top = passage(number).getBoundingClientRect().top;
    const bottom = [...document.querySelectorAll(`#text mark[data-n="${number}"]`)].at(-1).getBoundingClientRect().bottom;
    const below = document.querySelector("footer.bar").getBoundingClientRect().top;
    return Math.min(Math.max((below - top) / Math.max(bottom - top, 1), 0), 1);
  }
  function count() {
    const number = current, before = number > 1 ? reads[number - 2] : 0;
    const read = number ? before + Math.round((reads[number - 1] - before) * shareSeen(number)) : 0, [phone, laptop] = [300, 2000].map((held) => Math.ceil(read / held));
    effort.querySelector(".read").textContent = grouped(read);
    effort.querySelector(".phone").textContent = phone;
    effort.querySelector(".laptop").textContent = laptop;
    const boxes = effort.querySelectorAll(".boxes");
    fill(boxes[0], phone);
    fill(boxes[1], laptop);
  }
  function place() {
    let found = 0;
    for (let number = 1; number <= last && passage(number).getBoundingClientRect().top < innerHeight * 0.4; number++) found = number;
    return found;
  }
  function bracket() {
    const view = document.querySelector(".heat-bar .view");
    if (!view) return;
    const box = text.getBoundingClientRect(), bar = view.closest("svg").getBoundingClientRect().height;
    const share = (y) => Math.min(Math.max((y - box.top) / box.height, 0), 1) * bar;
    const from = share(68), to = share(innerHeight - 56);
    view.setAttribute("d", innerWidth < 1024 ? `M-3 ${from}V${to}` : `M19 ${from}h5V${to}h-5`);
  }
  let waiting = false;
  function scrolled() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      bracket();
      const found = held ? current : place();
      if (found !== current) show(found);
      else if (last) count();
    });
  }
  function comeTo(part) {
    // What was jumped to is the current passage until the reader scrolls.
    held = true;
    part.scrollIntoView({ block: "start" });
    // The height of text that was never drawn is a guess, until it is drawn.
    requestAnimationFrame(() => { if (held) part.scrollIntoView({ block: "start" }); });
  }
  function jumped() {
    const entry = location.hash === "#entry" && document.getElementById("entry");
    if (entry) {
      comeTo(entry);
      const y = entry.getBoundingClientRect().top + 1;
      let found = 0;
      while (found < last && passage(found + 1).getBoundingClientRect().top <= y) found++;
      show(found);
      bracket();
      return;
    }
    const number = inHash();
    if (number && passage(number)) {
      comeTo(passage(number));
      show(number);
    } else if (location.hash === "#top" || location.hash === "") {
      scrollTo(0, 0);
      held = false;
      show(place());
    }
    bracket();
  }
  function jump(hash) {
    location.hash = hash;
    // The event comes later; keys that are pressed before it must find the new place.
    jumped();
  }
  if (last) effort.classList.add("counting");
  for (const total of effort.querySelectorAll(".total")) total.hidden = false;
  addEventListener("hashchange", jumped);
  addEventListener("scroll", scrolled, { passive: true });
  addEventListener("resize", scrolled);
  onKey.j = () => { if (current < last) jump("#p" + (current + 1)); else say("No more passages"); };
  onKey.k = () => { if (current > 1) jump("#p" + (current - 1)); else jump("#top"); };
  onKey.g = () => jump("#top");
  onKey.h = () => { location.href = results; };
  onKey.b = () => { if (document.getElementById("entry")) jump("#entry"); };
  onKey.m = toggleMarks;
  for (const kind of ["wheel", "touchmove", "pointerdown"]) addEventListener(kind, () => { held = false; }, { passive: true });
  addEventListener("keydown", (event) => { if (/^(Arrow|Page|Home|End| )/.test(event.key)) held = false; });
  if (inHash()) { held = true; show(Math.min(inHash(), last)); } else show(place());
  requestAnimationFrame(bracket);
}

if (document.body.matches(".read")) {
  const text = document.getElementById("text");
  const effort = document.querySelector(".effort");
  const reads = [...document.querySelectorAll(".stops li")].map((stop) => Number(stop.dataset.read));
  const last = reads.length, results = document.querySelector("[data-to=results]").href;
  const passage = (number) => document.getElementById("p" + number);
  let current = 0, held = null;
  const grouped = (number) => number.toLocaleString("en-US");
  const inHash = () => Number(/^#p(\d+)$/.exec(location.hash)?.[1] ?? 0);
  const fill = (boxes, most) => boxes.querySelectorAll("i").forEach((box, n) => box.classList.toggle("on", n < most));
  function show(number) {
    current = number;
    for (const part of document.querySelectorAll("[data-n]")) {
      const own = Number(part.dataset.n) === number;
      if (part.matches(".arrows")) part.classList.toggle("current", own);
      else if (part.matches("text")) part.classList.toggle("now", own);
    }
    if (!last) return;
    const read = number ? reads[number - 1] : 0, [phone, laptop] = [300, 2000].map((held) => Math.ceil(read / held));
    effort.querySelector(".read").textContent = grouped(read);
    effort.querySelector(".phone").textContent = phone;
    effort.querySelector(".laptop").textContent = laptop;
    const boxes = effort.querySelectorAll(".boxes");
    fill(boxes[0], phone);
    fill(boxes[1], laptop);
    const onwards = document.querySelector(".onwards"), atEnd = number === last;
    onwards.href = atEnd ? "#top" : "#p" + (number + 1);
    onwards.lastElementChild.textContent = atEnd ? "Beginning" : "Passage " + (number + 1);
    document.querySelector(".chain .count b").textContent = number;
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
      if (held !== null && Math.abs(scrollY - held) < 60) return;
      held = null;
      const found = place();
      if (found !== current) show(found);
    });
  }
  function jumped() {
    const number = inHash();
    if (number && passage(number)) {
      passage(number).scrollIntoView({ block: "start" });
      held = scrollY;
      show(number);
    } else if (location.hash === "#top" || location.hash === "") {
      scrollTo(0, 0);
      held = null;
      show(place());
    }
    bracket();
  }
  const jump = (hash) => { if (location.hash === hash) jumped(); else location.hash = hash; };
  if (last) effort.classList.add("counting");
  for (const total of effort.querySelectorAll(".total")) total.hidden = false;
  addEventListener("hashchange", jumped);
  addEventListener("scroll", scrolled, { passive: true });
  addEventListener("resize", scrolled);
  onKey.j = () => { if (current < last) jump("#p" + (current + 1)); else say("No more passages"); };
  onKey.k = () => { if (current > 1) jump("#p" + (current - 1)); else jump("#top"); };
  onKey.g = () => jump("#top");
  onKey.h = () => { location.href = results; };
  onKey.b = () => {
    if (document.getElementById("entry")) jump("#entry");
    else if (document.body.dataset.best) jump("#p" + document.body.dataset.best);
  };
  onKey.m = toggleMarks;
  if (inHash()) { held = scrollY; show(Math.min(inHash(), last)); requestAnimationFrame(() => { held = scrollY; bracket(); }); }
  else { show(place()); bracket(); }
}

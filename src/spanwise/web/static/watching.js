if (document.body.matches(".watch")) {
  const { relevant, returned, segments } = JSON.parse(document.getElementById("reading").textContent);
  const length = segments.reduce((sum, [, size]) => sum + size, 0);
  const find = (name) => document.querySelector(name);
  const LEFT = 7, WIDTH = 73;
  const [TOP, BOTTOM] = ["top", "bottom"].map((name) => Number(find(".now").dataset[name]));
  // What was returned passes slowly enough to be followed, the rest quickly: in characters and seconds.
  const FOLLOWED = 250, LONGEST = 40, REST = 6, SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
  const slow = Math.max(FOLLOWED, returned / LONGEST), quick = Math.max(slow, (length - returned) / REST);
  let speed = 1;
  let at = Number(new URL(location.href).searchParams.get("at") ?? 0), playing = null;
  at = Math.min(Math.max(Math.floor(at) || 0, 0), length);
  function moment(position) {
    let found = 0, average = 0;
    for (const [before, size, isRelevant, sum] of segments) {
      if (before >= position) break;
      const read = Math.min(size, position - before);
      average = sum;
      if (isRelevant) {
        let added = 0;
        for (let k = 1; k <= read; k++) added += (found + k) / (before + k);
        average += added / relevant;
        found += read;
      }
    }
    return { found, average };
  }
  // The text of a segment: its marks in order, those around parts of it as one.
  const pieces = new Map();
  for (const mark of document.querySelectorAll("#text mark[data-n]")) {
    const number = Number(mark.dataset.n);
    if (!pieces.has(number)) pieces.set(number, []);
    pieces.get(number).push(mark);
  }
  const signs = (string) => { let count = 0; for (const _ of string) count++; return count; };
  function units(string, count) {
    let used = 0;
    for (const sign of string) { if (count-- <= 0) break; used += sign.length; }
    return used;
  }
  function markRead(marks, read) {
    const partly = [];
    for (const mark of marks) {
      const size = signs(mark.textContent);
      const whole = read >= size;
      mark.classList.toggle("read", whole);
      mark.classList.toggle("unread", !whole);
      if (!whole && read > 0) {
        let left = read;
        const walker = document.createTreeWalker(mark, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node && left > 0; node = walker.nextNode()) {
          const range = new Range(), used = units(node.data, left);
          range.setStart(node, 0);
          range.setEnd(node, used);
          partly.push(range);
          left -= signs(node.data.slice(0, used));
        }
      }
      read = Math.max(read - size, 0);
    }
    return partly;
  }
  function show(position, follow) {
    at = position;
    const { found, average } = moment(position), x = LEFT + WIDTH * position / Math.max(length, 1) + "%";
    const y = (value) => BOTTOM - (BOTTOM - TOP) * value;
    for (const name of ["x1", "x2"]) find(".now line").setAttribute(name, x);
    for (const [name, value] of [["found", found / relevant], ["average", average]]) {
      find(".now ." + name).setAttribute("cx", x);
      find(".now ." + name).setAttribute("cy", y(value));
    }
    find(".figures-now .read").textContent = position.toLocaleString("en-US");
    find(".figures-now .found").textContent = found.toLocaleString("en-US");
    find(".figures-now .share").textContent = Math.round(100 * found / relevant) + "%";
    find(".figures-now .average").textContent = average.toFixed(2);
    find(".figures-now .screens").textContent = Math.ceil(position / 300);
    let partly = [], here = null;
    segments.forEach(([before, size], number) => {
      const marks = pieces.get(number) ?? [], read = Math.min(Math.max(position - before, 0), size);
      const own = markRead(marks, read);
      partly = partly.concat(own);
      if (position > before && position <= before + size) here = own.at(-1) ?? marks.at(-1);
    });
    if (globalThis.Highlight) CSS.highlights.set("read", new Highlight(...partly));
    if (follow && here) {
      const box = here.getBoundingClientRect();
      if (box.bottom < 0 || box.bottom > innerHeight - 120) scrollBy(0, box.bottom - innerHeight / 2);
    }
    for (const [rel, next] of [["prev", station(-1)], ["next", station(1)]]) {
      const link = find(`.player [rel=${rel}]`), to = new URL(link.href);
      to.searchParams.set("at", next);
      link.href = to;
    }
  }
  function station(step) {
    const ends = [0, ...segments.map(([before, size]) => before + size)];
    return step > 0 ? ends.find((end) => end > at) ?? length : ends.filter((end) => end < at).at(-1) ?? 0;
  }
  function keep() {
    const here = new URL(location.href);
    here.searchParams.set("at", at);
    here.hash = "here";
    history.replaceState(null, "", here);
  }
  const button = find(".play"), playIcon = button.querySelector("path").getAttribute("d");
  function stop() {
    cancelAnimationFrame(playing);
    playing = null;
    button.setAttribute("aria-pressed", "false");
    button.querySelector("path").setAttribute("d", playIcon);
    keep();
  }
  function play() {
    if (at >= length) at = 0;
    button.setAttribute("aria-pressed", "true");
    button.querySelector("path").setAttribute("d", "M6.5 4v12M13.5 4v12");
    let before = performance.now(), exact = at;
    const step = (now) => {
      const added = (now - before) / 1000 * speed;
      exact = exact < returned ? Math.min(exact + added * slow, returned) : Math.min(exact + added * quick, length);
      before = now;
      show(Math.floor(exact), true);
      if (exact >= length) stop(); else playing = requestAnimationFrame(step);
    };
    playing = requestAnimationFrame(step);
  }
  const toggle = () => playing === null ? play() : stop();
  const go = (step) => { if (playing !== null) stop(); show(station(step), true); keep(); };
  function change(step) {
    speed = SPEEDS[Math.min(Math.max(SPEEDS.indexOf(speed) + step, 0), SPEEDS.length - 1)];
    find(".speed output").textContent = speed + "×";
  }
  find(".faster").addEventListener("click", () => change(1));
  find(".slower").addEventListener("click", () => change(-1));
  onKey["+"] = onKey["="] = () => change(1);
  onKey["-"] = () => change(-1);
  find(".speed").hidden = false;
  button.hidden = false;
  button.addEventListener("click", toggle);
  for (const [rel, step] of [["prev", -1], ["next", 1]]) {
    find(`.player [rel=${rel}]`).addEventListener("click", (event) => { event.preventDefault(); go(step); });
  }
  onKey[" "] = (event) => { if (event.target.matches("a, button, summary")) return; event.preventDefault(); toggle(); };
  onKey.j = () => go(1);
  onKey.k = () => go(-1);
  onKey.g = () => { show(0); keep(); scrollTo(0, 0); };
  onKey.b = () => find(".pin.entry")?.scrollIntoView({ block: "center" });
  onKey.h = () => { location.href = find("header a[href^='/search']").href; };
  onKey.m = toggleMarks;
  show(at);
}

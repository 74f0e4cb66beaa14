/* Leafing through a match: steps without loading the page, the neighbours fetched ahead, keys, autoplay. */

const PLAY_MS = { slow: 2200, normal: 1100, fast: 500 };
const AHEAD = [1, -1, 2, 3];
const MOST_KEPT = 200;

const at = JSON.parse(document.getElementById("review").textContent);
const slider = document.getElementById("slider");
const player = document.querySelector("[data-play]");
const speed = document.querySelector("[data-speed]");
const live = document.getElementById("live");
const rtl = document.documentElement.dir === "rtl";
let asked = 0; // the newest request: older answers are not shown any more
let timer = 0;

// ---- positions -----------------------------------------------------------------------------------------------------

const address = (ply, as = at.as) => `${at.path}/${ply}?as=${as}`;
const kept = new Map();

function fetched(url) {
  if (!kept.has(url)) {
    const answer = fetch(`${url}&part=position`).then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)));
    answer.catch(() => kept.delete(url));
    kept.set(url, answer);
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
  }
  return kept.get(url);
}

function place(id, html) {
  const element = document.getElementById(id);
  htmx.swap(element, html, { swapStyle: "morph" }, { contextElement: element, select: `#${id}` });
}

/** Show another position; `spoken`: say what happened there. */
async function go(ply, spoken = false) {
  ply = Math.max(0, Math.min(at.last, ply));
  if (ply === at.ply) return false;
  at.ply = ply;
  steer();
  const mine = ++asked;
  try {
    const html = await fetched(address(ply));
    if (mine !== asked) return true;
    place("position", html);
  } catch {
    if (mine === asked) location.assign(address(ply));
    return true;
  }
  arrived(spoken);
  return true;
}

/** Everything around the position says where we are going, before it has arrived. */
function steer() {
  slider.value = at.ply;
  slider.style.setProperty("--at", `${(100 * at.ply) / Math.max(1, at.last)}%`);
  const to = { first: 0, prev: at.ply - 1, next: at.ply + 1, last: at.last };
  for (const link of document.querySelectorAll("[data-go]")) {
    const ply = Math.max(0, Math.min(at.last, to[link.dataset.go]));
    link.href = address(ply);
    link.toggleAttribute("aria-disabled", ply === at.ply);
    if (ply === at.ply) link.setAttribute("aria-disabled", "true");
  }
  for (const link of document.querySelectorAll("[data-ply][aria-current]")) link.removeAttribute("aria-current");
  const current = document.querySelector(`#moves-list [data-ply="${at.ply}"]`);
  current?.setAttribute("aria-current", "step");
  const list = document.getElementById("moves-list");
  const box = current?.getBoundingClientRect(), frame = list.getBoundingClientRect();
  if (!current) list.scrollTop = 0;
  else if (box.top < frame.top || box.bottom > frame.bottom) list.scrollTop += box.top - frame.top - frame.height / 3;
  history.replaceState(history.state, "", address(at.ply));
}

function arrived(spoken) {
  const position = document.getElementById("position");
  slider.setAttribute("aria-valuetext", position.dataset.where);
  if (spoken) live.textContent = document.getElementById("said")?.textContent ?? position.dataset.where;
  for (const step of AHEAD) {
    const ply = at.ply + step;
    if (ply >= 0 && ply <= at.last) fetched(address(ply)).catch(() => {});
  }
}

/** The same position as somebody else saw it: the list of moves changes too. */
async function look(as) {
  const mine = ++asked;
  try {
    const answer = await fetch(address(at.ply, as));
    if (!answer.ok) throw answer.status;
    const page = await answer.text();
    if (mine !== asked) return;
    for (const id of ["position", "moves-list"]) place(id, page);
  } catch {
    return void location.assign(address(at.ply, as));
  }
  at.as = as;
  slider.form.elements.as.value = as;
  for (const link of document.querySelectorAll(".phases a")) link.href = address(link.dataset.to);
  steer();
  arrived(false);
  live.textContent = document.querySelector("[data-as][aria-current]")?.textContent ?? "";
}

// ---- ways ----------------------------------------------------------------------------------------------------------

const turn = (forward) => (forward ? at.stops.find((ply) => ply > at.ply) : at.stops.findLast((ply) => ply < at.ply)) ?? at.ply;

const KEYS = {
  [rtl ? "ArrowLeft" : "ArrowRight"]: () => go(at.ply + 1, true),
  [rtl ? "ArrowRight" : "ArrowLeft"]: () => go(at.ply - 1, true),
  ArrowDown: () => go(turn(true), true),
  ArrowUp: () => go(turn(false), true),
  PageDown: () => go(turn(true), true),
  PageUp: () => go(turn(false), true),
  Home: () => go(0, true),
  End: () => go(at.last, true),
  " ": () => play(!timer),
  "?": () => document.getElementById("review-keys").togglePopover(),
  v: () => at.viewpoints.length > 1 && look(at.viewpoints[(at.viewpoints.indexOf(at.as) + 1) % at.viewpoints.length]),
};

function pressed(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (target.matches("input:not([type=range]), textarea, select") || (key === " " && target.matches("button, summary"))) return;
  const act = KEYS[key.length === 1 ? key.toLowerCase() : key];
  if (!act || (key.length === 1 && event.repeat)) return;
  event.preventDefault();
  if (key !== " ") play(false);
  act();
}

function clicked(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = event.target.closest?.("[data-go], [data-to], [data-as]");
  if (!link) return;
  event.preventDefault();
  play(false);
  const { go: way, to, as } = link.dataset;
  if (as) look(as);
  else go(to !== undefined ? +to : { first: 0, prev: at.ply - 1, next: at.ply + 1, last: at.last }[way], true);
}

// ---- autoplay ------------------------------------------------------------------------------------------------------

async function play(on) {
  clearTimeout(timer);
  timer = 0;
  player.setAttribute("aria-pressed", on);
  if (!on) return;
  const from = at.ply === at.last ? 0 : at.ply + 1;
  const mine = (timer = setTimeout(() => {}, PLAY_MS[speed.value]));
  await go(from, true);
  if (timer !== mine) return;
  if (at.ply === at.last) return void play(false);
  timer = setTimeout(() => play(true), PLAY_MS[speed.value]);
}

// ---- the link ------------------------------------------------------------------------------------------------------

async function copy(button) {
  const says = (name) => button.querySelectorAll("[data-copy-says]").forEach((text) => (text.hidden = text.dataset.copySays !== name));
  try {
    await navigator.clipboard.writeText(location.href);
  } catch {
    return void prompt(button.textContent.trim(), location.href);
  }
  says("done");
  setTimeout(says, 2000, "ask");
}

// ---- begin ---------------------------------------------------------------------------------------------------------

for (const control of document.querySelectorAll("[data-play], [data-copy], [data-scripted]")) control.hidden = false;
for (const control of document.querySelectorAll("[data-unscripted]")) control.hidden = true;
for (const phase of document.querySelectorAll("[data-at]")) phase.style.insetInlineStart = `${phase.dataset.at}%`;
document.querySelector(".phases").classList.add("placed");
document.querySelector("[data-copy]").addEventListener("click", ({ currentTarget }) => copy(currentTarget));
speed.value = localStorage.getItem("review-speed") in PLAY_MS ? localStorage.getItem("review-speed") : "normal";
speed.addEventListener("change", () => localStorage.setItem("review-speed", speed.value));
player.addEventListener("click", () => play(!timer));
slider.addEventListener("input", () => (play(false), go(+slider.value)));
slider.form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("click", clicked);
document.addEventListener("keydown", pressed);
addEventListener("visibilitychange", () => document.hidden && play(false));
slider.value = at.ply; // not what the browser remembers
steer();
arrived(false);

/* Leafing through a match: steps without loading the page, the neighbours fetched ahead, keys, autoplay. */

import { all, byId, find, one } from "./page.js";

/** @type {Record<string, number>} */
const PLAY_MS = { slow: 2200, normal: 1100, fast: 500 };
const AHEAD = [1, -1, 2, 3];
const MOST_KEPT = 200;

/** @type {Leafing} */
const at = JSON.parse(byId("review").textContent ?? "");
const slider = one("input#slider");
const player = one("[data-play]");
const speed = one("select[data-speed]");
const live = byId("live");
const form = /** @type {HTMLFormElement} */ (slider.form);
const rtl = document.documentElement.dir === "rtl";
/** @type {number[]} */
let stops = []; // where something new begins
let asked = 0; // the newest request: older answers are not shown any more
let timer = 0;

// ---- positions

/** @param {number | string} ply */
const address = (ply, as = at.as) => `${at.path}/${ply}?as=${as}`;
/** @type {Map<string, Promise<string>>} */
const kept = new Map();

/** @param {string} url */
function fetched(url, part = "position") {
  url += `&part=${part}`;
  let answer = kept.get(url);
  if (!answer) {
    answer = fetch(url).then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)));
    answer.catch(() => kept.delete(url));
    kept.set(url, answer);
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
  }
  return answer;
}

/** @param {string} id @param {string} html */
function place(id, html) {
  const element = byId(id);
  htmx.swap(element, html, { swapStyle: "morph" }, { contextElement: element, select: `#${id}` });
}

/** Show another position; `spoken`: say what happened there.
@param {number} ply */
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

/** @param {string} way */
function plyTo(way) {
  /** @type {Record<string, number>} */
  const ways = { first: 0, prev: at.ply - 1, next: at.ply + 1, last: at.last };
  return ways[way];
}

/** Everything around the position says where we are going, before it has arrived. */
function steer() {
  slider.value = String(at.ply);
  const here = find("input[data-here]");
  if (here) here.value = String(at.ply);
  slider.style.setProperty("--at", `${(100 * at.ply) / Math.max(1, at.last)}%`);
  for (const link of document.querySelectorAll("a[data-go]")) {
    const ply = Math.max(0, Math.min(at.last, plyTo(link.dataset.go ?? "")));
    link.href = address(ply);
    link.toggleAttribute("aria-disabled", ply === at.ply);
    if (ply === at.ply) link.setAttribute("aria-disabled", "true");
  }
  for (const link of document.querySelectorAll("[data-ply][aria-current]")) link.removeAttribute("aria-current");
  const current = find(`#moves-list [data-ply="${at.ply}"]`);
  current?.setAttribute("aria-current", "step");
  const list = byId("moves-list");
  const box = current?.getBoundingClientRect(), frame = list.getBoundingClientRect();
  if (!box) list.scrollTop = 0;
  else if (box.top < frame.top || box.bottom > frame.bottom) list.scrollTop += box.top - frame.top - frame.height / 3;
  history.replaceState(history.state, "", address(at.ply));
}

function arrived(spoken = false) {
  const position = byId("position");
  const { where = "" } = position.dataset;
  slider.setAttribute("aria-valuetext", where);
  if (spoken) live.textContent = find("#said")?.textContent ?? where;
  for (const step of AHEAD) {
    const ply = at.ply + step;
    if (ply >= 0 && ply <= at.last) fetched(address(ply)).catch(() => {});
  }
}

/** The same position as somebody else saw it: the list of moves changes too.
@param {string} as */
async function look(as) {
  const mine = ++asked, url = address(at.ply, as);
  try {
    const [position, moves] = await Promise.all([fetched(url), fetched(url, "moves")]);
    if (mine !== asked) return;
    place("position", position);
    list(moves);
  } catch {
    return void location.assign(url);
  }
  at.as = as;
  one("input[name=as]", form).value = as;
  steer();
  arrived(false);
  live.textContent = find("[data-as][aria-current]")?.textContent ?? "";
}

// ---- the list of moves and the phases

/** @param {string} html */
function list(html) {
  place("moves-list", html);
  place("phases", html);
  lay();
}

function lay() {
  const line = byId("phases");
  stops = (line.dataset.stops ?? "").split(" ").map(Number);
  const phases = all("[data-at]", line);
  phases.forEach((phase, i) => {
    phase.style.insetInlineStart = `${phase.dataset.at}%`;
    phase.style.maxInlineSize = `${Number(phases[i + 1]?.dataset.at ?? 100) - Number(phase.dataset.at)}%`;
    phase.title = phase.textContent ?? "";
  });
  line.classList.add("placed");
  fit();
}

/** A phase that is shorter than its name has only its mark there. */
function fit() {
  const phases = all("[data-at]");
  for (const phase of phases) phase.classList.remove("short");
  for (const phase of phases.filter((it) => it.scrollWidth > it.clientWidth)) phase.classList.add("short");
}

async function begin() {
  const { as } = at;
  const moves = await fetched(address(at.ply), "moves");
  if (as !== at.as) return;
  list(moves);
  steer();
}

// ---- ways

/** @param {boolean} forward */
const turn = (forward) => (forward ? stops.find((ply) => ply > at.ply) : stops.findLast((ply) => ply < at.ply)) ?? at.ply;

/** @type {Record<string, () => unknown>} */
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
  "?": () => byId("review-keys").togglePopover(),
  v: () => at.viewpoints.length > 1 && look(at.viewpoints[(at.viewpoints.indexOf(at.as) + 1) % at.viewpoints.length]),
};

/** @param {Heard["keydown"]} event */
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

/** @param {Heard["click"]} event */
function clicked(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = event.target.closest?.("[data-go], [data-to], [data-as]");
  if (!link) return;
  event.preventDefault();
  play(false);
  const { go: way = "", to, as } = link.dataset;
  if (as) look(as);
  else go(to !== undefined ? +to : plyTo(way), true);
}

// ---- autoplay

/** @param {boolean} on @returns {Promise<void>} */
async function play(on) {
  clearTimeout(timer);
  timer = 0;
  player.setAttribute("aria-pressed", String(on));
  if (!on) return;
  const from = at.ply === at.last ? 0 : at.ply + 1;
  const mine = (timer = setTimeout(() => {}, PLAY_MS[speed.value]));
  await go(from, true);
  if (timer !== mine) return;
  if (at.ply === at.last) return void play(false);
  timer = setTimeout(() => play(true), PLAY_MS[speed.value]);
}

// ---- the link

/** @param {HTMLElement} button */
async function copy(button) {
  /** @param {string} name */
  const says = (name) =>
    all("[data-copy-says]", button).forEach((text) => (text.hidden = text.dataset.copySays !== name));
  try {
    await navigator.clipboard.writeText(location.href);
  } catch {
    return void prompt(button.textContent?.trim(), location.href);
  }
  says("done");
  setTimeout(says, 2000, "ask");
}

// ---- begin

for (const control of all("[data-play], [data-copy], [data-scripted]")) control.hidden = false;
for (const control of all("[data-unscripted]")) control.hidden = true;
addEventListener("resize", fit);
const button = one("[data-copy]");
button.addEventListener("click", () => copy(button));
const paced = localStorage.getItem("review-speed") ?? "";
speed.value = paced in PLAY_MS ? paced : "normal";
speed.addEventListener("change", () => localStorage.setItem("review-speed", speed.value));
player.addEventListener("click", () => play(!timer));
slider.addEventListener("input", () => (play(false), go(+slider.value)));
form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("click", clicked);
document.addEventListener("keydown", pressed);
addEventListener("visibilitychange", () => document.hidden && play(false));
slider.value = String(at.ply); // not what the browser remembers
if (byId("phases").dataset.stops) lay();
else begin().catch(() => (one("#moves-list [data-unscripted]").hidden = false));
steer();
arrived(false);

/* The end of a game of Biblios: the library is judged die by die, once, before the eyes of whoever sees the game end.

All of it stands on the page already (games/faces/biblios/ending.py). body[data-judged] is the number of the die that is
judged now, from 0; without it, the whole result is shown. */

import { number } from "../js/numbers.js";
import { all, find, one } from "../js/page.js";

const DICE = 5;
const TIED_MS = 2_400;
const PLAIN_MS = 1_000;
const COUNT_MS = 900;
const FLIGHT = { duration: 480, easing: "cubic-bezier(.2,.7,.2,1)" };

const { body } = document;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const stage = () => find("#stage");
const judging = () => stage()?.querySelector(".judging");
let timer = 0;

function begin() {
  if (!judging()) return;
  const button = one("#stage [data-judge=next]");
  button.dataset.primary = "";
  go();
  button.focus({ preventScroll: true });
}

function go(at = 0) {
  clearTimeout(timer);
  const judged = judging();
  if (at >= DICE || !judged) return end();
  body.dataset.judged = String(at);
  document.dispatchEvent(new Event("judged"));
  races();
  const column = all("#stage .dice-column")[at];
  column.scrollIntoView({ block: "nearest" });
  fly(column);
  const tied = judged.dataset.tied?.[at] === "1";
  timer = setTimeout(() => go(at + 1), (tied ? TIED_MS : PLAIN_MS) + (at ? 0 : PLAIN_MS));
}

function end() {
  clearTimeout(timer);
  if (!("judged" in body.dataset)) return;
  delete body.dataset.judged;
  const button = stage()?.querySelector("[data-judge=next]");
  if (button) delete button.dataset.primary;
  if (button === document.activeElement || document.activeElement === body) stage()?.focus({ preventScroll: true });
  scrollTo({ top: 0 });
  stage()?.querySelector(".hero")?.scrollIntoView({ block: "nearest" }); // on phones the table scrolls, not the window
  all(".ending .hero [data-count]").forEach(count);
  document.dispatchEvent(new Event("judged"));
}

/* The points so far. The board may bring its own meanwhile: when ratings are known, say. */
function races() {
  const at = Number(body.dataset.judged);
  for (const row of all("#stage .race li")) race(row, at);
}

/** @param {HTMLElement} row @param {number} at */
function race(row, at) {
  const points = (row.dataset.points ?? "").split(" ").map(Number);
  const [before, now] = [points[at], points[at + 1]];
  row.classList.toggle("gains", now > before);
  one("progress", row).value = now;
  one(".number", row).textContent = now > before ? `${number(before)} → ${number(now)}` : number(now);
}

/** The die goes from its arch to whoever wins it.
@param {Element} column */
function fly(column) {
  const die = one(".die-arch .die", column);
  const goal = find("#stage .race .gains .avatar")?.getBoundingClientRect();
  if (still.matches || !goal || goal.bottom > innerHeight) return;
  const from = die.getBoundingClientRect();
  const copy = die.cloneNode(true);
  copy.classList.add("travelling-die");
  copy.setAttribute("aria-hidden", "true");
  Object.assign(copy.style, { left: `${from.left}px`, top: `${from.top}px` });
  copy.style.setProperty("--d", `${from.width}px`);
  body.append(copy);
  const [x, y] = [goal.left - from.left, goal.top - from.top];
  const scale = goal.width / from.width;
  copy.style.transformOrigin = "0 0";
  const flight = copy.animate([{}, { transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: 0.4 }], {
    ...FLIGHT,
    delay: 160,
  });
  flight.onfinish = flight.oncancel = () => copy.remove();
}

/** A number counts up, or down, to what it is now.
@param {HTMLElement} value */
function count(value) {
  const [from, to, began] = [Number(value.dataset.count), Number(value.dataset.to), performance.now()];
  if (still.matches || !(from !== to)) return;
  const step = (/** @type {number} */ now) => {
    const part = Math.min(1, Math.max(0, (now - began) / COUNT_MS));
    value.textContent = number(Math.round(from + (to - from) * part));
    if (part < 1 && value.isConnected) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

new MutationObserver(([{ oldValue }]) => {
  if (body.dataset.state === "over" && oldValue !== "over" && !still.matches) begin();
  else if (body.dataset.state !== "over") end();
}).observe(body, { attributeFilter: ["data-state"], attributeOldValue: true });

document.addEventListener("board", () => "judged" in body.dataset && races());

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-judge]");
  if (button?.dataset.judge === "again") begin();
  else if (button?.dataset.judge === "all") end();
  else if (button) go(Number(body.dataset.judged) + 1);
  const copy = target.closest(".share-box [data-copied]");
  if (!copy) return;
  await navigator.clipboard?.writeText(address(copy));
  copy.textContent = copy.dataset.copied ?? "";
});

document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape") return;
    if ("judged" in body.dataset) end();
    else closeShare();
  },
  true,
);

// ---- sharing

/** @param {Element} node */
const address = (node) => new URL(String(node.closest("[data-share]")?.dataset.share), location.href).href;

function closeShare() {
  const open = find("details.share[open]");
  if (!open) return;
  open.open = false;
  one("summary", open).focus();
}

document.addEventListener("click", (event) => {
  const summary = event.target.closest(".share > summary");
  if (!summary) return event.target.closest(".share") || closeShare();
  if (!navigator.share || !matchMedia("(pointer: coarse)").matches) return;
  event.preventDefault();
  navigator.share({ title: document.title, url: address(summary) }).catch(() => {}); // called off by the user
});

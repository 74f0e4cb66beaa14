/* The clocks: what the server said was left, less the time since. */

import { announce, time, word } from "./words.js";
import { play } from "./sound.js";

const LOW = 20_000;
const LAST = 10_000;
const warned = new Set();
let heardAt = Date.now();

const board = () => document.getElementById("ply")?.dataset ?? {};

/** A board has come: its clocks count from now. */
export function wound() {
  heardAt = Date.now();
  warned.clear();
  show();
}

/** A tick has come: `clocks` in milliseconds by seat. */
export function set(clocks) {
  for (const clock of document.querySelectorAll(".clock[data-left]")) {
    const left = clocks[clock.dataset.seat];
    if (left != null) clock.dataset.left = left;
  }
  heardAt = Date.now();
  show();
}

function show() {
  const { mover, me } = board();
  for (const clock of document.querySelectorAll(".clock[data-left]")) {
    const { seat, left } = clock.dataset;
    const runs = seat === mover;
    const now = Math.max(0, left - (runs ? Date.now() - heardAt : 0));
    const text = time(now);
    const face = clock.querySelector("[data-time]") ?? clock;
    if (face.textContent !== text) face.textContent = text;
    clock.classList.toggle("low", runs && now < LOW);
    if (runs && seat === me) warn(now);
  }
}

function warn(left) {
  for (const limit of [LOW, LAST]) {
    if (left >= limit || warned.has(limit)) continue;
    warned.add(limit);
    announce(word(limit === LOW ? "left20" : "left10"), true);
    if (limit === LAST) play("late");
  }
}

setInterval(show, 250);

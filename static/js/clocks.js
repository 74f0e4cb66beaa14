/* The clocks: what the server said was left, less the time since. */

import { time } from "./numbers.js";
import { all, find } from "./page.js";
import { announce, word } from "./words.js";
import { play } from "./sound.js";

const LOW = 20_000;
const LAST = 10_000;
const DAY = 86_400_000;
/** @type {Set<number>} */
const warned = new Set();
let heardAt = 0; // when the server last spoke
/** @type {number | null} */
let deadline = null; // when the mover's time is up, by the clock of this device

const board = () => find("#ply")?.dataset ?? {};

/** A board has come: its clocks count from now. `fresh`: it asks another question. */
export function wound(fresh = true) {
  if (fresh) warned.clear();
  const { remaining } = board();
  heardAt = Date.now();
  deadline = remaining == null ? null : heardAt + Number(remaining);
  show();
}

function show() {
  const { mover, me } = board();
  for (const clock of all("[id^=clock-]")) {
    const seat = clock.id.slice("clock-".length);
    const left = Number(clock.dataset.left);
    const runs = seat === mover;
    const now = Math.max(0, runs ? (deadline ?? heardAt + left) - Date.now() : left);
    if (now > DAY) continue; // the server writes days
    const text = time(now);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("low", runs && now < LOW);
    if (runs && seat === me) warn(now);
  }
}

/** @param {number} left */
function warn(left) {
  for (const limit of [LOW, LAST]) {
    if (left >= limit || warned.has(limit)) continue;
    warned.add(limit);
    announce(word(limit === LOW ? "left20" : "left10"), true);
    if (limit === LAST) play("late");
  }
}

setInterval(show, 250);

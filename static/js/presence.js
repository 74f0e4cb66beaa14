/* A rival who is gone is said in words at their seat, after some seconds: the line may only have blinked. */

import { time } from "./numbers.js";
import { all } from "./page.js";
import { announce, word } from "./words.js";

const PATIENCE_MS = 5_000;
/** Since when, by the clock of this device, and whether this page has seen them here before.
@type {Map<string, { since: number, seen: boolean, told: boolean }>} */
const gone = new Map();
let began = true;

/** The board has changed. */
export function look() {
  const names = new Set(all("[data-gone]").map(({ dataset }) => dataset.gone ?? ""));
  for (const name of gone.keys()) if (!names.has(name)) gone.delete(name);
  for (const name of names) if (!gone.has(name)) gone.set(name, { since: Date.now(), seen: !began, told: false });
  began = false;
  tick();
}

function tick() {
  for (const place of all("[data-gone]")) {
    const name = place.dataset.gone ?? "";
    const one = gone.get(name);
    const past = Date.now() - (one?.since ?? 0);
    if (!one || past < PATIENCE_MS) continue;
    // A page that has not seen them go cannot say since when.
    const since = { name, time: time(past) };
    place.textContent = word(one.seen ? "gone-for" : "gone", since);
    place.title = word(one.seen ? "gone-since" : "gone-now", since);
    if (one.seen && !one.told) announce(word("gone-now", { name }));
    one.told = true;
  }
}

setInterval(tick, 1000);

/* An element with data-waited="SECONDS" shows how long somebody has waited, and goes on counting from when it came. */

import { time } from "./numbers.js";

/** @type {WeakMap<Element, {waited?: string, from: number}>} */
const counted = new WeakMap();

function show() {
  for (const clock of document.querySelectorAll("[data-waited]")) {
    const { waited } = clock.dataset;
    let known = counted.get(clock);
    if (!known || known.waited !== waited) known = { waited, from: performance.now() - 1000 * Number(waited) };
    counted.set(clock, known);
    const text = time(performance.now() - known.from);
    if (clock.textContent !== text) clock.textContent = text;
  }
}

show();
setInterval(show, 500);

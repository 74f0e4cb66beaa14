/* An element with data-waited="SECONDS" shows how long somebody has waited, and goes on counting from when it came. */

import { time } from "./numbers.js";

const counted = new WeakMap();

function show() {
  for (const clock of document.querySelectorAll("[data-waited]")) {
    const { waited } = clock.dataset;
    if (counted.get(clock)?.waited !== waited) counted.set(clock, { waited, from: performance.now() - 1000 * waited });
    const text = time(performance.now() - counted.get(clock).from);
    if (clock.textContent !== text) clock.textContent = text;
  }
}

show();
setInterval(show, 500);

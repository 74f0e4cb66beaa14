/* The sounds of Ex Libris: static/js/sound.js says how they are written. */

import { sounding } from "../js/sound.js";

sounding({
  place: [["tone", 0, 0.06, 320, 0.5, 240], ["rub", 0, 0.03, 900, 0.6]],
  walk: [["rub", 0, 0.03, 700, 0.4], ["rub", 0.12, 0.03, 700, 0.4], ["tone", 0.27, 0.06, 320, 0.5, 240]],
  shelve: [["rub", 0, 0.08, 1400, 0.6], ["tone", 0.07, 0.07, 170, 0.7, 140]],
  draw: [["rub", 0, 0.06, 2400, 0.6]],
  discard: [["rub", 0, 0.09, 1000, 0.6]],
});

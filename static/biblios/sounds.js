/* The sounds of Biblios: static/js/sound.js says how they are written. */

import { sounding } from "../js/sound.js";

sounding({
  place: [["rub", 0, 0.09, 1400, 0.7]],
  take: [["rub", 0, 0.05, 900, 0.5], ["rub", 0.09, 0.05, 1100, 0.5]],
  bid: [["rub", 0, 0.025, 4200, 0.8], ["rub", 0.05, 0.02, 5200, 0.5]],
  hammer: [["tone", 0, 0.09, 180, 1, 120], ["rub", 0, 0.05, 700, 1], ["rub", 0.16, 0.04, 600, 0.6]],
  pass: [["tone", 0, 0.12, 150, 0.7, 90]],
  pay: [["bell", 0, 0.12, 2400, 0.25], ["bell", 0.06, 0.12, 2900, 0.25], ["bell", 0.13, 0.2, 2600, 0.25]],
  dice: [["rub", 0, 0.04, 500, 1], ["rub", 0.07, 0.03, 650, 0.8], ["rub", 0.12, 0.03, 580, 0.6]],
  penalty: [["tone", 0, 0.25, 110, 0.8, 98]],
});

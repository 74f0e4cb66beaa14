/* What a rival does, in a few words at the house or at their seat. They come and go by themselves, and move nothing. */

import { byId, find } from "../js/page.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const HELD = 2600; // milliseconds
/** @type {Animation | undefined} */
let shown;
let last = byId("ply").dataset.ply;

document.addEventListener("board", () => {
  const { ply } = byId("ply").dataset;
  if (ply === last) return;
  last = ply;
  shown?.cancel();
  const caption = find("#caption[data-at]");
  const { at = "", seat = "" } = caption?.dataset ?? {};
  // On a phone the others may be behind a tab: then over the town.
  const goals = [at ? `#${at}` : `.seat[data-seat="${seat}"]`, "#town"].map((where) => find(where)?.getBoundingClientRect());
  const goal = goals.find((box) => box?.width);
  if (caption && goal && !still.matches) show(caption, goal, !!at);
});

/** In the middle of a house, between its number and its doors; at the top of a seat.
@param {HTMLElement} caption @param {DOMRect} goal @param {boolean} house */
function show(caption, goal, house) {
  const { offsetWidth: width, offsetHeight: height } = caption;
  const within = (/** @type {number} */ at, /** @type {number} */ most) => Math.max(4, Math.min(at, most - 4));
  const left = within(goal.left + (goal.width - width) / 2, innerWidth - width);
  const top = within(goal.top + (house ? (goal.height - height) / 2 : 6), innerHeight - height);
  Object.assign(caption.style, { left: `${left}px`, top: `${top}px` });
  const [seen, gone] = [{ visibility: "visible", opacity: 1 }, { visibility: "visible", opacity: 0 }];
  shown = caption.animate([gone, { ...seen, offset: 0.06 }, { ...seen, offset: 0.85 }, gone], HELD);
}

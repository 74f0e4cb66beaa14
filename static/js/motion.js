/* What moves on the table. Nothing waits for it, and a newer move ends older motion.

Cards travel from where they were to where they are (FLIP), known by their data-card; what comes from a pile turns over
on its way. Flights move what is on no page, or no more. Without travel a ring shows where it came to. */

import { all, find } from "./page.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const EASE = "cubic-bezier(.2,.7,.2,1)";
const TRAVEL = { duration: 220, easing: EASE, id: "travel" };
const TURN = { duration: 420, easing: EASE };
const WALK = { duration: 300, easing: "ease-in-out", id: "walk" };
const RING = { boxShadow: "inset 0 0 0 3px var(--act), 0 0 0 3px var(--act)" };
const LATER = 80; // milliseconds from one flight to the next
/** @type {Map<Animation, () => unknown>} */
const moving = new Map(); // animations, and what is done when they end

// A figure stands for a card of the hand that is not to be seen then.
const cards = () => all("[data-card], [data-figure]").filter((card) => card.checkVisibility());
const keyOf = (/** @type {HTMLElement} */ { dataset: { card, figure } }) => card ?? figure;
const turning = () => all("[data-turns]").map((place) => ({ id: place.id, thing: place.querySelector("[aria-label]") }));
/** @param {DOMRect | undefined} box @returns {box is DOMRect} */
const seen = (box) => !!box && !!(box.width || box.height);
const boxOf = (/** @type {Element | undefined} */ element) => element?.getBoundingClientRect();
const middle = (/** @type {DOMRect} */ box) => [box.left + box.width / 2, box.top + box.height / 2];
/** @param {DOMRect} from @param {DOMRect} to */
const way = (from, to) => middle(from).map((at, i) => at - middle(to)[i]);
/** @param {number[]} far @param {string} more */
const at = ([x, y], more) => `translate(${x}px, ${y}px) ${more}`;

/** @type {Animates} */
function animate(element, frames, timing, done = () => {}) {
  const motion = element.animate(frames, timing);
  const end = () => moving.delete(motion) && done();
  moving.set(motion, end);
  motion.onfinish = end;
}

function stop() {
  for (const [motion, end] of moving) {
    motion.cancel();
    end();
  }
}

/** Remember where everything is; the function that comes back moves it from there to where it is then.

It takes the flights of the board, and the seat of the one who looks. */
export function remember() {
  /** @type {Before} */
  const before = new Map();
  for (const card of cards()) {
    const box = boxOf(card);
    const copy = card.matches(":is(#stage, #hand, #town, #low) [data-card]") ? card.cloneNode(true) : null;
    if (seen(box)) before.set(keyOf(card), { box, copy });
  }
  const labels = new Map(turning().map(({ id, thing }) => [id, thing?.ariaLabel]));
  stop();
  return (flights = "", me = "") => {
    const told = flights.split(" ").filter(Boolean).map((flight) => flight.split(":"));
    // Before the lot sets out: the hammer falls where it comes to lie.
    for (const [what, , to] of told) if (!to) strike(what);
    for (const card of cards()) {
      const known = before.get(keyOf(card));
      before.delete(keyOf(card));
      const { from } = card.dataset;
      const origin = from ? boxOf(place(from.slice(1), me)) : undefined;
      if (known) travel(card, known.box);
      else if (seen(origin)) reveal(card, origin);
    }
    for (const { id, thing } of turning())
      if (thing && (labels.get(id) ?? thing.ariaLabel) !== thing.ariaLabel) turn(thing);
    for (const [order, flight] of told.entries()) fly(flight, before, me, LATER * order);
  };
}

/** @type {Moves} */
function travel(card, from) {
  const to = boxOf(card);
  if (!seen(to)) return;
  const far = way(from, to);
  if (Math.hypot(...far) < 2) return;
  const start = { transform: at(far, `scale(${Math.min(2, from.width / to.width || 1)})`), zIndex: 9 };
  if (!still.matches) animate(card, [start, {}], TRAVEL);
  // Not what only made room for something else.
  else if (Math.hypot(...far) > to.width) ring(card);
}

const ring = (/** @type {Element} */ element) => animate(element, [RING, RING, {}], { duration: 1000, id: "ring" });

/** From a pile: its back as far as half of the way, then its face.
@type {Moves} */
function reveal(card, from) {
  const to = boxOf(card);
  if (!seen(to)) return;
  if (still.matches) return ring(card);
  const [x, y] = way(from, to);
  const scale = Math.min(1, from.width / to.width || 1); // a phone shows no pile: then it comes from the whole head
  const edge = at([x / 2, y / 2], `scale(${(1 + scale) / 2}) rotateY(90deg)`);
  animate(card, [{ transform: edge, opacity: 0 }, { transform: edge, offset: 0.5, opacity: 1 }, {}], TURN);
  const back = copyOf("back", to);
  if (back) animate(back, [{ transform: at([x, y], `scale(${scale})`) }, { transform: edge }], TRAVEL, () => back.remove());
}

/** @param {Element} thing */
function turn(thing) {
  if (still.matches) return ring(thing);
  animate(thing, [{ transform: "perspective(120px) rotateX(-360deg) scale(1.25)" }, {}], TURN);
}

/** The part of the template of this name, laid over the page at a box.
@param {string} name @param {DOMRect} box */
function copyOf(name, box) {
  const part = find("template#flights")?.content.querySelector(`[data-fly="${CSS.escape(name)}"]`);
  return part && lay(part.cloneNode(true), box);
}

/** @param {HTMLElement} copy @param {DOMRect} box */
function lay(copy, box) {
  for (const name of ["id", "data-card", "data-fly"]) copy.removeAttribute(name);
  copy.setAttribute("aria-hidden", "true");
  copy.classList.add("flying");
  Object.assign(copy.style, { left: `${box.left}px`, top: `${box.top}px` });
  copy.style.setProperty("--w", `${box.width}px`);
  document.body.append(copy);
  return copy;
}

/** Where a seat or an element is; what can be seen of it differs with the size of the page.
@param {string} name @param {string} me */
function place(name, me) {
  const seat = /^\d+$/.test(name) && [`.seat[data-seat="${name}"]`, `#seats [data-seat="${name}"]`];
  const found = name === me ? ["#hand", "[data-sheet=hand]"] : seat || [`#${CSS.escape(name)}`, "#head"];
  const elements = found.flatMap((selector) => all(selector));
  return elements.find((element) => seen(boxOf(element)));
}

/** @type {Flies} */
function fly([what, from, to], before, me, delay) {
  const goal = to && place(to, me);
  if (!goal || goal === place(from, me)) return;
  if (still.matches) return void (to !== me && ring(goal));
  const thing = all(`[data-fly="${CSS.escape(what)}"]`, goal).at(-1);
  if (thing) return walk(thing, boxOf(place(from, me)), delay);
  const gone = [...before].find(([key = "", { copy }]) => copy && (key.split(".")[0] === what || (what === "back" && from === me)));
  let copy = gone?.[1].copy;
  let box = gone?.[1].box;
  if (gone && copy && box) {
    before.delete(gone[0]);
    lay(copy, box);
  } else {
    const [x, y] = middle(boxOf(place(from, me)) ?? new DOMRect());
    box = new DOMRect(x - 20, y - 20, 40, 40);
    // What somebody gives that is on no page comes with its back.
    if (from !== me && x) copy = copyOf(what, box) ?? (/^\d/.test(from) ? copyOf("back", box) : null);
  }
  if (!copy) return;
  const end = { transform: at(way(goal.getBoundingClientRect(), box), "scale(.4)"), opacity: 0.4 };
  const timing = gone ? TRAVEL : TURN;
  animate(copy, [{ transform: "none", opacity: 1 }, end], { ...timing, delay, fill: "backwards" }, () => copy?.remove());
}

/** What stands there now comes from another place: a copy goes, over all edges, and it is not seen meanwhile.
@param {HTMLElement} thing @param {DOMRect | undefined} from @param {number} delay */
function walk(thing, from, delay) {
  const box = thing.getBoundingClientRect();
  if (!seen(from) || !seen(box)) return;
  const copy = lay(thing.cloneNode(true), box);
  const timing = { ...WALK, delay, fill: /** @type {const} */ ("backwards") };
  animate(thing, [{ opacity: 0 }, { opacity: 0 }], timing);
  animate(copy, [{ transform: at(way(from, box), "") }, {}], timing, () => copy.remove());
}

/** The hammer falls on the lot.
@param {string} what */
function strike(what) {
  const lot = find("#lot") ?? find("#focus");
  const box = lot?.getBoundingClientRect();
  if (!lot || !seen(box)) return;
  if (still.matches) return ring(lot);
  // On the picture of the card, and on no text.
  const size = Math.min(72, box.width * 0.6);
  const copy = copyOf(what, new DOMRect(box.left + (box.width - size) / 2, box.top + box.height / 2 - size, size, size));
  const swing = [-60, -70, 8, -6, 4].map((degrees) => ({ transform: `rotate(${degrees}deg)` }));
  if (copy) animate(copy, swing, { ...TURN, easing: "ease-in" }, () => copy.remove());
}

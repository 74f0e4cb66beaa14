/* Cards travel from where they were to where they are (FLIP). Nothing waits for it; a newer move ends older motion. */

const still = matchMedia("(prefers-reduced-motion: reduce)");
const TIMING = { duration: 220, easing: "cubic-bezier(.2,.7,.2,1)", id: "travel" };
const RING = { boxShadow: "inset 0 0 0 3px var(--act), 0 0 0 3px var(--act)" };

const cards = () => document.querySelectorAll("[data-card]");
const seen = (box) => box && (box.width || box.height);
const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
const shift = (from, to) => middle(from).map((at, i) => at - middle(to)[i]);
const shifted = ([x, y], scale) => ({ transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: 9 });

/** Remember where the cards are; the function that comes back moves them from there to where they are then.

Cards that have left the stage meanwhile fly to the element that it is given. */
export function remember() {
  const before = new Map();
  for (const card of cards()) {
    const box = card.getBoundingClientRect();
    if (seen(box)) before.set(card.dataset.card, { box, copy: card.closest("#stage") && card.cloneNode(true) });
    for (const motion of card.getAnimations()) if (["travel", "ring"].includes(motion.id)) motion.cancel();
  }
  return (taker) => {
    for (const card of cards()) {
      const known = before.get(card.dataset.card);
      before.delete(card.dataset.card);
      const origin = card.dataset.from && document.querySelector(card.dataset.from);
      const from = known?.box ?? origin?.getBoundingClientRect();
      if (seen(from)) travel(card, from);
    }
    const goal = taker?.getBoundingClientRect();
    if (seen(goal) && !still.matches) for (const { box, copy } of before.values()) if (copy) depart(copy, box, goal);
  };
}

function travel(card, from) {
  const to = card.getBoundingClientRect();
  const way = shift(from, to);
  const far = Math.hypot(...way);
  if (!seen(to) || far < 2) return;
  if (!still.matches) card.animate([shifted(way, Math.min(2, from.width / to.width || 1)), {}], TIMING);
  // Without travel a ring shows what is new in its place, not what only made room.
  else if (far > to.width) card.animate([RING, RING, {}], { duration: 1000, id: "ring" });
}

function depart(card, from, to) {
  card.removeAttribute("data-card");
  card.removeAttribute("id");
  card.setAttribute("aria-hidden", "true");
  const where = { left: `${from.left}px`, top: `${from.top}px` };
  Object.assign(card.style, { position: "fixed", margin: 0, pointerEvents: "none", ...where });
  card.style.setProperty("--w", `${from.width}px`);
  document.body.append(card);
  const end = { ...shifted(shift(to, from), 0.3), opacity: 0.3 };
  const flight = card.animate([{ zIndex: 9 }, end], TIMING);
  flight.onfinish = flight.oncancel = () => card.remove();
}

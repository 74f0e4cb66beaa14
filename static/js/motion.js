/* Cards travel from where they were to where they are (FLIP). Nothing waits for it, and a newer move ends older motion. */

const still = matchMedia("(prefers-reduced-motion: reduce)");
const EASE = "cubic-bezier(.2,.7,.2,1)";

const cards = () => document.querySelectorAll("[data-card]");
const seen = (box) => box && (box.width || box.height);

/** Remember where the cards are; the function that comes back moves them from there to where they are then. */
export function remember() {
  const before = new Map();
  for (const card of cards()) {
    const box = card.getBoundingClientRect();
    if (seen(box)) before.set(card.dataset.card, box);
    for (const motion of card.getAnimations()) motion.id === "travel" && motion.cancel();
  }
  return () => {
    for (const card of cards()) {
      const origin = card.dataset.from && document.querySelector(card.dataset.from);
      const from = before.get(card.dataset.card) ?? origin?.getBoundingClientRect();
      if (seen(from)) travel(card, from);
    }
  };
}

function travel(card, from) {
  const to = card.getBoundingClientRect();
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  if (!seen(to) || Math.abs(x) + Math.abs(y) < 2) return;
  const frames = still.matches
    ? [{ boxShadow: "inset 0 0 0 3px var(--act), 0 0 0 3px var(--act)" }, {}]
    : [{ transform: `translate(${x}px, ${y}px) scale(${from.width / to.width || 1})`, zIndex: 9 }, {}];
  card.animate(frames, still.matches ? { duration: 1000, id: "ring" } : { duration: 220, easing: EASE, id: "travel" });
}

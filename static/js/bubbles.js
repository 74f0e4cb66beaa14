/* A line of the chat stands at its sender's seat for some seconds: only what the chat of this page has got. */

import { all, find } from "./page.js";

const SHOWN_MS = 7_000;
const GAP = 8;

const idOf = (/** @type {Element} */ line) => Number(line.id.slice(1));
const newest = () => Math.max(0, ...all("#chat-lines > li").map(idOf));
let last = newest();

/** Lines may have come: of each sender the latest is shown. */
export function look() {
  for (const line of all("#chat-lines > li[data-by]")) if (idOf(line) > last) show(line);
  last = newest();
}

/** @param {HTMLElement} line */
function show(line) {
  const { by = "" } = line.dataset;
  const seat = find(`.seat[data-seat="${by}"]`) ?? find(`#seats [data-seat="${by}"]`);
  const at = seat?.getBoundingClientRect();
  document.getElementById(`bubble-${by}`)?.remove();
  if (!at?.width) return;
  const words = line.cloneNode(true);
  words.querySelector("b")?.remove();
  const bubble = Object.assign(document.createElement("p"), { className: "bubble", id: `bubble-${by}`, dir: "auto" });
  bubble.textContent = words.textContent?.trim() ?? "";
  bubble.ariaHidden = "true"; // the log reads it out
  document.body.append(bubble);
  const x = Math.min(at.left + 2 * GAP, document.documentElement.clientWidth - bubble.offsetWidth - GAP);
  const above = at.bottom + GAP + bubble.offsetHeight > innerHeight;
  bubble.classList.toggle("above", above);
  bubble.style.left = `${Math.max(GAP, x)}px`;
  bubble.style.top = `${above ? at.top - GAP - bubble.offsetHeight : at.bottom + GAP}px`;
  setTimeout(() => bubble.remove(), SHOWN_MS);
}

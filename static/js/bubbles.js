/* A line of the chat stands at its sender's seat for some seconds: only what the chat of this page has got. */

import { all, find } from "./page.js";

const SHOWN_MS = 7_000;
const GAP = 8;
const rows = matchMedia("(min-width:861px)"); // else the seats stand side by side

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
  const bubble = Object.assign(document.createElement("p"), { className: "bubble", id: `bubble-${by}` });
  bubble.textContent = words.textContent?.trim() ?? "";
  bubble.ariaHidden = "true"; // the log reads it out
  document.body.append(bubble);
  stand(bubble, at);
  setTimeout(() => bubble.remove(), SHOWN_MS);
}

/** Before the seat, where it hides nothing of the table, or else below it; under those that are there already.
@param {HTMLElement} bubble @param {DOMRect} at */
function stand(bubble, at) {
  bubble.classList.toggle("beside", rows.matches); // narrower
  const { offsetWidth: width, offsetHeight: height } = bubble;
  const most = document.documentElement.clientWidth - width - GAP;
  const before = getComputedStyle(bubble).direction === "rtl" ? at.right + GAP : at.left - GAP - width;
  const beside = rows.matches && before >= GAP && before <= most;
  const x = beside ? before : Math.max(GAP, Math.min(at.left + GAP, most));
  let y = beside ? at.top + (at.height - height) / 2 : at.bottom + GAP / 2;
  for (const other of all(".bubble").filter((one) => one !== bubble)) {
    const taken = other.getBoundingClientRect();
    if (x < taken.right && taken.left < x + width && y < taken.bottom && taken.top < y + height) y = taken.bottom + GAP / 2;
  }
  bubble.classList.toggle("beside", beside);
  bubble.style.left = `${x}px`;
  bubble.style.top = `${Math.max(GAP, Math.min(y, innerHeight - height - GAP))}px`;
}

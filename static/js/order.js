/* The order of a ladder: rows are moved by their buttons, or dragged by their grips; the form is sent only to save. */

import { number } from "./numbers.js";
import { all, find, one } from "./page.js";

const EDGE = 80; // so near to the edge of the window a dragged row scrolls the page
const form = find("form[data-order]");
const movable = form?.querySelector(".movable");
const list = () => one("[data-order] .movable");
const rows = () => /** @type {HTMLElement[]} */ ([...list().children]);

/** After each change: numbers, what has moved, what the form will send. */
function settle() {
  let changed = false;
  rows().forEach((row, index, all) => {
    const moved = index + 1 !== Number(row.dataset.was);
    changed ||= moved;
    one(".position", row).textContent = number(index + 1);
    one(".was", row).hidden = !moved;
    row.classList.toggle("moved", moved);
    one("[name=up]", row).toggleAttribute("aria-disabled", index === 0);
    one("[name=down]", row).toggleAttribute("aria-disabled", index === all.length - 1);
    for (const stop of row.querySelectorAll("[aria-disabled]")) stop.setAttribute("aria-disabled", "true");
  });
  one("[data-order] input[name=order]").value = rows().map((row) => row.dataset.player).join();
  for (const part of all("[data-order] [data-changed]")) part.hidden = !changed;
}

/** @param {HTMLElement} row */
function say(row) {
  const name = one(".name", row).textContent ?? "";
  const said = one("[data-order] [data-said]");
  said.textContent = (said.dataset.said ?? "").replace("NUMBER", number(rows().indexOf(row) + 1)).replace("NAME", () => name);
}

/** @param {Heard["click"]} event */
function step(event) {
  const button = event.target.closest("button[name=up], button[name=down]");
  if (!button) return;
  event.preventDefault();
  const row = button.closest("li");
  if (!row) return;
  const other = button.name === "up" ? row.previousElementSibling : row.nextElementSibling;
  if (!other) return;
  button.name === "up" ? other.before(row) : other.after(row);
  settle();
  say(row);
  button.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

/** @param {Heard["pointerdown"]} event */
function drag(event) {
  const grip = event.target.closest("[data-grip]");
  if (!grip || event.button) return;
  event.preventDefault();
  const row = grip.closest("li");
  if (!row) return;
  const all = list();
  const next = row.nextElementSibling;
  let { clientY: y } = event;
  let frame = 0;
  const held = new AbortController();
  const { signal } = held;
  all.setPointerCapture(event.pointerId); // the grip would lose it each time its row moves
  row.classList.add("held");

  const follow = () => {
    const before = rows().find((other) => {
      const { top, height } = other.getBoundingClientRect();
      return other !== row && y < top + height / 2;
    });
    if (before !== (row.nextElementSibling ?? undefined)) {
      all.insertBefore(row, before ?? null);
      settle();
    }
    const over = y < EDGE + 60 ? -1 : y > innerHeight - EDGE ? 1 : 0;
    if (over) scrollBy({ top: over * 9, behavior: "instant" });
    frame = requestAnimationFrame(follow);
  };
  const move = (/** @type {PointerEvent} */ { clientY }) => (y = clientY);
  const end = (/** @type {Event} */ { type }) => {
    cancelAnimationFrame(frame);
    row.classList.remove("held");
    held.abort();
    if (type !== "pointerup") all.insertBefore(row, next);
    settle();
    say(row);
  };
  const escape = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && end(event);
  all.addEventListener("pointermove", move, { signal });
  all.addEventListener("pointerup", end, { signal });
  all.addEventListener("pointercancel", end, { signal });
  window.addEventListener("keydown", escape, { signal });
  frame = requestAnimationFrame(follow);
}

if (movable) {
  for (const grip of movable.querySelectorAll("[data-grip]")) grip.hidden = false;
  movable.addEventListener("click", step);
  movable.addEventListener("pointerdown", drag);
}

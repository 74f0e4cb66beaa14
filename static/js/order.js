/* The order of a ladder: rows are moved by their buttons, or dragged by their grips; the form is sent only to save. */

import { number } from "./numbers.js";

const EDGE = 80; // so near to the edge of the window a dragged row scrolls the page
const form = document.querySelector("[data-order]");
const list = form?.querySelector(".movable");
const said = form?.querySelector("[data-said]");
const rows = () => [...list.children];

/** After each change: numbers, what has moved, what the form will send. */
function settle() {
  let changed = false;
  rows().forEach((row, index, all) => {
    const moved = index + 1 !== +row.dataset.was;
    changed ||= moved;
    row.querySelector(".position").textContent = number(index + 1);
    row.querySelector(".was").hidden = !moved;
    row.classList.toggle("moved", moved);
    row.querySelector("[name=up]").toggleAttribute("aria-disabled", index === 0);
    row.querySelector("[name=down]").toggleAttribute("aria-disabled", index === all.length - 1);
    for (const stop of row.querySelectorAll("[aria-disabled]")) stop.setAttribute("aria-disabled", "true");
  });
  form.elements.order.value = rows().map((row) => row.dataset.player).join();
  for (const part of form.querySelectorAll("[data-changed]")) part.hidden = !changed;
}

function say(row) {
  const name = row.querySelector(".name").textContent;
  said.textContent = said.dataset.said.replace("NUMBER", number(rows().indexOf(row) + 1)).replace("NAME", () => name);
}

function step(event) {
  const button = event.target.closest("[name=up], [name=down]");
  if (!button) return;
  event.preventDefault();
  const row = button.closest("li");
  const other = button.name === "up" ? row.previousElementSibling : row.nextElementSibling;
  if (!other) return;
  button.name === "up" ? other.before(row) : other.after(row);
  settle();
  say(row);
  button.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function drag(event) {
  const grip = event.target.closest("[data-grip]");
  if (!grip || event.button) return;
  event.preventDefault();
  const row = grip.closest("li");
  const next = row.nextElementSibling;
  let { clientY: y } = event;
  let frame = 0;
  list.setPointerCapture(event.pointerId); // the grip would lose it each time its row moves
  row.classList.add("held");

  const follow = () => {
    const before = rows().find((other) => {
      const { top, height } = other.getBoundingClientRect();
      return other !== row && y < top + height / 2;
    });
    if (before !== (row.nextElementSibling ?? undefined)) {
      list.insertBefore(row, before ?? null);
      settle();
    }
    const over = y < EDGE + 60 ? -1 : y > innerHeight - EDGE ? 1 : 0;
    if (over) scrollBy({ top: over * 9, behavior: "instant" });
    frame = requestAnimationFrame(follow);
  };
  const move = ({ clientY }) => (y = clientY);
  const end = ({ type }) => {
    cancelAnimationFrame(frame);
    row.classList.remove("held");
    listening("removeEventListener");
    if (type !== "pointerup") list.insertBefore(row, next);
    settle();
    say(row);
  };
  const escape = (event) => event.key === "Escape" && end(event);
  const listening = (does) => {
    list[does]("pointermove", move);
    list[does]("pointerup", end);
    list[does]("pointercancel", end);
    window[does]("keydown", escape);
  };
  listening("addEventListener");
  frame = requestAnimationFrame(follow);
}

if (list) {
  for (const grip of list.querySelectorAll("[data-grip]")) grip.hidden = false;
  list.addEventListener("click", step);
  list.addEventListener("pointerdown", drag);
}

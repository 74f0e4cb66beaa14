/* The lessons of a guided game. The one that is due stands at what it explains until it is read; the list of those one
has had is in the page (games/table/lessons.py), and pressing one of them calls it back. */

import * as sheets from "./sheets.js";

const GAP = 14; // from the thing to the lesson, with the tip between
const EDGE = 8;
const kept = `lessons-read:${document.body.dataset.table}`;
const read = new Set(JSON.parse(sessionStorage.getItem(kept) ?? "[]"));
const box = document.getElementById("lesson");
let called = ""; // the name of a lesson that was called back
let at = null; // what the lesson stands at

const list = () => [...document.querySelectorAll("#lessons > [data-lesson]")];
const nameOf = (lesson) => lesson?.dataset.lesson ?? "";
const seen = (element) => element?.checkVisibility() && element.getClientRects().length;

/* The thing itself; where it lies in a sheet that is closed, the button that opens the sheet. */
function thing({ dataset: { explains } }) {
  const found = document.querySelector(explains);
  if (seen(found)) return found;
  const pane = found?.closest("[data-pane]")?.dataset.pane ?? found?.id;
  return document.querySelector(`[data-sheet="${CSS.escape(pane ?? "")}"]`);
}

function refresh() {
  for (const lesson of list()) lesson.open = false;
  const due = list().filter(({ dataset }) => "due" in dataset);
  const lesson = list().find((one) => nameOf(one) === called) ?? due.find((one) => !read.has(nameOf(one)));
  if (lesson) show(lesson);
  else hide();
}

function show(lesson) {
  if (box.dataset.shown !== nameOf(lesson)) {
    const text = lesson.cloneNode(true);
    text.querySelector("summary").remove();
    text.querySelector("form")?.remove();
    box.querySelector("h2").textContent = lesson.querySelector("summary").textContent;
    box.querySelector("[data-text]").replaceChildren(...text.childNodes);
    box.dataset.shown = nameOf(lesson);
  }
  box.showPopover?.();
  point(thing(lesson));
}

function hide() {
  delete box.dataset.shown;
  box.hidePopover?.();
  point(null);
}

function point(target) {
  if (at !== target) at?.classList.remove("explained");
  at = target;
  at?.classList.add("explained");
  if (at) stand();
}

/* Beside the thing if there is room, before and after it, else below or above it; else at the top of the window. */
function stand() {
  const width = document.documentElement.clientWidth;
  const height = window.innerHeight;
  const it = at.getBoundingClientRect();
  const own = box.getBoundingClientRect();
  const within = (value, most) => Math.max(EDGE, Math.min(value, most - EDGE));
  const left = within(it.left + it.width / 2 - own.width / 2, width - own.width);
  const top = within(it.top + Math.min(it.height, height) / 2 - own.height / 2, height - own.height);
  const places = [
    ["left", it.left - GAP - own.width, top],
    ["right", it.right + GAP, top],
    ["below", left, it.bottom + GAP],
    ["above", left, it.top - GAP - own.height],
  ];
  const fits = ([, x, y]) => x >= EDGE && x + own.width <= width - EDGE && y >= EDGE && y + own.height <= height - EDGE;
  const [side, x, y] = places.find(fits) ?? ["over", left, EDGE];
  box.dataset.side = side;
  box.style.left = `${x}px`;
  box.style.top = `${y}px`;
  const tip = side === "left" || side === "right" ? it.top + it.height / 2 - y : it.left + it.width / 2 - x;
  box.style.setProperty("--tip", `${Math.max(16, Math.min(tip, (side === "left" || side === "right" ? own.height : own.width) - 16))}px`);
}

function got() {
  const lesson = list().find((one) => nameOf(one) === box.dataset.shown);
  if (called) called = "";
  else if (lesson) {
    read.add(nameOf(lesson));
    sessionStorage.setItem(kept, JSON.stringify([...read]));
    lesson.querySelector("form")?.requestSubmit();
  }
  refresh();
  document.getElementById("stage").focus({ preventScroll: true });
}

box.addEventListener("click", ({ target }) => {
  if (target.closest("[data-got]")) got();
  else if (target.closest("[data-all]")) {
    got();
    sheets.open("help");
  }
});

document.addEventListener("click", (event) => {
  const lesson = event.target.closest("#lessons summary")?.parentElement;
  if (!lesson) return;
  event.preventDefault();
  called = nameOf(lesson);
  sheets.open("");
  refresh();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !box.dataset.shown || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  got();
});

document.addEventListener("board", refresh);
document.addEventListener("sheet", refresh);
addEventListener("resize", refresh);
refresh();

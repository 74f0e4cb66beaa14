/* The lessons of a guided game. The one that is due stands at what it explains until it is read; the list of those one
has had is in the page (games/table/lessons.py), and pressing one of them calls it back. */

import { all, byId, find, one } from "./page.js";
import * as sheets from "./sheets.js";

const GAP = 14; // from the thing to the lesson, with the tip between
const EDGE = 8;
const [NARROWEST, WIDEST] = [200, 330];
const kept = `lessons-read:${document.body.dataset.table}`;
const read = new Set(JSON.parse(sessionStorage.getItem(kept) ?? "[]"));
const box = byId("lesson");
let called = ""; // the name of a lesson that was called back
/** @type {HTMLElement | null} */
let at = null; // what the lesson stands at

/* A game that shows its end step by step is not told by a lesson first. */
const held = () => "judged" in document.body.dataset;
const list = () => all("#lessons > [data-lesson]");
const nameOf = (/** @type {HTMLElement | undefined} */ lesson) => lesson?.dataset.lesson ?? "";
const seen = (/** @type {Element} */ element) => element.checkVisibility() && element.getClientRects().length;

/** The thing itself; where it lies in a sheet or a tab that is closed, the button that opens it; else the question.
@param {HTMLElement} lesson */
function thing({ dataset: { explains } }) {
  const found = find(String(explains));
  if (found && seen(found)) return found;
  const pane = found?.closest("[data-pane]")?.dataset.pane ?? found?.id;
  const name = CSS.escape(pane ?? "");
  return find(`[data-sheet="${name}"],[data-pane-of="${name}"]`) ?? byId("stage");
}

function refresh() {
  if (held()) return hide();
  const due = list().filter(({ dataset }) => "due" in dataset);
  const lesson = list().find((one) => nameOf(one) === called) ?? due.find((one) => !read.has(nameOf(one)));
  if (lesson) show(lesson);
  else hide();
}

/** @param {HTMLElement} lesson */
function show(lesson) {
  if (box.dataset.shown !== nameOf(lesson)) {
    const text = one("div", lesson).cloneNode(true);
    text.querySelector("form")?.remove();
    one("h2", box).textContent = one("h3", lesson).textContent;
    one("[data-text]", box).replaceChildren(...text.childNodes);
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

/** @param {HTMLElement | null} target */
function point(target) {
  if (at !== target) at?.classList.remove("explained");
  at = target;
  at?.classList.add("explained");
  if (at) stand(at.getBoundingClientRect());
}

/** Beside the thing where there is most room, if there is enough, else below or above it, else at the top of the window.
@param {DOMRect} it */
function stand(it) {
  const width = document.documentElement.clientWidth;
  const height = window.innerHeight;
  const rooms = [it.left, width - it.right].map((room) => room - GAP - EDGE);
  const beside = Math.max(...rooms) < NARROWEST ? -1 : rooms[1] >= rooms[0] ? 1 : 0; // over the moves, not the count
  box.style.width = beside < 0 ? "" : `${Math.min(WIDEST, rooms[beside])}px`;
  const own = { width: box.offsetWidth, height: box.offsetHeight }; // whole, even while it is still growing
  /** @param {number} value @param {number} most */
  const within = (value, most) => Math.max(EDGE, Math.min(value, most - EDGE));
  const x = within(it.left + it.width / 2 - own.width / 2, width - own.width);
  const y = within(it.top + it.height / 2 - own.height / 2, height - own.height);
  const below = it.bottom + GAP;
  const above = it.top - GAP - own.height;
  if (beside === 0) put("left", it.left - GAP - own.width, y);
  else if (beside === 1) put("right", it.right + GAP, y);
  else if (below + own.height <= height - EDGE) put("below", x, below);
  else if (above >= EDGE) put("above", x, above);
  else put("over", x, EDGE);

  /** @param {string} side @param {number} left @param {number} top */
  function put(side, left, top) {
    const [from, length] = beside < 0 ? [it.left + it.width / 2 - left, own.width] : [it.top + it.height / 2 - top, own.height];
    box.dataset.side = side;
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
    box.style.setProperty("--tip", `${Math.max(16, Math.min(from, length - 16))}px`);
  }
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
  byId("stage").focus({ preventScroll: true });
}

box.addEventListener("click", ({ target }) => {
  if (target.closest("[data-got]")) got();
  else if (target.closest("[data-all]")) {
    got();
    sheets.open("help");
  }
});

document.addEventListener("click", (event) => {
  const lesson = event.target.closest("#lessons h3 button")?.closest("[data-lesson]");
  if (!lesson) return;
  called = nameOf(lesson);
  sheets.open("");
  refresh();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !box.dataset.shown || find("dialog[open]")) return;
  event.preventDefault();
  got();
});

document.addEventListener("board", refresh);
document.addEventListener("sheet", refresh);
document.addEventListener("judged", refresh);
addEventListener("resize", refresh);
refresh();

/* The questions of Ex Libris: a card and its cell as one answer, what a card would do there, the last step, the tabs of a
phone, and shelves that open. The board says what is known: see games/faces/exlibris/shelf.py. */

import { ask, chosen } from "../js/answer.js";
import { digits, number, signed } from "../js/numbers.js";
import { announce, list, word } from "../js/words.js";
import { inOrder, knownOf, linesOf, readShelf, scoreOf } from "./score.js";

const byId = (id) => document.getElementById(id);
const says = (input) => input?.dataset.says ?? "";
const changed = () => byId("answer")?.dispatchEvent(new Event("change", { bubbles: true }));
const labelOf = (input) => digits(input?.value.split(" ")[1] ?? "");

// ---- a card and its cell -------------------------------------------------------------------------------------------

/* The card that is chosen for the shelf, as the elements of the page tell it. */
function cardOf(input) {
  const { n, books } = input?.closest("[data-n]")?.dataset ?? {};
  return n === undefined ? null : { card: +n, books };
}

function shelving(form) {
  const [card] = chosen(form).filter(({ id }) => id !== "cell");
  const shelf = byId("shelf");
  weigh(card?.value.startsWith("shelve ") ? card : null);
  if (!card) return [word("xl-choose"), false];
  if (!card.value.startsWith("shelve ")) {
    byId("cell").checked = false;
    return [says(card), true];
  }
  if (shelf.dataset.one) return [says(card), true];
  const cell = byId("cell");
  if (!cell?.checked) return [word("xl-cell", { card: labelOf(card) }), false];
  const change = shelf.dataset.change;
  return [change ? word("xl-here", { says: says(card), change }) : word("xl-there", { says: says(card) }), true];
}

let weighed = ""; // for which card and ply the ghost cells say what they do

/* Each ghost cell says what the chosen card does there. */
function weigh(input) {
  const shelf = byId("shelf");
  const card = cardOf(input);
  const key = `${input?.value ?? ""} ${byId("ply").dataset.ply}`;
  if (key !== weighed) {
    weighed = key;
    const now = shelf.dataset.lines && scoreOf(shelf.dataset, readShelf(shelf));
    for (const ghost of shelf.querySelectorAll(".ex-ghost[data-cell]")) fill(ghost, card, shelf, now);
  }
  mark(shelf, card);
}

function fill(ghost, card, shelf, now) {
  const [sign, points] = ghost.children;
  ghost.classList.remove("ok", "warn");
  sign.textContent = points.textContent = "";
  delete ghost.dataset.points;
  if (!card || !now) return;
  const [row, column] = ghost.dataset.cell.slice(3).split(",").map(Number);
  const then = scoreOf(shelf.dataset, [...readShelf(shelf), { ...card, row, column, up: true }]);
  const more = Math.max(0, then.down - now.down);
  ghost.classList.add(more ? "warn" : "ok");
  sign.textContent = more ? `⚠ ${number(more)}` : "✓";
  points.textContent = number(then.points);
  ghost.dataset.points = then.points;
  ghost.dataset.lines = then.lines.join(" ");
  ghost.title = `${more ? word("xl-warn", { n: number(more) }) : word("xl-tick")}, ${word("xl-score", { n: number(then.points) })}`;
  ghost.ariaDescription = ghost.title;
}

const change = (n) => (n ? signed(n) : "");

/* The chosen cell shows the card, and the preview what changes. */
function mark(shelf, card) {
  const cell = byId("cell");
  const before = shelf.dataset.lines?.split(" ").map(Number);
  let after = null;
  for (const ghost of shelf.querySelectorAll("[data-cell]")) {
    const here = !!card && !!cell?.checked && ghost.dataset.cell === cell.value;
    ghost.setAttribute("aria-pressed", String(here));
    if (here && ghost.dataset.lines) after = ghost.dataset.lines.split(" ").map(Number);
  }
  const cells = document.querySelectorAll("#worth [data-change]");
  const changes = after && [...after.map((line, at) => line - before[at]), 0];
  if (changes) changes[5] = changes.slice(0, 5).reduce((sum, line) => sum + line, 0);
  cells.forEach((place, at) => (place.textContent = changes ? change(changes[at]) || "·" : ""));
  shelf.dataset.change = changes ? change(changes[5]) : "";
}

document.addEventListener("click", ({ target }) => {
  const ghost = target.closest("[data-cell]");
  const cell = byId("cell");
  if (!ghost || !cell) return;
  // Whoever presses the cell that is chosen means it; where there is one only, it is no part of the answer.
  if (byId("shelf").dataset.one || (cell.checked && cell.value === ghost.dataset.cell)) return document.querySelector("#stage [data-primary]:enabled")?.click();
  cell.value = ghost.dataset.cell;
  cell.checked = true;
  cell.dispatchEvent(new Event("change", { bubbles: true }));
});

/* Arrows go from ghost cell to ghost cell. */
document.addEventListener("keydown", (event) => {
  const here = event.target.closest?.(".ex-ghost");
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!here || !way) return;
  event.preventDefault();
  event.stopPropagation();
  const middle = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(here);
  const far = (element) => {
    const [a, b] = middle(element);
    const along = (a - x) * way[0] + (b - y) * way[1];
    const across = Math.abs((a - x) * way[1]) + Math.abs((b - y) * way[0]);
    return along > 4 ? along + 3 * across : Infinity;
  };
  const others = [...document.querySelectorAll(".ex-ghost")].filter((other) => far(other) < Infinity);
  others.sort((a, b) => far(a) - far(b))[0]?.focus();
});

// ---- the last step -------------------------------------------------------------------------------------------------

const switches = () => [...document.querySelectorAll("#stage [data-flip]")];

function flip(button, on) {
  button.setAttribute("aria-checked", String(on));
  const hidden = document.querySelector(`#answer [data-of="${button.dataset.flip}"]`);
  if (hidden) hidden.value = on ? "up" : "down";
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("#stage [data-flip]");
  const back = target.closest("#stage [data-suggest]");
  if (button) flip(button, button.ariaChecked !== "true");
  if (back) for (const one of switches()) flip(one, one.dataset.advice === "1");
  if (button || back) changed();
});

function flipping(form) {
  const all = switches();
  const state = all.map((button) => ({ card: +button.dataset.flip, books: button.dataset.books, up: button.ariaChecked === "true" }));
  const check = inOrder(state);
  all.forEach((button, at) => {
    const { up, down, check: turned } = button.dataset;
    const wrong = state[at].up && !check.has(state[at].card);
    button.classList.toggle("off", !state[at].up);
    button.classList.toggle("wrong", wrong);
    button.querySelector(".ex-state").textContent = wrong ? turned : state[at].up ? up : down;
  });
  const shelf = byId("shelf");
  if (shelf?.dataset.lines) {
    const books = [...state].filter(({ card, up }) => up && check.has(card)).map(({ books }) => books).join("");
    const lines = linesOf(books, knownOf(shelf.dataset), +shelf.dataset.lines.split(" ")[0]);
    form.closest(".ex-live").querySelectorAll("[data-line]").forEach((place, at) => (place.textContent = number(lines[at])));
    const sum = form.closest(".ex-live").querySelector("[data-sum]");
    if (sum) sum.textContent = number(lines.reduce((total, line) => total + line, 0));
  }
  const wrong = state.filter(({ card, up }) => up && !check.has(card));
  const warning = form.closest(".ex-live").querySelector(".ex-warning");
  warning.hidden = !wrong.length;
  const label = ({ card }) => document.querySelector(`#stage [data-flip="${card}"] .ex-label`).textContent;
  warning.textContent = wrong.length ? word("xl-check", { cards: list(wrong.map(label)) }) : "";
  const up = state.filter((one) => one.up).length;
  return [word("xl-go", { down: number(state.length - up), up: number(up) }), true];
}

// ---- all questions -------------------------------------------------------------------------------------------------

function picking(form) {
  const [one] = chosen(form);
  for (const way of document.querySelectorAll(".ex-tile")) way.classList.toggle("sel", !!way.querySelector("input:checked"));
  explain(one);
  const town = form.querySelector("[data-label]") && document.querySelector(".ex-way");
  return one ? [says(one), true] : [word(town ? "xl-pawn" : "xl-choose"), false];
}

/* The question says what the chosen tile does. */
function explain(one) {
  const about = document.querySelector("#stage [data-about]");
  const tile = one?.closest(".ex-tile");
  if (!about) return;
  about.dataset.plain ??= about.textContent;
  if (!tile) return void (about.textContent = about.dataset.plain);
  const name = Object.assign(document.createElement("b"), { textContent: `${number(tile.dataset.tile)} ${tile.querySelector(".ex-name").textContent}. ` });
  about.replaceChildren(name, ...[...tile.querySelector(".ex-effect").childNodes].map((node) => node.cloneNode(true)));
}

function some(form) {
  const all = chosen(form);
  const { least, most } = form.dataset;
  if (all.length < +least) return [word("xl-more", { n: number(least - all.length) }), false];
  if (all.length > +most) return [word("xl-less", { n: number(all.length - most) }), false];
  const lay = all[0].value.startsWith("lay ");
  return [word(lay ? "xl-lay" : "xl-some", { cards: list(all.map(labelOf)) }), true];
}

ask({
  pick: { ready: picking },
  shelve: { ready: shelving },
  some: { ready: some },
  flip: { ready: flipping },
  press: { ready: () => ["", true] },
});

// ---- tabs of small screens, and shelves that open ------------------------------------------------------------------

let shownFor = "";
let answered = ""; // the ply of the newest board

/** Show the town or the own shelf; on wide screens both are there. */
function show(pane, aloud = false) {
  if (document.body.dataset.shows === pane) return;
  document.body.dataset.shows = pane;
  for (const tab of document.querySelectorAll("[data-pane-of]")) tab.setAttribute("aria-pressed", String(tab.dataset.paneOf === pane));
  if (aloud && byId("ex-tabs")?.offsetParent) announce(word("xl-shown", { pane: word(`xl-${pane}`) }));
}

function tabs() {
  if (byId("ex-tabs") || !byId("town")) return;
  const row = Object.assign(document.createElement("p"), { id: "ex-tabs", className: "ex-tabs" });
  for (const pane of ["town", "shelf"]) {
    const tab = Object.assign(document.createElement("button"), { type: "button", className: "button small", textContent: word(`xl-${pane}`) });
    tab.dataset.paneOf = pane;
    tab.addEventListener("click", () => show(pane));
    row.append(tab);
  }
  byId("town").before(row);
  show("town");
}

/* When a question concerns the shelf, the tab changes by itself, once. */
document.addEventListener("board", () => {
  tabs();
  const { asked, ply } = byId("ply").dataset;
  const cell = byId("cell");
  if (cell && answered !== ply) cell.checked = false;
  answered = ply;
  weighed = "";
  changed(); // what was drawn anew says again what the chosen card does
  const wanted = byId("stage")?.dataset.show;
  if (!asked || !wanted || shownFor === ply) return;
  shownFor = ply;
  show(wanted, true);
});

document.addEventListener("click", ({ target }) => {
  const shelf = target.closest("[data-enlarge]");
  if (!shelf) return;
  const dialog = document.createElement("dialog");
  dialog.className = "leaf ex-large";
  dialog.setAttribute("aria-label", shelf.ariaLabel);
  const copy = document.createElement("div");
  copy.className = "ex-shelf";
  copy.append(...[...shelf.children].map((row) => row.cloneNode(true)));
  const close = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: word("xl-close") });
  close.addEventListener("click", () => dialog.close());
  const head = Object.assign(document.createElement("h2"), { textContent: shelf.ariaLabel });
  dialog.append(head, copy, close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
});

/* The questions of Ex Libris: a card and its cell as one answer, what a card would do there, the last step, the tabs of a
phone, and shelves that open. The board says what is known: see games/faces/exlibris/shelf.py. */

import { ask, chosen } from "../js/answer.js";
import { digits, number, signed } from "../js/numbers.js";
import { all, byId, find, one } from "../js/page.js";
import { announce, list, word } from "../js/words.js";
import { inOrder, knownOf, linesOf, readShelf, scoreOf } from "./score.js";

const cellOf = () => find("input#cell");
const says = (/** @type {HTMLElement | undefined} */ input) => input?.dataset.says ?? "";
const changed = () => find("#answer")?.dispatchEvent(new Event("change", { bubbles: true }));
const labelOf = (/** @type {HTMLInputElement} */ input) => digits(input.value.split(" ")[1] ?? "");

// ---- a card and its cell

/** The card that is chosen for the shelf, as the elements of the page tell it.
@param {Element | null} input */
function cardOf(input) {
  const data = input?.closest("[data-n]")?.dataset;
  return data ? { card: Number(data.n), books: data.books ?? "" } : null;
}

/** @type {Question["ready"]} */
function shelving(form) {
  const [card] = chosen(form).filter(({ id }) => id !== "cell");
  const shelf = byId("shelf");
  weigh(card?.value.startsWith("shelve ") ? card : null);
  if (!card) return [word("xl-choose"), false];
  if (!card.value.startsWith("shelve ")) {
    one("input#cell").checked = false;
    return [says(card), true];
  }
  if (shelf.dataset.one) return [says(card), true];
  if (!cellOf()?.checked) return [word("xl-cell", { card: labelOf(card) }), false];
  const change = shelf.dataset.change;
  return [change ? word("xl-here", { says: says(card), change }) : word("xl-there", { says: says(card) }), true];
}

let weighed = ""; // for which card and ply the ghost cells say what they do

/** Each ghost cell says what the chosen card does there.
@param {HTMLInputElement | null} input */
function weigh(input) {
  const shelf = byId("shelf");
  const card = cardOf(input);
  const key = `${input?.value ?? ""} ${byId("ply").dataset.ply}`;
  if (key !== weighed) {
    weighed = key;
    const now = shelf.dataset.lines ? scoreOf(shelf.dataset, readShelf(shelf)) : null;
    for (const ghost of all(".ex-ghost[data-cell]", shelf)) fill(ghost, card, shelf, now);
  }
  mark(shelf, card);
}

/** @param {HTMLElement} ghost @param {ReturnType<typeof cardOf>} card @param {HTMLElement} shelf
@param {ReturnType<typeof scoreOf> | null} now */
function fill(ghost, card, shelf, now) {
  const [sign, points] = ghost.children;
  ghost.classList.remove("ok", "warn");
  sign.textContent = points.textContent = "";
  delete ghost.dataset.points;
  if (!card || !now) return;
  const { cell = "" } = ghost.dataset;
  const [row, column] = cell.slice(3).split(",").map(Number);
  const then = scoreOf(shelf.dataset, [...readShelf(shelf), { ...card, row, column, up: true }]);
  const more = Math.max(0, then.down - now.down);
  ghost.classList.add(more ? "warn" : "ok");
  sign.textContent = more ? `⚠ ${number(more)}` : "✓";
  points.textContent = number(then.points);
  ghost.dataset.points = String(then.points);
  ghost.dataset.lines = then.lines.join(" ");
  ghost.title = `${more ? word("xl-warn", { n: number(more) }) : word("xl-tick")}, ${word("xl-score", { n: number(then.points) })}`;
  ghost.ariaDescription = ghost.title;
}

const change = (/** @type {number} */ n) => (n ? signed(n) : "");

/** The chosen cell shows the card, and the preview what changes.
@param {HTMLElement} shelf @param {ReturnType<typeof cardOf>} card */
function mark(shelf, card) {
  const cell = cellOf();
  const before = shelf.dataset.lines?.split(" ").map(Number) ?? [];
  /** @type {number[] | null} */
  let after = null;
  for (const ghost of all("[data-cell]", shelf)) {
    const here = !!card && !!cell?.checked && ghost.dataset.cell === cell.value;
    ghost.setAttribute("aria-pressed", String(here));
    if (here && ghost.dataset.lines) after = ghost.dataset.lines.split(" ").map(Number);
  }
  const changes = after && [...after.map((line, at) => line - before[at]), 0];
  if (changes) changes[5] = changes.slice(0, 5).reduce((sum, line) => sum + line, 0);
  all("#worth [data-change]").forEach((place, at) => (place.textContent = changes ? change(changes[at]) || "·" : ""));
  shelf.dataset.change = changes ? change(changes[5]) : "";
}

document.addEventListener("click", ({ target }) => {
  const value = target.closest("[data-cell]")?.dataset.cell;
  const cell = cellOf();
  if (value === undefined || !cell) return;
  // Whoever presses the cell that is chosen means it; where there is one only, it is no part of the answer.
  const again = cell.checked && cell.value === value;
  if (again || byId("shelf").dataset.one) return find("#stage [data-primary]:enabled")?.click();
  cell.value = value;
  cell.checked = true;
  cell.dispatchEvent(new Event("change", { bubbles: true }));
});

/** @type {Record<string, number[]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/* Arrows go from ghost cell to ghost cell. */
document.addEventListener("keydown", (event) => {
  const here = event.target.closest?.(".ex-ghost");
  const way = WAYS[event.key];
  if (!here || !way) return;
  event.preventDefault();
  event.stopPropagation();
  const middle = (/** @type {Element} */ element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(here);
  const far = (/** @type {Element} */ element) => {
    const [a, b] = middle(element);
    const along = (a - x) * way[0] + (b - y) * way[1];
    const across = Math.abs((a - x) * way[1]) + Math.abs((b - y) * way[0]);
    return along > 4 ? along + 3 * across : Infinity;
  };
  const others = all(".ex-ghost").filter((other) => far(other) < Infinity);
  others.sort((a, b) => far(a) - far(b))[0]?.focus();
});

// ---- the last step

const switches = () => all("#stage [data-flip]");

/** @param {HTMLElement} button @param {boolean} on */
function flip(button, on) {
  button.setAttribute("aria-checked", String(on));
  const hidden = find(`#answer input[data-of="${button.dataset.flip}"]`);
  if (hidden) hidden.value = on ? "up" : "down";
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("#stage [data-flip]");
  const back = target.closest("#stage [data-suggest]");
  if (button) flip(button, button.ariaChecked !== "true");
  if (back) for (const one of switches()) flip(one, one.dataset.advice === "1");
  if (button || back) changed();
});

/** @type {Question["ready"]} */
function flipping(form) {
  const buttons = switches();
  const state = buttons.map(({ dataset, ariaChecked }) => ({
    card: Number(dataset.flip),
    books: dataset.books,
    up: ariaChecked === "true",
  }));
  const shelf = find("#shelf");
  const check = inOrder(state, shelf?.dataset.ascending === "1");
  buttons.forEach((button, at) => {
    const { up = "", down = "", check: turned = "" } = button.dataset;
    const wrong = state[at].up && !check.has(state[at].card);
    button.classList.toggle("off", !state[at].up);
    button.classList.toggle("wrong", wrong);
    one(".ex-state", button).textContent = wrong ? turned : state[at].up ? up : down;
  });
  const live = form.closest(".ex-live") ?? form;
  if (shelf?.dataset.lines) {
    const books = [...state].filter(({ card, up }) => up && check.has(card)).map(({ books }) => books).join("");
    const lines = linesOf(books, knownOf(shelf.dataset), Number(shelf.dataset.lines.split(" ")[0]));
    all("[data-line]", live).forEach((place, at) => (place.textContent = number(lines[at])));
    const sum = live.querySelector("[data-sum]");
    if (sum) sum.textContent = number(lines.reduce((total, line) => total + line, 0));
  }
  const wrong = state.filter(({ card, up }) => up && !check.has(card));
  const warning = one(".ex-warning", live);
  warning.hidden = !wrong.length;
  /** @param {{ card: number }} turned */
  const label = ({ card }) => one(`#stage [data-flip="${card}"] .ex-label`).textContent ?? "";
  warning.textContent = wrong.length ? word("xl-check", { cards: list(wrong.map(label)) }) : "";
  const up = state.filter((one) => one.up).length;
  return [word("xl-go", { down: number(state.length - up), up: number(up) }), true];
}

// ---- all questions

/** @type {Question["ready"]} */
function picking(form) {
  const [one] = chosen(form);
  for (const way of all(".ex-tile")) way.classList.toggle("sel", !!way.querySelector("input:checked"));
  explain(one);
  const town = form.querySelector("[data-label]") && find(".ex-way");
  return one ? [says(one), true] : [word(town ? "xl-pawn" : "xl-choose"), false];
}

/** The question says what the chosen tile does.
@param {Element | undefined} chosen */
function explain(chosen) {
  const about = find("#stage [data-about]");
  const tile = chosen?.closest(".ex-tile");
  if (!about) return;
  const plain = (about.dataset.plain ??= about.textContent ?? "");
  if (!tile) return void (about.textContent = plain);
  const name = Object.assign(document.createElement("b"), { textContent: `${number(Number(tile.dataset.tile))} ${one(".ex-name", tile).textContent}. ` });
  about.replaceChildren(name, ...[...one(".ex-effect", tile).childNodes].map((node) => node.cloneNode(true)));
}

/** @type {Question["ready"]} */
function some(form) {
  const cards = chosen(form);
  const [least, most] = [Number(form.dataset.least), Number(form.dataset.most)];
  if (cards.length < least) return [word("xl-more", { n: number(least - cards.length) }), false];
  if (cards.length > most) return [word("xl-less", { n: number(cards.length - most) }), false];
  const lay = cards[0].value.startsWith("lay ");
  return [word(lay ? "xl-lay" : "xl-some", { cards: list(cards.map(labelOf)) }), true];
}

ask({
  pick: { ready: picking },
  shelve: { ready: shelving },
  some: { ready: some },
  flip: { ready: flipping },
  press: { ready: () => ["", true] },
});

// ---- tabs of small screens, and shelves that open

let shownFor = "";
let answered = ""; // the ply of the newest board

/** Show the town or the own shelf; on wide screens both are there.
@param {string} pane */
function show(pane, aloud = false) {
  if (document.body.dataset.shows === pane) return;
  document.body.dataset.shows = pane;
  for (const tab of all("[data-pane-of]")) tab.setAttribute("aria-pressed", String(tab.dataset.paneOf === pane));
  if (aloud && find("#ex-tabs")?.offsetParent) announce(word("xl-shown", { pane: word(`xl-${pane}`) }));
}

function tabs() {
  const town = find("#town");
  if (!town || find("#ex-tabs")) return;
  const row = Object.assign(document.createElement("p"), { id: "ex-tabs", className: "ex-tabs" });
  for (const pane of ["town", "shelf"]) {
    const tab = Object.assign(document.createElement("button"), { type: "button", className: "button small", textContent: word(`xl-${pane}`) });
    tab.dataset.paneOf = pane;
    tab.addEventListener("click", () => show(pane));
    row.append(tab);
  }
  town.before(row);
  show("town");
}

/* When a question concerns the shelf, the tab changes by itself, once. */
document.addEventListener("board", () => {
  tabs();
  const { asked, ply = "" } = byId("ply").dataset;
  const cell = cellOf();
  if (cell && answered !== ply) cell.checked = false;
  answered = ply;
  weighed = "";
  changed(); // what was drawn anew says again what the chosen card does
  const wanted = byId("stage").dataset.show;
  if (!asked || !wanted || shownFor === ply) return;
  shownFor = ply;
  show(wanted, true);
});

document.addEventListener("click", ({ target }) => {
  const shelf = target.closest("[data-enlarge]");
  if (!shelf) return;
  const dialog = document.createElement("dialog");
  dialog.className = "leaf ex-large";
  dialog.ariaLabel = shelf.ariaLabel;
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

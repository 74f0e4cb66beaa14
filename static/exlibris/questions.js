/* The questions of Ex Libris: a card and its cell as one answer, what a card would do there, and the last step.
The board says what is known: see games/faces/exlibris/shelf.py. */

import { ask, chosen, says as refuse } from "../js/answer.js";
import { digits, number, signed } from "../js/numbers.js";
import { all, byId, find, one } from "../js/page.js";
import { list, word } from "../js/words.js";
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
  const shelves = card?.value.startsWith("shelve ") ? card : null;
  weigh(shelves);
  const tomb = shelves && find("#shelf .ex-tomb[aria-pressed=true]");
  entomb(shelves, tomb);
  one("[data-primary]", form).hidden = !!tomb;
  if (!card) return [word("xl-choose"), false];
  if (!shelves) {
    one("input#cell").checked = false;
    return [says(card), true];
  }
  if (tomb) return ["", false];
  const cell = shelf.dataset.one ? find("#shelf [data-cell]") : find("#shelf [data-cell][aria-pressed=true]");
  if (!cell) return [word("xl-cell", { card: labelOf(card) }), false];
  const { where = "", change, down } = cell.dataset;
  const said = { card: labelOf(card), where, change: change ?? "", down: number(Number(down)) };
  return [change === undefined ? word("xl-there", said) : word(Number(down) ? "xl-put-down" : "xl-put", said), true];
}

/** The ways of the Mummy with a card of the hand and one of the shelf, each with what it does.
@param {HTMLInputElement | null} input @param {HTMLElement | null} tomb */
function entomb(input, tomb) {
  const shelf = byId("shelf");
  for (const button of all("#stage [data-entomb]")) {
    const { over, under, below = "" } = tomb?.dataset ?? {};
    const move = button.dataset.entomb === "over" ? over : under;
    const card = cardOf(input);
    button.hidden = !move || !card;
    if (!move || !card || !input) continue;
    button.dataset.cell = move;
    const cards = readShelf(shelf);
    const now = scoreOf(shelf.dataset, cards);
    const [row, column] = move.split(" ")[1].split(",").map(Number);
    const then = cards.map((old) => {
      if (old.row !== row || old.column !== column) return old;
      return { ...old, ...(move === over ? { ...card, up: true } : {}), tomb: true };
    });
    const change = signed(scoreOf(shelf.dataset, then).points - now.points);
    const text = word(move === over ? "xl-over" : "xl-under", { card: labelOf(input), below: digits(below), change });
    one("[data-label]", button).textContent = text;
  }
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
  const [sign, price] = ghost.children;
  ghost.classList.remove("ok", "warn");
  sign.textContent = price.textContent = ghost.title = ghost.ariaDescription = "";
  for (const fact of ["change", "down", "lines"]) delete ghost.dataset[fact];
  if (!card || !now) return;
  const { cell = "" } = ghost.dataset;
  const [row, column] = cell.slice(3).split(",").map(Number);
  const then = scoreOf(shelf.dataset, [...readShelf(shelf), { ...card, row, column, up: true }]);
  const more = Math.max(0, then.down - now.down);
  ghost.classList.toggle("warn", more > 0);
  ghost.classList.toggle("ok", !more && then.points > now.points);
  sign.textContent = more ? word("xl-turns", { n: number(more) }) : "";
  price.textContent = ghost.dataset.change = signed(then.points - now.points);
  ghost.dataset.down = String(more);
  ghost.dataset.lines = then.lines.join(" ");
  ghost.title = ghost.ariaDescription = word(more ? "xl-warn" : "xl-tick", { n: number(more), score: number(then.points) });
}

const change = (/** @type {number} */ n) => (n ? signed(n) : "");

/** The chosen cell shows the card, and the preview what changes.
@param {HTMLElement} shelf @param {ReturnType<typeof cardOf>} card */
function mark(shelf, card) {
  const cell = cellOf();
  const before = shelf.dataset.lines?.split(" ").map(Number) ?? [];
  /** @type {number[] | null} */
  let after = null;
  for (const ghost of all(".ex-ghost[data-cell]", shelf)) {
    const here = !!card && !!cell?.checked && ghost.dataset.cell === cell.value;
    ghost.setAttribute("aria-pressed", String(here));
    if (here && ghost.dataset.lines) after = ghost.dataset.lines.split(" ").map(Number);
  }
  const changes = after && [...after.map((line, at) => line - before[at]), 0];
  if (changes) changes[5] = changes.slice(0, 5).reduce((sum, line) => sum + line, 0);
  all("#worth [data-change]").forEach((place, at) => (place.textContent = changes ? change(changes[at]) || "·" : ""));
}

/** Leave one card of the shelf, or none, chosen for the Mummy.
@param {Element | null} [tomb] */
function bury(tomb) {
  for (const other of all("#shelf .ex-tomb")) other.setAttribute("aria-pressed", String(other === tomb));
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-cell]");
  const value = button?.dataset.cell;
  const cell = cellOf();
  if (!button || value === undefined || !cell) return;
  const send = one("#stage [data-primary]");
  if (button.matches("[data-entomb]")) {
    cell.value = value;
    cell.checked = true;
    send.hidden = send.toggleAttribute("disabled", false);
    return send.click();
  }
  bury();
  // Whoever presses the cell that is chosen means it; where there is one only, it is no part of the answer.
  const again = cell.checked && cell.value === value;
  if (again || byId("shelf").dataset.one) return find("#stage [data-primary]:enabled")?.click();
  cell.value = value;
  cell.checked = true;
  cell.dispatchEvent(new Event("change", { bubbles: true }));
});

document.addEventListener("click", ({ target }) => {
  const tomb = target.closest("#shelf .ex-tomb");
  const cell = cellOf();
  if (!tomb || !cell) return;
  bury(tomb);
  cell.checked = false;
  cell.dispatchEvent(new Event("change", { bubbles: true }));
});

// ---- where nothing can be put

let refused = false; // whether the sentence that stands there is from here

/* A place on the shelf that cannot be used says why. */
document.addEventListener("click", ({ target, clientY }) => {
  const shelf = target.closest("#shelf");
  if (!shelf || !target.closest(".ex-scroll") || target.closest(".ex-ghost,.ex-tomb,.ex-choice") || !find("#shelf .ex-ghost")) return;
  refused = true;
  refuse(word(target.closest(".ex-card") ? "xl-taken" : shelf.dataset.moves ? "xl-apart" : beyond(shelf, clientY) ? "xl-rows" : "xl-touch"));
});

document.addEventListener("change", ({ target }) => {
  if (!refused || !target.closest("[name=move],[name=card]")) return;
  refused = false;
  refuse();
});

/** Whether a place is above or below three rows of cards.
@param {HTMLElement} shelf @param {number} y */
function beyond(shelf, y) {
  const cards = all(".ex-card[data-at]", shelf);
  const rows = new Set(cards.map(({ dataset }) => dataset.at?.split(",")[0]));
  const edges = cards.map((card) => card.getBoundingClientRect());
  return rows.size > 2 && (y < Math.min(...edges.map(({ top }) => top)) || y > Math.max(...edges.map(({ bottom }) => bottom)));
}

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
  const next = others.sort((a, b) => far(a) - far(b))[0];
  const field = next?.querySelector("input");
  field?.click();
  (field ?? next)?.focus();
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
  const shown = all("#stage :is([data-flip], [data-kept])"); // what was left up before counts too
  const state = shown.map(({ dataset, ariaChecked }) => ({
    card: Number(dataset.flip ?? dataset.kept),
    books: dataset.books,
    up: "kept" in dataset || ariaChecked === "true",
  }));
  const shelf = find("#shelf");
  const check = inOrder(state, shelf?.dataset.ascending === "1");
  shown.forEach((button, at) => {
    if ("kept" in button.dataset) return;
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
  const label = ({ card }) => one(`#stage :is([data-flip="${card}"], [data-kept="${card}"]) .ex-label`).textContent ?? "";
  warning.textContent = wrong.length ? word("xl-check", { cards: list(wrong.map(label)) }) : "";
  const answers = switches();
  const up = answers.filter(({ ariaChecked }) => ariaChecked === "true").length;
  live.classList.toggle("changed", answers.some(({ dataset, ariaChecked }) => (ariaChecked === "true") !== (dataset.advice === "1")));
  return [word("xl-go", { down: number(answers.length - up), up: number(up) }), true];
}

// ---- all questions

/** @type {Question["ready"]} */
function picking(form) {
  const [one] = chosen(form);
  explain(one);
  acting(form);
  const town = form.querySelector("[data-label]") && find(".ex-way");
  const cells = find("#shelf .ex-ghost");
  return one ? [says(one), true] : [word(town ? "xl-pawn" : cells ? "xl-where" : "xl-choose"), false];
}

/** What can be done with a card of the shelf stands in the question when that card is chosen.
@type {Question["ready"]} */
function acting(form) {
  const card = [...form.elements].find(({ name, checked }) => name === "card" && checked);
  for (const button of all("[data-on]", form)) button.classList.toggle("on", button.dataset.on === card?.value);
  return ["", false];
}

/* Of the shelf either a card is chosen or a cell. */
document.addEventListener("change", ({ target }) => {
  if (!target.matches("[name=card],[name=move][type=radio]")) return;
  for (const other of target.form?.elements ?? []) if (other.name === (target.name === "card" ? "move" : "card")) other.checked = false;
});

/* From the card ↵ leads to what can be done with it. */
document.addEventListener("keydown", ({ key, target }) => {
  if (key === "Enter" && target.matches?.("[name=card]")) find("#stage .ex-act.on")?.focus();
});

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
  act: { ready: acting },
  shelve: { ready: shelving },
  some: { ready: some },
  flip: { ready: flipping },
  press: { ready: () => ["", true] },
});

// ---- a new board

let answered = ""; // the ply of the newest board

document.addEventListener("board", () => {
  const { ply = "" } = byId("ply").dataset;
  const cell = cellOf();
  if (cell && answered !== ply) cell.checked = false;
  answered = ply;
  weighed = "";
  changed(); // what was drawn anew says again what the chosen card does
});

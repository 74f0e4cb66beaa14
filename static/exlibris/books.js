/* Cards seen closer: under the pointer or a long press a card is drawn large, with the titles of its books; a shelf of
others opens; the own one stays where it was. */

import { all, find } from "../js/page.js";
import { word } from "../js/words.js";

const REST_MS = 500; // how long a pointer rests on a card, or presses it
const GAP = 8;
/** @type {number | undefined} */
let waiting;
/** @type {Element | null} */
let over = null; // the card that is seen closer, or soon will be

/** The title of a book: always the same one for a card and a category. Pages without titles have none.
@param {string} label @param {string} kind */
function titleOf(label, kind) {
  const titles = word(`xl-books-${kind}`).split("|");
  const place = [...label].reduce((sum, sign) => 7 * sum + (sign.codePointAt(0) ?? 0), 0);
  return titles[place % titles.length].trim();
}

/** What a card is called: `C5: Historic Volumes; Reference Texts (prominent)`.
@param {Element} card */
const nameOf = (card) => card.ariaLabel ?? card.parentElement?.querySelector("input")?.ariaLabel ?? "";

/** A line for each book of a card: its sign, its title, its category.
@param {Element} card */
function lines(card) {
  const label = card.querySelector(".ex-label")?.textContent ?? "";
  const names = nameOf(card).split(": ").at(-1)?.split("; ") ?? [];
  return all(".ex-book", card).map((book, at) => {
    const line = document.createElement("li");
    const sign = document.createElement("span");
    sign.className = "ex-book ex-chip";
    sign.dataset.bk = book.dataset.bk;
    sign.append(...[...book.children].map((inside) => inside.cloneNode(true)));
    const title = Object.assign(document.createElement("i"), { textContent: titleOf(label, book.dataset.bk ?? "") });
    const kind = Object.assign(document.createElement("small"), { textContent: names[at] ?? "" });
    line.append(sign, title, kind);
    return line;
  });
}

/** @param {HTMLElement} card */
function look(card) {
  const peek = Object.assign(document.createElement("div"), { id: "ex-peek", className: "leaf ex-peek", popover: "manual" });
  peek.ariaHidden = "true"; // the name of the card says it
  const copy = card.cloneNode(true);
  for (const { name } of [...copy.attributes]) if (name !== "class") copy.removeAttribute(name);
  const list = document.createElement("ul");
  list.append(...lines(card));
  peek.append(copy, list);
  document.body.append(peek);
  peek.showPopover?.();
  const at = card.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = peek;
  const above = at.top - GAP - height;
  const x = at.left + (at.width - width) / 2;
  peek.style.left = `${Math.max(GAP, Math.min(x, document.documentElement.clientWidth - width - GAP))}px`;
  peek.style.top = `${above >= GAP ? above : Math.min(at.bottom + GAP, innerHeight - height - GAP)}px`;
}

function hide() {
  over = null;
  clearTimeout(waiting);
  find("#ex-peek")?.remove();
}

/** @param {HTMLElement | null} card */
function soon(card) {
  if (card && card === over) return;
  hide();
  if (!card) return;
  over = card;
  for (const told of [card, card.closest(".ex-choice")]) if (told?.title.startsWith(nameOf(card))) told.removeAttribute("title");
  waiting = setTimeout(() => card.isConnected && look(card), REST_MS);
}

/** The card under a pointer: a field may lie over it.
@param {EventTarget | null} target @returns {HTMLElement | null} */
function cardAt(target) {
  if (!(target instanceof Element)) return null;
  return target.closest(".ex-card:not(.ex-back)") ?? target.closest(".ex-choice")?.querySelector(".ex-card:not(.ex-back)") ?? null;
}

document.addEventListener("pointerover", ({ target, pointerType }) => pointerType === "mouse" && soon(cardAt(target)));
document.addEventListener("pointerdown", ({ target, pointerType }) => (pointerType === "mouse" ? hide() : soon(cardAt(target))));
for (const end of ["pointerup", "pointercancel", "scroll", "board"]) document.addEventListener(end, hide, true);
document.addEventListener("contextmenu", (event) => find("#ex-peek") && event.preventDefault());
document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
document.addEventListener("focusin", ({ target }) => {
  hide();
  if (target.matches?.(":focus-visible")) soon(cardAt(target));
});

// ---- a bookcase wider than its place stays where it was left, at first in the middle

/** @type {number | null} */
let left = null;
const room = () => find("#shelf .ex-scroll");

document.addEventListener("scroll", ({ target }) => target === room() && (left = room()?.scrollLeft ?? left), true);
document.addEventListener("board", () => {
  const wide = room();
  if (wide) wide.scrollLeft = left ?? (wide.scrollWidth - wide.clientWidth) / 2;
});

// ---- shelves that open

document.addEventListener("click", ({ target }) => {
  const shelf = target.closest("[data-enlarge]");
  if (!shelf) return;
  hide();
  const dialog = document.createElement("dialog");
  dialog.className = "leaf ex-large";
  dialog.ariaLabel = shelf.ariaLabel;
  const copy = document.createElement("div");
  copy.className = "ex-mini";
  copy.append(...[...shelf.children].map((row) => row.cloneNode(true)));
  const facts = all(".ex-who>p, .ex-more, .ex-known", shelf.closest(".ex-person") ?? dialog).map((part) => part.cloneNode(true));
  const close = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: word("xl-close") });
  close.addEventListener("click", () => dialog.close());
  const head = Object.assign(document.createElement("h2"), { textContent: shelf.ariaLabel });
  dialog.append(head, close, copy, ...facts);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
});

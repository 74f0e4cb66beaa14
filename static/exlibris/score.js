/* What a shelf scores, as games/engine/exlibris/rows.py and scoring.py have it. */

import { all } from "../js/page.js";

const CATEGORIES = "CFHMRS";
const PLACES = [15, 9, 4, 0];
const WIDTH = 6; // how many rows with the same last card are followed up

/** The cards of the own shelf as the page shows them, in reading order.
@param {Element} shelf @returns {Card[]} */
export function readShelf(shelf) {
  return all(".ex-card[data-at]", shelf).map(({ dataset, classList }) => {
    const { at = "", books = "" } = dataset;
    const [row, column] = at.split(",").map(Number);
    return { card: Number(dataset.n), books, row, column, up: !dataset.down, tomb: classList.contains("tomb") };
  });
}

/** The points for a number of prominent books against those of others: equal numbers share, rounded up.
@param {number} count @param {number[]} rivals @param {boolean} placed whether one takes a place without a book */
function sharesOf(count, rivals, placed) {
  if (!count && !placed) return 0;
  const first = rivals.filter((other) => other > count).length;
  const equal = rivals.filter((other) => other === count).length + 1;
  return Math.ceil(PLACES.slice(first, first + equal).reduce((sum, points) => sum + points, 0) / equal);
}

/** @param {string} books */
const counted = (books) => [...CATEGORIES].map((category) => [...books].filter((book) => book === category).length);

/** The five lines of some books; `stability` in points.
@param {string} books @param {Known} known @param {number} stability */
export function linesOf(books, { prom, ban, foc, first }, stability) {
  const numbers = counted(books);
  const of = (/** @type {string | undefined} */ category) => numbers[CATEGORIES.indexOf(String(category))] ?? 0;
  const least = Math.min(...numbers.filter((_, at) => CATEGORIES[at] !== ban));
  return [stability, first(of(prom)), 0 - of(ban), 3 * least, 2 * (foc ? of(foc) : 0)];
}

/** The cells of the largest full block of two or three neighbouring rows.
@param {Card[]} shelf */
function stabilityOf(shelf) {
  const filled = new Set(shelf.map(({ row, column }) => `${row},${column}`));
  const columns = shelf.map(({ column }) => column);
  let best = 0;
  for (const height of [2, 3])
    for (let top = -2; top + height <= 3; top++) {
      let width = 0;
      for (let column = Math.min(...columns); column <= Math.max(...columns); column++) {
        const full = Array.from({ length: height }, (_, at) => `${top + at},${column}`).every((cell) => filled.has(cell));
        width = full ? width + 1 : 0;
        best = Math.max(best, height * width);
      }
    }
  return best;
}

/** The row of cards to leave up that scores most, or nearly so, and its books.
@param {Card[]} shelf @param {Known} known */
function bestRow(shelf, known) {
  const order = shelf.filter(({ up }) => up).sort((a, b) => a.row - b.row || a.column - b.column);
  const worth = (/** @type {string} */ books) => linesOf(books, known, 0).reduce((sum, line) => sum + line, 0);
  /** @type {Row[]} */
  const rows = [{ last: -1, books: "", row: [], worth: worth("") }];
  for (const { card, books } of order) {
    /** @type {Map<string, Row>} */
    const longer = new Map();
    for (const one of rows.filter(({ last }) => last < card)) {
      const all = [...one.books, ...books].sort().join("");
      longer.set(all, { last: card, books: all, row: [...one.row, card], worth: worth(all) });
    }
    rows.push(...[...longer.values()].sort((a, b) => b.worth - a.worth || b.books.length - a.books.length).slice(0, WIDTH));
  }
  return rows.reduce((best, one) => ((one.worth - best.worth || later(one.row, best.row)) > 0 ? one : best));
}

/** Which of two rows comes later in the order of their cards: above 0 if it is the first.
@param {number[]} one @param {number[]} other */
function later(one, other) {
  const at = one.findIndex((card, at) => card !== other[at]);
  return at < 0 ? -1 : at in other ? one[at] - other[at] : 1;
}

/** What is known beside the shelf: its data-prom, -ban, -foc, -solo, -placed (one takes a place without a book), and
-rivals, the numbers of prominent books of others.
@param {DOMStringMap} data @returns {Known} */
export function knownOf({ prom, ban, foc, solo, placed, rivals = "" }) {
  const others = rivals.split(" ").filter(Boolean).map(Number);
  const alone = (/** @type {number} */ count) => (count > others[0] ? PLACES[0] : 0);
  return { prom, ban, foc, first: (count) => (Number(solo) ? alone(count) : sharesOf(count, others, placed === "1")) };
}

/** What a shelf scores when its best row stays up, and how many of its cards would lie face down then.
@param {DOMStringMap} data @param {Card[]} shelf */
export function scoreOf(data, shelf) {
  const known = knownOf(data);
  const { row, books } = bestRow(shelf, known);
  const lines = linesOf(books, known, stabilityOf(shelf) + 2 * shelf.filter(({ tomb }) => tomb).length);
  return { lines, points: lines.reduce((sum, line) => sum + line, 0), down: shelf.filter(({ up }) => up).length - row.length, row };
}

/** Of cards in reading order, those that stay up after the check, which goes by cells, or by ascending number.
@param {Pick<Card, "card" | "up">[]} cards */
export function inOrder(cards, ascending = false) {
  /** @type {Set<number>} */
  const stay = new Set();
  const order = cards.map(({ card, up }, at) => ({ card, up, at }));
  if (ascending) order.sort((a, b) => a.card - b.card);
  let last = { card: -1, at: -1 };
  for (const one of order)
    if (one.up && one.card > last.card && one.at > last.at) {
      stay.add(one.card);
      last = one;
    }
  return stay;
}

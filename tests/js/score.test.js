/* What a shelf scores: docs/exlibris.md has the rules. Random shelves are compared with the engine in a browser. */

import "./empty_page.js";

import assert from "node:assert/strict";
import { test } from "node:test";

import { inOrder, knownOf, linesOf, scoreOf } from "../../static/exlibris/score.js";

const DATA = { prom: "C", ban: "F", foc: "H", rivals: "3 1" };
const lines = (books, more = {}) => linesOf(books, knownOf({ ...DATA, ...more }), 0);
const card = (card, books, row, column, more = {}) => ({ card, books, row, column, up: true, ...more });

test("the prominent category gives 15, 9 and 4 points, shared by equals and rounded up", () => {
  const first = (count, rivals) => knownOf({ ...DATA, rivals }).first(count);
  assert.equal(first(4, "3 1"), 15);
  assert.equal(first(2, "3 1"), 9);
  assert.equal(first(1, "3 2"), 4);
  assert.equal(first(3, "3 1"), 12);
  assert.equal(first(1, "3 1 1"), 5); // 9, 4 and 0 for three
  assert.equal(first(2, "2 2 2"), 7);
  assert.equal(first(0, "0 0"), 0);
});

test("where one takes a place without a book, nothing can be second", () => {
  const first = (count, rivals) => knownOf({ ...DATA, rivals, placed: "1" }).first(count);
  assert.equal(first(0, "6"), 9);
  assert.equal(first(0, "6 0"), 7);
  assert.equal(first(0, "0 0"), 10);
  assert.equal(knownOf({ ...DATA, rivals: "2", solo: "1", placed: "1" }).first(0), 0);
});

test("alone, the prominent category gives 15 points or none", () => {
  const { first } = knownOf({ ...DATA, solo: "1", rivals: "2" });
  assert.deepEqual([2, 3].map(first), [0, 15]);
});

test("banned books cost one each, the least of the others gives three, the focus two", () => {
  assert.deepEqual(lines("FF"), [0, 0, -2, 0, 0]);
  assert.deepEqual(lines("CHMRS"), [0, 7, 0, 3, 2]);
  assert.deepEqual(lines("CCHHHMMRRSS"), [0, 9, 0, 6, 6]);
  assert.deepEqual(lines("HH", { foc: "" }), [0, 0, 0, 0, 0]);
});

test("the largest block of two or three full rows is stable, and each tomb gives two", () => {
  const block = [card(1, "M", 0, 0), card(2, "M", 0, 1), card(3, "M", 1, 0), card(4, "M", 1, 1)];
  assert.equal(scoreOf(DATA, block).lines[0], 4);
  assert.equal(scoreOf(DATA, [...block, card(5, "M", 2, 0), card(6, "M", 2, 1)]).lines[0], 6);
  assert.equal(scoreOf(DATA, [...block, card(5, "M", 0, 3), card(6, "M", 1, 3)]).lines[0], 4);
  assert.equal(scoreOf(DATA, [...block.slice(1), card(1, "M", 0, 0, { up: false })]).lines[0], 4);
  assert.equal(scoreOf(DATA, [card(1, "M", 0, 0, { tomb: true })]).lines[0], 2);
  assert.equal(scoreOf(DATA, []).lines[0], 0);
});

test("the row that stays up is the one that scores most", () => {
  const shelf = [card(9, "C", 0, 0), card(1, "H", 0, 1), card(5, "H", 1, 0), card(7, "F", 1, 1)];
  const score = scoreOf(DATA, shelf);
  assert.deepEqual(score.row, [9]); // 7 points; two books of the focus would give 4
  assert.equal(score.down, 3);
  assert.deepEqual(score.lines, [4, 7, 0, 0, 0]);
  assert.equal(score.points, 11);
  assert.deepEqual(scoreOf({ ...DATA, prom: "R" }, shelf).row, [1, 5]);
});

test("of cards in order, those stay up that are higher than all before", () => {
  const cards = [3, 1, 4, 4, 9, 5].map((card, at) => ({ card, up: at !== 4 }));
  assert.deepEqual([...inOrder(cards)], [3, 4, 5]);
});

test("by ascending number those stay up that lie behind all lower ones", () => {
  const row = (...cards) => cards.map((card) => ({ card, up: card > 0 }));
  assert.deepEqual([...inOrder(row(151, 1, 8), true)], [1, 8]);
  assert.deepEqual([...inOrder(row(8, 20, 1), true)], [1]);
  assert.deepEqual([...inOrder([{ card: 1, up: false }, ...row(9, 4)], true)], [4]);
});

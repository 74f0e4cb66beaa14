/* The chance, the chain and the checks of a record, against vectors and against a record that is made here anew. */

import "./empty_page.js";

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as biblios from "../../static/biblios/shuffle.js";
import * as exlibris from "../../static/exlibris/shuffle.js";
import { bytes, hex, joined } from "../../static/js/bytes.js";
import { canonical, linksOf } from "../../static/js/chain.js";
import * as verify from "../../static/js/verify.js";

const vectors = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), "utf8"));
const BIBLIOS = vectors("shuffle");
const LIBRIS = vectors("exlibris");

test("digits and bytes are each other's reverse, and parts are joined in order", () => {
  assert.equal(hex(bytes("00ff10")), "00ff10");
  assert.deepEqual([...bytes("")], []);
  assert.deepEqual([...joined("é", [1, 2], bytes("ff"), new Uint8Array([7]).buffer)], [0xc3, 0xa9, 1, 2, 0xff, 7]);
});

test("JSON is written as Python writes it with sorted keys", () => {
  const value = { b: [1, null, "ü\n"], a: { d: true, c: 0.5 } };
  assert.equal(canonical(value), '{"a":{"c":0.5,"d":true},"b":[1,null,"ü\\n"]}');
  assert.equal(canonical({ Z: 1, a: 2, "": 3 }), '{"":3,"Z":1,"a":2}');
});

test("seals, bytes of the site and seeds are those of the vectors", async () => {
  for (const { match, seat, share, seal } of BIBLIOS.seals) assert.equal(await verify.sealOf(match, seat, share), seal);
  for (const { secret, players, site, seed, beacon, seed_with_beacon } of BIBLIOS.games) {
    assert.deepEqual(await Promise.all(players.map((_, seat) => verify.siteShare(secret, seat))), site);
    assert.equal(await verify.seedOf(secret, players), seed);
    assert.equal(await verify.seedOf(secret, players, beacon), seed_with_beacon);
  }
});

test("Biblios is dealt as the vectors say", async () => {
  assert.deepEqual(biblios.CARDS, BIBLIOS.cards);
  for (const game of BIBLIOS.games) {
    const shuffle = biblios.shuffleOf(await verify.chanceOf(game.seed));
    const { removed, deck } = await shuffle.deal(game.seats);
    const written = (cards) => cards.map((card) => biblios.CARDS[card]);
    assert.equal(await shuffle.first(game.seats), game.first);
    assert.deepEqual(written(removed), game.removed);
    assert.deepEqual(written(deck), game.deck);
    assert.deepEqual(await shuffle.auction(), game.auction);
    for (const [number, { hand, card }] of game.steals.entries()) assert.equal(await shuffle.steal(number, hand), card);
  }
});

test("Ex Libris is dealt as the vectors say", async () => {
  assert.deepEqual(exlibris.byRank([...LIBRIS.labels].reverse()), LIBRIS.labels);
  for (const game of LIBRIS.games) {
    const shuffle = exlibris.shuffleOf(await verify.chanceOf(game.seed), LIBRIS.labels);
    assert.equal(await shuffle.first(game.seats), game.first);
    assert.deepEqual(await shuffle.libraries(game.seats, game.options), game.libraries);
    assert.deepEqual(await shuffle.categories(), game.categories);
    assert.deepEqual(await shuffle.tiles(game.tiles), game.tiles);
    assert.deepEqual(await shuffle.deck(), game.deck);
    for (const { kind, number, things, order } of game.anew)
      assert.deepEqual(await shuffle.anew(kind, number, things), order);
    for (const { number, hand, card } of game.steals) assert.equal(await shuffle.steal(number, hand), card);
  }
});

// ---- a record, by the words of docs/chain.md

const sha = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");
const raw = (digits) => Buffer.from(digits, "hex");
const MATCH = "k7QvPm2XwZ9a";
const SECRET = "5a".repeat(32);
const SHARES = ["01".repeat(16), hmac(raw(SECRET), "seat 1").slice(0, 32)];
const SALT = "0c".repeat(16);

function hmac(key, ...parts) {
  return parts.reduce((mac, part) => mac.update(part), createHmac("sha256", key)).digest("hex");
}

/* A game of two moves and an event, one of the moves known to its player alone. */
function made() {
  const seed = raw(hmac(raw(SECRET), ...SHARES.map(raw)));
  const commitment = sha(raw(SECRET));
  // With its keys in order, also those of objects in it.
  const header = {
    beacon_round: "", commitment, game: "toy", key: MATCH, options: { long: false }, places: 2,
    players: [{ account: "a", name: sha(raw(SALT), "ann") }, { bot: "greedy", name: "Odo" }],
    rated: true, seals: [sha(`seal ${MATCH} 0\n`, raw(SHARES[0])), ""], shares_from: ["sealed", "site"], version: 1,
  };
  const hidden = sha(raw(hmac(seed, "salt/1")), "pay 3");
  const rows = ["0 0 0 1000 keep", `1 1 2 2000 pay #${hidden}`, "2 0 1 3000 !end"];
  const links = [sha(JSON.stringify(header))];
  for (const row of rows) links.push(sha(raw(links.at(-1)), row));
  const record = {
    format: "toy-record/1", match: MATCH, players: ["ann", "Odo"], rated: true, options: { long: false },
    moves: [{ seat: 0, move: "keep" }, { chance: "deck" }, { seat: 1, move: "pay 3" }],
    events: [{ ply: 2, seat: 0, event: "end" }],
    proof: {
      commitment, secret: SECRET, shares: [...SHARES], beacon: "", header, names: [["ann", SALT], null],
      rows: [[0, 1000], [2, 2000], [1, 3000]], shown: { 1: "pay" }, link: links.at(-1),
    },
  };
  return { record, links, rows };
}

const wrong = async (record) => {
  const answers = await verify.check(record, async () => [["cards", true]]);
  assert.deepEqual(answers.map(([name]) => name), ["commitment", "shares", "cards", "log"]);
  return answers.filter(([, holds]) => !holds).map(([name]) => name);
};

test("a receipt's chain is that of its rows", async () => {
  const { record, links, rows } = made();
  assert.deepEqual(await linksOf({ header: record.proof.header, rows }), links);
});

test("a record is what it says", async () => assert.deepEqual(await wrong(made().record), []));

for (const [what, change, found] of [
  ["another secret", ({ proof }) => (proof.secret = "5b".repeat(32)), ["commitment", "shares", "log"]],
  ["another commitment in the header", ({ proof }) => (proof.header.commitment = "00"), ["commitment", "log"]],
  ["other bytes of a seat", ({ proof }) => (proof.shares[0] = "02".repeat(16)), ["shares", "log"]],
  ["no bytes of a seat", ({ proof }) => proof.shares.pop(), ["shares", "log"]],
  ["a beacon that nobody was to ask", ({ proof }) => (proof.beacon = "11".repeat(32)), ["shares", "log"]],
  ["bytes from nowhere", ({ proof }) => (proof.header.shares_from[0] = "air"), ["shares", "log"]],
  ["another move", ({ moves }) => (moves[0].move = "public"), ["log"]],
  ["another move that others did not see", ({ moves }) => (moves[2].move = "pay 4"), ["log"]],
  ["another seat of a move", ({ moves }) => (moves[2].seat = 0), ["log"]],
  ["another time of a move", ({ proof }) => (proof.rows[1][1] = 2001), ["log"]],
  ["no event", ({ events }) => events.pop(), ["log"]],
  ["another link", ({ proof }) => (proof.link = "00".repeat(32)), ["log"]],
  ["other options", ({ options }) => (options.long = true), ["log"]],
  ["another name", ({ players }) => (players[0] = "bob"), ["log"]],
  ["another bot", ({ players }) => (players[1] = "Ada"), ["log"]],
  ["an unrated one", (record) => (record.rated = false), ["log"]],
  ["another match", (record) => (record.match = "anotherkey23"), ["log"]],
  ["another game", (record) => (record.format = "biblios-record/1"), ["log"]],
])
  test(`a record with ${what} differs`, async () => {
    const { record } = made();
    change(record);
    const answers = await wrong(record);
    assert.deepEqual(answers, found);
  });

test("a name that is forgotten is told as closed", async () => {
  const { record } = made();
  record.proof.names[0] = null;
  assert.deepEqual(await wrong(record), ["log"]);
  record.players[0] = "closed-17";
  assert.deepEqual(await wrong(record), []);
});

test("a record agrees with what a browser kept, or not", async () => {
  const { record, links } = made();
  const { commitment, seals } = record.proof.header;
  const mine = { commitment, seat: 0, seals, beacon: "", share: SHARES[0], opened: true, ply: 2, link: links[2] };
  assert.equal(await verify.compare(record, {}, "0"), "nothing");
  assert.equal(await verify.compare(record, mine, "0"), "agrees");
  const others = [{ commitment: "00" }, { seals: [] }, { beacon: "x" }, { share: "ff" }, { ply: 1 }, { link: "00" }];
  for (const other of others)
    assert.equal(await verify.compare(record, { ...mine, ...other }, "0"), "differs");
  // Of another seat, and to a watcher, it says nothing.
  for (const own of ["1", ""]) assert.equal(await verify.compare(record, { ...mine, share: "ff" }, own), "agrees");
  const given = { commitment, seat: 1, given: true };
  assert.equal(await verify.compare(record, given, "1"), "differs"); // the site has left out what it was given
});

test("a receipt is of this game and in its chain, or not", async () => {
  const { record, links } = made();
  const receipt = { format: "armarium-receipt/1", match: MATCH, ply: 1, link: links[1] };
  assert.equal(await verify.holds(record, receipt), "agrees");
  assert.equal(await verify.holds(record, { ...receipt, ply: 2 }), "differs");
  assert.equal(await verify.holds(record, { ...receipt, match: "anotherkey23" }), "other");
  assert.equal(await verify.holds(record, { ...receipt, format: "else" }), "other");
  assert.equal(await verify.holds(record, null), "other");
});

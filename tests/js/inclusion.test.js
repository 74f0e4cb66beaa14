/* The place of a match in the public log: trees of RFC 9162 and signed heads that are made here by other code. */

import "./empty_page.js";

import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";

import { canonical } from "../../static/js/chain.js";
import { check } from "../../static/js/inclusion.js";

const sha = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const half = (size) => 2 ** Math.floor(Math.log2(size - 1));
const keys = generateKeyPairSync("ed25519");
const KEY = keys.publicKey.export({ format: "der", type: "spki" }).subarray(-32);
const OTHER = Buffer.alloc(32, 7);

/* MTH and PATH, as RFC 9162 has them in 2.1.1 and 2.1.3. */
function root(entries) {
  if (entries.length === 1) return sha(Buffer.from([0]), entries[0]);
  const middle = half(entries.length);
  return sha(Buffer.from([1]), root(entries.slice(0, middle)), root(entries.slice(middle)));
}
function path(index, entries) {
  if (entries.length === 1) return [];
  const middle = half(entries.length);
  const [left, right] = [entries.slice(0, middle), entries.slice(middle)];
  return index < middle ? [...path(index, left), root(right)] : [...path(index - middle, right), root(left)];
}

function headOf(entries, key = KEY) {
  const [hash, known] = [root(entries), key].map((each) => each.toString("base64"));
  const text = `play.example.org/log\n${entries.length}\n${hash}\nkey ${known}\n`;
  const named = sha("play.example.org/log", Buffer.from([10, 1]), key).subarray(0, 4);
  const signature = Buffer.concat([named, sign(null, Buffer.from(text), keys.privateKey)]);
  return { note: `${text}\n— play.example.org/log ${signature.toString("base64")}\n` };
}

const record = () => ({
  match: "k7QvPm2XwZ9a", players: ["ann", "Odo"], ratings: [], final_places: [1, 2], moves: [{ seat: 0, move: "keep" }],
  proof: { link: "ab".repeat(32), names: [["ann", "00"], null], header: { key: "k7QvPm2XwZ9a" } },
});

function entryOf({ match, final_places: places, ratings, players, ...rest }) {
  const { names, ...proof } = rest.proof;
  const digest = sha(canonical({ ...rest, match, final_places: places, proof })).toString("hex");
  return JSON.stringify({ kind: "match", match, link: proof.link, places, ratings, record: digest });
}

function proved(index, size) {
  const entries = Array.from({ length: size }, (_, at) => (at === index ? entryOf(record()) : `{"other":${at}}`));
  const inclusion = path(index, entries).map((hash) => hash.toString("hex"));
  return { entry: entries[index], index, inclusion, head: headOf(entries) };
}

async function wrong(proof, of = record()) {
  const answers = await check(proof, of);
  return answers.filter(([, holds]) => !holds).map(([name]) => name);
}

test("each place of each small tree is found", async () => {
  for (let size = 1; size < 18; size++)
    for (let index = 0; index < size; index++)
      assert.deepEqual(await wrong(proved(index, size)), [], `${index} of ${size}`);
});

for (const [what, change, found] of [
  ["at another place", (proof) => proof.index++, ["inclusion"]],
  ["at a place outside of the tree", (proof) => (proof.index = 11), ["inclusion"]],
  ["with a hash too many", (proof) => proof.inclusion.push("00".repeat(32)), ["inclusion"]],
  ["with a hash too many before the others", (proof) => proof.inclusion.unshift("00".repeat(32)), ["inclusion"]],
  ["with a hash too few", (proof) => proof.inclusion.pop(), ["inclusion"]],
  ["with another entry", (proof) => (proof.entry = proof.entry.replace("[1,2]", "[2,1]")), ["entry", "inclusion"]],
  ["under a head that nobody signed", ({ head }) => (head.note = head.note.replace("\nk", "\nmore\nk")), ["signature"]],
  ["under another's head", (proof) => (proof.head = headOf([proof.entry], OTHER)), ["inclusion", "signature"]],
])
  test(`a match ${what} is told`, async () => {
    const proof = proved(5, 11);
    change(proof);
    assert.deepEqual(await wrong(proof), found);
  });

test("a tree of one has no second place", async () => {
  assert.deepEqual(await wrong({ ...proved(0, 1), index: 1 }), ["inclusion"]);
});

test("a record that is another one is told, but for the names in it", async () => {
  const proof = proved(2, 5);
  for (const [change, found] of [
    [(one) => (one.moves[0].move = "public"), ["entry"]],
    [(one) => (one.final_places = [2, 1]), ["entry"]],
    [(one) => (one.ratings = [{ before: 1, after: 2 }]), ["entry"]],
    [(one) => (one.proof.link = "cd".repeat(32)), ["entry"]],
    [(one) => ((one.players = ["closed-1", "Odo"]), (one.proof.names[0] = null)), []],
  ]) {
    const changed = record();
    change(changed);
    assert.deepEqual(await wrong(proof, changed), found);
  }
});

/* Who answers for a receipt, by keys and heads that are made here by other code. */

import "./empty_page.js";

import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";

import { canonical } from "../../static/js/chain.js";
import { answering } from "../../static/js/signed.js";

const [log, site, stranger] = Array.from({ length: 3 }, () => generateKeyPairSync("ed25519"));
const raw = ({ publicKey }) => publicKey.export({ format: "der", type: "spki" }).subarray(-32);
const written = (keys) => raw(keys).toString("base64");
const signature = (keys, text) => sign(null, Buffer.from(text), keys.privateKey);

function headOf(receipts, { by = log, origin = "play.example.org/log" } = {}) {
  const text = `${origin}\n4\nroot\nday 2026-11-21\nprevious x\nkey ${written(log)}\nreceipts ${written(receipts)}\n`;
  const named = createHash("sha256").update(origin).update(Buffer.from([10, 1])).update(raw(log)).digest().subarray(0, 4);
  const value = Buffer.concat([named, signature(by, text)]).toString("base64");
  return { day: "2026-11-21", note: `${text}\n— ${origin} ${value}\n`, consistency: [] };
}

function taken(head = headOf(site), by = site) {
  const said = { site: "play.example.org", match: "k7QvPm2XwZ9a", rows: ["0 1 0 1000 ü"], ply: 1, head, key: written(by) };
  return { ...said, signature: signature(by, canonical(said)).toString("base64") };
}

for (const [what, receipt, answer] of [
  ["by the key that its head names", taken(), ["signed", written(log)]],
  ["before there was a head", taken(null), ["unnamed"]],
  ["by a key that came after its head", taken(headOf(stranger)), ["unnamed"]],
  ["by a stranger, with a head of the site", taken(headOf(site), stranger), ["unnamed"]],
  ["with a head of another site", taken(headOf(site, { origin: "other.example.org/log" })), ["unnamed"]],
  ["with a head that somebody else signed", taken(headOf(site, { by: stranger })), ["forged"]],
  ["and changed since", { ...taken(), ply: 0 }, ["forged"]],
  ["and had something put in", { ...taken(), more: 1 }, ["forged"]],
  ["with another key put in", { ...taken(), key: written(stranger) }, ["forged"]],
  ["not at all", { ...taken(), signature: undefined }, ["unsigned"]],
])
  test(`a receipt that was signed ${what}`, async () => assert.deepEqual(await answering(receipt), answer));

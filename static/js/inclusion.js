/* Checks that a match is in the public log: its entry, the way from there to the root, and the signature of the head.

The formats are those of docs/log.md; the algorithm is that of RFC 9162, section 2.1.3. */

import { bytes, hex, sha256 } from "./bytes.js";
import { canonical } from "./chain.js";
import { all, one } from "./page.js";
import { base64, headHolds } from "./signed.js";

/** The root of a tree of `size` by the proof that it has this leaf. The proof is used up from its end.
@param {number} index @param {number} size @param {ArrayBuffer} leaf @param {Uint8Array[]} path
@returns {Promise<ArrayBuffer>} */
async function rootOf(index, size, leaf, path) {
  if (size === 1) return leaf;
  const other = path.pop() ?? new Uint8Array();
  let half = 1;
  while (half * 2 < size) half *= 2;
  if (index < half) return sha256([1], await rootOf(index, half, leaf, path), other);
  return sha256([1], other, await rootOf(index - half, size - half, leaf, path));
}

/** Whether an entry is that of this record: of all in it, but for the names, of which the record has the hashes.
@param {Entry} entry @param {GameRecord} record */
async function logged(entry, { players, ratings, ...record }) {
  const { names, ...proof } = record.proof;
  const told = [entry.match, entry.link, entry.places ?? [], entry.ratings, entry.record];
  const digest = hex(await sha256(canonical({ ...record, proof })));
  return canonical(told) === canonical([record.match, proof.link, record.final_places, ratings, digest]);
}

/** Whether each thing holds: pairs of its name and the answer.
@param {LogProof} proof @param {GameRecord} record @returns {Promise<[string, boolean | undefined][]>} */
export async function check(proof, record) {
  const entry = JSON.parse(proof.entry);
  const [, size, root] = proof.head.note.split("\n");
  const path = proof.inclusion.map(bytes);
  const leaf = await sha256([0], proof.entry);
  const found = hex(await rootOf(proof.index, Number(size), leaf, path));
  return [
    ["entry", await logged(entry, record)],
    ["inclusion", proof.index < Number(size) && !path.length && found === hex(base64(root))],
    ["signature", await headHolds(proof.head.note)],
  ];
}

/** @param {HTMLElement} panel */
async function pressed(panel) {
  const says = (/** @type {string} */ outcome) => {
    panel.dataset.outcome = outcome;
    for (const line of all("[data-says]", panel)) line.hidden = line.dataset.says !== outcome;
  };
  if (!globalThis.crypto?.subtle) return says("insecure");
  says("working");
  try {
    const wanted = [panel.dataset.logProof, one("[data-verify]").dataset.verify];
    const answers = await Promise.all(wanted.map((address = "") => fetch(address, { cache: "no-store" })));
    if (!answers.every((answer) => answer.ok)) throw new Error("a file is missing");
    const [proof, record] = await Promise.all(answers.map((answer) => answer.json()));
    const results = await check(proof, record);
    for (const [name, holds] of results) {
      if (holds !== undefined) one(`[data-check="${name}"]`, panel).dataset.holds = String(holds);
    }
    const held = results.map(([, holds]) => holds);
    says(held.includes(false) ? "differs" : held.includes(undefined) ? "hashes" : "verified");
  } catch (error) {
    console.warn(error);
    says("failed");
  }
}

for (const button of document.querySelectorAll("[data-log-button]")) {
  const panel = button.closest("[data-log-proof]");
  button.hidden = false;
  button.addEventListener("click", () => panel && pressed(panel));
}

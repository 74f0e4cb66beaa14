/* Signatures of Ed25519 as the site makes them: of a head of the public log, and of a receipt. docs/log.md has the bytes.

Where a browser cannot tell whether one holds, the answer is undefined. */

import { hex, sha256 } from "./bytes.js";
import { canonical } from "./chain.js";

export const base64 = (/** @type {string} */ text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** @param {Uint8Array} key @param {string} text @param {Uint8Array} signature */
async function verifies(key, text, signature) {
  try {
    const imported = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", imported, signature, new TextEncoder().encode(text));
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotSupportedError") return undefined;
    throw error;
  }
}

/** What a head says in the line that begins with this word, if it has one.
@param {string} note @param {string} word */
const line = (note, word) => note.split("\n\n")[0].match(new RegExp(`^${word} (\\S+)$`, "m"))?.[1];

/** Whether the key that a head names has signed it.
@param {string} note */
export async function headHolds(note) {
  const [text, signatures] = note.split("\n\n");
  const said = line(note, "key");
  if (!said) throw new Error("no key");
  const key = base64(said);
  const [, name, value] = signatures.split("\n")[0].split(" ");
  const signature = base64(value);
  const named = (await sha256(name, [10, 1], key)).slice(0, 4);
  if (hex(named) !== hex(signature.slice(0, 4))) return false;
  return verifies(key, `${text}\n`, signature.slice(4));
}

/** Who answers for a receipt: "signed" if the head in it names its key, "unnamed" if none in it does; "forged", "unsigned",
or "unable" if this browser cannot tell. With the public key of the log that signed the head.
@param {Receipt} receipt @returns {Promise<[string, string?]>} */
export async function answering({ signature, ...said }) {
  if (!signature) return ["unsigned"];
  const { key, head, site } = said;
  const holds = await verifies(base64(key), canonical(said), base64(signature));
  if (holds === undefined) return ["unable"];
  if (!holds) return ["forged"];
  const named = head && line(head.note, "receipts") === key && head.note.startsWith(`${site}/log\n`);
  if (!named) return ["unnamed"];
  return (await headHolds(head.note)) ? ["signed", line(head.note, "key")] : ["forged"];
}

/* The links of the chain of a match's log, from its rows, as in games/matches/chain.py; docs/chain.md tells how. */

import { bytes, hex, sha256 } from "./bytes.js";

/** As Python writes it with sorted keys and without spaces.
@param {unknown} value @returns {string} */
export function canonical(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(",")}}`;
}

/** The link before ply 0, in hexadecimal.
@param {object} header */
export const firstLink = async (header) => hex(await sha256(canonical(header)));

/** The link of the row with this line.
@param {string} link @param {string} line */
export const nextLink = async (link, line) => hex(await sha256(bytes(link), line));

/** The links of a receipt that begins at ply 0: links[n] is the one before ply n.
@param {Receipt} receipt */
export async function linksOf({ header, rows }) {
  const links = [await firstLink(header)];
  for (const line of rows) links.push(await nextLink(links[links.length - 1], line));
  return links;
}

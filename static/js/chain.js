/* Follows the chain of a match's log: computes each link from the rows that the site shows, and keeps the newest one.

What the site shows later must continue what this browser has kept; otherwise the past was rewritten, and the page says
so. The algorithm is that of games/matches/chain.py; docs/chain.md tells it. */

import { bytes, hex, sha256 } from "./bytes.js";

/** As Python writes it with sorted keys and without spaces. */
export function canonical(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** The link before ply 0, in hexadecimal. */
export const firstLink = async (header) => hex(await sha256(canonical(header)));

/** The link of the row with this line. */
export const nextLink = async (link, line) => hex(await sha256(bytes(link), line));

/** The links of a receipt that begins at ply 0: links[n] is the one before ply n. */
export async function linksOf({ header, rows }) {
  const links = [await firstLink(header)];
  for (const line of rows) links.push(await nextLink(links.at(-1), line));
  return links;
}

/* The receipt panel of the table: this browser follows the chain of the log (chain.js) and keeps the newest link.

It warns when what the site shows does not continue what this browser kept: then the past was rewritten. */

import { linksOf, nextLink } from "./chain.js";
import { keep, kept } from "./kept.js";
import { number } from "./numbers.js";
import { find, one } from "./page.js";
import { select } from "./sheets.js";
import { word } from "./words.js";

const panel = find("details#receipt");
const { table: key = "" } = document.body.dataset;
const { ply: keptPly = 0, link: keptLink } = kept(key);
/** @type {string[]} */
let links = []; // links[n]: the one before ply n, as far as this browser knows them
/** @type {Promise<unknown>} */
let turn = Promise.resolve(); // one thing after the other

if (keptLink) links[keptPly] = keptLink;
if (panel) follow(Number(panel.dataset.ply), panel.dataset.link);

/** A board has come: the ply that it shows, how its link begins, and the rows since the board before, if it has them.
@type {Follows} */
export function follow(ply, begins, rows = []) {
  if (!panel || !globalThis.crypto?.subtle || panel.dataset.state === "broken") return;
  turn = turn.then(() => reach(ply, begins, rows)).catch(() => (panel.dataset.state = "behind")); // until the next board
}

/** @type {Follows} */
async function reach(ply, begins, rows = []) {
  let right = true;
  for (const line of rows) right &&= await continues(line);
  if (right && !links[ply]) right = await begun();
  if (right && links[ply]?.startsWith(String(begins))) show();
  else warn();
}

/** Take the next row, whose link may be known already.
@param {string} line */
async function continues(line) {
  const ply = parseInt(line);
  if (!links[ply]) return true;
  const link = await nextLink(links[ply], line);
  return link === (links[ply + 1] ??= link);
}

/* Follow the chain from its beginning, as the site tells it now. Whether it holds what is known here. */
async function begun() {
  const receipt = await (await fetch(`/m/${key}/receipt.json`)).json();
  const all = await linksOf(receipt);
  const right = all.at(-1) === receipt.link && links.every((link, ply) => all[ply] === link);
  if (right) links = all;
  return right;
}

function show() {
  const panel = one("#receipt");
  const ply = links.length - 1;
  const link = links[ply];
  const older = (kept(key).ply ?? 0) > ply; // another page of this browser is ahead
  panel.dataset.state = older || keep(key, { ply, link }) ? "kept" : "followed";
  one("[data-short]", panel).textContent = `${link.slice(0, 4)} ${link.slice(4, 8)}`;
  one("[data-whole]", panel).textContent = link;
  one("[data-rows]", panel).textContent = number(ply);
}

function warn() {
  const panel = one("details#receipt");
  panel.dataset.state = "broken";
  select("help");
  panel.open = true;
  const warning = one("[role=alert]", panel);
  const { ply, link } = kept(key);
  warning.textContent = word("rewritten", { ply: number(ply ?? 0), link: link?.slice(0, 16) ?? "" });
  warning.hidden = false;
}

/* What chance decides in Ex Libris, recomputed from the seed. The algorithms are those of games/engine/exlibris/deal.py. */

import { listen, same } from "../js/verify.js";

const CODES = "GOB AUT MUM CUB SAS WRM SNO IMP GHO GOL WIZ WIT".split(" ");
const UNPEACEFUL = new Set(["GOB", "CUB", "SNO", "IMP"]);
const SOLO = new Set(["AUT", "MUM", "WRM", "IMP", "GOL", "WIZ", "WIT"]);
const NUMBERS = Array.from({ length: 18 }, (_, at) => at + 1);

/* By letter, then by number. */
const rank = (label) => label.charCodeAt(0) * 100 + +label.slice(1);

async function recompute(record, { stream, below, shuffled }) {
  const seats = record.players.length;
  const { options } = record;
  const ranks = [...record.deck].sort((a, b) => rank(a) - rank(b));
  const special = seats === 1 || options.libraries === "special";
  const known = CODES.filter((code) => (seats === 1 ? SOLO.has(code) : options.conflict || !UNPEACEFUL.has(code)));
  const dealt = special ? await shuffled("libraries", known) : [];
  const libraries = special ? record.players.map((_, seat) => dealt.slice(2 * seat, 2 * seat + 2)) : [];
  const tiles = await shuffled("tiles", [...record.tiles].sort((a, b) => a - b));
  const deck = await shuffled("deck", ranks);
  const categories = await shuffled("categories", "CFHMRS".split(""));
  return [
    ["first", (await below(seats, stream("first"))) === record.first],
    ["libraries", same(libraries, record.libraries)],
    ["categories", same(categories.join(""), [...record.categories].join(""))],
    ["tiles", same(tiles, record.tiles)],
    ["deck", same(deck, record.deck)],
    ["later", await later(record, ranks, shuffled)],
  ];
}

/* Decks and stacks that were shuffled during the game. */
async function later(record, ranks, shuffled) {
  const count = { deck: 0, tiles: 0 };
  for (const { chance, cards, tiles } of record.moves) {
    if (!(chance in count)) continue;
    const found = cards ?? tiles;
    const all = await shuffled(`${chance} ${count[chance]++}`, cards ? ranks : NUMBERS);
    if (!same(all.filter((thing) => found.includes(thing)), found)) return false;
  }
  return true;
}

listen(recompute);

/* What chance decides in Ex Libris, recomputed from the seed. The algorithms are those of games/engine/exlibris/deal.py. */

import { listen, same } from "../js/verify.js";

const CODES = "GOB AUT MUM CUB SAS WRM SNO IMP GHO GOL WIZ WIT".split(" ");
const UNPEACEFUL = new Set(["GOB", "CUB", "SNO", "IMP"]);
const SOLO = new Set(["AUT", "MUM", "WRM", "IMP", "GOL", "WIZ", "WIT"]);
const NUMBERS = Array.from({ length: 18 }, (_, at) => at + 1);

/** By letter, then by number.
@param {string} label */
const place = (label) => label.charCodeAt(0) * 100 + +label.slice(1);
export const byRank = (/** @type {string[]} */ labels) => [...labels].sort((a, b) => place(a) - place(b));

/** What the chance of a seed (verify.js) decides; `labels`: those of all cards, by rank.
@param {Chance} chance @param {string[]} labels */
export function shuffleOf({ stream, below, shuffled }, labels) {
  /** @type {Record<string, (string | number)[]>} */
  const all = { deck: labels, tiles: NUMBERS };
  return {
    /** The first player.
    @param {number} seats */
    first: (seats) => below(seats, stream("first")),

    /** By seat the two libraries dealt; none in the beginner's game.
    @param {number} seats @param {LibrisRecord["options"]} options */
    async libraries(seats, options) {
      if (seats > 1 && options.libraries === "basic") return [];
      const known = CODES.filter((code) => (seats === 1 ? SOLO.has(code) : options.conflict || !UNPEACEFUL.has(code)));
      const dealt = await shuffled("libraries", known);
      return Array.from({ length: seats }, (_, seat) => dealt.slice(2 * seat, 2 * seat + 2));
    },

    /** Prominent, banned, the focus of each seat, the rest. */
    categories: () => shuffled("categories", "CFHMRS".split("")),

    /** The stack made of these tiles at the start.
    @param {number[]} numbers */
    tiles: (numbers) => shuffled("tiles", [...numbers].sort((a, b) => a - b)),

    /** The cards dealt to each seat, then the deck. */
    deck: () => shuffled("deck", labels),

    /** Things ("deck": cards, "tiles") in the order in which they are shuffled anew for the time of this number.
    @param {string} kind @param {number} number @param {(string | number)[]} things */
    anew: async (kind, number, things) => (await shuffled(`${kind} ${number}`, all[kind])).filter((thing) => things.includes(thing)),

    /** The card that the theft of this number takes from a hand.
    @param {number} number @param {string[]} hand */
    async steal(number, hand) {
      for await (const byte of stream(`steal ${number}`)) if (hand.includes(labels[byte])) return labels[byte];
    },
  };
}

/** Whether all lies as the seed of a record says: pairs of what was compared and the answer.
@type {Recompute<LibrisRecord>} */
export async function recompute(record, chance) {
  const { players, options } = record;
  const shuffle = shuffleOf(chance, byRank(record.deck));
  return [
    ["first", (await shuffle.first(players.length)) === record.first],
    ["libraries", same(await shuffle.libraries(players.length, options), record.libraries)],
    ["categories", same(await shuffle.categories(), [...record.categories])],
    ["tiles", same(await shuffle.tiles(record.tiles), record.tiles)],
    ["deck", same(await shuffle.deck(), record.deck)],
    ["later", await later(record, shuffle)],
  ];
}

/** Decks and stacks that were shuffled during the game.
@param {LibrisRecord} record @param {ReturnType<typeof shuffleOf>} shuffle */
async function later(record, shuffle) {
  /** @type {Record<string, number>} */
  const count = { deck: 0, tiles: 0 };
  for (const { chance, cards, tiles } of record.moves) {
    if (!chance || !(chance in count)) continue;
    const found = cards ?? tiles ?? [];
    if (!same(await shuffle.anew(chance, count[chance]++, found), found)) return false;
  }
  return true;
}

listen(recompute);

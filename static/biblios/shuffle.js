/* What chance decides in Biblios, recomputed from the seed. The algorithms are those of games/engine/biblios/deal.py. */

import { listen, same } from "../js/verify.js";

/** @type {Record<number, number>} */
const REMOVED_OF_EACH_GOLD = { 2: 2, 3: 1, 4: 0 };
/** @type {Record<number, number>} */
const REMOVED_AT_RANDOM = { 2: 21, 3: 12, 4: 7 };
const PLACES = new Set(["keep", "public", "auction"]);

/** The cards by number, 0 to 86: nine letters in each category, gold, the Church. */
export const CARDS = [
  ...[..."MPHSF"].flatMap((c) => [..."ABCDEFGHI"].map((letter, i) => c + ("MP".includes(c) ? "222233344" : "111111122")[i] + letter)),
  ...["G1", "G2", "G3"].flatMap((gold) => Array(11).fill(gold)),
  ..."C+ C+ C- C- C++ C++ C-- C-- C+-".split(" "),
];
const GOLD = CARDS.indexOf("G1");
const FIRST_CHURCH = CARDS.indexOf("C+");

/** What the chance of a seed (verify.js) decides.
@param {Chance} chance */
export function shuffleOf({ stream, below, shuffled }) {
  return {
    /** The first active player.
    @param {number} seats */
    first: (seats) => below(seats, stream("first")),

    /** The cards removed and the draw pile, as numbers.
    @param {number} seats */
    async deal(seats) {
      const fixed = [0, 11, 22].flatMap((gold) => [...Array(REMOVED_OF_EACH_GOLD[seats]).keys()].map((copy) => GOLD + gold + copy));
      const order = await shuffled("deck", [...CARDS.keys()].filter((card) => !fixed.includes(card)));
      const random = REMOVED_AT_RANDOM[seats];
      return { removed: [...fixed, ...order.slice(0, random)], deck: order.slice(random) };
    },

    /** All cards, in the order in which an auction turns them up. */
    auction: () => shuffled("auction", CARDS.keys()),

    /** The card that the penalty draw of this number takes from a hand.
    @param {number} number @param {number[]} hand */
    async steal(number, hand) {
      const source = stream(`steal ${number}`);
      for (;;) {
        const card = await below(FIRST_CHURCH, source);
        if (hand.length === 1) return hand[0];
        if (hand.includes(card)) return card;
      }
    },
  };
}

/** Whether the cards of a record lie as its seed says: pairs of what was compared and the answer.
@type {Recompute<BibliosRecord>} */
async function recompute(record, chance) {
  const shuffle = shuffleOf(chance);
  const seats = record.players.length;
  const { removed, deck } = await shuffle.deal(seats);
  const written = (/** @type {number[]} */ cards) => cards.map((card) => CARDS[card]);
  // Each card of the draw pile was placed in turn: so the moves say which went to the auction.
  const placed = record.moves.filter(({ move }) => PLACES.has(move ?? ""));
  const sold = new Set(deck.filter((card, i) => placed[i]?.move === "auction"));
  const pile = (await shuffle.auction()).filter((card) => sold.has(card));
  return [
    ["first", (await shuffle.first(seats)) === record.first],
    ["removed", same(written(removed), record.removed)],
    ["deck", same(written(deck), record.deck)],
    ["auction", same(written(pile), record.auction)],
  ];
}

listen(recompute);

/* The prizes, recomputed from the seed. */

import { listen, same } from "../js/verify.js";

/** @type {Recompute<GameRecord & { prizes: number[] }>} */
async function recompute(record, { below, stream }) {
  const source = stream("prizes");
  const prizes = [];
  for (const _round of record.prizes) prizes.push(1 + (await below(6, source)));
  return [["prizes", same(prizes, record.prizes)]];
}

listen(recompute);

/* This browser's part in the shuffle (games/matches/shuffle.py), on the page of a match that has not begun.

#shuffle says what comes next (data-step): "ahead", "seal" or "open". Nothing is sent before the commitment that the page
shows is kept, and no bytes before the list of seals is; what is kept, verify.js compares with the record. */

import { hex } from "./bytes.js";
import { keep, kept } from "./kept.js";
import { all, byId, find } from "./page.js";
import { sealOf } from "./verify.js";

const AGAIN = 1_000;
let doing = ""; // the step that is in hand, or done
/** @type {Kept} */
let own = {}; // as kept, also where nothing can be kept, or another page of this browser has drawn other bytes

const facts = () => find("#shuffle")?.dataset ?? {};
const drawn = () => hex(crypto.getRandomValues(new Uint8Array(16)));

/** @param {string} what */
function says(what) {
  for (const line of all("#shuffle [data-says]")) {
    if (line.hidden === (line.dataset.says === what)) line.hidden = !line.hidden; // only what changes: it is watched
  }
}

/** @param {string} match @param {Kept} fields */
function remember(match, fields) {
  own = { ...kept(match), ...own, ...fields };
  keep(match, fields);
}

/** What to send for each step; nothing if this browser has no part in it.
@type {Record<string, (facts: Facts) => object | null | Promise<object | null>>} */
const STEPS = {
  ahead({ match }) {
    if (!globalThis.crypto?.subtle) return null; // it could not seal any later, and would be waited for
    remember(match, { ahead: own.ahead ?? drawn() });
    return { ahead: own.ahead };
  },
  async seal({ match, seat }) {
    if (!globalThis.crypto?.subtle) return { without: 1 };
    const share = own.share ?? drawn();
    remember(match, { share });
    return { seal: await sealOf(match, seat, share) };
  },
  async open({ match, seat, seals, beacon }) {
    const list = (seals ?? "").split(",");
    if (own.seals && (own.seals.join() !== seals || own.beacon !== beacon)) return null;
    remember(match, { seals: list, beacon });
    return own.share && (await sealOf(match, seat, own.share)) === list[Number(seat)] ? { share: own.share } : null;
  },
};

/** What is kept once the site has taken it.
@type {Record<string, Kept>} */
const TAKEN = { ahead: { given: true }, open: { opened: true } };

async function look() {
  const { step, match, seat, commitment, seals, beacon } = facts();
  if (!match || !seat) return void (doing = ""); // whoever sits down again gives again
  own = { ...kept(match), ...own };
  if (own.commitment && own.commitment !== commitment) return says("changed");
  if (own.commitment !== commitment || own.seat !== +seat) remember(match, { commitment, seat: +seat });
  if (!globalThis.crypto?.subtle) says("insecure");
  if (!step || !(step in STEPS) || step === doing) return;
  doing = step;
  const fields = await STEPS[step]({ match, seat, seals, beacon });
  if (fields) give(step, match, fields);
}

/** @param {string} step @param {string} match @param {object} fields */
function give(step, match, fields) {
  const source = byId("shuffle");
  source.addEventListener("htmx:afterRequest", ({ detail }) => answered(step, match, fields, detail.xhr), { once: true });
  htmx.ajax("POST", `/m/${match}/shuffle`, { source, values: fields, swap: "none" }).catch(() => {}); // it is told of it, too
}

/** @param {string} step @param {string} match @param {object} fields @param {XMLHttpRequest} xhr */
function answered(step, match, fields, { status }) {
  if (status >= 200 && status < 300) {
    if (step in TAKEN) remember(match, { ...fields, ...TAKEN[step] });
  } else if (!status || status >= 500 || status === 429) {
    setTimeout(() => {
      doing = "";
      look();
    }, AGAIN);
  }
}

look();
const watched = { childList: true, subtree: true, attributeFilter: ["data-step", "hidden"] };
new MutationObserver(look).observe(byId("main"), watched);

/* Checks a game that has ended against its record: what was promised before it (the commitment), whether the bytes of
each seat are those that were sealed, how the cards were shuffled from them and the secret, and the chain of hashes that
links the rows of its log. And compares the record with what this browser kept while it played (kept.js).

The algorithms are those of games/engine/chance.py and games/matches/chain.py; what the shuffle decides, the game knows. */

import { bytes, hex, joined, sha256 } from "./bytes.js";
import { canonical, firstLink, nextLink } from "./chain.js";
import { kept } from "./kept.js";
import { number } from "./numbers.js";
import { all, one } from "./page.js";
import { answering } from "./signed.js";

/** @param {Uint8Array} key */
async function keyed(key) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return (/** @type {Parts} */ ...parts) => crypto.subtle.sign("HMAC", imported, joined(...parts));
}

// ---- chance

/** The seal of the bytes of a seat; all in hexadecimal.
@param {string} match @param {number | string} seat @param {string} share */
export const sealOf = async (match, seat, share) => hex(await sha256(`seal ${match} ${seat}\n`, bytes(share)));

/** The bytes of a seat for which no browser gave any, in hexadecimal.
@param {string} secret @param {number} seat */
export async function siteShare(secret, seat) {
  const mac = await keyed(bytes(secret));
  return hex(await mac(`seat ${seat}`)).slice(0, 32);
}

/** The seed from the secret, the bytes of all seats and what a beacon said, in hexadecimal.
@param {string} secret @param {string[]} shares */
export async function seedOf(secret, shares, beacon = "") {
  const mac = await keyed(bytes(secret));
  return hex(await mac(...[...shares, beacon].map(bytes)));
}

/** What a seed decides: streams of bytes by label.
@param {string} seed @returns {Promise<Chance>} */
export async function chanceOf(seed) {
  const mac = await keyed(bytes(seed));
  /** @type {Chance["block"]} */
  const block = (label, index) => mac(`${label}/${index}`);

  /** @type {Chance["stream"]} */
  async function* stream(label) {
    for (let index = 0; ; index++) yield* new Uint8Array(await block(label, index));
  }

  /** @type {Chance["below"]} */
  async function below(n, stream) {
    for (;;) {
      const { value } = await stream.next();
      if (value < 256 - (256 % n)) return value % n;
    }
  }

  /** @type {Chance["shuffled"]} */
  async function shuffled(label, things) {
    const order = [...things];
    const source = stream(label);
    for (let i = order.length - 1; i > 0; i--) {
      const j = await below(i + 1, source);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  }

  return { block, stream, below, shuffled };
}

// ---- a record

/** @param {unknown} a @param {unknown} b */
export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** The rows of the log: the moves of the record with the events between them.
@param {GameRecord} record */
function rowsOf(record) {
  /** @type {{ seat: number, move: string }[]} */
  const rows = [];
  for (const { ply, seat, event } of record.events) rows[ply] = { seat, move: `!${event}` };
  let ply = 0;
  for (const { seat, move } of record.moves) {
    if (move === undefined) continue;
    while (rows[ply]) ply++;
    rows[ply] = { seat, move };
  }
  return rows;
}

/** The links of the log's chain: the one before each row, and the last.
@param {GameRecord} record @param {Chance} chance */
async function linksOf(record, chance) {
  const links = [await firstLink(record.proof.header)];
  for (const [ply, { seat, move }] of rowsOf(record).entries()) {
    const [by, at] = record.proof.rows[ply];
    const shown = record.proof.shown[ply] ?? move;
    const hidden = shown === move ? "" : ` #${hex(await sha256(await chance.block("salt", ply), move))}`;
    links.push(await nextLink(links[links.length - 1], `${ply} ${seat} ${by} ${at} ${shown}${hidden}`));
  }
  return links;
}

/** @param {GameRecord} record */
const seeded = async ({ proof }) => chanceOf(await seedOf(proof.secret, proof.shares, proof.beacon));

/** Whether the bytes of a seat are those of its seal or, where no browser gave any, of the secret.
@param {Proof} proof @param {number} seat */
async function fits({ header, secret, shares }, seat) {
  const [share, seal] = [shares[seat], header.seals[seat]];
  switch (header.shares_from[seat]) {
    case "sealed":
    case "ahead":
      return (await sealOf(header.key, seat, share)) === seal;
    case "unopened":
      return seal !== "" && (await siteShare(secret, seat)) === share;
    case "site":
      return seal === "" && (await siteShare(secret, seat)) === share;
    default:
      return false;
  }
}

/** Whether a beacon that is mixed in was to be asked.
@param {Proof} proof */
const asked = ({ header, beacon }) => beacon === "" || (header.beacon_round !== "" && bytes(beacon).length === 32);

/** Whether the players are those of the header: bots by their names, people by hashes, unless their names are forgotten.
@param {GameRecord} record */
async function named({ players, proof: { header, names } }) {
  const right = header.players.map(async ({ bot, name }, seat) => {
    if (bot !== undefined) return players[seat] === name;
    const known = names[seat];
    if (!known) return /^closed-\d+$/.test(players[seat]);
    const [then, salt] = known;
    return players[seat] === then && hex(await sha256(bytes(salt), then)) === name;
  });
  return (await Promise.all(right)).every((holds) => holds);
}

/** Whether each thing that can be recomputed comes out as the record says: pairs of its name and the answer.

`recompute(record, chance)` gives those of the game.
@template {GameRecord} R @param {R} record @param {Recompute<R>} recompute @returns {Promise<[string, boolean][]>} */
export async function check(record, recompute) {
  const { proof } = record;
  const { header } = proof;
  const chance = await seeded(record);
  const fitting = await Promise.all(proof.shares.map((_, seat) => fits(proof, seat)));
  const told =
    record.format === `${header.game}-record/${header.version}` &&
    header.key === record.match &&
    header.places === record.players.length &&
    header.rated === record.rated &&
    (await named(record));
  return [
    ["commitment", hex(await sha256(bytes(proof.secret))) === proof.commitment && header.commitment === proof.commitment],
    ["shares", fitting.length === header.places && fitting.every((fit) => fit) && asked(proof)],
    ...(await recompute(record, chance)),
    ["log", told && canonical(header.options) === canonical(record.options) && (await linksOf(record, chance)).at(-1) === proof.link],
  ];
}

/** Whether the record agrees with what a browser kept: "agrees", "differs", or "nothing" if it kept nothing.

`own`: the seat of whoever asks, as text. What was kept for another seat says nothing of the bytes.
@param {GameRecord} record @param {Kept} mine @param {string | undefined} own */
export async function compare(record, mine, own) {
  const seat = own ? Number(own) : NaN;
  const { header, shares } = record.proof;
  if (!mine.commitment && !mine.link) return "nothing";
  const from = header.shares_from[seat];
  const seated = own === String(mine.seat);
  const right = [
    !mine.commitment || mine.commitment === header.commitment,
    !mine.seals || (same(mine.seals, header.seals) && mine.beacon === header.beacon_round),
    !(seated && mine.opened) || (from === "sealed" && shares[seat] === mine.share),
    !(seated && mine.given) || from !== "site",
    !(seated && mine.given && from === "ahead") || shares[seat] === mine.ahead,
    !mine.link || (await linksOf(record, await seeded(record)))[mine.ply ?? NaN] === mine.link,
  ];
  return right.every((holds) => holds) ? "agrees" : "differs";
}

/** Whether the link of a receipt is in the chain of the record: "agrees", "differs", or "other" if it is of another game.
@param {GameRecord} record @param {Receipt | null} receipt */
export async function holds(record, receipt) {
  if (receipt?.format !== "armarium-receipt/1" || receipt.match !== record.match) return "other";
  return (await linksOf(record, await seeded(record)))[receipt.ply] === receipt.link ? "agrees" : "differs";
}

// ---- the button of the page

/** @template {GameRecord} R @param {HTMLElement} panel @param {Recompute<R>} recompute */
async function pressed(panel, recompute) {
  const says = (/** @type {string} */ outcome) => {
    panel.dataset.outcome = outcome;
    for (const line of all("[data-says]", panel)) line.hidden = line.dataset.says !== outcome;
  };
  if (!globalThis.crypto?.subtle) return says("insecure");
  says("working");
  try {
    const record = await recordOf(panel);
    // What stands on the page is what is checked.
    record.proof = { ...record.proof, ...shownOn(panel) };
    let right = true;
    for (const [name, holds] of await check(record, recompute)) {
      one(`[data-check="${name}"]`, panel).dataset.holds = String(holds);
      right &&= holds;
    }
    const outcome = await compare(record, kept(record.match), panel.dataset.own);
    for (const line of all("[data-kept]", panel)) line.hidden = line.dataset.kept !== outcome;
    says(right ? "verified" : "differs");
  } catch (error) {
    console.warn(error);
    says("failed");
  }
}

/** @param {HTMLElement} panel */
async function recordOf(panel) {
  const answer = await fetch(panel.dataset.verify ?? "", { cache: "no-store" });
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

/** A receipt was chosen from the disk.
@param {HTMLInputElement} field */
async function chosen(field) {
  const panel = field.closest("[data-verify]");
  const file = field.files?.[0];
  if (!panel || !file) return;
  let outcome, receipt;
  /** @type {string | undefined} */
  let signed;
  /** @type {string | undefined} */
  let key;
  try {
    receipt = JSON.parse(await file.text());
    outcome = await holds(await recordOf(panel), receipt);
    if (outcome !== "other") [signed, key] = await answering(receipt).catch(() => ["forged"]);
    if (signed === "forged") outcome = signed; // whatever it says
  } catch {
    outcome = "other";
  }
  for (const line of all("[data-receipt]", panel)) {
    line.hidden = line.dataset.receipt !== outcome;
    for (const ply of all("[data-ply]", line)) ply.textContent = receipt ? number(receipt.ply) : "";
  }
  for (const line of all("[data-signed]", panel)) {
    line.hidden = line.dataset.signed !== signed;
    for (const named of all("[data-key]", line)) named.textContent = key ?? receipt?.key ?? "";
  }
  field.value = ""; // the same file may be chosen again
}

/** @param {HTMLElement} panel */
function shownOn(panel) {
  /** @param {string} name */
  const texts = (name) => all(`[data-proof="${name}"]`, panel).map(({ textContent }) => textContent?.trim());
  const [[commitment], [secret], [link]] = ["commitment", "secret", "link"].map(texts);
  return { commitment, secret, link, shares: texts("share") };
}

/** Begin to listen to the button, with what a game recomputes.
@template {GameRecord} R @param {Recompute<R>} recompute */
export function listen(recompute) {
  for (const button of all("[data-verify-button]")) {
    const panel = button.closest("[data-verify]");
    button.hidden = false;
    button.addEventListener("click", () => panel && pressed(panel, recompute));
  }
  for (const field of all("input[data-receipt-file]")) {
    const label = field.closest("label");
    if (label) label.hidden = !globalThis.crypto?.subtle;
    field.addEventListener("change", () => chosen(field));
  }
}

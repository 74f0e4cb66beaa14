/* Checks a game that has ended against its record: what was promised before it (the commitment), how the cards were
shuffled from the secret and everybody's bytes, and the chain of hashes that links the rows of its log.

The algorithms are those of games/engine/chance.py and games/matches/chain.py; what the shuffle decides, the game knows. */

const ASCII = new TextEncoder();

// ---- bytes ---------------------------------------------------------------------------------------------------------

export const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
export const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

function joined(...parts) {
  const all = parts.map((part) => (typeof part === "string" ? ASCII.encode(part) : new Uint8Array(part)));
  const whole = new Uint8Array(all.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of all) whole.set(part, at), (at += part.length);
  return whole;
}

const sha256 = (...parts) => crypto.subtle.digest("SHA-256", joined(...parts));

async function keyed(key) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return (...parts) => crypto.subtle.sign("HMAC", imported, joined(...parts));
}

// ---- chance --------------------------------------------------------------------------------------------------------

/** The seal of the bytes of a seat; all in hexadecimal. */
export const sealOf = async (match, seat, share) => hex(await sha256(`seal ${match} ${seat}\n`, bytes(share)));

/** The bytes of a seat for which no browser gave any, in hexadecimal. */
export async function siteShare(secret, seat) {
  const mac = await keyed(bytes(secret));
  return hex(await mac(`seat ${seat}`)).slice(0, 32);
}

/** The seed from the secret, the bytes of all seats and what a beacon said, in hexadecimal. */
export async function seedOf(secret, shares, beacon = "") {
  const mac = await keyed(bytes(secret));
  return hex(await mac(...[...shares, beacon].map(bytes)));
}

/** What a seed decides: streams of bytes by label. */
export async function chanceOf(seed) {
  const mac = await keyed(bytes(seed));
  const block = (label, index) => mac(`${label}/${index}`);

  async function* stream(label) {
    for (let index = 0; ; index++) yield* new Uint8Array(await block(label, index));
  }

  async function below(n, stream) {
    for (;;) {
      const { value } = await stream.next();
      if (value < 256 - (256 % n)) return value % n;
    }
  }

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

// ---- a record ------------------------------------------------------------------------------------------------------

export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** As Python writes it with sorted keys and without spaces. */
function canonical(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** The rows of the log: the moves of the record with the events between them. */
function rowsOf(record) {
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

/** The last link of the log's chain. */
async function lastLink(record, chance) {
  let link = await sha256(canonical(record.proof.header));
  for (const [ply, { seat, move }] of rowsOf(record).entries()) {
    const [by, at] = record.proof.rows[ply];
    const shown = record.proof.shown[ply] ?? move;
    const hidden = shown === move ? "" : ` #${hex(await sha256(await chance.block("salt", ply), move))}`;
    link = await sha256(link, `${ply} ${seat} ${by} ${at} ${shown}${hidden}`);
  }
  return hex(link);
}

/** Whether each thing that can be recomputed comes out as the record says: pairs of its name and the answer.

`recompute(record, chance)` gives those of the game. */
export async function check(record, recompute) {
  const { proof } = record;
  const { header } = proof;
  const chance = await chanceOf(await seedOf(proof.secret, proof.shares));
  const told =
    record.format === `${header.game}-record/${header.version}` && header.key === record.match && header.places === record.players.length;
  return [
    ["commitment", hex(await sha256(bytes(proof.secret))) === proof.commitment && header.commitment === proof.commitment],
    ...(await recompute(record, chance)),
    ["log", told && canonical(header.options) === canonical(record.options) && (await lastLink(record, chance)) === proof.link],
  ];
}

// ---- the button of the page ----------------------------------------------------------------------------------------

async function pressed(button, recompute) {
  const panel = button.closest("[data-verify]");
  const says = (outcome) => {
    panel.dataset.outcome = outcome;
    for (const line of panel.querySelectorAll("[data-says]")) line.hidden = line.dataset.says !== outcome;
  };
  if (!globalThis.crypto?.subtle) return says("insecure");
  says("working");
  try {
    const answer = await fetch(panel.dataset.verify, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.statusText);
    const record = await answer.json();
    // What stands on the page is what is checked.
    record.proof = { ...record.proof, ...shownOn(panel) };
    let right = true;
    for (const [name, holds] of await check(record, recompute)) {
      const line = panel.querySelector(`[data-check="${name}"]`);
      line.dataset.holds = holds;
      right &&= holds;
    }
    says(right ? "verified" : "differs");
  } catch (error) {
    console.warn(error);
    says("failed");
  }
}

function shownOn(panel) {
  const one = (name) => panel.querySelector(`[data-proof="${name}"]`).textContent.trim();
  const shares = [...panel.querySelectorAll('[data-proof="share"]')].map((share) => share.textContent.trim());
  return { commitment: one("commitment"), secret: one("secret"), link: one("link"), shares };
}

/** Begin to listen to the button, with what a game recomputes. */
export function listen(recompute) {
  for (const button of document.querySelectorAll("[data-verify-button]")) {
    button.hidden = false;
    button.addEventListener("click", () => pressed(button, recompute));
  }
}

/* The forms that answer the question of the table: what one has chosen so far, and sending it. */

import { list, number, word } from "./words.js";
import { post } from "./request.js";

const PATIENCE = 6_000;
let sending = null; // {form, ply, undo, timer}

const board = () => document.getElementById("ply")?.dataset ?? {};
export const form = () => document.querySelector("form[data-answer]");
const chosen = (form) => [...form.querySelectorAll("input[name=move]:checked")];

/** Say why an answer was refused; "" clears it. */
export function says(text) {
  const place = document.getElementById("says");
  if (!place) return;
  place.textContent = text;
  place.hidden = !text;
}

// ---- what is chosen ------------------------------------------------------------------------------------------------

/** Bring the words and buttons of a form up to date with what is chosen in it. */
export function refresh() {
  const asked = form();
  if (!asked || sending?.form === asked) return;
  const { answer } = asked.dataset;
  const primary = asked.querySelector("[data-primary]:not([name])"); // with a name it is an answer of its own
  const [text, ready] = CHOICES[answer]?.(asked) ?? [];
  if (primary && ready !== undefined) primary.disabled = !ready;
  const label = primary && (primary.querySelector("[data-label]") ?? primary);
  if (label && text) label.textContent = text;
  for (const option of asked.querySelectorAll("label:has(input[name=move])"))
    option.classList.toggle("on", option.querySelector("input").checked);
}

const CHOICES = {
  take(form) {
    const [card] = chosen(form);
    return [card?.dataset.label, !!card];
  },

  bid(form) {
    const more = form.querySelector("[data-more]");
    const radio = more && form.querySelector("[data-bluff]"); // what has no chip of its own
    if (radio) {
      radio.value = more.value ? `bid ${more.value}` : "";
      more.disabled = !radio.checked;
      more.closest("[data-more-row]").hidden = !radio.checked;
    }
    const bid = amount(form);
    const valid = bid > 0 && !(radio?.checked && !more.checkValidity());
    const bluff = valid && bid > form.dataset.own;
    const warning = form.querySelector("[data-warn]");
    if (warning) warning.hidden = !bluff;
    const armed = form.dataset.armed === String(bid);
    if (!armed) delete form.dataset.armed;
    const label = chosen(form)[0]?.dataset.label;
    return [valid ? (armed && bluff ? word("bid-anyway", { n: number(bid) }) : label || word("bid", { n: number(bid) })) : word("bid-none"), valid];
  },

  pay(form) {
    const cards = chosen(form);
    const due = +form.dataset.due;
    const worth = cards.map((card) => +card.dataset.worth);
    const paid = worth.reduce((sum, value) => sum + value, 0);
    const spare = worth.some((value) => paid - value >= due);
    const over = paid - due;
    meter(form.querySelector("[data-meter]"), paid, due, spare);
    const sum = form.dataset.unit === "gold" ? worth.map(number).join(" + ") : number(paid);
    return [word("pay", { sum: paid ? sum : number(due) }), over >= 0 && !spare];
  },

  dice(form) {
    const dice = chosen(form);
    const count = +form.dataset.count;
    for (const die of form.querySelectorAll("input[name=move]")) {
      const option = die.closest("label");
      const shown = option.querySelector(".pv");
      const { from, to } = die.dataset;
      if (shown) shown.innerHTML = die.checked ? `${number(from)} → <b>${number(to)}</b>` : number(from);
      // Two different dice; of the card that moves one up and one down, one each way.
      if (count < 2 || option.classList.contains("off")) continue;
      die.disabled = !die.checked && (dice.length >= count || dice.some((other) => clash(other, die, form)));
    }
    const ways = ["+", "-"].map((way) => dice.filter((die) => die.value.endsWith(way)).map((die) => die.dataset.name));
    const texts = ways.map((names, i) => names.length && word(i ? "lower" : "raise", { dice: list(names) })).filter(Boolean);
    return [texts.length ? list(texts) : word(count > 1 ? "dice-two" : "dice-one"), dice.length === count];
  },
};

function clash(a, b, form) {
  const [one, other] = [a.value, b.value];
  return one.slice(0, -1) === other.slice(0, -1) || (form.dataset.ways === "both" && one.at(-1) === other.at(-1));
}

function meter(meter, paid, due, spare) {
  if (!meter) return;
  const count = meter.querySelector("b");
  if (count) count.textContent = number(paid);
  const bar = meter.querySelector("progress") ?? meter.querySelector(".bar i");
  if (bar?.matches("progress")) bar.value = Math.min(paid, due);
  else if (bar) bar.style.inlineSize = `${Math.min(100, (100 * paid) / due)}%`;
  const verdict = meter.querySelector(".tag");
  if (!verdict) return;
  const over = paid - due;
  verdict.textContent = word(over < 0 ? "short" : spare ? "spare" : over ? "over" : "exact", { n: number(Math.abs(over)) });
  verdict.className = `tag ${over < 0 || spare ? "" : over ? "warn" : "ok"}`;
}

function amount(form) {
  return +(chosen(form)[0]?.value.match(/^bid (\d+)$/)?.[1] ?? 0);
}

/** Choose by number: a bid, or the n-th die. Whether there is one. */
export function pick(n) {
  const asked = form();
  if (asked?.dataset.answer === "dice") asked.querySelectorAll("input[name=move]")[n - 1]?.click();
  if (asked?.dataset.answer !== "bid") return false;
  let radio = asked.querySelector(`input[value="bid ${n}"]:not([data-bluff])`);
  const more = asked.querySelector("[data-more]");
  if (!radio && more && n >= +more.min && n <= +more.max) {
    radio = asked.querySelector("[data-bluff]");
    more.value = n;
  }
  if (!radio) return false;
  radio.checked = true;
  refresh();
  return true;
}

// ---- sending it ----------------------------------------------------------------------------------------------------

/** Send answers by the socket while it is open, else by POST; `show` gets the fragment that answers. */
export function listen(socket, show) {
  document.addEventListener("input", refresh);
  document.addEventListener("change", refresh);

  // The second press of a double click would answer the next question.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("form[data-answer] button");
    if (button && (event.detail > 1 || button.getAttribute("aria-disabled") === "true")) event.preventDefault();
  });

  // ↵ in a field presses the first button of a form, which may be the one that passes.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("form[data-answer] input")) return;
    event.preventDefault();
    event.target.form.querySelector("[data-primary]")?.click();
  });

  document.addEventListener("submit", (event) => {
    const asked = event.target.closest("form[data-answer]");
    if (!asked) return;
    event.preventDefault();
    if (sending || confirmed(asked, event.submitter) === false) return;
    const button = event.submitter;
    const moves = button?.name === "move" ? [button.value] : chosen(asked).map((input) => input.value);
    if (moves.length && moves.every(Boolean)) send(asked, button, moves);
  });

  async function send(asked, button, moves) {
    const ply = +(asked.elements.namedItem("ply")?.value ?? board().ply);
    says("");
    sending = { form: asked, ply, undo: pretend(asked, button) };
    sending.timer = setTimeout(() => {
      failed();
      socket.renew();
    }, PATIENCE);
    if (socket.send({ ply, move: moves })) return;
    try {
      const fields = [["ply", ply], ...moves.map((move) => ["move", move])];
      const answer = await post(asked.action, fields);
      if (answer.ok || answer.status === 409) show(await answer.text());
      else failed();
    } catch {
      failed();
    }
  }
}

/* A refusal and a bluff are asked once more, on the same button. */
function confirmed(asked, button) {
  if (button?.dataset.confirm && !button.dataset.armed) {
    const label = button.querySelector("[data-label]") ?? button;
    const before = label.textContent;
    button.dataset.armed = "1";
    label.textContent = button.dataset.confirm;
    button.addEventListener("blur", () => (delete button.dataset.armed, (label.textContent = before)), { once: true });
    button.focus();
    return false;
  }
  const bid = amount(asked);
  if (button?.matches("[data-primary]") && bid > asked.dataset.own && asked.dataset.armed !== String(bid)) {
    asked.dataset.armed = bid;
    refresh();
    return false;
  }
  return true;
}

/* Show the answer at once, faintly; what comes back takes it back. */
function pretend(asked, button) {
  const label = button && (button.querySelector("[data-label]") ?? (button.matches(".well") ? button.querySelector(".w-d") : button));
  const text = label?.textContent;
  const pale = [...chosen(asked).map((input) => input.closest("label")), button].filter(Boolean);
  const slot = button?.querySelector(".slot");
  const card = slot && document.querySelector("#stage .focus [data-card]");
  const home = document.createComment("");
  if (label) label.textContent = word("sending");
  asked.setAttribute("aria-busy", "true");
  for (const part of pale) part.style.opacity = 0.6;
  if (card) {
    card.replaceWith(home);
    slot.hidden = true;
    slot.after(card);
  }
  return () => {
    if (label) label.textContent = text;
    asked.removeAttribute("aria-busy");
    for (const part of pale) part.style.opacity = "";
    if (!card) return;
    slot.hidden = false;
    home.replaceWith(card);
  };
}

/** The board is about to change, or the answer was refused: what was only shown is taken back.

Without `done` the answer is still on its way. */
export function settle(done = true) {
  if (!sending) return;
  sending.undo();
  sending.undo = () => {};
  if (!done) return;
  clearTimeout(sending.timer);
  sending = null;
}

function failed() {
  settle();
  says(word("unarrived"));
  refresh();
}

/* The forms that answer the question of the table: what one has chosen so far, and sending it. */

import { list, number, word } from "./words.js";
import { remember } from "./motion.js";
import { post } from "./request.js";

const PATIENCE = 6_000;
let sending = null; // {form, undo, timer}

const form = () => document.querySelector("form[data-answer]");
// Some lie outside of their form.
const choices = (form) => [...form.elements].filter(({ name, type }) => name === "move" && type !== "submit");
const chosen = (form) => choices(form).filter(({ checked }) => checked);
const bidOf = (form) => +(chosen(form)[0]?.value.match(/^bid (\d+)$/)?.[1] ?? 0);
const labelOf = (button) => button.querySelector("[data-label]") ?? button.querySelector(".w-d") ?? button;

/** Say why an answer was refused; "" clears it. */
export function says(text) {
  const place = document.getElementById("says");
  place.textContent = text;
  place.hidden = !text;
}

// ---- what is chosen ------------------------------------------------------------------------------------------------

/** Bring the words and buttons of the form up to date with what is chosen in it. */
export function refresh() {
  const asked = form();
  if (!asked || sending?.form === asked) return;
  const [text, ready] = CHOICES[asked.dataset.answer]?.(asked) ?? [];
  for (const choice of choices(asked)) choice.closest("label")?.classList.toggle("on", choice.checked);
  const primary = asked.querySelector("[data-primary]:not([name])"); // with a name it is an answer of its own
  if (!primary || !CHOICES[asked.dataset.answer]) return;
  primary.disabled = !ready;
  if (text) labelOf(primary).textContent = text;
}

/* By question: what the button says, and whether it can be pressed. */
const CHOICES = {
  take(form) {
    const [card] = chosen(form);
    return [card?.dataset.label, !!card];
  },

  bid(form) {
    const more = form.querySelector("[data-more]");
    const radio = form.querySelector("[data-bluff]"); // for what has no chip of its own
    if (more && radio) {
      radio.value = more.value ? `bid ${more.value}` : "";
      more.disabled = !radio.checked;
      more.closest("[data-more-row]").hidden = !radio.checked;
    }
    const bid = bidOf(form);
    const valid = bid > 0 && (!radio?.checked || more.checkValidity());
    const bluff = valid && bid > form.dataset.own;
    const warning = form.querySelector("[data-warn]");
    if (warning) warning.hidden = !bluff;
    if (form.dataset.warned !== String(bid)) delete form.dataset.warned;
    if (!valid) return [word("bid-none"), false];
    const n = number(bid);
    const [choice] = chosen(form);
    const plain = "bluff" in choice.dataset ? word("bid", { n }) : choice.getAttribute("aria-label");
    return [form.dataset.warned ? word("bid-anyway", { n }) : plain, true];
  },

  pay(form) {
    const worth = chosen(form).map((card) => +card.dataset.worth);
    const paid = worth.reduce((sum, value) => sum + value, 0);
    const over = paid - form.dataset.due;
    const spare = worth.some((value) => over >= value); // it could stay in hand
    meter(form.querySelector("[data-meter]"), paid, over, spare);
    const sum = form.dataset.unit === "gold" && paid ? worth.map(number).join(" + ") : number(paid || form.dataset.due);
    return [word("pay", { sum }), over >= 0 && !spare];
  },

  dice(form) {
    const dice = chosen(form);
    const { count, ways } = form.dataset;
    for (const die of form.querySelectorAll("input[name=move]")) {
      const option = die.closest("label");
      const { from, to } = die.dataset;
      option.querySelector(".pv").textContent = die.checked ? `${number(from)} → ${number(to)}` : number(from);
      if (count === "1" || option.classList.contains("off")) continue;
      // Two different dice; of the card that moves one up and one down, one each way.
      const barred = (other) => other.value[5] === die.value[5] || (ways === "both" && other.value[6] === die.value[6]);
      die.disabled = !die.checked && (dice.length >= count || dice.some(barred));
    }
    const moved = (way, name) => {
      const names = dice.filter((die) => die.value[6] === way).map((die) => die.dataset.name);
      return names.length ? [word(name, { dice: list(names) })] : [];
    };
    const text = list([...moved("+", "raise"), ...moved("-", "lower")]);
    return [text || word(count === "1" ? "dice-one" : "dice-two"), dice.length === +count];
  },
};

function meter(meter, paid, over, spare) {
  if (!meter) return;
  meter.querySelector("b").textContent = number(paid);
  meter.querySelector("progress").value = paid;
  const verdict = meter.querySelector(".tag");
  const name = over < 0 ? "short" : spare ? "spare" : over ? "over" : "exact";
  verdict.textContent = word(name, { n: number(Math.abs(over)) });
  verdict.classList.toggle("ok", !over);
  verdict.classList.toggle("warn", over > 0);
}

/** Choose by number: a bid, or the n-th die. Whether there is such a bid. */
export function pick(n) {
  const asked = form();
  if (asked?.dataset.answer === "dice") asked.querySelectorAll("[name=move]")[n - 1]?.click();
  if (asked?.dataset.answer !== "bid") return false;
  let radio = asked.querySelector(`[value="bid ${n}"]:not([data-bluff])`);
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
    if (event.detail > 1 && event.target.closest("form[data-answer] button")) event.preventDefault();
  });

  // ↵ in a field presses the first button of a form, which may be the one that passes.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input") || !event.target.form?.dataset.answer) return;
    event.preventDefault();
    event.target.form.querySelector("[data-primary]")?.click();
  });

  document.addEventListener("submit", (event) => {
    const asked = event.target.closest("form[data-answer]");
    if (!asked) return;
    event.preventDefault();
    const button = event.submitter;
    if (sending || warned(asked, button)) return;
    const moves = button?.name === "move" ? [button.value] : chosen(asked).map((input) => input.value);
    if (moves.length && moves.every(Boolean)) send(asked, button, moves);
  });

  async function send(asked, button, moves) {
    const ply = +asked.elements.namedItem("ply").value;
    says("");
    const timer = setTimeout(() => (failed(), socket.renew()), PATIENCE);
    sending = { form: asked, undo: pretend(asked, button), timer };
    if (socket.send({ ply, move: moves })) return;
    try {
      const answer = await post(asked.action, [["ply", ply], ...moves.map((move) => ["move", move])]);
      if (answer.redirected || [403, 404].includes(answer.status)) location.reload(); // signed out
      else if (answer.ok || [409, 429].includes(answer.status)) show(await answer.text());
      else failed();
    } catch {
      failed();
    }
  }
}

/* A bid of more than one owns is asked about once more, on the same button. */
function warned(asked, button) {
  const bid = bidOf(asked);
  if (!button?.matches("[data-primary]") || !(bid > asked.dataset.own) || asked.dataset.warned) return false;
  asked.dataset.warned = bid;
  refresh();
  return true;
}

/* Show the answer at once, faintly; what comes back takes it back. */
function pretend(asked, button) {
  const label = button && labelOf(button);
  const text = label?.textContent;
  const pale = [...chosen(asked).map((input) => input.closest("label")), button].filter(Boolean);
  const slot = button?.querySelector(".slot");
  const card = slot && document.querySelector("#stage .focus [data-card]");
  const home = document.createComment("");
  const arrive = remember();
  if (label) label.textContent = word("sending");
  asked.setAttribute("aria-busy", "true");
  for (const part of pale) part.style.opacity = 0.6;
  if (card) {
    card.replaceWith(home);
    slot.hidden = true;
    slot.after(card);
  }
  arrive();
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
  const arrive = remember();
  settle();
  arrive();
  says(word("unarrived"));
  refresh();
}

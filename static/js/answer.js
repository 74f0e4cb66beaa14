/* The forms that answer the question of the table: what one has chosen so far, and sending it. */

import { habits } from "./habits.js";
import { expect } from "./line.js";
import { remember } from "./motion.js";
import { byId, find } from "./page.js";
import { announce, word } from "./words.js";

const PATIENCE = 6_000;
/** @type {Sending | null} */
let sending = null;

const form = () => find("form[data-answer]");
/** Some lie outside of their form.
@param {HTMLFormElement} form */
const choices = (form) => [...form.elements].filter(({ name, type }) => name === "move" && type !== "submit");
const labelOf = (/** @type {HTMLElement} */ button) => button.querySelector("[data-label]") ?? button;
/** @type {Questions} */
const questions = {};
const asking = () => questions[form()?.dataset.answer ?? ""];

/** What is chosen in a form.
@param {HTMLFormElement} form */
export const chosen = (form) => choices(form).filter(({ checked }) => checked);

/** A game says how the forms of its questions behave, by their data-answer; the others are sent as they are.
@param {Questions} more */
export const ask = (more) => Object.assign(questions, more);

/** Say why an answer was refused; "" clears it. */
export const says = (text = "") => (byId("says").textContent = text);

// ---- what is chosen

/** Bring the words and buttons of the form up to date with what is chosen in it. */
export function refresh() {
  disarm();
  const asked = form();
  if (!asked || sending?.form === asked) return;
  const known = asking();
  const [text, ready] = known?.ready(asked) ?? [];
  const primary = asked.querySelector("button[data-primary]:not([name])"); // with a name it is an answer of its own
  if (!primary || !known) return;
  primary.disabled = !ready;
  if (text) labelOf(primary).textContent = text;
}

/** Choose by number, if the question knows how.
@param {number} n */
export function pick(n) {
  const asked = form();
  return !!asked && !!asking()?.pick?.(asked, n);
}

// ---- sending it

/** Begin to listen. */
export function listen() {
  document.addEventListener("input", refresh);
  document.addEventListener("change", refresh);

  // The second press of a double click would answer the next question.
  document.addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest("form[data-answer] button")) event.preventDefault();
  });

  // ↵ in a field presses the first button of a form, which may be the one that passes.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    const { form } = event.target;
    if (!form?.dataset.answer) return;
    event.preventDefault();
    form.querySelector("[data-primary]")?.click();
  });

  document.addEventListener("htmx:wsConfigSend", (event) => {
    const { target: asked, detail } = event;
    if (!asked.matches("form[data-answer]")) return;
    const button = detail.triggeringEvent.submitter;
    const move = button?.name === "move" ? [button.value] : chosen(asked).map((input) => input.value);
    const warned = !sending && button?.matches("[data-primary]") && asking()?.warn?.(asked);
    if (sending || warned || !move.length || !move.every(Boolean)) {
      event.preventDefault();
      return refresh();
    }
    if (habits.confirms && button && armed?.button !== button) {
      event.preventDefault();
      return arm(button);
    }
    disarm();
    detail.parameters = { ply: asked.elements.namedItem("ply")?.value, move };
    says("");
    sending = { form: asked, undo: pretend(asked, button), timer: setTimeout(failed, PATIENCE) };
    expect(asked, PATIENCE);
  });
  for (const fault of /** @type {const} */ (["htmx:sendError", "htmx:timeout"]))
    document.addEventListener(fault, ({ target }) => target.matches("[data-answer]") && failed());
}

/** Pressed once, by somebody whose second press answers.
@type {{ button: HTMLElement, text: string } | null} */
let armed = null;

/** @param {HTMLElement} button */
function arm(button) {
  disarm();
  const text = labelOf(button).textContent ?? "";
  armed = { button, text };
  announce((labelOf(button).textContent = word("again", { answer: text.trim() })));
}

function disarm() {
  if (armed) labelOf(armed.button).textContent = armed.text;
  armed = null;
}

/** Show the answer at once, faintly; what comes back takes it back.
@param {HTMLFormElement} asked @param {HTMLElement | null} button */
function pretend(asked, button) {
  const label = button && labelOf(button);
  const text = label?.textContent ?? "";
  const slot = button?.querySelector(".slot");
  const card = slot && find("#stage .focus [data-card]");
  const home = document.createComment("");
  const arrive = remember();
  if (label) label.textContent = word("sending");
  for (const part of [asked, button]) part?.setAttribute("aria-busy", "true");
  if (card) {
    card.replaceWith(home);
    slot.hidden = true;
    slot.after(card);
  }
  arrive();
  return () => {
    if (label) label.textContent = text;
    for (const part of [asked, button]) part?.removeAttribute("aria-busy");
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

/** It did not arrive. */
export function failed() {
  const arrive = remember();
  settle();
  arrive();
  says(word("unarrived"));
  refresh();
}

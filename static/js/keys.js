/* The table by keyboard. What is one letter can be switched off, for those whose voice or hand types by itself. */

import { pick } from "./answer.js";
import * as sheets from "./sheets.js";

const TYPING = "input:not([type=radio], [type=checkbox]), textarea, select";
const OWN_ENTER = "a[href], button, summary, input"; // what ↵ means something for
const STOPS = "button, a[href], input[type=checkbox]";
const SHEETS = { h: "hand", m: "moves", c: "chat", i: "help" };
/* The panel of a key; `n` is the first one beside the board, which each game names. */
const sheetOf = (key) => (key === "n" ? document.querySelector(".panels [role=tab]")?.dataset.sheet : SHEETS[key]);

const help = () => document.getElementById("keys");
const enabled = () => localStorage.getItem("keys") !== "off";
let digits = "";
let typedAt = 0;

function pressed(event) {
  const { key, target } = event;
  if (!/^\d$/.test(key)) digits = ""; // any other key ends a number
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (document.querySelector("dialog[open]")) return; // ⎋ closes it by itself
  if (key === "Escape") sheets.close();
  else if (target.matches(TYPING)) return;
  else if (/^(Arrow|Home$|End$)/.test(key)) rove(event);
  else if (key === "Enter") target.matches(OWN_ENTER) || press(event, inQuestion("[data-primary]"));
  else if (!event.repeat && enabled()) letter(event, key.toLowerCase());
}

/* What a key means at the question; nothing in a part that a panel lies over. */
const inQuestion = (control) => document.querySelector(`#stage ${control}:not([inert] *)`);

function letter(event, key) {
  const button = inQuestion(`[data-key="${CSS.escape(key)}"]`);
  if (button) {
    press(event, button);
    if (button.matches("input")) button.focus(); // ↵ there sends the answer
  } else if (/^\d$/.test(key)) typed(key, event.timeStamp);
  else if (key === "?") press(event, document.querySelector("[data-keys-button]"));
  else if (sheetOf(key)) {
    event.preventDefault();
    sheets.open(sheets.opened() === sheetOf(key) ? "" : sheetOf(key));
  }
}

function press(event, button) {
  if (!button) return;
  event.preventDefault();
  button.click();
}

/* "1" then "2" within a second is 12. */
function typed(digit, at) {
  digits = at - typedAt < 1000 ? digits + digit : digit;
  typedAt = at;
  if (!inQuestion("form[data-answer]")) return;
  if (!pick(+digits)) pick(+(digits = digit));
}

// ---- arrows inside a group: one stop of the tab key ----------------------------------------------------------------

const stops = (group) => [...group.querySelectorAll(STOPS)].filter((stop) => !stop.disabled && stop.offsetParent);

function rove(event) {
  const group = event.target.closest("[data-rove]");
  const all = group ? stops(group) : [];
  const at = all.indexOf(event.target);
  if (at < 0) return;
  const onwards = getComputedStyle(group).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const to = {
    Home: 0,
    End: -1,
    ArrowUp: at - 1,
    ArrowDown: (at + 1) % all.length,
  }[event.key];
  event.preventDefault();
  all.at(to ?? (event.key === onwards ? (at + 1) % all.length : at - 1)).focus();
}

function settle(group, stop) {
  for (const other of stops(group)) other.tabIndex = other === stop ? 0 : -1;
}

/** After a change of the page: one stop in each group. */
export function refresh() {
  for (const group of document.querySelectorAll("[data-rove]")) {
    const all = stops(group);
    settle(group, all.find((stop) => stop === document.activeElement) ?? all.find((stop) => stop.checked) ?? all[0]);
  }
}

/** Begin to listen. */
export function listen() {
  document.addEventListener("keydown", pressed);
  document.addEventListener("focusin", ({ target }) => {
    const group = target.closest("[data-rove]");
    if (group && target.matches(STOPS)) settle(group, target);
  });
  document.addEventListener("click", ({ target }) => {
    if (!target.closest("[data-keys-button]")) return;
    help().querySelector("[name=letters]").checked = enabled();
    help().showModal();
  });
  help().addEventListener("change", ({ target }) => localStorage.setItem("keys", target.checked ? "on" : "off"));
}

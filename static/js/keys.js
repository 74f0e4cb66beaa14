/* The table by keyboard. What is one letter can be switched off, for those whose voice or hand types by itself. */

import { pick } from "./answer.js";
import { habits, keepHabit } from "./habits.js";
import { all, find, one } from "./page.js";
import * as sheets from "./sheets.js";

const TYPING = "input:not([type=radio], [type=checkbox]), textarea, select";
const OWN_ENTER = "a[href], button, summary, input"; // what ↵ means something for
const STOPS = "button, a[href], input[type=checkbox]";
/** @type {Record<string, string>} */
const SHEETS = { h: "hand", m: "moves", c: "chat", i: "help" };
/** The panel of a key; `n` is the first one beside the board, which each game names.
@param {string} key */
const sheetOf = (key) => (key === "n" ? find(".panels [role=tab]")?.dataset.sheet : SHEETS[key]);

const help = one("dialog#keys");
const letters = one("input[name=letters]", help);
const enabled = () => (habits.letters ?? localStorage.getItem("keys")) !== "off";
let digits = "";
let typedAt = 0;

/** @param {Heard["keydown"]} event */
function pressed(event) {
  const { key, target } = event;
  if (!/^\d$/.test(key)) digits = ""; // any other key ends a number
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (find("dialog[open]")) return; // ⎋ closes it by itself
  if (key === "Escape") sheets.close();
  else if (target.matches(TYPING)) return;
  else if (/^(Arrow|Home$|End$)/.test(key)) rove(event);
  else if (key === "Enter") target.matches(OWN_ENTER) || press(event, inQuestion("[data-primary]"));
  else if (!event.repeat && enabled()) letter(event, key.toLowerCase());
}

/** What a key means at the question; nothing in a part that a panel lies over.
@param {string} control */
const inQuestion = (control) => find(`#stage ${control}:not([inert] *)`);

/** @param {KeyboardEvent} event @param {string} key */
function letter(event, key) {
  const button = inQuestion(`[data-key="${CSS.escape(key)}"]`);
  if (button) {
    press(event, button);
    if (button.matches("input")) button.focus(); // ↵ there sends the answer
  } else if (/^\d$/.test(key)) typed(key, event.timeStamp);
  else if (key === "?") press(event, find("[data-keys-button]"));
  else {
    const sheet = sheetOf(key);
    if (!sheet) return;
    event.preventDefault();
    sheets.open(sheets.opened() === sheet ? "" : sheet);
  }
}

/** @param {Event} event @param {HTMLElement | null} button */
function press(event, button) {
  if (!button) return;
  event.preventDefault();
  button.click();
}

/** "1" then "2" within a second is 12.
@param {string} digit @param {number} at */
function typed(digit, at) {
  digits = at - typedAt < 1000 ? digits + digit : digit;
  typedAt = at;
  if (!inQuestion("form[data-answer]")) return;
  if (!pick(+digits)) pick(+(digits = digit));
}

// ---- arrows inside a group: one stop of the tab key

const stops = (/** @type {Element} */ group) =>
  /** @type {HTMLInputElement[]} */ (all(STOPS, group)).filter((stop) => !stop.disabled && stop.offsetParent);

/** @param {Heard["keydown"]} event */
function rove(event) {
  const group = event.target.closest("[data-rove]");
  const each = group ? stops(group) : [];
  const at = each.findIndex((stop) => stop === event.target);
  if (!group || at < 0) return;
  const onwards = getComputedStyle(group).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const { key } = event;
  const to = ["ArrowDown", onwards].includes(key) ? (at + 1) % each.length : at - 1;
  event.preventDefault();
  each.at(key === "Home" ? 0 : key === "End" ? -1 : to)?.focus();
}

/** @param {Element} group @param {Element} stop */
function settle(group, stop) {
  for (const other of stops(group)) other.tabIndex = other === stop ? 0 : -1;
}

/** After a change of the page: one stop in each group. */
export function refresh() {
  for (const group of all("[data-rove]")) {
    const each = stops(group);
    settle(group, each.find((stop) => stop === document.activeElement) ?? each.find((stop) => stop.checked) ?? each[0]);
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
    letters.checked = enabled();
    help.showModal();
  });
  letters.addEventListener("change", () => {
    const value = letters.checked ? "on" : "off";
    localStorage.setItem("keys", value);
    if (habits.letters) habits.letters = value;
    keepHabit("letters", value);
  });
}

/* The table by keyboard. What is one letter can be switched off, for those whose voice or hand types by itself. */

import * as answer from "./answer.js";
import * as sheets from "./sheets.js";

const help = () => document.getElementById("keys");
const enabled = () => localStorage.getItem("keys") !== "off";
const TYPING = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";
const PRESSED_BY_ENTER = "a[href], button, summary, input, [role=button]";
const SHEETS = { h: "hand", m: "moves", c: "chat", i: "rules" };
let digits = "", typedAt = 0;

function pressed(event) {
  const { key, target } = event;
  if (!/^\d$/.test(key)) typedAt = 0; // any other key ends a number
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (key === "Escape") return void (help()?.open || sheets.close());
  if (help()?.open || document.querySelector("dialog:modal")) return;
  if (target.matches(TYPING)) return;
  if (key.startsWith("Arrow") || key === "Home" || key === "End") return rove(event);
  if (key === "Enter") {
    const primary = document.querySelector("#stage [data-primary]");
    if (!target.matches(PRESSED_BY_ENTER) && primary) event.preventDefault(), primary.click();
    return;
  }
  if (event.repeat || !enabled()) return;
  const letter = key.toLowerCase();
  const button = document.querySelector(`#stage [data-key="${CSS.escape(letter)}"]`);
  if (key === "?") event.preventDefault(), toggleHelp();
  else if (button) event.preventDefault(), button.click();
  else if (/^\d$/.test(key)) typed(key, event.timeStamp);
  else if (SHEETS[letter]) event.preventDefault(), sheets.open(sheets.opened() === SHEETS[letter] ? "" : SHEETS[letter]);
}

/* "1" then "2" within a second is a bid of 12. */
function typed(digit, at) {
  digits = at - typedAt < 1000 ? digits + digit : digit;
  typedAt = at;
  if (!answer.pick(+digits)) answer.pick(+(digits = digit));
}

// ---- arrows inside a group -----------------------------------------------------------------------------------------

const stops = (group) => [...group.querySelectorAll("button, a[href], input[type=checkbox]")].filter((stop) => !stop.disabled && stop.offsetParent);

function rove(event) {
  const group = event.target.closest("[data-rove]");
  if (!group || !event.target.matches("button, a[href], input[type=checkbox]")) return;
  const all = stops(group);
  const at = all.indexOf(event.target);
  const forward = getComputedStyle(group).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const step = { ArrowDown: 1, ArrowUp: -1, ArrowLeft: -1, ArrowRight: 1, [forward]: 1 }[event.key];
  const next = event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : (at + step * (event.key.startsWith("Arrow") && forward === "ArrowLeft" && event.key === "ArrowRight" ? -1 : 1) + all.length) % all.length;
  event.preventDefault();
  settle(group, all[next]);
  all[next]?.focus();
}

function settle(group, stop) {
  for (const other of stops(group)) other.tabIndex = other === stop ? 0 : -1;
}

/** One stop of the tab key in each group of the page. */
export function refresh() {
  for (const group of document.querySelectorAll("[data-rove]")) {
    const all = stops(group);
    const focused = all.find((stop) => stop === document.activeElement);
    if (all.length) settle(group, focused ?? all.find((stop) => stop.matches("[aria-pressed=true], :checked")) ?? all[0]);
  }
}

// ---- help ----------------------------------------------------------------------------------------------------------

function toggleHelp() {
  const dialog = help();
  if (!dialog) return;
  const box = dialog.querySelector("[name=letters]");
  if (box) box.checked = enabled();
  dialog.open ? dialog.close() : dialog.showModal();
}

export function listen() {
  document.addEventListener("keydown", pressed);
  document.addEventListener("click", ({ target }) => target.closest("[data-keys-button]") && toggleHelp());
  help()?.addEventListener("change", ({ target }) => localStorage.setItem("keys", target.checked ? "on" : "off"));
  document.addEventListener("focusin", ({ target }) => {
    const group = target.closest("[data-rove]");
    if (group && stops(group).includes(target)) settle(group, target);
  });
}

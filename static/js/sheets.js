/* The panels beside the table. Those at its start share one place, and tabs; on small screens all are sheets over the
dock, one at a time, with hand and totals. [data-sheet] opens one, [data-pane] is one. */

import { all, find, one } from "./page.js";

const { body } = document;
const docked = () => !!find(".dock")?.checkVisibility();
const kept = "company" in (find(".panels")?.dataset ?? {}) ? "tab-in-company" : "tab"; // with people the chat stands open
const paneOf = (/** @type {string} */ name) => find(`[data-pane="${CSS.escape(name)}"]`);

/** Open a panel; on small screens "" closes the one that is open. */
export function open(name = "") {
  if (name) select(name);
  if (docked() || !name) show(name);
  if (name) enter(name);
  document.dispatchEvent(new CustomEvent("sheet", { detail: name }));
}

/** The sheet that is open, or "". */
export const opened = () => body.dataset.open ?? "";

function show(name = "") {
  body.dataset.open = name;
  for (const button of all("[data-sheet][aria-expanded]"))
    button.setAttribute("aria-expanded", String(button.dataset.sheet === name));
}

/** Of the panels with tabs, show this one.
@param {string} name */
export function select(name) {
  const tabs = all(".panels [role=tab]");
  if (!tabs.some((tab) => tab.dataset.sheet === name)) return;
  for (const tab of tabs) {
    const { sheet = "" } = tab.dataset;
    tab.setAttribute("aria-selected", String(sheet === name));
    one(`[data-pane="${sheet}"]`).hidden = sheet !== name;
  }
  one(".panels").dataset.tab = name;
  localStorage.setItem(kept, name);
}

/** Give the focus to a panel. A finger does not want the keyboard of the screen at once.
@param {string} name */
function enter(name) {
  const pane = paneOf(name);
  const field = matchMedia("(pointer: fine)").matches && pane?.querySelector("input[type=text]");
  const first = field || (pane?.querySelector("[tabindex='0']") ?? pane);
  if (first === pane && pane && !pane.hasAttribute("tabindex")) pane.tabIndex = -1;
  first?.focus({ preventScroll: docked() });
}

/** @param {Heard["click"]} event */
function clicked(event) {
  const button = event.target.closest("[data-sheet]");
  const name = button?.dataset.sheet ?? "";
  if (button?.role === "tab") {
    select(name);
    if (docked()) show(name);
    return document.dispatchEvent(new CustomEvent("sheet", { detail: name }));
  }
  if (button) return open(name === opened() ? "" : name);
  // The shade: what lies outside of sheet, dock and dialogs.
  if (!opened() || event.target.closest("[data-pane], .panels, .dock, dialog, [popover]")) return;
  event.preventDefault();
  event.stopPropagation();
  close();
}

document.addEventListener("click", clicked, true);
select(localStorage.getItem(kept) ?? (kept === "tab" ? "" : "chat"));

/** Close the sheet and go back to its button. */
export function close() {
  const name = opened();
  if (!name) return false;
  open("");
  const button = all("[data-sheet]").find((one) => one.dataset.sheet === name && one.offsetParent);
  button?.focus({ preventScroll: true });
  return true;
}

/* On small screens moves, hand, chat and rules are sheets over the dock, one at a time. */

const buttons = () => document.querySelectorAll("[data-sheet]");
const docked = () => !!document.querySelector(".dock [data-sheet]")?.offsetParent;

/** Open a sheet ("" closes the one that is open); where there are no sheets, go to the pane. */
export function open(name) {
  const { body } = document;
  if (name && !docked()) return void pane(name)?.focus();
  body.dataset.open = name;
  for (const button of buttons()) button.setAttribute("aria-expanded", String(button.dataset.sheet === name));
  if (name) pane(name)?.focus({ preventScroll: true });
  document.dispatchEvent(new CustomEvent("sheet", { detail: name }));
}

/** The sheet that is open, or "". */
export const opened = () => document.body.dataset.open ?? "";

/* What takes the focus in a pane. */
function pane(name) {
  const pane = document.querySelector(`[data-pane="${CSS.escape(name)}"]`);
  // A finger does not want the keyboard of the screen at once.
  const field = matchMedia("(pointer: fine)").matches && pane?.querySelector("input[type=text]");
  const first = field || (pane?.querySelector("[tabindex='0']") ?? pane);
  if (first === pane && pane && !pane.hasAttribute("tabindex")) pane.tabIndex = -1;
  return first;
}

function clicked(event) {
  const button = event.target.closest("[data-sheet]");
  if (button) return open(button.dataset.sheet === opened() ? "" : button.dataset.sheet);
  // The shade: what lies outside of sheet, dock and dialogs.
  if (!opened() || event.target.closest("[data-pane], .dock, dialog, [popover]")) return;
  event.preventDefault();
  event.stopPropagation();
  close();
}

document.addEventListener("click", clicked, true);

/** Close the sheet and go back to its button. */
export function close() {
  const name = opened();
  if (!name) return false;
  open("");
  document.querySelector(`[data-sheet="${CSS.escape(name)}"]`)?.focus({ preventScroll: true });
  return true;
}

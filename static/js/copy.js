/* A button [data-copy="ID"] copies what the field of that id holds, and says so with its [data-copied]. A button
[data-share="ID"] hands the address in the field, or the text of several lines, to the apps of the device. */

import { one } from "./page.js";

const fieldOf = (/** @type {string | undefined} */ id) => one(`input#${id}, textarea#${id}`);

function prepare() {
  for (const button of document.querySelectorAll("[data-copy]")) {
    // Browsers copy on secure pages only.
    button.hidden = !navigator.clipboard;
    const field = fieldOf(button.dataset.copy);
    field.onfocus = () => field.select();
    if (field === document.activeElement) field.select();
  }
  for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-share]");
  if (!button) return;
  const field = fieldOf(button.dataset.share);
  const what = field.matches("textarea") ? { text: field.value } : { title: document.title, url: field.value };
  // Whoever changes their mind is no fault.
  await navigator.share(what).catch(() => {});
});

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(fieldOf(button.dataset.copy).value);
  const label = button.textContent;
  const { copied = "" } = button.dataset;
  if (label === copied) return;
  button.textContent = copied;
  setTimeout(() => (button.textContent = label), 2_000);
});

prepare();
document.addEventListener("htmx:afterSwap", prepare);

/* A button [data-copy="ID"] copies what the field of that id holds, and says so with its [data-copied]. A button
[data-share="ID"] hands the address in the field to the apps of the device. */

function prepare() {
  for (const button of document.querySelectorAll("[data-copy]")) {
    // Browsers copy on secure pages only.
    button.hidden = !navigator.clipboard;
    document.getElementById(button.dataset.copy).onfocus = ({ target }) => target.select();
  }
  for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-share]");
  if (!button) return;
  const url = document.getElementById(button.dataset.share).value;
  // Whoever changes their mind is no fault.
  await navigator.share({ title: document.title, url }).catch(() => {});
});

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
  const label = button.textContent;
  if (label === button.dataset.copied) return;
  button.textContent = button.dataset.copied;
  setTimeout(() => (button.textContent = label), 2_000);
});

prepare();
document.addEventListener("htmx:afterSwap", prepare);

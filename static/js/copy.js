/* A button [data-copy="ID"] copies what the field of that id holds, and says so with its [data-copied]. */

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  field.addEventListener("focus", () => field.select());
  // Browsers copy on secure pages only.
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    const label = button.textContent;
    if (label === button.dataset.copied) return;
    button.textContent = button.dataset.copied;
    setTimeout(() => (button.textContent = label), 2_000);
  });
}

/* Menus close by a press beside them, and by Escape. Passwords can be shown while they are typed. */

/** @returns {NodeListOf<HTMLDetailsElement>} */
const menus = () => document.querySelectorAll("details.drop-menu[open]");

document.addEventListener("click", ({ target }) => {
  for (const open of menus()) if (!open.contains(target)) open.open = false;
  const button = target.closest("[data-show-password]");
  if (!button) return;
  const field = /** @type {HTMLInputElement} */ (button.previousElementSibling);
  const shown = field.type === "text";
  field.type = shown ? "password" : "text";
  button.setAttribute("aria-pressed", String(!shown));
});
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const open of menus()) {
    open.querySelector("summary")?.focus();
    open.open = false;
  }
});
const offer = () => document.querySelectorAll("[data-show-password][hidden]").forEach((button) => (button.hidden = false));
document.addEventListener("htmx:load", offer);
offer();

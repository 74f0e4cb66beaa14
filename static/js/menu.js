/* The menu of one's account closes by a press beside it, and by Escape. Passwords can be shown while they are typed. */

const menu = () => document.querySelector("details.account-menu[open]");

document.addEventListener("click", ({ target }) => {
  const open = menu();
  if (open && !open.contains(target)) open.open = false;
  const button = target.closest("[data-show-password]");
  if (!button) return;
  const field = /** @type {HTMLInputElement} */ (button.previousElementSibling);
  const shown = field.type === "text";
  field.type = shown ? "password" : "text";
  button.setAttribute("aria-pressed", String(!shown));
});
document.addEventListener("keydown", ({ key }) => {
  const open = menu();
  if (key !== "Escape" || !open) return;
  open.querySelector("summary")?.focus();
  open.open = false;
});
const offer = () => document.querySelectorAll("[data-show-password][hidden]").forEach((button) => (button.hidden = false));
document.addEventListener("htmx:load", offer);
offer();

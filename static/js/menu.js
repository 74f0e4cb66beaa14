/* The menu of one's account closes by a press beside it, and by Escape. Passwords can be shown while they are typed. */

const menu = () => document.querySelector(".account-menu[open]");

document.addEventListener("click", ({ target }) => {
  if (menu() && !menu().contains(target)) menu().open = false;
  const button = target.closest("[data-show-password]");
  if (!button) return;
  const field = button.previousElementSibling;
  const shown = field.type === "text";
  field.type = shown ? "password" : "text";
  button.setAttribute("aria-pressed", !shown);
});
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !menu()) return;
  menu().querySelector("summary").focus();
  menu().open = false;
});
const offer = () => document.querySelectorAll("[data-show-password][hidden]").forEach((button) => (button.hidden = false));
document.addEventListener("htmx:load", offer);
offer();

/* The settings: which section is shown, and what changes the page itself at once. */

import { all, find } from "./page.js";

const root = document.documentElement;

function current() {
  const shown = find(".settings section:target") ?? find(".settings section.open");
  for (const link of all(".settings nav a")) {
    if (link.hash === `#${shown?.id}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

document.addEventListener("change", ({ target }) => {
  const { name, value } = target;
  if (name === "theme") root.dataset.theme = value;
  if (name === "text") root.dataset.text = value;
  if (name === "patterns" && value === "on") root.dataset.patterns = "True";
  if (name === "patterns" && value === "off") delete root.dataset.patterns;
});
addEventListener("hashchange", current);
current();

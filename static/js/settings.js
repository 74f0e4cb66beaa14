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

/* A page may be old: it sends the field that was changed, and nothing else of its form. */
document.addEventListener("htmx:configRequest", ({ target, detail: { parameters, triggeringEvent } }) => {
  if (!target.matches("[data-at-once]")) return;
  const { name, type, value } = triggeringEvent.target;
  for (const other of Object.keys(parameters)) if (other !== name) delete parameters[other];
  if (type === "checkbox") parameters.box = value; // unticked, it is not sent
});
addEventListener("hashchange", current);
current();

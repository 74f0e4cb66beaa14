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

/* A page may be old: it sends the fields that were changed, and nothing else of its form. A change gives up the request
before it, so each goes along until the site has answered. */
/** @type {WeakMap<EventTarget, { names: Set<string>, boxes: Set<string> }>} */
const unsaved = new WeakMap();

document.addEventListener("htmx:configRequest", ({ target, detail: { parameters, triggeringEvent } }) => {
  if (!target.matches("[data-at-once]")) return;
  const { name, type, value } = triggeringEvent.target;
  const { names, boxes } = unsaved.get(target) ?? { names: new Set(), boxes: new Set() };
  unsaved.set(target, { names: names.add(name), boxes });
  for (const other of Object.keys(parameters)) if (!names.has(other)) delete parameters[other];
  if (type === "checkbox") boxes.add(value);
  if (boxes.size) parameters.box = [...boxes]; // unticked, they are not sent
});
document.addEventListener("htmx:afterRequest", ({ target, detail }) => detail.successful && unsaved.delete(target));
addEventListener("hashchange", current);
current();

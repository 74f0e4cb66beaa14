/* What the site adds to htmx, as its extension `live` (docs/live.md). */

import "./csrf.js";
import { behind, final, keep, ready } from "./line.js";
import { filled, findMarked, morph } from "./morph.js";

/* A message only names a sheet of pictures: its address is where the page, or a template in it, has it from. */
const addressOf = (/** @type {string} */ sheet) => {
  const use = `use[href*="/${sheet}."]`;
  const parts = () => [...document.querySelectorAll("template")].map((template) => template.content.querySelector(use));
  return (document.querySelector(use) ?? parts().find(Boolean))?.getAttribute("href")?.split("#")[0] ?? sheet;
};

/** A form with ws-send goes by the socket while there is one, and is posted otherwise. Nothing waits for a better line.
@param {Sends} detail */
function bySocket({ elt, parameters: values }) {
  if (ready(elt)) return true;
  if (elt.matches("form")) htmx.ajax("POST", elt.getAttribute("action"), { source: elt, swap: "none", values });
  return false;
}

htmx.defineExtension("live", {
  transformResponse(text) {
    findMarked(text);
    return text.replace(/<use href="([\w-]+)#/g, (_, sheet) => `<use href="${addressOf(sheet)}#`);
  },

  isInlineSwap: (style) => style === "morph",

  handleSwap(style, target, fragment) {
    const fresh = style === "morph" && fragment.querySelector(`#${CSS.escape(target.id)}`);
    return fresh ? [morph(target, fresh)] : false;
  },

  onEvent(name, { defaultPrevented, detail }) {
    // What is to go into the target, not in its place.
    if (name === "htmx:oobBeforeSwap" && detail.fragment.nodeType === 1) filled(detail.fragment);
    if (name === "htmx:wsConfigSend") return !defaultPrevented && bySocket(detail);
    // A page only asks every few seconds while nothing comes by itself.
    return name !== "htmx:beforeRequest" || !detail.elt.matches('[hx-trigger^="every"]') || behind(detail.elt);
  },
});
keep(htmx);

document.addEventListener("htmx:wsAfterMessage", () => {
  findMarked();
  document.querySelector("#go[href]")?.click();
});
document.addEventListener("htmx:wsClose", ({ target, detail }) => {
  // Signed out elsewhere, or nothing to be seen any more: the page says so.
  if (final(detail.event.code) && "reload" in target.dataset) location.reload();
});

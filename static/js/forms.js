/* The forms that htmx posts: an error of the proxy or of the server itself is no answer, and must not empty the page. */

import { byId, one } from "./page.js";

/** @param {Told<Asked>} event */
function unsent({ target, detail }) {
  if (detail.requestConfig.verb !== "post" || target.matches("[data-answer]")) return; // these say so themselves
  const { content } = one("meta[name=unsent]");
  const toast = Object.assign(document.createElement("p"), { className: "toast error", textContent: content });
  byId("toasts").replaceChildren(toast);
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = event;
  if (/ id="main"| hx-swap-oob=/.test(detail.serverResponse)) return;
  detail.shouldSwap = false;
  if (detail.xhr.status >= 400) unsent(event);
});
for (const event of /** @type {const} */ (["htmx:sendError", "htmx:timeout"])) document.addEventListener(event, unsent);

/* What was said in a chat leaves its field when it is sent, but not what was typed meanwhile. */

import { one } from "./page.js";

/** @param {Heard["htmx:wsAfterSend" | "htmx:afterRequest"]} event */
function clear({ target, detail }) {
  if (target.id !== "say" || ("successful" in detail && !detail.successful)) return;
  const { text } = "message" in detail ? JSON.parse(detail.message) : detail.requestConfig.parameters;
  const field = one("input[name=text]", target);
  if (field.value === text) field.value = "";
}

for (const event of /** @type {const} */ (["htmx:wsAfterSend", "htmx:afterRequest"]))
  document.addEventListener(event, clear);

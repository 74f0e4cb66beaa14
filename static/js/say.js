/* What was said in a chat leaves its field when it is sent, but not what was typed meanwhile. */

/** @param {Heard["htmx:wsAfterSend" | "htmx:afterRequest"]} event */
function clear({ target, detail }) {
  if (!(target instanceof HTMLFormElement) || target.id !== "say") return;
  if ("successful" in detail && detail.successful === false) return;
  const { text } = "message" in detail ? JSON.parse(detail.message) : detail.requestConfig.parameters;
  const field = target.elements.namedItem("text");
  if (field && field.value === text) field.value = "";
}

for (const event of /** @type {const} */ (["htmx:wsAfterSend", "htmx:afterRequest"]))
  document.addEventListener(event, clear);

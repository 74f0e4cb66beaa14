/* What was said in a chat leaves its field when it is sent, but not what was typed meanwhile. */

for (const event of /** @type {const} */ (["htmx:wsAfterSend", "htmx:afterRequest"]))
  document.addEventListener(event, ({ target, detail }) => {
    if (target.id !== "say" || ("successful" in detail && detail.successful === false)) return;
    const { text } = "message" in detail ? JSON.parse(detail.message) : detail.requestConfig.parameters;
    const field = target.elements.namedItem("text");
    if (field && field.value === text) field.value = "";
  });

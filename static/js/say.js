/* What was said in a chat leaves its field when it is sent, but not what was typed meanwhile. */

function clear({ target, detail }) {
  if (target.id !== "say" || detail.successful === false) return;
  const text = detail.requestConfig?.parameters.text ?? JSON.parse(detail.message).text;
  const field = target.elements.text;
  if (field.value === text) field.value = "";
}

for (const event of ["htmx:wsAfterSend", "htmx:afterRequest"]) document.addEventListener(event, clear);

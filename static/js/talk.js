/* The chat of a waiting room: form[data-say] says something; #unsaid tells why that was not possible. */

import { heard } from "./lobby.js";
import { post } from "./request.js";

const unsaid = document.getElementById("unsaid");

function tell(why) {
  unsaid.textContent = why;
  unsaid.hidden = !why;
}

document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (!form.matches("[data-say]")) return;
  event.preventDefault();
  const phrase = submitter?.name === "phrase" ? submitter.value : "";
  const field = phrase ? null : form.elements.text;
  const text = field?.value.trim();
  if (!phrase && !text) return;
  try {
    const reply = await post(form.action, phrase ? { phrase } : { text });
    if (reply.ok) {
      tell("");
      // Not what was typed meanwhile.
      if (field?.value.trim() === text) field.value = "";
      heard(await reply.text());
    } else if (reply.headers.get("Content-Type")?.includes("json")) tell((await reply.json()).says);
    else location.reload();
  } catch {
    tell(unsaid.dataset.unsent);
  }
});

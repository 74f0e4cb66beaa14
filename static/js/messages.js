/* A conversation: its end is what one sees first, and what is new. Enter sends. */

import { byId } from "./page.js";

const letters = byId("letters");
let height = 0;

function look() {
  if (letters.scrollHeight !== height) letters.scrollTop = height = letters.scrollHeight;
}

look();
letters.addEventListener("htmx:afterSwap", look);
const field = document.querySelector(".write textarea");
field?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  field.form?.requestSubmit();
});

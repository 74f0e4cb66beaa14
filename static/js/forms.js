/* The forms that htmx sends (hx-boost): the answer takes the place of what the page shows. */

import "./request.js";
import "./shares.js";

const toasts = document.getElementById("toasts");

function unsent() {
  const { content } = document.querySelector("meta[name=unsent]");
  toasts.replaceChildren(Object.assign(document.createElement("p"), { className: "toast error", textContent: content }));
}

for (const event of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(event, unsent);

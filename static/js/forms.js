/* The forms that htmx sends (hx-boost): the answer takes the place of what the page shows. */

import "./request.js";

const toasts = document.getElementById("toasts");

function unsent() {
  const { content } = document.querySelector("meta[name=unsent]");
  toasts.replaceChildren(Object.assign(document.createElement("p"), { className: "toast error", textContent: content }));
}

// An error of the proxy or of the server itself is no page: it must not empty this one.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (/ id="main"/.test(detail.serverResponse)) return;
  detail.shouldSwap = false;
  if (detail.xhr.status >= 400) unsent();
});

for (const event of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(event, unsent);

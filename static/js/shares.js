/* The player's part in the shuffle: 16 bytes that only their browser knew, in every form that asks for them. */

function fill(form) {
  const field = form.elements?.namedItem("share");
  if (!(field instanceof HTMLInputElement)) return;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  field.value = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Before htmx reads the form, or the browser sends it.
addEventListener("submit", ({ target }) => fill(target), true);
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const form = detail.elt.closest("form");
  if (!form || !("share" in detail.parameters)) return;
  fill(form);
  detail.parameters.share = form.elements.namedItem("share").value;
});

/* A button [data-friend] opens a table for a friend and copies its link while it is being opened: browsers let a page
copy only at a press, and the link is there later. Where that is refused, or without scripts, the room shows the link. */

/** Open a table; its address. Throws if there is none.
@param {HTMLButtonElement} button */
async function open(button) {
  const form = /** @type {HTMLFormElement} */ (button.form);
  const request = { method: "POST", body: new FormData(form), headers: { "HX-Request": "true" } };
  const { headers } = await fetch(button.getAttribute("formaction") ?? form.action, request);
  const address = headers.get("HX-Redirect");
  if (!address?.startsWith("/m/")) throw new Error("no table");
  return new URL(address, location.href).href;
}

document.addEventListener("submit", async (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter?.closest("[data-friend]"));
  if (!button || !navigator.clipboard || !globalThis.ClipboardItem) return;
  event.preventDefault();
  const opened = open(button);
  const link = opened.then((address) => new Blob([address], { type: "text/plain" }));
  const copied = navigator.clipboard.write([new ClipboardItem({ "text/plain": link })]);
  const done = await copied.then(() => "#copied").catch(() => "#link"); // the link has the focus there
  await opened
    .then((address) => location.assign(address + done))
    .catch(() => {
      // The page that comes says why there is no table.
      button.removeAttribute("data-friend");
      button.form?.requestSubmit(button);
    });
});

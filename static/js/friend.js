/* A button [data-friend] opens a table for a friend and copies its link while it is being opened: browsers let a page
copy only at a press, and the link is there later. Where that is refused, or without scripts, the room shows the link. */

/** @param {HTMLButtonElement} button */
async function open(button) {
  const body = new FormData(/** @type {HTMLFormElement} */ (button.form), button);
  const response = await fetch(button.formAction, { method: "POST", body, headers: { "HX-Request": "true" } });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const field = /** @type {HTMLInputElement | null} */ (page.querySelector("#link"));
  if (!response.ok || !field) throw new Error("no table");
  return { address: response.url, link: field.value };
}

document.addEventListener("submit", async (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter?.closest("[data-friend]"));
  if (!button || !navigator.clipboard || !globalThis.ClipboardItem) return;
  event.preventDefault();
  const opened = open(button);
  const text = opened.then(({ link }) => new Blob([link], { type: "text/plain" }));
  const copied = navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
  const done = await copied.then(() => "#copied").catch(() => "");
  await opened
    .then(({ address }) => location.assign(address + done))
    .catch(() => {
      // The page that comes says why there is no table.
      button.removeAttribute("data-friend");
      button.form?.requestSubmit(button);
    });
});

/* The banner that tells of somebody who has left (games/table/leavers.py): whoever plays on closes it, until it says more. */

const KEPT = "leavers";
const banner = () => document.querySelector("#leavers:has([data-close])");
const text = () => `${document.body.dataset.table} ${banner()?.textContent}`;

document.addEventListener("click", ({ target }) => {
  if (!target.closest("#leavers [data-close]")) return;
  sessionStorage.setItem(KEPT, text());
  look();
  document.getElementById("stage")?.focus({ preventScroll: true });
});

/** The board has changed. */
export function look() {
  const shown = banner();
  if (shown) shown.hidden = sessionStorage.getItem(KEPT) === text();
}

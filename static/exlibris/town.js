/* The street: the house that acts or is chosen comes into view where the street scrolls; signs close. */

import { all, find } from "../js/page.js";

/** @param {Element | null | undefined} house */
const show = (house) => house?.scrollIntoView({ block: "nearest", inline: "center", behavior: "auto" });

let shown = ""; // for which house and ply the street has scrolled

document.addEventListener("board", () => {
  const house = find(".ex-tile:has(.ex-way input:checked)") ?? find(".ex-tile.lit");
  const key = `${house?.id} ${find("#ply")?.dataset.ply}`;
  if (house && key !== shown) show(house);
  shown = key;
});

document.addEventListener("change", ({ target }) => {
  if (target.matches?.(".ex-way input")) show(target.closest(".ex-tile"));
});

document.addEventListener("click", (event) => {
  const number = event.target.closest?.(".ex-rail a");
  if (!number) return;
  event.preventDefault(); // no step of the history
  show(find(number.getAttribute("href") ?? ""));
});

// ---- a sign that is open closes: by the escape key, by a press on it again, and by a press elsewhere

const SIGN = ".ex-sign:is(:hover, :focus)";
let was = false; // whether the sign had the focus when the press began

document.addEventListener("keydown", (event) => {
  const open = event.key === "Escape" ? all(`${SIGN}:not(.shut)`) : [];
  for (const sign of open) close(sign);
});

/** @param {HTMLElement} sign */
function close(sign) {
  sign.classList.add("shut");
  sign.blur();
}

document.addEventListener("pointerdown", ({ target }) => {
  const sign = target.closest?.(".ex-sign");
  was = !!sign && sign === document.activeElement;
  if (!sign) all(".ex-sign:focus")[0]?.blur();
});

document.addEventListener("click", ({ target }) => {
  const sign = target.closest?.(".ex-sign");
  if (!sign) return;
  if (was) close(sign);
  else sign.classList.remove("shut");
});

const again = (/** @type {EventTarget | null} */ target) => target instanceof Element && target.closest(".ex-sign.shut")?.classList.remove("shut");
document.addEventListener("pointerout", ({ target }) => again(target));
document.addEventListener("focusin", ({ target }) => again(target));

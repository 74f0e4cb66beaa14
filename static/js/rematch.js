/* The rematch on the page of a game that is over (games/table/rematch.py): its time runs down, and the pages of its
   players go there when it begins. */

import { time } from "./numbers.js";
import { announce } from "./words.js";

const going = () => document.querySelector("#rematch [data-go]")?.dataset.go;
const says = () => document.querySelector("#rematch [data-says] b")?.textContent ?? "";
let went = going(); // a page that is opened later stays
let said = says();
/** @type {HTMLElement | null} */
let counted = null; // the element that counts down
let until = 0;

/** The board has changed. */
export function look() {
  const to = going();
  if (to && to !== went) location.assign(to);
  went = to;
  if (says() && says() !== said) announce(says(), true);
  said = says();
  tick();
}

function tick() {
  const shown = document.querySelector("[data-countdown]");
  if (shown !== counted || (shown && shown.dataset.countdown !== shown.dataset.counted)) {
    counted = shown;
    if (shown) {
      shown.dataset.counted = shown.dataset.countdown;
      until = Date.now() + Number(shown.dataset.countdown);
    }
  }
  if (shown) shown.textContent = time(Math.max(0, until - Date.now()));
}

setInterval(tick, 1000);
tick();

/* How somebody plays is kept with the account of whoever is signed in: what they change at a table, too. */

import { token } from "./csrf.js";

/** What the account says; undefined where nobody is signed in, whose browser keeps it by itself. */
export const habits = document.documentElement.dataset;

/** Keep one of them with the account, if there is one.
@param {string} name @param {string} value */
export function keepHabit(name, value) {
  if (habits.volume === undefined) return;
  const body = new URLSearchParams({ [name]: value, csrfmiddlewaretoken: token() });
  fetch("/account/play", { method: "POST", body, redirect: "manual" }).catch(() => {}); // for this page it holds anyway
}

/* How somebody plays is kept with their account, if they are signed in, and else by the browser. */

import { token } from "./csrf.js";

export const habits = document.documentElement.dataset;

/** @param {string} name @param {string} value */
export function keepHabit(name, value) {
  if (!habits.volume) return;
  const body = new URLSearchParams({ [name]: value, csrfmiddlewaretoken: token() });
  fetch("/account/play", { method: "POST", body, redirect: "manual", keepalive: true }).catch(() => {}); // this page has it anyway
}

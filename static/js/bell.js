/* The bell in the header: its number changes while the page is open.

It is [data-bell="/ws/bell"], with the number in [data-number]; what is new is read out by [data-bell-news]. The document hears "bell" whenever the number changes. */

import { connect } from "./socket.js";

const bell = document.querySelector("[data-bell]");

function heard(data) {
  const { unseen, shown, label, news } = JSON.parse(data);
  if (unseen === undefined) return;
  const number = bell.querySelector("[data-number]");
  number.textContent = shown;
  number.hidden = !unseen;
  bell.setAttribute("aria-label", label);
  document.dispatchEvent(new CustomEvent("bell"));
  if (news) document.querySelector("[data-bell-news]").textContent = news;
}

if (bell) {
  const path = `${bell.dataset.bell}?lang=${document.documentElement.lang}`;
  connect(path, { heard, changed() {}, rests: true });
}

/* A penalty that concerns the reader stands over the leaf until it is read. While the reader's clock runs, their question
comes first: then a dot at the moves says that there is something to read, and the panel is back after the answer. */

import { keep, kept } from "../js/kept.js";
import { all, byId } from "../js/page.js";

const { table: key = "" } = document.body.dataset;
const board = () => byId("ply").dataset;
const told = () => all("#penalty > *");

/* What was told before this ply has been read. Who comes here for the first time is told of the lot that is up. */
let read = kept(key).read ?? fresh();
keep(key, { read });

function fresh() {
  const lot = all("#log-lines > [id^=l]").at(-1)?.id;
  return Number(told().find(({ dataset }) => dataset.lot === lot)?.dataset.ply ?? board().ply);
}

function refresh() {
  const unread = told().filter(({ dataset }) => Number(dataset.ply) >= read);
  const shown = unread.length > 0 && !(board().asked && board().remaining);
  document.body.toggleAttribute("data-unread", unread.length > 0 && !shown);
  for (const one of told()) {
    one.hidden = !shown || one !== unread[0];
    one.querySelector("[data-read]")?.toggleAttribute("data-primary", !one.hidden);
  }
  for (const part of all("#head, #pages")) part.inert = shown;
}

document.addEventListener("click", ({ target }) => {
  const one = target.closest("[data-read]")?.closest("[data-ply]");
  if (!one) return;
  read = Number(one.dataset.ply) + 1;
  keep(key, { read });
  refresh();
  byId("stage").focus({ preventScroll: true });
});
document.addEventListener("board", refresh);
refresh();

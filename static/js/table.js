/* The table: joins the small modules of this folder. htmx brings what is new (docs/live.md), and sends what one does. */

import * as answer from "./answer.js";
import * as chat from "./chat.js";
import * as clocks from "./clocks.js";
import { follow } from "./follow.js";
import * as keys from "./keys.js";
import * as leavers from "./leavers.js";
import * as presence from "./presence.js";
import { expect, final, ready } from "./line.js";
import { remember } from "./motion.js";
import { all, byId, find, one } from "./page.js";
import * as rematch from "./rematch.js";
import * as sheets from "./sheets.js";
import { play } from "./sound.js";
import { announce, word } from "./words.js";

const NOTE_AFTER = 1_000;
const PATIENCE = 6_000;
const TO_READ = 4_000;
const TO_SEE = 8_000; // so long a question is looked at until it counts as seen
const TOLD_AFTER = 5 * 60_000; // who has not seen it by then has been told: games/matches/reminders.py

const { body } = document;
const named = document.title.split(" · ").slice(-2).join(" · "); // the game and the site
const board = () => byId("ply").dataset;
const net = byId("net");
const mark = one("input#question-seen");
let refusedAt = 0; // when an answer was refused last

// ---- what the server says

const plyIn = (/** @type {string} */ html) => html.match(/id="ply"[^>]* data-ply="(\d+)"/)?.[1];
/** @type {(() => void) | null} */
let arrive = null; // what is to be done when the message has been taken in

/** Before a message is taken in: by the socket, or as the answer to a request.
@param {string} html */
function coming(html) {
  const before = { ...board() };
  const [ply, refused] = [plyIn(html), html.includes('id="says"')];
  const fresh = !!ply && ply !== before.ply;
  const [focused, land, scroll] = [document.activeElement, remember(), chat.remember()];
  if (refused || ply) answer.settle(refused || fresh);
  // What was chosen belongs to the question before.
  if (fresh) for (const form of all("form[data-answer]")) form.reset();
  arrive = () => {
    arrive = null;
    if (refused) refuse();
    if (ply) follow(+ply, board().link, (byId("ply").textContent ?? "").split("\n"));
    refresh();
    // The control one was on is gone, or hidden while one is asked: go on at the leaf that asks the next question.
    if (!(focused ?? body).isConnected || !document.activeElement?.getClientRects().length)
      byId("stage").focus({ preventScroll: true });
    land(fresh ? board().flights : "", board().me);
    scroll();
    if (ply) clocks.wound(fresh);
    if (fresh) told(before);
  };
}

document.addEventListener("htmx:wsBeforeMessage", ({ target, detail }) => target === body && coming(detail.message));
document.addEventListener("htmx:wsAfterMessage", ({ target }) => target === body && arrive?.());
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { serverResponse: html, xhr } = detail;
  if (html.startsWith('<div id="hint-said-')) return; // no news: it was asked for
  if (!html.includes("hx-swap-oob=")) return [403, 404].includes(xhr.status) && location.reload(); // signed out
  // While there is a line, what is new comes by it.
  if (ready(body)) {
    detail.serverResponse = html.match(/<p id="says".*?<\/p>/s)?.[0] ?? "";
    expect(body, PATIENCE);
  } else if (Number(plyIn(html)) < Number(board().ply)) detail.shouldSwap = false;
  if (detail.shouldSwap) coming(detail.serverResponse);
});
document.addEventListener("htmx:afterOnLoad", () => arrive?.());

/** What the page is called: its heading, and whether it asks. */
function called() {
  const title = byId("title").textContent ?? "";
  return board().asked ? word("your-turn", { title }) : title;
}

/* #says is an alert: it is read out by itself. */
function refuse() {
  refusedAt = Date.now();
  chat.refused();
}

/** What the newest board is called, sounds like and means for the one who looks.
@param {DOMStringMap} before */
function told(before) {
  const { asked, mover, news, sound } = board();
  // Who has left is a watcher now: no chat, no hand, and the page says why.
  const left = find(".left");
  if (left ? board().over && !before.over : before.me && !board().me) return location.reload();
  if (Date.now() - refusedAt > TO_READ) answer.says("");
  play(sound);
  announce(news ?? all("#news-lines > li").slice(-3).map((line) => line.textContent).join(" "));
  if (asked && !(before.asked && before.mover === mover)) {
    announce(called(), true);
    play("turn");
    navigator.userActivation?.hasBeenActive && navigator.vibrate?.(30);
    if (sheets.opened() !== "chat") sheets.open("");
  }
}

function refresh() {
  const { asked, state } = board();
  document.title = `${called()} · ${named}`;
  body.dataset.state = state ?? "wait";
  if (asked) navigator.setAppBadge?.(1).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
  answer.refresh();
  keys.refresh();
  rematch.look();
  leavers.look();
  presence.look();
  look();
  document.dispatchEvent(new Event("board"));
}

// ---- whether a question was seen

let seen = board().ply; // the page itself, when it was asked for, has told so much
let asking = { ply: seen, since: Date.now() };
let looking = 0;

/* Who answers at once has nothing to say here. */
function look() {
  const { asked, ply = "" } = board();
  if (ply !== asking.ply) asking = { ply, since: Date.now() };
  clearTimeout(looking);
  if (!asked || ply === seen || document.visibilityState !== "visible") return;
  const tell = () => htmx.trigger(Object.assign(mark, { value: ply }), "seen");
  looking = setTimeout(tell, Date.now() - asking.since > TOLD_AFTER ? 0 : TO_SEE);
}

mark.addEventListener("htmx:wsAfterSend", () => (seen = mark.value));
document.addEventListener("visibilitychange", look);

// ---- the line

/** @type {number | undefined} */
let noting;

const quiet = () => (noting = void clearTimeout(noting));

body.addEventListener("htmx:wsOpen", ({ target }) => {
  if (target !== body) return;
  body.dataset.line = "open";
  quiet();
  look();
  note("");
});

body.addEventListener("htmx:wsClose", ({ target, detail }) => {
  if (target !== body) return;
  const { code } = detail.event;
  body.dataset.line = final(code) ? "closed" : "lost";
  if (!final(code)) {
    const words = navigator.onLine ? "reconnecting" : "offline";
    noting ??= setTimeout(() => note(whose(words), words === "offline"), NOTE_AFTER);
    return;
  }
  quiet();
  note(word(`closed-${code}`) || word("closed"), true);
});

// Without a line the page asks every few seconds (templates/table/words.html).
const asks = byId("behind");
asks.addEventListener("htmx:configRequest", ({ detail }) => (detail.parameters.ply = board().ply));
asks.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!ready(body)) note(detail.failed && !detail.xhr.status ? whose("offline") : word("slow"), !detail.xhr.status);
});

/** The sentence about the line, by whose turn it is.
@param {string} state */
function whose(state) {
  const { asked, mover, over, remaining } = board();
  const name = find(`.seat[data-seat="${mover}"] bdi, #seats [data-seat="${mover}"] bdi`)?.textContent ?? "";
  const turn = asked ? (remaining == null ? "own" : "clock") : name && !over ? "other" : "none";
  return word(`${state}-${turn}`, { name });
}

/* Say how the line is. Without any, nothing can be answered. */
function note(text = "", idle = false) {
  one("[data-text]", net).textContent = text;
  net.hidden = !text;
  body.toggleAttribute("data-idle", idle);
  for (const part of all("form[data-answer], .pick")) part.inert = idle;
}

// ---- beginning

answer.listen();
chat.listen();
keys.listen();
clocks.wound();
sheets.open("");
refresh();
chat.remember()();

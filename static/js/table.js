/* The table: joins the small modules of this folder.

The page is a form that works without them. They find in it:
- #ply: the facts of the board (games/table/board.py). Its data-ply says which of two boards is newer.
- form[data-answer]: what answers the question, as fields and buttons named `move`, in the order in which the log wants
  them. data-key: the key that presses it. data-primary: what ↵ presses; data-label in it: its text. What a data-answer
  means besides, a script of the game tells answer.js.
- [data-card]: what travels (motion.js), from the element [data-from] if it is new. [data-left]: the clock `clock-<seat>`.
- [data-here][data-seat]: whether somebody is connected. form[data-say]: the chat. [data-sheet], [data-pane]: the dock.
- [data-rove]: a group in which the arrows lead on. [data-sound-button], [data-keys-button], [data-theme-toggle].
- templates/table/words.html: sentences, live regions, the banner of the line, the list of keys. */

import * as answer from "./answer.js";
import * as chat from "./chat.js";
import * as clocks from "./clocks.js";
import { follow } from "./follow.js";
import * as keys from "./keys.js";
import { parse, place } from "./morph.js";
import { remember } from "./motion.js";
import * as leavers from "./leavers.js";
import * as rematch from "./rematch.js";
import { get, post } from "./request.js";
import { connect } from "./socket.js";
import { play } from "./sound.js";
import { announce, word } from "./words.js";
import * as sheets from "./sheets.js";

const POLL_AFTER = 5_000;
const POLL_EVERY = 3_000;
const NOTE_AFTER = 1_000;
const TO_READ = 4_000;
const TO_SEE = 8_000; // so long a question is looked at until it counts as seen
const TOLD_AFTER = 5 * 60_000; // who has not seen it by then has been told: games/matches/reminders.py

const named = document.title.split(" · ").slice(-2).join(" · "); // the game and the site
const address = `/m/${document.body.dataset.table}`;
const board = () => document.getElementById("ply").dataset;
const line = document.getElementById("net");
let refusedAt = 0; // when an answer was refused last

// ---- what the server says ------------------------------------------------------------------------------------------

function show(html) {
  const message = parse(html);
  const ply = message.getElementById("ply")?.dataset.ply;
  const before = { ...board() };
  if (ply && +ply < +before.ply) return;
  const spoken = message.getElementById("says");
  spoken?.remove();
  const rows = message.getElementById("rows");
  rows?.remove();
  if (ply) follow(+ply, message.getElementById("ply").dataset.link, rows?.textContent.split("\n"));
  const arrive = remember();
  const scroll = chat.remember();
  if (spoken) answer.settle();
  else if (ply) answer.settle(+ply > +before.ply);
  place(message, ply === before.ply);
  if (spoken) refuse(spoken.textContent.trim());
  refresh();
  // So it is if the control is still there, but hidden while one is asked: the orders.
  if (!document.activeElement?.getClientRects().length) document.getElementById("stage").focus({ preventScroll: true });
  arrive(ply === before.ply ? "" : board().flights, board().me);
  scroll();
  if (ply) clocks.wound();
  if (ply && ply !== before.ply) told(before);
}

/* A board that came by another way than the socket, which still tells what is new since its own last board. */
function fetched(html) {
  const before = board().ply;
  show(html);
  if (board().ply !== before) socket.send({ sync: true });
}

function heard(data) {
  if (!data.startsWith("{")) return show(data);
  const message = JSON.parse(data);
  if (message.says) {
    answer.settle();
    chat.refused();
    refuse(message.says);
  }
  if (message.clocks && message.ply === +board().ply) clocks.set(message);
  if (message.ply > board().ply) socket.send({ sync: true });
  if (message.here) presence(message.here);
}

/* #says is an alert: it is read out by itself. */
function refuse(why) {
  refusedAt = Date.now();
  answer.says(why);
}

function presence(here) {
  for (const mark of document.querySelectorAll("[data-here]")) {
    if (mark.dataset.here === String(here[mark.dataset.seat])) continue;
    socket.send({ sync: true });
    return;
  }
}

/* What the newest board is called, sounds like and means for the one who looks. */
function told(before) {
  const { asked, mover, news, title, sound } = board();
  // Who has left is a watcher now: no chat, no hand, and the page says why.
  const left = document.querySelector(".left");
  if (left ? board().over && !before.over : before.me && !board().me) return location.reload();
  if (Date.now() - refusedAt > TO_READ) answer.says("");
  play(sound);
  announce(news ?? [...document.querySelectorAll("#news-lines > li")].map((line) => line.textContent).join(" "));
  if (asked && !(before.asked && before.mover === mover)) {
    announce(title, true);
    play("turn");
    navigator.userActivation?.hasBeenActive && navigator.vibrate?.(30);
    if (sheets.opened() !== "chat") sheets.open("");
  }
}

function refresh() {
  const { asked, title, state } = board();
  document.title = `${title ?? document.getElementById("title").textContent} · ${named}`;
  document.body.dataset.state = state ?? "wait";
  if (asked) navigator.setAppBadge?.(1).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
  answer.refresh();
  keys.refresh();
  rematch.look();
  leavers.look();
  look();
  document.dispatchEvent(new Event("board"));
}

// ---- whether a question was seen ----------------------------------------------------------------------------------

let seen = board().ply; // the page itself, when it was asked for, has told so much
let asking = { ply: seen, since: Date.now() };
let looking;

/* Who answers at once has nothing to say here. */
function look() {
  const { asked, ply } = board();
  if (ply !== asking.ply) asking = { ply, since: Date.now() };
  clearTimeout(looking);
  if (!asked || ply === seen || document.visibilityState !== "visible") return;
  const tell = () => socket.send({ seen: +ply }) && (seen = ply); // or, without a line, when there is one again
  looking = setTimeout(tell, Date.now() - asking.since > TOLD_AFTER ? 0 : TO_SEE);
}

document.addEventListener("visibilitychange", look);

// ---- the line ------------------------------------------------------------------------------------------------------

let polling, noting;

function changed(state, code) {
  document.body.dataset.line = state;
  if (state === "lost") {
    const words = navigator.onLine ? "reconnecting" : "offline";
    noting ??= setTimeout(() => note(word(words), words === "offline"), NOTE_AFTER);
    polling ??= setInterval(poll, POLL_EVERY, Date.now());
    return;
  }
  clearTimeout(noting);
  clearInterval(polling);
  noting = polling = null;
  look();
  note(state === "open" ? "" : word(`closed-${code}`) || word("closed"), state === "closed");
}

async function poll(since) {
  if (socket.open || Date.now() - since < POLL_AFTER) return;
  try {
    const reply = await get(`${address}/board?ply=${board().ply}`);
    if (reply.status === 200) fetched(await reply.text());
    if (reply.ok && !socket.open) note(word("slow"));
  } catch {
    if (!socket.open) note(word("offline"), true);
  }
}

/* Say how the line is. Without any, nothing can be answered. */
function note(text, idle = false) {
  line.querySelector("[data-text]").textContent = text;
  line.hidden = !text;
  document.body.toggleAttribute("data-idle", idle);
  for (const part of document.querySelectorAll("form[data-answer], .pick")) part.inert = idle;
}

// ---- beginning -----------------------------------------------------------------------------------------------------

const socket = connect(`/ws${address}?lang=${document.documentElement.lang}`, { heard, changed });
answer.listen(socket, fetched);
chat.listen(socket, fetched, unsent);
keys.listen();

function unsent() {
  note(word("unsent"), !navigator.onLine);
  setTimeout(() => document.body.dataset.line === "open" && note(""), TO_READ);
}

// Other forms of the table (resign, abort, orders): their answers are boards too.
document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (!form.matches("[data-post]")) return;
  event.preventDefault();
  try {
    const reply = await post(form.getAttribute("action"), new FormData(form, submitter));
    if (!reply.ok && ![409, 429].includes(reply.status)) return location.reload();
    answer.says("");
    fetched(await reply.text());
  } catch {
    unsent();
  }
});

clocks.wound();
sheets.open("");
refresh();
chat.remember()();

/* The table: joins the small modules of this folder. What they ask of the page (all of it works as plain forms without them):

   <body class="t" data-table="KEY">  and one <script type="module" src="js/table.js">
   {% include "games/htmx.html" %} in the head, {% include "games/words.html" %} at the end of the body: the words, the
   live regions (#live polite, #urgent assertive), #net (connection), #says (why an answer was refused), the help dialog.

   #ply             data-ply, data-mover (seat; empty when over), data-now and data-deadline (ms; the mover's), data-asked ("1": the viewer is asked),
                    data-title (of the document), data-news (sentences for #live), data-sound (place take bid pass pay
                    dice penalty over, of the newest step), data-penalty, data-state (also copied to <body data-state>)
   .clock           data-seat, data-left (ms at data-now); the mover's runs. Without data-left it is only text.
   [data-here=seat] in the seats: gets data-away when a tick says that nobody is there
   [data-card=key]  a card that may travel; data-from="#id": where it starts if it was nowhere before
   form[data-answer=place|take|bid|pay|dice]  method=post action=/m/KEY/play, hidden ply; its answers are what it would
                    send as `move`: submit buttons, radios, checkboxes (in the order in which the log wants them)
       [data-key="1"]          pressed by that key ("p" for pass); a digit typed in a bid form picks that bid
       [data-confirm="…"]      a button (refuse) that asks once more: its words the second time
       [data-primary]          the button that ↵ presses; [data-label] in it is the text that changes with the choice
     bid:  data-own (what can be paid), radios name=move value="bid 5"; a number field [data-more] for what has no chip
           (its value makes "bid N"); [data-warn] holds the warning when the bid is more than one owns
     pay:  data-due, data-unit="gold|cards"; checkboxes name=move value="pay G3" data-worth="3" (dearest first, card
           list order); [data-meter] with <b> paid </b>, .bar progress or svg rect, .tag verdict
     dice: data-count="1|2"; checkboxes name=move value="dice M+" data-name="Monks" data-from="4" data-to="5";
           .pv in the same label shows the number
   form[data-say]   the chat: one text field; outside all swapped regions. #chat-lines, #log-lines stick to their end
   [data-sheet=moves|hand|chat|rules|""], [data-pane], .badge in the chat's button
   [data-sound-button], [data-keys-button], [data-theme-toggle]
*/

import * as answer from "./answer.js";
import * as chat from "./chat.js";
import * as clocks from "./clocks.js";
import * as keys from "./keys.js";
import { parse, place } from "./morph.js";
import { remember } from "./motion.js";
import { get } from "./request.js";
import "./shares.js";
import { connect } from "./socket.js";
import { play } from "./sound.js";
import { announce, word } from "./words.js";
import * as sheets from "./sheets.js";

const POLL_AFTER = 5_000;
const POLL_EVERY = 3_000;
const NOTE_AFTER = 1_000;

const address = `/m/${document.body.dataset.table}`;
const board = () => document.getElementById("ply").dataset;
const line = document.getElementById("net");
let refused = ""; // why the last answer was not taken, until the next is sent

// ---- what the server says ------------------------------------------------------------------------------------------

function show(html) {
  const message = parse(html);
  const ply = message.getElementById("ply")?.dataset.ply;
  const before = { ...board() };
  if (ply && +ply < +before.ply) return;
  const spoken = message.getElementById("says");
  spoken?.remove();
  if (spoken) answer.settle();
  else if (ply) answer.settle(+ply > +before.ply);
  const arrive = remember();
  const scroll = chat.remember();
  place(message, ply === before.ply);
  if (spoken) answer.says(spoken.textContent.trim());
  refresh();
  arrive(taker(before));
  scroll();
  if (ply) clocks.wound();
  if (ply && ply !== before.ply) told(before);
}

/* Where a card went that is no longer on the stage: to the rival who took or bought it. */
function taker({ mover, me }) {
  if (mover === me || !["take", "pay"].includes(board().sound)) return null;
  return document.querySelector(`#seats [data-seat="${mover}"]`);
}

function heard(data) {
  if (!data.startsWith("{")) return show(data);
  const message = JSON.parse(data);
  if (message.says) {
    answer.settle();
    chat.refused();
    answer.says(message.says);
    announce(message.says, true);
  }
  if (message.clocks && message.ply === +board().ply) clocks.set(message);
  if (message.ply > board().ply) socket.send({ sync: true });
  if (message.here) presence(message.here);
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
  answer.says("");
  play(sound);
  announce(news);
  if (asked && !(before.asked && before.mover === mover)) {
    announce(title, true);
    play("turn");
    navigator.userActivation?.hasBeenActive && navigator.vibrate?.(30);
    if (sheets.opened() !== "chat") sheets.open("");
  }
}

function refresh() {
  const { asked, title, state } = board();
  if (title) document.title = title;
  if (state) document.body.dataset.state = state;
  if (asked) navigator.setAppBadge?.(1).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
  answer.refresh();
  keys.refresh();
}

// ---- the line ------------------------------------------------------------------------------------------------------

let polling, noting;

function changed(state, code) {
  document.body.dataset.line = state;
  if (state === "lost") {
    noting ??= setTimeout(() => (navigator.onLine ? note(word("reconnecting")) : note(word("offline"), true)), NOTE_AFTER);
    polling ??= setInterval(poll, POLL_EVERY, Date.now());
    return;
  }
  clearTimeout(noting);
  clearInterval(polling);
  noting = polling = null;
  note(state === "open" ? "" : word(`closed-${code}`) || word("closed"), state === "closed");
}

async function poll(since) {
  if (socket.open || Date.now() - since < POLL_AFTER) return;
  try {
    const reply = await get(`${address}/board?ply=${board().ply}`);
    if (reply.status === 200) show(await reply.text());
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
  for (const form of document.querySelectorAll("form[data-answer]")) form.inert = idle;
}

// ---- beginning -----------------------------------------------------------------------------------------------------

const socket = connect(`/ws${address}?lang=${document.documentElement.lang}`, { heard, changed });
answer.listen(socket, show);
chat.listen(socket, show, () => note(word("unsaid")));
keys.listen();

// Other forms of the table (resign, abort, orders, mute) go by htmx; their answers are boards too.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (!/id="(ply|says|chat-lines)"/.test(xhr.responseText)) return;
  event.detail.shouldSwap = false;
  show(xhr.responseText);
});

clocks.wound();
refresh();
chat.remember()();

/* The lobby, the waiting room, ladders: regions that the server sends anew whenever something changes there.

The page says where from: an element with data-lobby="/ws/play?…" and, without a socket, data-news="/play/news?…".
Besides regions comes {"go": "/m/KEY"}, which leads to a table that has begun. */

import { parse, place } from "./morph.js";
import { get } from "./request.js";
import { connect } from "./socket.js";

const POLL_EVERY = 5_000;
const { lobby, news } = document.querySelector("[data-lobby]")?.dataset ?? {};
let polling;

/** Take in what the server has to say: regions, or where to go. */
export function heard(data) {
  if (!data.startsWith("{")) {
    place(parse(data), true);
    document.dispatchEvent(new Event("placed"));
    return;
  }
  const { go } = JSON.parse(data);
  if (go?.startsWith("/")) location.assign(go);
}

async function poll() {
  try {
    const reply = await get(news);
    if (reply.status === 200) heard(await reply.text());
    else if (reply.status === 404) location.reload();
  } catch {
    // As long as there is no line there is no news.
  }
}

function changed(state) {
  clearInterval(polling);
  if (state === "lost" && news) polling = setInterval(poll, POLL_EVERY);
  // Signed out elsewhere, or a room that is no more: the page says so.
  if (state === "closed") location.reload();
}

if (lobby) {
  const url = new URL(lobby, location.href);
  url.searchParams.set("lang", document.documentElement.lang);
  connect(url, { heard, changed });
}

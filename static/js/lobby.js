/* The lobby and the waiting room: regions that the server sends anew whenever something changes there.

The page says where from: <body data-lobby="/ws/play">, or any element with data-lobby. A form [data-seek] sends its
number of players by the line that shows the answer; without the line it is a plain form. A message {"go": "/m/KEY"}
leads to the table. */

import { parse, place } from "./morph.js";
import "./request.js";
import { connect } from "./socket.js";

const path = document.querySelector("[data-lobby]")?.dataset.lobby;

function heard(data) {
  if (!data.startsWith("{")) return place(parse(data), true);
  const { go } = JSON.parse(data);
  if (go?.startsWith("/m/")) location.assign(go);
}

function changed(state) {
  const line = document.getElementById("net");
  if (line) line.hidden = state === "open";
}

if (path) {
  const socket = connect(`${path}?lang=${document.documentElement.lang}`, { heard, changed });
  // A quick match is looked for as long as a page of the seeker says that he is there.
  setInterval(() => {
    const places = document.querySelector("[data-seeking]")?.dataset.seeking;
    if (places) socket.send({ seek: +places });
  }, 10_000);
}

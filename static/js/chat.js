/* The chat: say something, see what is new. */

import "./say.js";
import * as bubbles from "./bubbles.js";
import { all, find } from "./page.js";
import { opened } from "./sheets.js";
import { number } from "./numbers.js";
import { word } from "./words.js";

let unread = 0;
let said = ""; // on its way
const lines = () => find("#chat-lines");
const written = () => all("#chat-lines > li:not(.system)").length; // by people

const visible = () => document.visibilityState === "visible" && !!lines()?.offsetParent;

function badge() {
  all('[data-sheet="chat"]').forEach(count);
}

/** @param {HTMLElement} button */
function count(button) {
  let badge = button.querySelector(".badge");
  if (!badge) button.append((badge = Object.assign(document.createElement("b"), { className: "badge" })));
  badge.hidden = !unread;
  badge.textContent = number(unread);
  if (unread) button.setAttribute("aria-label", word("unread", { n: number(unread) }));
  else button.removeAttribute("aria-label");
}

/** Lists that were at their end before a message are there again after it; lines that nobody saw are counted. */
export function remember() {
  const lists = all("#chat-lines, #log-lines").map((list) => {
    const box = list.closest("[role=log]") ?? list;
    return { box, atEnd: box.scrollTop > -40 }; // the column is reversed: its end is 0, what is above negative
  });
  const before = written();
  return () => {
    for (const { box, atEnd } of lists) if (atEnd) box.scrollTop = 0;
    const now = written();
    if (now > before) said = "";
    if (!visible()) unread += Math.max(0, now - before);
    badge();
    bubbles.look();
  };
}

/** The line was refused: it can be changed and sent again. */
export function refused() {
  const field = find("#say input[name=text]");
  if (field) field.value ||= said;
  said = "";
}

function seen() {
  const list = lines();
  if (!visible() || !list) return;
  unread = 0;
  badge();
  const box = list.closest("[role=log]") ?? list;
  if (opened() === "chat") box.scrollTop = 0;
}

/** Begin to listen. */
export function listen() {
  document.addEventListener("htmx:wsConfigSend", (event) => {
    if (event.target.id !== "say") return;
    said = event.target.elements.namedItem("text")?.value ?? "";
    if (!said.trim()) event.preventDefault();
  });
  document.addEventListener("sheet", seen);
  document.addEventListener("visibilitychange", seen);
}

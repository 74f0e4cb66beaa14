/* The sentences of the page's language, from templates/games/words.html. */

/** @type {Words} */
const words = new Map();
for (const { dataset, textContent } of document.querySelector("template#words")?.content.querySelectorAll("[data-word]") ?? [])
  words.set(dataset.word, textContent);

const lang = document.documentElement.lang || "en";
const decimal = new Intl.NumberFormat(lang, { useGrouping: false });
const two = new Intl.NumberFormat(lang, { useGrouping: false, minimumIntegerDigits: 2 });
const both = new Intl.ListFormat(lang, { type: "conjunction" });

/** A sentence by its name, with values for its {placeholders}: text, never HTML.
@param {string} name @param {Values} values */
export function word(name, values = {}) {
  return (words.get(name) ?? "").replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/** A number in the digits of the language.
@param {number} n */
export const number = (n) => decimal.format(n);

/** "a and b" in the language.
@param {string[]} names */
export const list = (names) => both.format(names);

/** Milliseconds as a clock shows them: 7:05, 1:02:09. */
export function time(ms = 0) {
  const s = Math.max(0, Math.ceil(ms / 1000));
  const h = Math.floor(s / 3600);
  const m = Math.floor(s / 60) % 60;
  return h ? `${number(h)}:${two.format(m)}:${two.format(s % 60)}` : `${number(m)}:${two.format(s % 60)}`;
}

/** Read out: politely, or at once. */
export function announce(text = "", urgent = false) {
  const region = document.getElementById(urgent ? "urgent" : "live");
  if (!region || !text) return;
  // The same sentence twice is news twice.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

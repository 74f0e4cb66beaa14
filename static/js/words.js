/* The sentences of the page's language, from templates/table/words.html. */

/** @type {Words} */
const words = new Map();
for (const { dataset, textContent } of document.querySelector("template#words")?.content.querySelectorAll("[data-word]") ?? [])
  words.set(dataset.word, textContent);

const both = new Intl.ListFormat(document.documentElement.lang || "en", { type: "conjunction" });

/** A sentence by its name, with values for its {placeholders}: text, never HTML.
@param {string} name @param {Values} values */
export function word(name, values = {}) {
  return (words.get(name) ?? "").replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/** "a and b" in the language.
@param {string[]} names */
export const list = (names) => both.format(names);

/** Read out: politely, or at once. */
export function announce(text = "", urgent = false) {
  const region = document.getElementById(urgent ? "urgent" : "live");
  if (!region || !text) return;
  // The same sentence twice is news twice.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

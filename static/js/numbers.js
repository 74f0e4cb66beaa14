/* Numbers as people read them: in the language of the page, as the server writes them (accounts/text/numbers.py). */

const lang = document.documentElement.lang || "en";
const [base] = lang.split("-");
/** Languages with digits of their own, and what stands before a sign there: as DIGITS and MARK in numbers.py.
@type {Record<string, {digits: string, mark: string} | undefined>} */
const OWN = { fa: { digits: "arabext", mark: "\u200e" } };
const { digits: signs, mark } = OWN[base] ?? { digits: "latn", mark: "" };
const written = `${lang}-u-nu-${signs}`;
const format = (/** @type {Intl.NumberFormatOptions} */ options) => new Intl.NumberFormat(written, { useGrouping: false, ...options });
const decimal = format({ maximumFractionDigits: 2 });
const two = format({ minimumIntegerDigits: 2 });

/** A number: 12, −3, 1.5.
@param {number} n */
export const number = (n) => decimal.format(n || 0).replace(/^\u200e?[-\u2212]/, `${mark}\u2212`);

/** A change: with its sign, unless it is 0.
@param {number} n */
export const signed = (n) => (n > 0 ? `${mark}+${number(n)}` : number(n));

/** A text without names, such as the label of a card, in the digits of the language.
@param {string} text */
export const digits = (text) => text.replace(/[0-9]/g, (digit) => decimal.format(Number(digit)));

/** Milliseconds on a clock, rounded up to seconds: 7:05, 1:02:09. */
export function time(ms = 0) {
  const s = Math.max(0, Math.ceil(ms / 1000));
  const h = Math.floor(s / 3600);
  const m = Math.floor(s / 60) % 60;
  return h ? `${number(h)}:${two.format(m)}:${two.format(s % 60)}` : `${number(m)}:${two.format(s % 60)}`;
}

/* Bytes, their hexadecimal digits, and SHA-256. */

const UTF8 = new TextEncoder();

/** @param {string} digits */
export const bytes = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (byte) => parseInt(byte, 16));
/** @param {ArrayBuffer} buffer */
export const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** All parts in one: texts in UTF-8, buffers, lists of bytes.
@param {Parts} parts */
export function joined(...parts) {
  const all = parts.map((part) => (typeof part === "string" ? UTF8.encode(part) : new Uint8Array(part)));
  const whole = new Uint8Array(all.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of all) whole.set(part, at), (at += part.length);
  return whole;
}

/** The SHA-256 of all parts, one after the other.
@param {Parts} parts */
export const sha256 = (...parts) => crypto.subtle.digest("SHA-256", joined(...parts));

/* What this browser keeps of matches, beside what the site says of them: by the key of each, an object of plain values.

Only this browser has it. Where storage is refused or full, nothing is kept, and nothing fails. */

const PREFIX = "kept:";
const MOST = 200; // matches

/** What is kept of a match; an empty object if nothing is.
@param {string} key @returns {Kept} */
export function kept(key) {
  try {
    const { at, ...fields } = JSON.parse(localStorage.getItem(PREFIX + key) ?? "{}");
    return fields;
  } catch {
    return {};
  }
}

/** Keep these fields of a match beside those that are kept already. Whether that was possible.
@param {string} key @param {Kept} fields */
export function keep(key, fields) {
  try {
    const isNew = localStorage.getItem(PREFIX + key) === null;
    localStorage.setItem(PREFIX + key, JSON.stringify({ ...kept(key), ...fields, at: Date.now() }));
    if (isNew) forgetOldest();
    return true;
  } catch {
    return false;
  }
}

/* Matches for which nothing was kept for the longest time. */
function forgetOldest() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  if (keys.length <= MOST) return;
  /** @param {string} key @returns {number} */
  const keptAt = (key) => JSON.parse(localStorage.getItem(key) ?? "{}").at ?? 0;
  const byAge = keys.sort((a, b) => keptAt(a) - keptAt(b));
  for (const key of byAge.slice(0, keys.length - MOST)) localStorage.removeItem(key);
}

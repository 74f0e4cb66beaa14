/* Elements of the page. */

/** The first that a selector finds, if any.
@type {Finds} */
export const find = (selector, within = document) => within.querySelector(selector);

/** The same; without one, this throws.
@type {Needs} */
export function one(selector, within = document) {
  const found = find(selector, within);
  if (!found) throw new Error(`no ${selector}`);
  return found;
}

/** The one with this id; without it, this throws. */
export const byId = (/** @type {string} */ id) => one(`#${id}`);

/** All that a selector finds.
@type {FindsAll} */
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/* What a page must have: where it is missing, these throw. */

/** The first element that a selector finds.
@template {string} S @param {S} selector @param {ParentNode} within */
export function one(selector, within = document) {
  const found = within.querySelector(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
}

/** The element with this id.
@param {string} id */
export const byId = (id) => one(`#${id}`);

/** All elements that a selector finds.
@template {string} S @param {S} selector @param {ParentNode} within */
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

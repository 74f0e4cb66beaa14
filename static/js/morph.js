/* The swap style `morph` for htmx: the element of the page becomes like the new one, by the ids of what is in them. Focus,
what one has opened, and what one has typed or chosen but not sent stay. */

/** @type {Map<string, Element | null>} */
const stays = new Map(); // the elements of the page for which a message has only a mark, <wbr id>

/** Find what stays, before anything moves: an element may go from one into another. */
export function findMarked(html = "") {
  document.getElementById("pantry")?.remove();
  stays.clear();
  for (const [, id] of html.matchAll(/<wbr id="([^"]+)">/g)) stays.set(id, document.getElementById(id));
}

/** It may be another one by now: its own message may have come before that of its place.
@param {string} id */
const stayOf = (id) => (stays.has(id) ? (document.getElementById(id) ?? stays.get(id) ?? null) : null);

/** @type {Puts} */
const put = (parent, node, next) =>
  parent.moveBefore && node.isConnected ? parent.moveBefore(node, next) : parent.insertBefore(node, next);

/** What leaves may have something in it that stays elsewhere: until that has come, it is kept on the page.
@param {ChildNode} node */
function leave(node) {
  for (const stay of [...stays.keys()].map(stayOf)) if (stay && node.contains(stay)) put(pantry(), stay, null);
  if (node.parentElement?.id !== "pantry") node.remove();
}

function pantry() {
  const known = document.getElementById("pantry");
  const made = known ?? Object.assign(document.createElement("div"), { id: "pantry", hidden: true });
  if (!known) document.body.append(made);
  return made;
}

const marksIn = (/** @type {Node} */ node) => (node instanceof Element ? node.querySelectorAll("wbr[id]") : []);

/** A new element, with those in it that were on the page before.
@template {Node} N @param {N} fresh */
export function filled(fresh) {
  for (const mark of marksIn(fresh)) mark.replaceWith(stayOf(mark.id) ?? "");
  return fresh;
}

/** Make `old` like `fresh`. Returns the element that is on the page now.
@param {ChildNode} old @param {ChildNode} fresh */
export function morph(old, fresh) {
  if (old.nodeName !== fresh.nodeName) {
    old.before(filled(fresh));
    leave(old);
    return fresh;
  }
  if (old instanceof Element && fresh instanceof Element) {
    if (old.isEqualNode(fresh)) return old;
    attributes(old, fresh);
    children(old, fresh);
  } else if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
  return old;
}

/** @type {Changes} */
function attributes(old, fresh) {
  // What is open is of whoever looks at the page.
  const theirs = (/** @type {Attr} */ { name }) => name === "open" && old.matches("details, dialog");
  for (const { name } of [...old.attributes].filter((one) => !fresh.hasAttribute(one.name) && !theirs(one)))
    old.removeAttribute(name);
  for (const { name, value } of [...fresh.attributes].filter((one) => !theirs(one)))
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}

/** The form of another kind of question is another form.
@param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.id + (node.getAttribute("data-answer") ?? "") : "");
/** @param {Node} a @param {Node} b */
const alike = (a, b) => a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

/** The token of a form stays: a message has none.
@param {ChildNode | null} node */
const pastToken = (node) =>
  node instanceof HTMLInputElement && node.name === "csrfmiddlewaretoken" ? node.nextSibling : node;

/** @type {Changes} */
function children(old, fresh) {
  let at = pastToken(old.firstChild);
  for (const wanted of [...fresh.childNodes]) {
    const mark = wanted instanceof Element && wanted.nodeName === "WBR" && stays.has(wanted.id);
    let match = mark ? stayOf(wanted.id) : at && alike(at, wanted) ? at : null;
    if (!mark && keyOf(wanted)) for (let next = at; !match && next; next = next.nextSibling) if (alike(next, wanted)) match = next;
    if (match) {
      if (match !== at) put(old, match, at);
      if (!mark) morph(match, wanted);
      at = pastToken(match.nextSibling);
    } else if (!mark) {
      const inside = [...marksIn(wanted)].map(({ id }) => stayOf(id));
      while (at && inside.some((one) => one === at)) at = pastToken(at.nextSibling);
      old.insertBefore(filled(wanted), at);
    }
  }
  while (at) {
    const next = pastToken(at.nextSibling);
    leave(at);
    at = next;
  }
}

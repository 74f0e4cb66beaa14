/* The swap style `morph` for htmx: the element of the page becomes like the new one, by the ids of what is in them. Focus,
what one has opened, and what one has typed or chosen but not sent stay. */

const stays = new Map(); // the elements of the page for which a message has only a mark, <wbr id>

/** Find what stays, before anything moves: an element may go from one into another. */
export function findMarked(html) {
  document.getElementById("pantry")?.remove();
  stays.clear();
  for (const [, id] of html.matchAll(/<wbr id="([^"]+)">/g)) stays.set(id, document.getElementById(id));
}

/* It may be another one by now: its own message may have come before that of its place. */
const stayOf = (id) => (stays.has(id) ? (document.getElementById(id) ?? stays.get(id)) : null);

const put = (parent, node, next) =>
  parent.moveBefore && node.isConnected ? parent.moveBefore(node, next) : parent.insertBefore(node, next);

/* What leaves may have something in it that stays elsewhere: until that has come, it is kept on the page. */
function leave(node) {
  for (const stay of [...stays.keys()].map(stayOf)) if (stay && node.contains(stay)) put(pantry(), stay, null);
  if (node.parentNode.id !== "pantry") node.remove();
}

function pantry() {
  const known = document.getElementById("pantry");
  if (!known) document.body.append(Object.assign(document.createElement("div"), { id: "pantry", hidden: true }));
  return known ?? document.body.lastChild;
}

/** A new element, with those in it that were on the page before. */
export function filled(fresh) {
  for (const mark of fresh.querySelectorAll?.("wbr[id]") ?? []) mark.replaceWith(stayOf(mark.id) ?? "");
  return fresh;
}

/** Make `old` like `fresh`. Returns the element that is on the page now. */
export function morph(old, fresh) {
  if (old.nodeName !== fresh.nodeName) {
    old.before(filled(fresh));
    leave(old);
    return fresh;
  }
  if (old.nodeType !== 1) old.data !== fresh.data && (old.data = fresh.data);
  else if (!old.isEqualNode(fresh)) {
    attributes(old, fresh);
    children(old, fresh);
  }
  return old;
}

function attributes(old, fresh) {
  const theirs = ({ name }) => name === "open" && old.matches("details, dialog"); // of whoever looks at the page
  for (const { name } of [...old.attributes].filter((one) => !fresh.hasAttribute(one.name) && !theirs(one)))
    old.removeAttribute(name);
  for (const { name, value } of [...fresh.attributes].filter((one) => !theirs(one)))
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}

/* The form of another kind of question is another form. */
const keyOf = (node) => (node.nodeType === 1 ? (node.id || "") + (node.dataset.answer ?? "") : "");
const alike = (a, b) => a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

/* The token of a form stays: a message has none. */
const pastToken = (node) => (node?.name === "csrfmiddlewaretoken" ? node.nextSibling : node);

function children(old, fresh) {
  let at = pastToken(old.firstChild);
  for (const wanted of [...fresh.childNodes]) {
    const mark = wanted.nodeName === "WBR" && stays.has(wanted.id);
    let match = mark ? stayOf(wanted.id) : at && alike(at, wanted) ? at : null;
    if (!mark && keyOf(wanted)) for (let next = at; !match && next; next = next.nextSibling) if (alike(next, wanted)) match = next;
    if (match) {
      if (match !== at) put(old, match, at);
      if (!mark) morph(match, wanted);
      at = pastToken(match.nextSibling);
    } else if (!mark) {
      const inside = [...(wanted.querySelectorAll?.("wbr[id]") ?? [])].map(({ id }) => stayOf(id));
      while (at && inside.includes(at)) at = pastToken(at.nextSibling);
      old.insertBefore(filled(wanted), at);
    }
  }
  while (at) {
    const next = pastToken(at.nextSibling);
    leave(at);
    at = next;
  }
}

/* HTML from the server becomes part of the page without disturbing whoever is using it. */

const CHOICE = new Set(["checkbox", "radio"]);

/* The form of another kind of question is another form. */
const keyOf = (node) => (node.nodeType === 1 ? (node.id || "") + (node.dataset.answer ?? "") : "");

const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

/** Make `old` like `fresh`, by the ids of what is in them. Focus, the field one is in, and what one has opened stay.

With `keep`, so does what one has chosen but not yet sent. */
export function morph(old, fresh, keep = false) {
  if (old.nodeType !== 1) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if (old.isEqualNode(fresh) && keep) return;
  attributes(old, fresh, keep);
  if (old.matches("input, textarea, select")) field(old, fresh, keep);
  if (old.nodeName !== "TEXTAREA") children(old, fresh, keep);
}

function attributes(old, fresh, keep) {
  const mine = (name) =>
    (name === "open" && old.matches("details, dialog")) ||
    (name === "aria-pressed" && keep && fresh.hasAttribute(name));
  for (const { name } of [...old.attributes])
    if (!fresh.hasAttribute(name) && !mine(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (old.getAttribute(name) !== value && !mine(name)) old.setAttribute(name, value);
}

function field(old, fresh, keep) {
  if (CHOICE.has(old.type)) {
    if (!keep) old.checked = fresh.checked;
  } else if (!keep && old !== document.activeElement) old.value = fresh.value;
}

const marks = (fresh) => (fresh.nodeType === 1 ? [...fresh.querySelectorAll("wbr[id]")] : []);
const staying = (fresh) => marks(fresh).map(({ stays }) => stays);

/* A new element, with those in it that were on the page before. */
function filled(fresh) {
  for (const mark of marks(fresh)) mark.stays ? mark.replaceWith(mark.stays) : mark.remove();
  return fresh;
}

function children(old, fresh, keep) {
  let at = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    // What comes by the socket has a mark where the form of the page has its token.
    if (wanted.nodeType === 8 && at?.name === "csrfmiddlewaretoken") {
      at = at.nextSibling;
      continue;
    }
    const key = keyOf(wanted);
    let match = wanted.stays ?? (at && alike(at, wanted) ? at : null);
    for (let next = at; !match && key && next; next = next.nextSibling) if (alike(next, wanted)) match = next;
    if (match) {
      if (match !== at) old.moveBefore && match.isConnected ? old.moveBefore(match, at) : old.insertBefore(match, at);
      if (!wanted.stays) morph(match, wanted, keep);
      at = match.nextSibling;
    } else if (wanted.nodeName !== "WBR") {
      const stay = staying(wanted);
      while (stay.includes(at)) at = at.nextSibling;
      old.insertBefore(filled(wanted), at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** Put the elements of a message (games/faces/slots.py) in their places; what has no place yet is left out. */
export function place(message, keep = false) {
  const focused = document.activeElement;
  const places = [];
  // All are found before anything moves: an element may go from one into another.
  for (const child of message.children) {
    const fresh = child.id ? child : child.querySelector("[id]"); // the cell of a table comes in one, a shape in an <svg>
    const old = fresh && document.getElementById(fresh.id);
    if (!old) continue;
    for (const mark of marks(fresh)) mark.stays = document.getElementById(mark.id);
    places.push([old, fresh]);
  }
  for (const [old, fresh] of places) {
    const { at, more } = fresh.dataset;
    if (old.nodeName !== fresh.nodeName) old.replaceWith(filled(fresh));
    else if (at !== undefined) append(old, fresh, at, keep);
    else if (more !== undefined) append(old, fresh, old.children.length, keep);
    else morph(old, fresh, keep);
    window.htmx?.process(document.getElementById(fresh.id) ?? old);
  }
  // The control one was on is gone: go on at the leaf that asks the next question.
  if (focused && !focused.isConnected) document.getElementById("stage")?.focus({ preventScroll: true });
}

function append(old, fresh, at, keep) {
  while (old.children.length > at) old.lastElementChild.remove();
  for (const line of [...fresh.children]) {
    const known = line.id && document.getElementById(line.id);
    if (line.nodeName === "WBR") line.stays && old.append(line.stays);
    else known ? morph(known, line, keep) : old.append(filled(line));
  }
}

/* A message only names a sheet of pictures: its address is where the page has it from. */
const sheets = new Map();
function sheet(name) {
  if (!sheets.has(name)) {
    const known = document.querySelector(`use[href*="/${CSS.escape(name)}."]`);
    if (known) sheets.set(name, known.getAttribute("href").split("#")[0]);
  }
  return sheets.get(name) ?? name;
}

/** The elements of a message. */
export function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  for (const use of template.content.querySelectorAll("use")) {
    const [address, id] = use.getAttribute("href").split("#");
    if (!address.includes("/")) use.setAttribute("href", `${sheet(address)}#${id}`);
  }
  return template.content;
}

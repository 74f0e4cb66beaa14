/* The sockets of htmx (hx-ws) mend themselves. What it does not know: when to try at once, how a server restarts, that a
line may be dead without a word, and that some pages can do without one while nobody looks at them (data-rests). */

const SILENCE = 40_000; // the server sends something every 10 to 20 s
const POLL_AFTER = 5_000;
const RESTART = 1012; // RFC 6455's registry: the server restarts
/** @type {Map<HTMLElement | null, Line>} */
const lines = new Map();

/** Whether the server has said that nobody is to try again: signed out, not allowed, not there, too much.
@param {number} code */
export const final = (code) => code >= 4400 && code < 4500;

/** Milliseconds until the next attempt. Not all at the same moment: after a restart it takes a busy server seconds until it
has answered everybody.
@param {number} code @param {number} attempt */
export function delay(code, attempt, random = Math.random()) {
  const least = code === RESTART ? 1_000 : 200;
  const most = Math.min(10_000, (code === RESTART ? 5_000 : 2_000) * 1.6 ** attempt);
  return least + random * (most - least);
}

const lineOf = (/** @type {Element} */ element) => lines.get(element.closest("[ws-connect]"));
/** @param {HTMLElement} element */
const resting = (element) => "rests" in element.dataset && document.visibilityState !== "visible";

/** Whether what is sent now leaves at once.
@param {Element} element */
export const ready = (element) => lineOf(element)?.socket.readyState === WebSocket.OPEN && navigator.onLine;

/** Whether there has been no line for so long that the page should ask by itself.
@param {Element} element */
export const behind = (element) => Date.now() - (lineOf(element)?.lost ?? NaN) > POLL_AFTER;

/** Something must come soon, or the line only seems to be open.
@param {Element} element @param {number} ms */
export function expect(element, ms) {
  const line = lineOf(element);
  const since = Date.now();
  setTimeout(() => line && line.heard < since && renew(line), ms);
}

/** @param {Line} line */
function renew(line) {
  lose(line);
  line.wrapper?.reconnect();
}

/** htmx hears at once that the socket is lost, and nothing more of it.
@param {Line} line */
function lose({ socket }, code = 1006) {
  if (socket.readyState <= WebSocket.OPEN) socket.dispatchEvent(new CloseEvent("close", { code }));
  socket.onclose = null;
  WebSocket.prototype.close.call(socket);
}

/** Give htmx its sockets.
@param {Htmx} htmx */
export function keep(htmx) {
  let code = 0; // of the close that htmx is about to hear of
  htmx.config.wsReconnectDelay = (attempt) => delay(code, attempt);
  htmx.createWebSocket = (url) => {
    const all = [...document.querySelectorAll("[ws-connect]")];
    const element = /** @type {HTMLElement} */ (all.find((one) => url.endsWith(String(one.getAttribute("ws-connect")))));
    const known = lines.get(element);
    // An attempt that comes when there is a line again is none.
    if (known && known.socket.readyState <= WebSocket.OPEN) return known.socket;
    const socket = new WebSocket(url);
    const line = Object.assign(known ?? {}, { socket, heard: Date.now() });
    lines.set(element, line);
    socket.close = () => element.isConnected || WebSocket.prototype.close.call(socket);
    socket.addEventListener("message", () => (line.heard = Date.now()));
    socket.addEventListener("error", (event) => event.stopImmediatePropagation()); // a close comes after it
    socket.addEventListener("close", (event) => {
      code = event.code;
      if (![1006, 1011, 1012, 1013].includes(code) && !final(code) && !resting(element)) {
        event.stopImmediatePropagation();
        socket.onclose?.(new CloseEvent("close", { code: 1006 })); // else htmx would not try again
      }
    });
    return socket;
  };
  document.addEventListener("htmx:wsOpen", ({ target, detail }) => {
    const line = lines.get(target);
    if (!line) return;
    Object.assign(line, { wrapper: detail.socketWrapper, lost: undefined });
    if (resting(target)) lose(line, 1000);
  });
  document.addEventListener("htmx:wsClose", ({ target, detail }) => {
    const line = lines.get(target);
    if (!line) return;
    line.wrapper = detail.socketWrapper;
    line.lost ??= Date.now();
    line.ended = final(detail.event.code);
  });
  const each = (/** @type {Acts} */ act) =>
    lines.forEach((line, element) => line.ended || !element?.isConnected || act(line, element));
  addEventListener("online", () => each(renew));
  addEventListener("offline", () => each((line) => lose(line)));
  addEventListener("pageshow", ({ persisted }) => persisted && each(renew));
  document.addEventListener("visibilitychange", () =>
    each((line, element) => (resting(element) ? lose(line, 1000) : line.lost && renew(line))),
  );
  setInterval(() => each((line) => !line.lost && Date.now() - line.heard > SILENCE && renew(line)), 5_000);
}

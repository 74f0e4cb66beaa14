/* The sockets of htmx (hx-ws) mend themselves. What it does not know: when to try at once, how a server restarts, that a
line may be dead without a word, and that some pages can do without one while nobody looks at them (data-rests). */

const SILENCE = 40_000; // the server sends something every 10 to 20 s
const POLL_AFTER = 5_000;
const RESTART = 1012; // RFC 6455's registry: the server restarts
const lines = new Map(); // by element: {socket, wrapper, heard, lost}

/** Whether the server has said that nobody is to try again: signed out, not allowed, not there, too much. */
export const final = (code) => code >= 4400 && code < 4500;

/** Milliseconds until the next attempt. Not all at the same moment: after a restart it takes a busy server seconds until it
has answered everybody. */
export function delay(code, attempt, random = Math.random()) {
  const least = code === RESTART ? 1_000 : 200;
  const most = Math.min(10_000, (code === RESTART ? 5_000 : 2_000) * 1.6 ** attempt);
  return least + random * (most - least);
}

const lineOf = (element) => lines.get(element.closest("[ws-connect]"));
const resting = (element) => "rests" in element.dataset && document.visibilityState !== "visible";

/** Whether what is sent now leaves at once. */
export const ready = (element) => lineOf(element)?.socket.readyState === WebSocket.OPEN && navigator.onLine;

/** Whether there has been no line for so long that the page should ask by itself. */
export const behind = (element) => Date.now() - lineOf(element)?.lost > POLL_AFTER;

/** Something must come soon, or the line only seems to be open. */
export function expect(element, ms) {
  const line = lineOf(element);
  const since = Date.now();
  setTimeout(() => line.heard < since && renew(line), ms);
}

function renew(line) {
  lose(line);
  line.wrapper?.reconnect();
}

/* htmx hears at once that the socket is lost, and nothing more of it. */
function lose({ socket }, code = 1006) {
  if (socket.readyState <= WebSocket.OPEN) socket.dispatchEvent(new CloseEvent("close", { code }));
  socket.onclose = null;
  WebSocket.prototype.close.call(socket);
}

/** Give htmx its sockets. */
export function keep(htmx) {
  let code; // of the close that htmx is about to hear of
  htmx.config.wsReconnectDelay = (attempt) => delay(code, attempt);
  htmx.createWebSocket = (url) => {
    const element = [...document.querySelectorAll("[ws-connect]")].find((one) => url.endsWith(one.getAttribute("ws-connect")));
    const line = lines.get(element) ?? {};
    lines.set(element, line);
    // An attempt that comes when there is a line again is none.
    if (line.socket?.readyState <= WebSocket.OPEN) return line.socket;
    const socket = new WebSocket(url);
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
    return Object.assign(line, { socket, heard: Date.now() }).socket;
  };
  document.addEventListener("htmx:wsOpen", ({ target, detail }) => {
    Object.assign(lines.get(target), { wrapper: detail.socketWrapper, lost: undefined });
    if (resting(target)) lose(lines.get(target), 1000);
  });
  document.addEventListener("htmx:wsClose", ({ target, detail }) => {
    const line = lines.get(target);
    line.wrapper = detail.socketWrapper;
    line.lost ??= Date.now();
    line.ended = final(detail.event.code);
  });
  const each = (act) => lines.forEach((line, element) => line.ended || !element.isConnected || act(line, element));
  addEventListener("online", () => each(renew));
  addEventListener("offline", () => each((line) => lose(line)));
  addEventListener("pageshow", ({ persisted }) => persisted && each(renew));
  document.addEventListener("visibilitychange", () =>
    each((line, element) => (resting(element) ? lose(line, 1000) : line.lost && renew(line))),
  );
  setInterval(() => each((line) => !line.lost && Date.now() - line.heard > SILENCE && renew(line)), 5_000);
}

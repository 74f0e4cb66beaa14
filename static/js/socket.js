/* A line to the server that mends itself. */

const SILENCE = 40_000; // the server ticks every 15 s
const RESTART = 1012; // RFC 6455's registry: the server restarts
const FINAL = (code) => code >= 4400 && code < 4500; // signed out, not allowed, not there, too much

/** Keep a socket to `path` open. `heard(data)` gets each message; `changed(state, code)` "open", "lost" or "closed".

After "closed" it does not try again. With `rests` there is none while nobody looks at the page. */
export function connect(path, { heard, changed, rests = false }) {
  let socket, last, attempt, timer, closed;
  const resting = () => rests && document.visibilityState !== "visible";

  function open() {
    clearTimeout(timer);
    if (resting()) return;
    const url = new URL(path, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const mine = (socket = new WebSocket(url));
    last = Date.now();
    mine.onopen = () => {
      attempt = 0;
      last = Date.now();
      changed("open");
    };
    mine.onmessage = ({ data }) => {
      if (mine !== socket) return;
      last = Date.now();
      heard(data);
    };
    mine.onclose = ({ code }) => mine === socket && lost(code);
  }

  function lost(code) {
    socket = null;
    closed = FINAL(code);
    changed(closed ? "closed" : "lost", code);
    if (closed) return;
    // Not all at the same moment: after a restart it takes seconds until a busy server has answered everybody.
    attempt = (attempt ?? 0) + 1;
    const least = code === RESTART ? 1_000 : 200;
    const most = Math.min(10_000, (code === RESTART ? 5_000 : 2_000) * 1.6 ** (attempt - 1));
    timer = setTimeout(open, least + Math.random() * (most - least));
  }

  function renew() {
    const old = socket;
    if (closed) return;
    socket = null;
    old?.close();
    if (old) changed("lost");
    open();
  }

  function rest() {
    const old = socket;
    socket = null;
    clearTimeout(timer);
    old?.close();
  }

  setInterval(() => socket && Date.now() - last > SILENCE && renew(), 5_000);
  addEventListener("online", renew);
  addEventListener("offline", () => socket && (socket.close(), lost(1006)));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") return !socket && renew();
    if (rests) rest();
  });
  addEventListener("pageshow", ({ persisted }) => persisted && renew());
  open();

  return {
    renew,
    get open() {
      return socket?.readyState === WebSocket.OPEN;
    },
    /** Send at once or not at all: nothing waits for a better line. Whether it was sent. */
    send(message) {
      if (!this.open || !navigator.onLine) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
  };
}

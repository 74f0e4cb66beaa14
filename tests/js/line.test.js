/* How sockets mend themselves: with stand-ins for what a browser has, and a clock that is moved by hand. */

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { behind, delay, expect, final, keep, ready } from "../../static/js/line.js";

// ---- stand-ins

/** The time, and what is to be done later: [when, action, again after so many milliseconds]. */
const clock = { now: 1_000_000, due: [] };
Date.now = () => clock.now;
globalThis.setTimeout = (action, ms) => clock.due.push([clock.now + ms, action]);
globalThis.setInterval = (action, ms) => clock.due.push([clock.now + ms, action, ms]);

function pass(ms) {
  const end = clock.now + ms;
  for (;;) {
    const next = clock.due.sort(([a], [b]) => a - b).findIndex(([at]) => at <= end);
    if (next < 0) break;
    const [[at, action, again]] = clock.due.splice(next, 1);
    clock.now = at;
    if (again) clock.due.push([at + again, action, again]);
    action();
  }
  clock.now = end;
}

globalThis.CloseEvent = class extends Event {
  constructor(type, { code }) {
    super(type);
    this.code = code;
  }
};

const sockets = [];
globalThis.WebSocket = class extends EventTarget {
  static OPEN = 1;
  readyState = 0;
  #handler = null;

  constructor(url) {
    super();
    this.url = url;
    sockets.push(this);
  }

  get onclose() {
    return this.#handler;
  }

  set onclose(handler) {
    this.removeEventListener("close", this.#handler);
    this.#handler = handler;
    if (handler) this.addEventListener("close", handler);
  }

  close() {
    this.readyState = 3;
  }

  /** The server ends it, or the network. */
  end(code) {
    this.readyState = 3;
    this.dispatchEvent(new CloseEvent("close", { code }));
  }

  open() {
    this.readyState = 1;
    this.onopen();
  }
};

const page = new EventTarget();
globalThis.addEventListener = page.addEventListener.bind(page);
Object.defineProperty(globalThis, "navigator", { value: { onLine: true }, configurable: true });

const elements = [];
const root = new EventTarget();
globalThis.document = {
  visibilityState: "visible",
  querySelectorAll: () => elements,
  addEventListener: root.addEventListener.bind(root),
};

const happens = (where, type, more = {}) => {
  const event = new Event(type);
  for (const [name, value] of Object.entries(more)) Object.defineProperty(event, name, { value });
  where.dispatchEvent(event);
};

function look(visibilityState) {
  document.visibilityState = visibilityState;
  happens(root, "visibilitychange");
}

const htmx = { config: {} };
keep(htmx);

/** A page with a socket, as the WebSocket extension of htmx keeps it: `tries` are its delays, `closes` what it told. */
function connected({ rests = false } = {}) {
  const path = `/ws/${elements.length}`;
  const dataset = rests ? { rests: "" } : {};
  const element = { isConnected: true, dataset, getAttribute: () => path, closest: () => element };
  elements.push(element);
  const seen = { element, tries: [], closes: [], opens: 0 };
  let attempt = 0;
  const wrapper = {
    reconnect() {
      if (seen.socket?.readyState === WebSocket.OPEN) seen.socket.close();
      const socket = (seen.socket = htmx.createWebSocket(`ws://play.example.org${path}`));
      socket.onopen = () => {
        attempt = 0;
        seen.opens++;
        happens(root, "htmx:wsOpen", { target: element, detail: { socketWrapper: wrapper } });
      };
      socket.onclose = (event) => {
        seen.closes.push(event.code);
        if ([1006, 1011, 1012, 1013].includes(event.code)) {
          seen.tries.push(htmx.config.wsReconnectDelay(attempt));
          setTimeout(() => (attempt++, wrapper.reconnect()), seen.tries.at(-1));
        }
        happens(root, "htmx:wsClose", { target: element, detail: { event, socketWrapper: wrapper } });
      };
    },
  };
  wrapper.reconnect();
  seen.socket.open();
  return seen;
}

const hear = ({ socket }) => happens(socket, "message");
const count = ({ element }) => sockets.filter(({ url }) => url.endsWith(element.getAttribute())).length;

afterEach(() => {
  for (const element of elements) element.isConnected = false;
  Object.assign(document, { visibilityState: "visible" });
  navigator.onLine = true;
});

// ---- what is decided

test("after 4400 to 4499 nobody is to try again", () => {
  assert.deepEqual([1000, 1006, 4399, 4400, 4404, 4499, 4500].filter(final), [4400, 4404, 4499]);
});

test("delays are spread, longer after a restart, and grow to ten seconds", () => {
  const range = (code, attempt) => [delay(code, attempt, 0), delay(code, attempt, 1)];
  assert.deepEqual(range(1006, 0), [200, 2_000]);
  assert.deepEqual(range(1006, 1), [200, 3_200]);
  assert.deepEqual(range(1012, 0), [1_000, 5_000]);
  assert.deepEqual(range(1012, 1), [1_000, 8_000]);
  for (const code of [1006, 1012]) assert.equal(delay(code, 20, 1), 10_000);
  for (let at = 0; at < 100; at++) assert.ok(delay(1012, 0) >= 1_000 && delay(1012, 0) <= 5_000);
});

// ---- what happens

test("what is sent leaves at once while the socket is open and the network is there", () => {
  const seen = connected();
  assert.ok(ready(seen.element));
  navigator.onLine = false;
  assert.ok(!ready(seen.element));
  navigator.onLine = true;
  seen.socket.end(1006);
  assert.ok(!ready(seen.element));
});

test("when the server restarts, the pages come back spread over some seconds", () => {
  const all = Array.from({ length: 50 }, () => connected());
  for (const { socket } of all) socket.end(1012);
  const tries = all.map((seen) => seen.tries[0]);
  assert.ok(tries.every((ms) => ms >= 1_000 && ms <= 5_000));
  assert.ok(Math.max(...tries) - Math.min(...tries) > 1_000);
  pass(999);
  assert.ok(all.every((seen) => count(seen) === 1));
  pass(4_001);
  assert.ok(all.every((seen) => count(seen) === 2));
});

test("a close that htmx would take as meant is told as a loss", () => {
  for (const code of [1000, 1001, 1005, 4000]) {
    const seen = connected();
    seen.socket.end(code);
    assert.deepEqual(seen.closes, [1006]);
    assert.equal(seen.tries.length, 1);
  }
});

test("a close by the server for good is told as it is, and nothing brings the line back", () => {
  const seen = connected();
  seen.socket.end(4403);
  assert.deepEqual(seen.closes, [4403]);
  pass(60_000);
  happens(page, "online");
  happens(page, "pageshow", { persisted: true });
  look("hidden");
  look("visible");
  assert.equal(count(seen), 1);
});

test("when the network is back, it is tried at once, and the attempt that was due then is none", () => {
  const seen = connected();
  navigator.onLine = false;
  happens(page, "offline");
  assert.deepEqual(seen.closes, [1006]);
  assert.equal(seen.socket.readyState, 3);
  happens(page, "online");
  assert.equal(count(seen), 2);
  seen.socket.open();
  pass(10_000);
  assert.equal(count(seen), 2);
  assert.deepEqual([seen.opens, seen.closes], [2, [1006]]);
});

test("a page that the browser brings back has a new line at once; one that is loaded has its first", () => {
  const seen = connected();
  happens(page, "pageshow", { persisted: false });
  assert.equal(count(seen), 1);
  const [old] = [seen.socket];
  happens(page, "pageshow", { persisted: true });
  assert.equal(count(seen), 2);
  assert.equal(old.readyState, 3);
  seen.socket.open();
  old.end(1006); // of the old one htmx hears no more
  assert.deepEqual(seen.closes, [1006]);
});

test("a page that rests has no line in the background, and one at once when somebody looks", () => {
  const seen = connected({ rests: true });
  const other = connected();
  look("hidden");
  assert.equal(seen.socket.readyState, 3);
  assert.deepEqual([seen.closes, seen.tries], [[1000], []]);
  assert.deepEqual([other.closes, other.socket.readyState], [[], 1]);
  pass(60_000);
  assert.equal(count(seen), 1);
  look("visible");
  assert.equal(count(seen), 2);
  assert.ok(behind(seen.element)); // until it is open
  seen.socket.open();
  assert.ok(!behind(seen.element));
});

test("a page that rests and is opened in the background ends its line as soon as it is there", () => {
  document.visibilityState = "hidden";
  const seen = connected({ rests: true });
  assert.deepEqual([seen.socket.readyState, seen.closes, seen.tries], [3, [1000], []]);
});

test("a line without a word for 40 seconds is made anew; one that says something is not", () => {
  const seen = connected();
  for (let at = 0; at < 6; at++) {
    pass(20_000);
    hear(seen);
  }
  assert.equal(count(seen), 1);
  pass(39_000);
  assert.equal(count(seen), 1);
  pass(7_000);
  assert.equal(count(seen), 2);
  assert.deepEqual(seen.closes, [1006]);
});

test("where an answer is expected and nothing comes, the line is made anew", () => {
  const [dead, alive] = [connected(), connected()];
  pass(1);
  expect(dead.element, 6_000);
  expect(alive.element, 6_000);
  pass(3_000);
  hear(alive);
  pass(3_000);
  assert.deepEqual([count(dead), count(alive)], [2, 1]);
});

test("a page is behind when there has been no line for five seconds", () => {
  const seen = connected();
  assert.ok(!behind(seen.element));
  seen.element.isConnected = false; // nobody tries
  seen.socket.end(1006);
  pass(5_000);
  assert.ok(!behind(seen.element));
  pass(1);
  assert.ok(behind(seen.element));
});

test("an element that has left the page gets no line", () => {
  const seen = connected();
  seen.element.isConnected = false;
  happens(page, "online");
  assert.equal(count(seen), 1);
});

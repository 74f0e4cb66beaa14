/* What the scripts find on a page and TypeScript does not know. Only the check reads this; nothing of it is served. */

// ---- elements

type Tags = HTMLElementTagNameMap & Pick<SVGElementTagNameMap, "use">;
/** The tag at the beginning of a simple selector. */
type TagOf<S> = S extends keyof Tags
  ? S
  : S extends `${infer T}${"." | "#" | "[" | ":"}${string}`
  ? Extract<T, keyof Tags>
  : never;
/** What a selector finds: `#say input[name=text]` an input; without a tag, some element of HTML. */
type Found<S> = S extends `${infer One}, ${infer Other}`
  ? Found<One> | Found<Other>
  : S extends `${string} ${infer Rest}`
  ? Found<Rest>
  : [TagOf<S>] extends [never]
  ? HTMLElement
  : Tags[TagOf<S>];

/* The longer signatures stand here: what is served is to stay small. */
type Finds = <S extends string>(selector: S, within?: ParentNode) => Found<S> | null;
type Needs = <S extends string>(selector: S, within?: ParentNode) => Found<S>;
type FindsAll = <S extends string>(selector: S, within?: ParentNode) => Found<S>[];

interface ParentNode {
  querySelector<S extends string>(selector: S): Found<S> | null;
  querySelectorAll<S extends string>(selector: S): NodeListOf<Found<S>>;
  moveBefore?(node: Node, child: Node | null): void;
}
type Changes = (old: Element, fresh: Element) => void;
type Puts = (parent: ParentNode & Node, node: Node, next: Node | null) => unknown;
interface Element {
  closest<S extends string>(selector: S): Found<S> | null;
  checkVisibility(): boolean;
  ariaDescription: string | null;
  role: string | null;
}
interface HTMLElement {
  cloneNode(deep: boolean): this;
  showPopover?(): void;
  hidePopover?(): void;
  togglePopover(): void;
}
/* Of fields and buttons, the scripts ask only for what an input has. */
interface HTMLFormControlsCollection {
  [Symbol.iterator](): IterableIterator<HTMLInputElement>;
  namedItem(name: string): HTMLInputElement | null;
}

// ---- events: their targets are elements of the page

type At<E, T = HTMLElement> = E & { target: T };
type Told<D, T = HTMLElement> = At<CustomEvent<D>, T>;
interface Asked {
  xhr: XMLHttpRequest;
  successful: boolean;
  failed: boolean;
  requestConfig: { verb: string; parameters: Record<string, string> };
}
interface Submits {
  submitter: HTMLButtonElement | null;
}
interface Heard {
  click: At<MouseEvent>;
  pointerdown: At<PointerEvent>;
  keydown: At<KeyboardEvent>;
  focusin: At<FocusEvent>;
  input: At<Event, HTMLInputElement>;
  change: At<Event, HTMLInputElement>;
  formdata: At<FormDataEvent, HTMLFormElement>;
  "htmx:configRequest": Told<{
    headers: Record<string, string>;
    parameters: Record<string, unknown>;
    triggeringEvent: At<Event, HTMLInputElement>;
  }>;
  "htmx:beforeSwap": Told<Asked & { serverResponse: string; shouldSwap: boolean }>;
  "htmx:afterRequest": Told<Asked, HTMLFormElement>;
  "htmx:sendError": Told<Asked>;
  "htmx:timeout": Told<Asked>;
  "htmx:wsConfigSend": Told<{ triggeringEvent: Submits; parameters: Record<string, unknown> }, HTMLFormElement>;
  "htmx:wsAfterSend": Told<{ message: string }, HTMLFormElement>;
  "htmx:wsBeforeMessage": Told<{ message: string }>;
  "htmx:wsAfterMessage": Told<{ message: string }>;
  "htmx:wsOpen": Told<{ socketWrapper: Wrapper }>;
  "htmx:wsClose": Told<{ socketWrapper: Wrapper; event: CloseEvent }>;
}
type Listener<K extends keyof Heard> = (event: Heard[K]) => unknown;
type Listening = boolean | AddEventListenerOptions;

interface Document {
  addEventListener<K extends keyof Heard>(type: K, listener: Listener<K>, options?: Listening): void;
}
interface HTMLElement {
  addEventListener<K extends keyof Heard>(type: K, listener: Listener<K>, options?: Listening): void;
}

// ---- newer than this TypeScript

interface Array<T> {
  findLast(holds: (item: T) => boolean): T | undefined;
}
interface MapConstructor {
  groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]>;
}
interface Navigator {
  setAppBadge?(count: number): Promise<void>;
  clearAppBadge?(): Promise<void>;
  readonly userActivation?: { readonly hasBeenActive: boolean };
}

// ---- htmx and its sockets

interface Wrapper {
  reconnect(): void;
}
interface Swaps {
  contextElement: Element;
  select: string;
}
interface Htmx {
  config: { wsReconnectDelay: string | ((attempt: number) => number) };
  createWebSocket(url: string): WebSocket;
  ajax(verb: string, path: string | null, context: { source: Element; swap: string; values: object }): Promise<void>;
  swap(target: Element, html: string, spec: { swapStyle: string }, options: Swaps): void;
  trigger(element: Element, event: string): void;
  defineExtension(name: string, extension: Extension): void;
}
interface Sends {
  elt: HTMLElement;
  parameters: object;
}
interface Extension {
  transformResponse(text: string): string;
  isInlineSwap(style: string): boolean;
  handleSwap(style: string, target: Element, fragment: DocumentFragment): Node[] | false;
  onEvent(name: string, event: Told<Sends & { fragment: Element }>): boolean;
}
declare const htmx: Htmx;

/** What `line.js` knows of a socket: `lost` since when there is none, `ended` if there will be none. */
interface Line {
  socket: WebSocket;
  heard: number;
  wrapper?: Wrapper;
  lost?: number;
  ended?: boolean;
}
type Acts = (line: Line, element: HTMLElement) => unknown;

// ---- what is kept and checked

type Parts = (string | ArrayBuffer | Uint8Array | number[])[];
/** /m/KEY/receipt.json */
interface Receipt {
  format: string;
  match: string;
  header: object;
  rows: string[];
  ply: number;
  link: string;
  site: string;
  head: { note: string } | null;
  key: string;
  signature: string;
}
/** What `kept.js` has of a match. */
interface Kept {
  ply?: number;
  link?: string;
  read?: number;
  commitment?: string;
  seat?: number;
  seals?: string[];
  beacon?: string;
  share?: string;
  opened?: boolean;
  ahead?: string;
  given?: boolean;
}
/** What stood where before the board changed; a copy of what may leave it. */
type Before = Map<string | undefined, { box: DOMRect; copy: HTMLElement | null }>;
type Animates = (element: Element, frames: Keyframe[], timing: KeyframeAnimationOptions, done?: () => unknown) => void;
type Moves = (card: Element, from: DOMRect) => void;
type Flies = (flight: string[], before: Before, me: string, delay: number) => void;
/** An answer that is on its way. */
interface Sending {
  form: HTMLFormElement;
  undo: () => void;
  timer: number;
}
/** How the form of a question behaves. */
interface Question {
  /** The words of the primary button, and whether it can be pressed. */
  ready(form: HTMLFormElement): [text?: string, ready?: boolean];
  /** Choose by number; whether there is such a choice. */
  pick?(form: HTMLFormElement, n: number): boolean;
  /** Whether to ask once more before the primary button sends what is chosen. */
  warn?(form: HTMLFormElement): boolean;
}
type Questions = Record<string, Question>;
/** The sentences of a page by name, and what goes into one. */
type Words = Map<string | undefined, string | null>;
type Values = Record<string, string | number>;
type Measures = (meter: Element | null, paid: number, over: number, spare: boolean) => void;
type Follows = (ply: number, begins?: string, rows?: string[]) => void;
/** By name: "tone", "bell" (with its overtones) or "rub" (noise); after and for how many seconds; pitch in Hz. */
type Sounds = Record<string, Tone[]>;
type Tone = [kind: string, after: number, lasts: number, pitch: number, loud: number, glide?: number];
type Voice = [source: AudioScheduledSourceNode, end?: AudioNode];
type Sings = (voice: Voice, start: number, lasts: number, loud: number) => void;
declare function scrollBy(options: { top: number; behavior: "instant" }): void;

// ---- records

/** What follows from a seed: see verify.js. */
interface Chance {
  block(label: string, index: number): Promise<ArrayBuffer>;
  stream(label: string): AsyncGenerator<number, never, undefined>;
  below(n: number, stream: AsyncGenerator<number, never, undefined>): Promise<number>;
  shuffled<T>(label: string, things: Iterable<T>): Promise<T[]>;
}
interface Header {
  game: string;
  version: number;
  key: string;
  places: number;
  rated: boolean;
  options: object;
  players: { bot?: string; name: string }[];
  commitment: string;
  seals: string[];
  shares_from: string[];
  beacon_round: string;
}
interface Proof {
  commitment: string;
  secret: string;
  shares: string[];
  beacon: string;
  header: Header;
  names: ([name: string, salt: string] | null)[];
  rows: [by: number, at: number][];
  shown: Record<string, string>;
  link: string;
}
/** /m/KEY/record.json, without what only the game knows. */
interface GameRecord {
  format: string;
  match: string;
  players: string[];
  rated: boolean;
  ratings: unknown[];
  options: object;
  events: { ply: number; seat: number; event: string }[];
  moves: { seat: number; move?: string }[];
  final_places: number[];
  proof: Proof;
}
type Recompute<R extends GameRecord> = (record: R, chance: Chance) => Promise<[string, boolean][]>;
/** Of docs/log.md. */
interface Entry {
  match: string;
  link: string;
  places: number[] | null;
  ratings: unknown[];
  record: string;
}
interface LogProof {
  entry: string;
  index: number;
  inclusion: string[];
  head: { note: string };
}
/** What #shuffle says of a match that has not begun. */
interface Facts {
  match: string;
  seat: string;
  seals?: string;
  beacon?: string;
}
/** Where one is in a review. */
interface Leafing {
  path: string;
  ply: number;
  last: number;
  as: string;
  viewpoints: string[];
}
type BibliosRecord = GameRecord & { first: number; removed: string[]; deck: string[]; auction: string[] };
type LibrisRecord = Omit<GameRecord, "moves" | "options"> & {
  options: { libraries: string; conflict: boolean };
  first: number;
  libraries: string[][];
  categories: string;
  tiles: number[];
  deck: string[];
  moves: { seat: number; move?: string; chance?: string; cards?: string[]; tiles?: number[] }[];
};

// ---- shelves of Ex Libris: see exlibris/score.js

interface Card {
  card: number;
  books: string;
  row: number;
  column: number;
  up: boolean;
  tomb?: boolean;
}
interface Known {
  prom?: string;
  ban?: string;
  foc?: string;
  first(count: number): number;
}
interface Row {
  last: number;
  books: string;
  row: number[];
  worth: number;
}

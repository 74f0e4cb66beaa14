/* A game of the weight of Biblios on boardgame.io with bgio-postgres: DATABASE_URL and PORT come from the environment.

Three players. In each turn one draws four cards and places them one by one: to keep, for the table, or on the pile; the
others take from the table. Then the pile is sold card by card to whoever bids most, who pays with cards. The state has
as many cards as Biblios, and what a player may not see is taken out of it for each. */

const { INVALID_MOVE } = require("boardgame.io/core");
const { Server } = require("boardgame.io/server");
const { PostgresStore } = require("bgio-postgres");

const SEATS = 3;
const COLOURS = ["brown", "blue", "green", "red", "orange", "gold"];
const CARDS = 84;

function setup({ random }) {
  const deck = [...Array(CARDS).keys()].map((id) => ({ id, colour: COLOURS[id % 6], worth: 1 + (id % 3) }));
  return {
    secret: { deck: random.Shuffle(deck), pile: [], card: null },
    hands: Array.from({ length: SEATS }, () => []),
    dice: [3, 3, 3, 3, 3],
    table: [],
    left: CARDS,
    sold: 0,
    bids: Array(SEATS).fill(0),
    passed: Array(SEATS).fill(false),
    lot: null,
    turn: 0,
    asked: 0,
    question: "place",
    drawn: 0,
    used: { keep: false, pile: false },
    mine: null,
  };
}

const draw = (G) => {
  G.secret.card = G.secret.deck.pop();
  G.left--;
};

function place({ G, playerID }, where) {
  if (G.question !== "place" || G.asked !== Number(playerID) || (where !== "table" && G.used[where] !== false))
    return INVALID_MOVE;
  if (!G.secret.card) draw(G);
  const { card } = G.secret;
  if (where === "keep") G.hands[G.asked].push(card);
  else if (where === "pile") G.secret.pile.push(card);
  else G.table.push(card);
  if (where !== "table") G.used[where] = true;
  G.secret.card = null;
  if (++G.drawn < 4 && G.left) {
    draw(G);
    return;
  }
  G.question = "take";
  G.asked = (G.asked + 1) % SEATS;
  if (!G.table.length) nextTurn(G);
}

function take({ G, playerID }, at) {
  if (G.question !== "take" || G.asked !== Number(playerID) || !G.table[at]) return INVALID_MOVE;
  G.hands[G.asked].push(...G.table.splice(at, 1));
  const next = (G.asked + 1) % SEATS;
  // The last one has no choice.
  if (next !== G.turn && G.table.length) G.hands[next].push(...G.table.splice(0, 1));
  nextTurn(G);
}

function nextTurn(G) {
  G.hands[G.turn].push(...G.table.splice(0));
  G.turn = G.asked = (G.turn + 1) % SEATS;
  Object.assign(G, { question: "place", drawn: 0, used: { keep: false, pile: false } });
  if (G.left) draw(G);
  else nextLot(G);
}

function nextLot(G) {
  G.lot = G.secret.pile.pop() ?? null;
  Object.assign(G, { bids: Array(SEATS).fill(0), passed: Array(SEATS).fill(false) });
  G.turn = G.asked = (G.turn + 1) % SEATS;
  G.question = G.lot ? "bid" : "over";
}

function bid({ G, playerID }, amount) {
  if (G.question !== "bid" || G.asked !== Number(playerID)) return INVALID_MOVE;
  const highest = Math.max(...G.bids);
  if (amount) {
    if (amount <= highest || amount > G.hands[G.asked].length) return INVALID_MOVE;
    G.bids[G.asked] = amount;
  } else G.passed[G.asked] = true;
  const still = G.passed.filter((passed) => !passed).length;
  if (!still || (still === 1 && Math.max(...G.bids))) {
    if (!still) return nextLot(G);
    Object.assign(G, { question: "pay", asked: G.passed.indexOf(false) });
    return;
  }
  do G.asked = (G.asked + 1) % SEATS;
  while (G.passed[G.asked]);
}

function pay({ G, playerID }, ids) {
  const hand = G.hands[G.asked];
  if (G.question !== "pay" || G.asked !== Number(playerID) || ids.length !== G.bids[G.asked]) return INVALID_MOVE;
  if (!ids.every((id) => hand.some((card) => card.id === id))) return INVALID_MOVE;
  G.hands[G.asked] = [...hand.filter((card) => !ids.includes(card.id)), G.lot];
  G.dice[G.sold++ % 5] = 1 + (G.lot.id % 6);
  nextLot(G);
}

const biblios = {
  name: "biblios",
  minPlayers: SEATS,
  maxPlayers: SEATS,
  disableUndo: true,
  setup,
  moves: Object.fromEntries(
    Object.entries({ place, take, bid, pay }).map(([name, move]) => [name, { move, client: false, redact: name === "place" }]),
  ),
  turn: { activePlayers: { all: "" } },
  endIf: ({ G }) => (G.question === "over" ? { score: G.hands.map((hand) => hand.length) } : undefined),
  playerView({ G, playerID }) {
    const { secret, ...open } = G;
    return {
      ...open,
      mine: G.question === "place" && G.asked === Number(playerID) ? secret.card : null,
      hands: G.hands.map((hand, seat) => (String(seat) === playerID ? hand : hand.length)),
    };
  },
};

const { DATABASE_URL, PORT } = process.env;
const server = Server({
  games: [biblios],
  origins: [`http://127.0.0.1:${PORT}`],
  db: new PostgresStore(DATABASE_URL, { logging: false, pool: { max: 10 } }),
});
server.run({ port: Number(PORT) });

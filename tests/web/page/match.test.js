// A match as the browser knows it, what the server works on meanwhile, and the sentences about both.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { lines, load, settle } from "./simulated_browser.js";

let now = 0;
mock.method(performance, "now", () => now);
mock.timers.enable({ apis: ["setTimeout", "Date"] });

const sockets = [];
class Socket {
  static OPEN = 1;
  readyState = 1;
  sent = [];
  constructor() {
    sockets.push(this);
  }
  send(text) {
    this.sent.push(text);
  }
  close() {
    this.onclose?.();
  }
}

const answers = new Map(); // by path: what the server answers, or a promise of it
const asked = [];
const respond = (body, status = 200) => ({
  ...{ ok: status < 400, status, headers: new Map([["Retry-After", "2"]]), json: async () => body },
});
Object.assign(globalThis, {
  WebSocket: Socket,
  fetch: async (path) => {
    asked.push(path);
    const answer = await answers.get(path);
    if (!answer) throw new Error(`nothing is at ${path}`);
    return answer;
  },
});

const { absenceNote } = await load("absence.js");
const { MatchStore } = await load("match-store.js");
const { get, post, query } = await load("api.js");
const { leaveScreen } = await load("progress.js");
const { nextGameText, seriesText } = await load("series.js");
const { clockText, resultText, standingText, withNames } = await load("text.js");

const GAME = { name: "charge", title: "Charge", options: [{ name: "goal", default: 15 }] };
const names = { first: "Ada", second: "Bo" };
const seats = { first: "human", second: "human" };
const view = (version, ...moves) => ({
  ...{ id: "m", game: "charge", options: {}, moves, ply: moves.length, version, status: "playing", names, seats },
  ...{ mover: moves.length % 2 ? "second" : "first", outcome: "none", legal: ["a", "b"], text: "", view: {} },
});
const lineOf = (...moves) => ({
  ...{ game: "charge", options: {}, moves, short: moves },
  positions: [...moves, ""].map((_, ply) => ({ mover: ply % 2 ? "second" : "first" })),
});

async function pass(ms) {
  now += ms;
  mock.timers.tick(ms);
  await settle();
}

beforeEach(() => {
  answers.clear();
  asked.length = 0;
  sockets.length = 0;
  answers.set("/api/games", respond({ games: [GAME], agents: [] }));
  answers.set("/api/matches/m", respond(view(1)));
});
let store;
afterEach(() => store?.close());

async function opened() {
  store = new MatchStore("m");
  await store.open();
  return store;
}
const receive = (match) => {
  sockets.at(-1).onmessage({ data: JSON.stringify({ type: "view", match, seat: "first" }) });
  return settle();
};

test("an older view never replaces a newer one, also if it waits for its line", async () => {
  await opened();
  let answer;
  answers.set("/api/positions/charge?after=x%2Cy", new Promise((resolve) => (answer = resolve)));
  await receive(view(2, "x", "y")); // does not follow from the start: its line is asked for
  await receive(view(3, "a"));
  assert.deepEqual([store.match.version, store.line.moves], [3, ["a"]]);
  answer(respond(lineOf("x", "y")));
  await settle();
  assert.deepEqual([store.match.version, store.line.moves], [3, ["a"]]);
  await receive(view(2, "b"));
  assert.deepEqual(store.match.moves, ["a"]);
});

test("a move is shown at once, and removed if the server refuses it", async () => {
  await opened();
  answers.set("/api/matches/m/actions", respond({ code: "ply-played", detail: "ply 0 was played" }, 409));
  const playing = store.play("a");
  assert.equal(store.pending, "a");
  await assert.rejects(playing, /^Error: This turn has already been played, perhaps in another tab\.$/);
  assert.equal(store.pending, null);
  answers.set("/api/matches/m/actions", respond(view(2, "a")));
  await store.play("a");
  assert.deepEqual([store.pending, store.match.moves], [null, ["a"]]);
});

test("a clock runs from when the view came, and stands still as long as the server says", async () => {
  await opened();
  await receive({ ...view(2), clocks: { limit: 60, left: 30, stopped: 4 } });
  await pass(3000);
  assert.equal(store.secondsLeft, 30);
  await pass(3000);
  assert.equal(store.secondsLeft, 28);
  await pass(90_000);
  assert.equal(store.secondsLeft, 0);
  await receive({ ...view(3), claim: { left: 6 } });
  await pass(2000);
  assert.deepEqual([store.secondsLeft, store.claimSecondsLeft], [null, 4]);
});

test("a lost connection is tried again, and a dead one is noticed when the person returns", async () => {
  await opened();
  await receive(view(2));
  assert.equal(store.connected, true);
  sockets[0].close();
  assert.equal(store.connected, false);
  await pass(10_000);
  assert.equal(sockets.length, 2);
  await receive(view(3));
  assert.equal(store.connected, true);
  await pass(15_000); // silent for so long: it is asked whether it is still there
  assert.deepEqual(sockets[1].sent, ['{"type": "ping"}']);
  await pass(6000);
  assert.equal(store.connected, false);
});

test("what takes the server a while is asked for again, and says how far it is", async () => {
  const progress = {
    stage: "searching",
    states: 12_345,
    valued: 0,
    memory_bytes: 3e6,
    budget_bytes: 2e7,
    url: "/later",
  };
  answers.set("/long", respond(progress, 202));
  answers.set("/later", respond({ done: true }));
  const result = get("/long");
  await settle();
  assert.equal(lines.progress.textContent, "Solving the game: 12,345 states found, 3 of 20 MB …");
  assert.equal(lines.status.textContent, lines.progress.textContent);
  await pass(2000);
  assert.deepEqual(await result, { done: true });
  assert.equal(lines.progress.textContent, "");
});

test("what takes longer than a moment is shown, and read aloud only now and then", async () => {
  lines.status.textContent = "";
  const progress = { stage: "analysing", states: 10, valued: 4, memory_bytes: 0, budget_bytes: 0, url: "/long" };
  answers.set("/slow", new Promise(() => {}));
  void post("/slow", {}, "The opponent is prepared …").catch(() => {});
  await pass(900);
  assert.equal(lines.progress.textContent, "");
  await pass(100);
  assert.equal(lines.progress.textContent, "The opponent is prepared …");
  answers.set("/long", respond(progress, 202));
  void get("/long").catch(() => {});
  await settle();
  assert.equal(lines.progress.textContent, "Solving the game: 4 of 10 states valued …");
  assert.notEqual(lines.status.textContent, lines.progress.textContent); // something was read aloud a moment ago
  await pass(15_000);
  assert.equal(lines.status.textContent, lines.progress.textContent);
  leaveScreen();
});

test("nobody waits for a study on a screen that was left", async () => {
  answers.set("/long", respond({ stage: "queued", states: 0, url: "/long" }, 202));
  const result = get("/long");
  await settle();
  assert.equal(lines.progress.textContent, "The server is busy. You are in its queue …");
  leaveScreen();
  assert.equal(lines.progress.textContent, "");
  const before = asked.length;
  const left = assert.rejects(result, { code: "left" });
  await pass(60_000);
  await left;
  assert.equal(asked.length, before);
});

test("a query names only what differs from the rule book", () => {
  assert.equal(query(GAME, { goal: 15 }, []), "");
  assert.equal(query(GAME, { goal: 9, other: 1 }, ["charge 5", "block"]), "?option=goal%3D9&after=charge+5%2Cblock");
});

test("a series is told by its game, its score and its winner", () => {
  const match = (series, status = "playing") => ({ names, status, rematch: null, series });
  const points = (first, second) => ({ first, second });
  const one = { best_of: 2, game: 1, points: points(0, 0), decided: false };
  assert.equal(seriesText(match(one)), "Game 1 of 2 · Ada: 0, Bo: 0");
  assert.equal(seriesText(match(one, "waiting")), "");
  assert.equal(seriesText(match({ ...one, best_of: 1 })), "");
  assert.equal(seriesText(match({ ...one, best_of: 1, game: 3, points: points(1.5, 0.5) })), "Game 3 · Ada: 1½, Bo: ½");
  const end = { best_of: 2, game: 2, decided: true };
  assert.match(seriesText(match({ ...end, points: points(2, 0) })), / · Ada wins the series$/);
  assert.match(seriesText(match({ ...end, points: points(0.5, 1.5) })), / · Bo wins the series$/);
  assert.match(seriesText(match({ ...end, points: points(1, 1) })), / · the series is tied$/);
  assert.equal(nextGameText(match(one)), "Play game 2 of 2");
  assert.equal(nextGameText({ ...match(one), rematch: "n" }), "Join game 2");
  assert.equal(nextGameText(match({ ...end, points: points(2, 0) })), "Rematch");
});

test("an absent player is warned and has time to come back before the win can be claimed", async () => {
  await opened();
  const texts = (tree) => (typeof tree === "string" ? tree : (tree.children?.flatMap(texts) ?? []));
  const away = { type: "presence", present: { first: true, second: false } };
  sockets.at(-1).onopen?.();
  await receive(view(2, "a"));
  sockets.at(-1).onmessage({ data: JSON.stringify(away) });
  assert.equal(texts(absenceNote(store)).at(-1), "Warn Bo");
  await receive({ ...view(3, "a"), claim: { by: "first", left: 6 } });
  assert.deepEqual(texts(absenceNote(store)), ["Bo has been warned, and has 0:06 to come back."]);
  now += 5_000;
  assert.deepEqual(texts(absenceNote(store)), ["Bo has been warned, and has 0:01 to come back."]);
  now += 1_000;
  assert.deepEqual(texts(absenceNote(store)), ["Bo has not come back.", "Claim the win"]);
  store.seat = "second";
  assert.deepEqual(texts(absenceNote(store)), ["Ada is waiting for you. It is your turn."]);
});

test("a clock shows each second until it is over", () => {
  const shown = [0, 0.01, 1, 59.5, 60, 61, 600].map(clockText);
  assert.deepEqual(shown, ["0:00", "0:01", "0:01", "1:00", "1:00", "1:01", "10:00"]);
});

test("whose turn it is, is said as the reader sees it", () => {
  assert.equal(standingText(view(1), "first", lineOf()), "It is your turn.");
  assert.equal(standingText(view(1), "second", lineOf()), "It is Ada's turn.");
  const again = { ...view(1, "a"), mover: "first" };
  assert.equal(standingText(again, "first", lineOf("a")), "It is your turn again.");
  assert.equal(standingText({ ...view(1), status: "waiting" }, "first", null), "Waiting for your opponent.");
  assert.equal(
    withNames("First player: 3. Now the second player.", (seat) => names[seat]),
    "Ada: 3. Now Bo.",
  );
  assert.equal(
    withNames("The first player's slot 3, in the second player's word, taken by the first player", (seat) =>
      seat === "first" ? "You" : "Bo",
    ),
    "Your slot 3, in Bo's word, taken by you",
  );
});

test("a result is shared in a sentence, from the seat of the reader", () => {
  const match = { ...view(3, "a", "b", "c"), outcome: "first", status: "over", result: "Ada wins!" };
  const review = { players: [{ seat: "first", accuracy: 0.5 }] };
  const text = (seat, found) => resultText(match, lineOf("a", "b", "c"), seat, found, "URL");
  assert.equal(text("second", null), "I lost to Ada at Charge, playing second, in 1 move. URL");
  assert.equal(
    text("first", review),
    "I beat Bo at Charge, playing first, in 2 moves. 50% of my moves that mattered were right. URL",
  );
  assert.equal(text(null, null), "Ada and Bo played Charge. Ada wins! The game lasted 3 moves. URL");
});

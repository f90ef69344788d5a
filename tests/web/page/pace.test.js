// The pace of a match: when a reply of the computer is shown.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { load, media } from "./simulated_browser.js";

const { lineUpTo, matchAt, Pace } = await load("pace.js");
const { prefs } = await load("prefs.js");

let now = 0;
mock.method(performance, "now", () => now);
mock.timers.enable({ apis: ["setTimeout"] });
const pass = (ms) => {
  now += ms;
  mock.timers.tick(ms);
};
const lineOf = (...moves) => ({
  moves,
  positions: [...moves, ""].map((_, ply) => ({ mover: ply % 2 ? "second" : "first", legal: [ply], outcome: "none" })),
});
const waits = (seat) => seat === "second"; // the computer

beforeEach(() => {
  Object.assign(prefs, { pace: "slow" });
  media.calm = false;
  pass(60_000);
});

/** A match of a person, who has just played `a`. */
function begun() {
  let calls = 0;
  const pace = new Pace(() => {
    calls += 1;
  });
  assert.equal(pace.follow(lineOf(), waits), 0);
  pass(5000);
  assert.equal(pace.follow(lineOf("a"), waits), 1);
  return { pace, called: () => calls };
}

test("a reply waits until one's own move was seen", () => {
  const { pace, called } = begun();
  assert.equal(pace.follow(lineOf("a", "b"), waits), 1);
  pass(1599);
  assert.equal(called(), 0);
  assert.equal(pace.follow(lineOf("a", "b"), waits), 1);
  pass(1);
  assert.equal(called(), 1);
  assert.equal(pace.follow(lineOf("a", "b"), waits), 2);
});

test("a reply that took longer than the pause is shown at once", () => {
  const { pace } = begun();
  pass(1600);
  assert.equal(pace.follow(lineOf("a", "b"), waits), 2);
});

for (const [name, change] of Object.entries({
  "at the instant pace": () => Object.assign(prefs, { pace: "instant" }),
  "for people who prefer less motion": () => Object.assign(media, { calm: true }),
})) {
  test(`a reply does not wait ${name}`, () => {
    change();
    assert.equal(begun().pace.follow(lineOf("a", "b"), waits), 2);
  });
}

test("a person's reply does not wait", () => {
  const { pace } = begun();
  assert.equal(
    pace.follow(lineOf("a", "b"), () => false),
    2,
  );
});

test("several replies come one after the other", () => {
  const { pace } = begun();
  const both = () => true;
  assert.equal(pace.follow(lineOf("a", "b", "c"), both), 1);
  pass(1600);
  assert.equal(pace.follow(lineOf("a", "b", "c"), both), 2);
  pass(1600);
  assert.equal(pace.follow(lineOf("a", "b", "c"), both), 3);
});

test("who skips the pause sees the reply at once", () => {
  const { pace, called } = begun();
  assert.equal(pace.follow(lineOf("a", "b"), waits), 1);
  pace.skip();
  assert.equal(called(), 1);
  assert.equal(pace.follow(lineOf("a", "b"), waits), 2);
});

test("a match that is left shows nothing any more", () => {
  const { pace, called } = begun();
  pace.follow(lineOf("a", "b"), waits);
  pace.stop();
  pass(10_000);
  assert.equal(called(), 0);
});

test("a match that is opened later, and moves that are taken back, are shown at once", () => {
  const pace = new Pace(() => {});
  assert.equal(pace.follow(lineOf("a", "b", "c", "d"), waits), 4);
  assert.equal(pace.follow(lineOf("a", "b"), waits), 2);
  assert.equal(pace.follow(lineOf("x"), waits), 1);
});

test("a match is shown as it was at a ply", () => {
  const line = lineOf("a", "b");
  const match = { status: "over", ply: 2, moves: ["a", "b"], mover: null, outcome: "second", result: "Bo wins!" };
  const before = matchAt(match, line, 1);
  assert.deepEqual([before.status, before.mover, before.moves, before.result], ["playing", "second", ["a"], null]);
  assert.deepEqual(before.legal, [1]);
  assert.equal(matchAt(match, line, 2), match);
  assert.deepEqual(lineUpTo(line, 1).moves, ["a"]);
  assert.equal(lineUpTo(line, 1).positions.length, 2);
  assert.equal(lineUpTo(line, 2), line);
});

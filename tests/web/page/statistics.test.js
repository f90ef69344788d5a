// What the played games add up to: results, streaks, the ladder, and the rating.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./simulated_browser.js";

const { ladder, ladderText, ratingOf, streaks, tally } = await load("game-statistics.js");
const { rate } = await load("glicko.js");

const DAY = 86_400_000;
const LEVELS = ["beginner", "easy", "medium", "hard"].map((name, index) => ({
  name,
  rating: 1000 + 200 * index,
}));

const played = (opponent, result = "first", more = {}) => ({
  ...{ game: "charge", seat: "first", status: "over", outcome: result, changed: 100 * DAY, helped: false, opponent },
  ...more,
});
const lost = (opponent, count) => Array.from({ length: count }, () => played(opponent, "second"));
const won = (opponent, count) => Array.from({ length: count }, () => played(opponent));
const close = (actual, expected, share) =>
  assert.ok(Math.abs(actual - expected) <= share * Math.abs(expected), `${actual} is not near ${expected}`);

test("results are counted for the person's seat, and a game without a result is not", () => {
  const games = [
    played("easy"),
    played("easy", "second"),
    played("easy", "draw"),
    played("easy", "second", { seat: "second" }),
    played("easy", "none"),
    played("easy", "first", { status: "playing" }),
  ];
  assert.deepEqual(tally(games), { won: 2, lost: 1, drawn: 1 });
});

test("a streak is ended by a draw and by a loss", () => {
  const results = (...all) => all.map((result) => played("easy", result));
  assert.deepEqual(streaks(results("first", "first", "second", "first")), { now: 2, best: 2 });
  assert.deepEqual(streaks(results("draw", "first", "first", "first")), { now: 0, best: 3 });
  assert.deepEqual(streaks(results("first", "draw", "first")), { now: 1, best: 1 });
});

test("the ladder leads to the level that fits", () => {
  const cases = [
    [[], "beginner", "Start with beginner."],
    [lost("medium", 4), "beginner", "Start with beginner."],
    [[...lost("medium", 4), played("easy")], "easy", "You won your first game against easy. Win 3 of 4 to move up."],
    [
      [...lost("medium", 4), played("medium")],
      "medium",
      "You won 0 of your last 4 games against medium. Win 3 of 4 to move up.",
    ],
    [
      [played("easy", "draw"), played("easy")],
      "easy",
      "You won 1 of your last 2 games against easy. Win 3 of 4 to move up.",
    ],
    [won("medium", 3), "hard", "You beat medium 3 of 3 times: try hard."],
    [won("hard", 3), undefined, "You are at the top of the ladder."],
  ];
  for (const [games, level, text] of cases) {
    const found = ladder(games, LEVELS, games);
    assert.equal(found.next?.level.name, level);
    assert.equal(ladderText(found), text);
  }
});

test("who has beaten a level in another game begins there, and lower after two losses", () => {
  const elsewhere = won("medium", 1);
  assert.equal(ladder([], LEVELS, elsewhere).next.level.name, "medium");
  assert.equal(ladder(lost("medium", 2), LEVELS, [...elsewhere, ...lost("medium", 2)]).next.level.name, "easy");
});

test("levels below one that was beaten are passed", () => {
  const { rungs } = ladder([played("medium")], LEVELS, []);
  assert.deepEqual(
    rungs.map((rung) => rung.passed),
    [true, true, false, false],
  );
});

test("games with help and against people do not count for the rating", () => {
  const now = 100 * DAY;
  assert.equal(ratingOf([played("easy", "first", { helped: true }), played("human")], LEVELS, now), null);
  assert.equal(ratingOf([played("easy"), played("easy")], LEVELS, now).games, 2);
  const { rating } = ratingOf([played("easy")], LEVELS, now);
  assert.ok(rating.rating > 1500);
  assert.ok(ratingOf([played("easy")], LEVELS, now + 30 * DAY).rating.deviation > rating.deviation);
});

test("the rating is that of Glickman's paper", () => {
  const before = { rating: 1500, deviation: 200, volatility: 0.06 };
  const opponents = [
    [1400, 30, 1],
    [1550, 100, 0],
    [1700, 300, 0],
  ];
  const after = rate(
    before,
    opponents.map(([rating, deviation, score]) => ({ rating, deviation, score })),
  );
  close(after.rating, 1464.06, 1e-5);
  close(after.deviation, 151.52, 1e-4);
  close(after.volatility, 0.05999, 1e-4);
  close(rate(before, []).deviation, 200.27, 1e-4);
});

test("the rating is that of a library, also when surprising wins change the volatility", () => {
  // by the Python package glicko2, after each of six periods
  const EXPECTED = [
    [1395.0062, 214.4848, 0.05999659],
    [1461.2202, 149.015, 0.05999133],
    [1533.5511, 115.7765, 0.05999055],
    [1548.9468, 95.707, 0.05997788],
    [1587.9721, 82.2212, 0.05997428],
    [1615.0352, 72.5846, 0.05996684],
  ];
  let mine = { rating: 1500, deviation: 350, volatility: 0.06 };
  for (const [period, [rating, deviation, volatility]] of EXPECTED.entries()) {
    const games = Array.from({ length: 2 + period }, (_, number) => ({
      ...{ rating: 1300 + 100 * (number % 6), deviation: 30, score: number % 4 === period % 3 ? 0 : 1 },
    }));
    mine = rate(mine, games);
    close(mine.rating, rating, 1e-4);
    close(mine.deviation, deviation, 1e-4);
    close(mine.volatility, volatility, 1e-4);
  }
});

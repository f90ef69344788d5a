// What the browser keeps: puzzle results, lessons, preferences, and the file for another browser.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { load, storage } from "./simulated_browser.js";

const { prefs, asPrefs, mergedPrefs, remember } = await load("prefs.js");
const results = await load("puzzle-results.js");
const { asKept } = await load("games-file.js");
const { asPlayedGame, isNewer, problemText } = await load("played-games.js");
const { lessonProgress, nextLesson, progressText, rememberLesson } = await load("lesson-progress.js");

mock.timers.enable({ apis: ["Date"], now: Date.UTC(2026, 2, 5, 12) }); // no test runs over midnight
const daysAgo = (count) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);
const TODAY = daysAgo(0);

const GAME = {
  ...{ id: "0".repeat(24), game: "charge", seat: "first", against: "easy", opponent: "easy", options: { goal: 15 } },
  ...{ limit: null, started: 1, changed: 2, status: "over", outcome: "first", reason: "rules", mover: null },
  ...{ moves: 9, version: 9, helped: false },
};
const KEPT = {
  ...{ format: "duelbook-browser", version: 1, games: [GAME], prefs: { name: "Ada" } },
  puzzles: { days: { "2026-03-01": { marks: "o", move: "8", late: false } }, runs: [] },
  seats: [{ id: "a".repeat(24), token: "t".repeat(40) }],
};

beforeEach(() => {
  storage.clear();
  Object.assign(prefs, { lessons: {}, name: "" });
});

test("the first try of a day decides the streak, and what follows the answer does not count", () => {
  for (const [marks, state, streak] of [
    ["o", "first try", 1],
    ["xo", "done", 0],
    ["ho", "done", 0],
    ["xha", "shown", 0],
    ["x", "begun", 0],
  ]) {
    storage.clear();
    for (const mark of marks) results.noteDay(TODAY, mark, "8", false);
    if (/[ao]$/.test(marks)) results.noteDay(TODAY, "x", "1", false);
    assert.equal(results.dayResult(TODAY).marks, marks);
    assert.deepEqual(results.today(), { day: TODAY, state, streak });
  }
});

test("a streak lasts through today's open puzzle, and not through a missed, a late or a helped day", () => {
  const streak = (days) => {
    results.keepPuzzleResults({ days, runs: [] });
    return results.streakDays();
  };
  const right = { marks: "o", move: "", late: false };
  assert.equal(streak({ [daysAgo(1)]: right, [daysAgo(2)]: right }), 2);
  assert.equal(streak({ [TODAY]: right, [daysAgo(1)]: right, [daysAgo(3)]: right }), 2);
  assert.equal(streak({ [daysAgo(2)]: right, [daysAgo(3)]: right }), 0);
  assert.equal(streak({ [TODAY]: right, [daysAgo(1)]: { ...right, late: true } }), 1);
  assert.equal(streak({ [TODAY]: { ...right, marks: "ho" }, [daysAgo(1)]: right }), 0);
});

test("the best runs come first, and a run is a record if none was better", () => {
  assert.equal(results.noteRun(3, 1), true);
  assert.equal(results.noteRun(3, 1), false);
  assert.equal(results.noteRun(3, 0), true);
  assert.equal(results.noteRun(2, 0), false);
  assert.deepEqual(
    results.puzzleResults().runs.map(({ score, wrong }) => [score, wrong]),
    [
      [3, 0],
      [3, 1],
      [3, 1],
      [2, 0],
    ],
  );
});

test("results that are damaged are left out", () => {
  const day = { marks: "o", move: "", late: false };
  const days = { "2026-03-01": day, "2026-99-01": day, "2026-03-02": { ...day, marks: "<b>" }, "2026-03-03": null };
  assert.deepEqual(Object.keys(results.asPuzzleResults({ days, runs: [{ score: -1 }, 7] }).days), ["2026-03-01"]);
  assert.deepEqual(results.asPuzzleResults({ days, runs: [{ score: -1 }, 7] }).runs, []);
  storage.setItem("duelbook-puzzles", "{");
  assert.deepEqual(results.puzzleResults(), { days: {}, runs: [] });
});

test("a lesson counts the steps that were solved, and stays finished", () => {
  assert.equal(progressText("charge"), "About a minute");
  rememberLesson("charge", 4, 5);
  assert.deepEqual(lessonProgress("charge"), { solved: [4], steps: 5, done: false });
  assert.equal(progressText("charge"), "1 of 5 steps done");
  for (const step of [0, 1, 2, 2, 3]) rememberLesson("charge", step, 5);
  assert.deepEqual(lessonProgress("charge"), { solved: [0, 1, 2, 3, 4], steps: 5, done: true });
  rememberLesson("charge", 0, 6); // a lesson that has grown
  assert.equal(progressText("charge"), "Finished");
});

test("spoiled progress does no harm", () => {
  const solved = [0];
  remember({
    lessons: { charge: { solved: "<b>", steps: 5 }, "flag-chase": null, "word-clash": { solved, steps: 1e9 } },
  });
  for (const game of ["charge", "flag-chase", "word-clash"]) assert.equal(lessonProgress(game), null);
});

test("the next lesson is one that was begun, or else the first that is not finished", () => {
  const games = ["charge", "flag-chase", "word-clash"].map((name) => ({ name }));
  assert.equal(nextLesson(games).name, "charge");
  assert.equal(nextLesson(games, "charge").name, "flag-chase");
  rememberLesson("word-clash", 0, 5);
  assert.equal(nextLesson(games).name, "word-clash");
  remember({ lessons: Object.fromEntries(games.map(({ name }) => [name, { solved: [0], steps: 1, done: true }])) });
  assert.equal(nextLesson(games), null);
});

test("preferences of another browser fill in what is not set here", () => {
  Object.assign(prefs, { name: "", level: "hard", options: { charge: { goal: 9 } } });
  const merged = mergedPrefs({ name: "Ada", level: "easy", options: { charge: { goal: 5 }, pits: { n: 1 } } });
  assert.deepEqual(merged, { name: "Ada", options: { charge: { goal: 9 }, pits: { n: 1 } } });
  assert.deepEqual(asPrefs({ name: "Ada", unknown: {} }), { name: "Ada" });
  assert.equal(asPrefs({ name: 7 }), null);
  assert.equal(asPrefs({ name: "x".repeat(2001) }), null);
});

test("a file of this page is read as it is", () => {
  const kept = asKept(JSON.stringify(KEPT));
  assert.deepEqual(kept.games, [GAME]);
  assert.deepEqual(kept.seats, KEPT.seats);
  assert.deepEqual(kept.puzzles, KEPT.puzzles);
  assert.deepEqual(kept.prefs, { name: "Ada" });
});

for (const [what, text] of Object.entries({
  "not JSON": "{",
  "another format": JSON.stringify({ ...KEPT, format: "other" }),
  "another version": JSON.stringify({ ...KEPT, version: 2 }),
  "a name that is too long": JSON.stringify({ ...KEPT, games: [{ ...GAME, against: "x".repeat(999) }] }),
  "a game that is markup": JSON.stringify({ ...KEPT, games: [{ ...GAME, game: "<img src=x>" }] }),
  "an option that is an object": JSON.stringify({ ...KEPT, games: [{ ...GAME, options: { goal: {} } }] }),
  "a seat that is a path": JSON.stringify({ ...KEPT, seats: [{ id: "../../x", token: "a".repeat(40) }] }),
  "marks that are markup": JSON.stringify({ ...KEPT, puzzles: { days: { "2026-03-01": { marks: "<b>" } } } }),
  "preferences that are too deep": JSON.stringify({ ...KEPT, prefs: { options: { a: { b: { c: {} } } } } }),
})) {
  test(`a file with ${what} changes nothing`, () => {
    assert.throws(() => asKept(text), /Nothing was changed\.$/);
  });
}

test("a game is newer by its version, or by help that the other does not know of", () => {
  assert.equal(isNewer({ ...GAME, version: 10 }, GAME), true);
  assert.equal(isNewer({ ...GAME, helped: true }, GAME), true);
  assert.equal(isNewer(GAME, GAME), false);
  assert.equal(isNewer({ ...GAME, version: 8, helped: true }, GAME), false);
  assert.equal(asPlayedGame({ ...GAME, game: { hostile: 1 } }), null);
});

test("a full browser says another sentence than one that keeps nothing", () => {
  assert.match(problemText(new DOMException("", "QuotaExceededError")), /^This browser has no room left/);
  assert.match(problemText(new Error("no")), /^This browser does not let the page keep your games/);
});

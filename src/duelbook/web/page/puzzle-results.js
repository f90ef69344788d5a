// The results of daily puzzles and of runs, as this browser keeps them. A day's first try decides the streak.

const KEY = "duelbook-puzzles";
const MAX_DAYS = 2000;
const MAX_MARKS = 40;
const MAX_MOVE = 60; // characters
const MAX_RUNS = 20;

/**
 * What happened on one day: a mark for each wrong try (`x`), each step of help (`h`), the answer that was shown (`a`) and
 * the right move (`o`).
 * @typedef {{marks: string, move: string, late: boolean}} DayResult `late` if it was begun on a later day, which leaves
 *   the streak as it is; `move` is the last one tried
 */

/** @typedef {{score: number, wrong: number, when: number}} RunResult */
/** @typedef {{days: Record<string, DayResult>, runs: RunResult[]}} PuzzleResults the best runs, the best first */

/** @returns {PuzzleResults} */
export function puzzleResults() {
  try {
    return asPuzzleResults(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return { days: {}, runs: [] }; // nothing is stored, or it is not JSON
  }
}

/**
 * Return those results in a value that are whole: it may come from a file, or be damaged.
 * @param {any} value
 * @returns {PuzzleResults}
 */
export function asPuzzleResults(value) {
  const days = Object.entries(Object(value?.days)).filter(([day, one]) => isDay(day) && isDayResult(one));
  const runs = Array.isArray(value?.runs) ? value.runs.filter(isRunResult) : [];
  return {
    days: Object.fromEntries(days.map(([day, { marks, move, late }]) => [day, { marks, move, late }])),
    runs: best(runs.map((/** @type {RunResult} */ { score, wrong, when }) => ({ score, wrong, when }))),
  };
}

/** @param {unknown} day */
export const isDay = (day) =>
  typeof day === "string" && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));

/** @param {any} one */
const isDayResult = (one) =>
  typeof one === "object" &&
  one !== null &&
  typeof one.marks === "string" &&
  /^[xhao]{1,40}$/.test(one.marks) &&
  typeof one.move === "string" &&
  one.move.length <= MAX_MOVE &&
  typeof one.late === "boolean";

/** @param {any} one */
const isRunResult = (one) =>
  typeof one === "object" && one !== null && [one.score, one.wrong, one.when].every((n) => n >= 0 && n < 1e15);

/** @param {RunResult[]} runs */
const best = (runs) =>
  [...runs].sort((one, other) => other.score - one.score || one.wrong - other.wrong).slice(0, MAX_RUNS);

/** @param {PuzzleResults} results @returns {boolean} false if the browser has no room or forbids it */
export function keepPuzzleResults(results) {
  const days = Object.entries(results.days).sort().slice(-MAX_DAYS);
  try {
    localStorage.setItem(KEY, JSON.stringify({ days: Object.fromEntries(days), runs: best(results.runs) }));
  } catch {
    return false; // storage may be full or forbidden; puzzles work without it
  }
  return true;
}

/** @param {string} day @returns {DayResult | null} */
export const dayResult = (day) => puzzleResults().days[day] ?? null;

/**
 * Add a mark to a day. What comes after the right move, or after the answer was shown, does not count.
 * @param {string} day
 * @param {"x" | "h" | "a" | "o"} mark
 * @param {string} move the move that was tried, if one was
 * @param {boolean} late the day is over
 */
export function noteDay(day, mark, move, late) {
  const results = puzzleResults();
  const known = results.days[day] ?? { marks: "", move: "", late };
  if (isDone(known)) return;
  const marks = (known.marks.slice(0, MAX_MARKS - 1) + mark).slice(0, MAX_MARKS);
  results.days[day] = { marks, move: move.slice(0, MAX_MOVE) || known.move, late: known.late };
  keepPuzzleResults(results);
}

/** @param {DayResult | null} result */
export const isDone = (result) => result !== null && /[ao]$/.test(result.marks);

/** @param {DayResult | null | undefined} result */
export const isFirstTry = (result) => result?.marks === "o" && !result.late;

/**
 * Remember a run. Return true if none was better.
 * @param {number} score
 * @param {number} wrong
 */
export function noteRun(score, wrong) {
  const results = puzzleResults();
  const record = results.runs.every((run) => run.score < score || (run.score === score && run.wrong > wrong));
  results.runs = [...results.runs, { score, wrong, when: Date.now() }];
  keepPuzzleResults(results);
  return record;
}

/** Return the number of days in a row, up to today or yesterday, solved on the first try. */
export function streakDays() {
  const { days } = puzzleResults();
  const day = new Date();
  const key = () => day.toISOString().slice(0, 10);
  if (!days[key()]) day.setUTCDate(day.getUTCDate() - 1);
  let streak = 0;
  for (; isFirstTry(days[key()]); streak += 1) day.setUTCDate(day.getUTCDate() - 1);
  return streak;
}

/** Return today's date as the server counts it, the streak, and what became of today's puzzle, for other screens. */
export function today() {
  const day = new Date().toISOString().slice(0, 10);
  const result = dayResult(day);
  return { day, state: stateOf(result), streak: streakDays() };
}

/** @param {DayResult | null} result */
function stateOf(result) {
  if (!result) return "new";
  if (!isDone(result)) return "begun";
  if (isFirstTry(result)) return "first try";
  return result.marks.endsWith("a") ? "shown" : "done";
}

// What this browser remembers: preferences, recent matches, the attempts at daily puzzles, and progress in lessons.

/** @import { Match, Seat } from "./api-types.js" */
/** @import { Options } from "./types.js" */

const KEY = "duelbook";
const MAX_RECENT = 12; // matches
const MAX_ATTEMPTS = 400; // days

/** @typedef {{id: string, game: string, seat: Seat, against: string, when: number}} RecentMatch */

const defaults = {
  name: "",
  level: "", // or another computer opponent; none is chosen yet
  seat: "first",
  public: true,
  values: false,
  plain: false,
  bestOf: 1, // games in a match
  scheme: "auto",
  /** @type {RecentMatch[]} */ recent: [],
  /** @type {Record<string, Options>} */ options: {},
  /** @type {Record<string, string>} */ choices: {},
  /** @type {Record<string, "right" | "wrong">} */ tried: {},
  /** @type {Record<string, {step: number, steps: number, done: boolean}>} by game */ lessons: {},
};

/** @typedef {typeof defaults} Prefs */

/** @type {Prefs} */
export const prefs = { ...defaults, ...read() };

/** @returns {Partial<Prefs>} */
function read() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return Object.fromEntries(Object.entries(stored).filter(([name, value]) => hasRightType(name, value)));
  } catch {
    return {}; // nothing is stored, or it is not JSON
  }
}

/** @param {string} name @param {unknown} value */
function hasRightType(name, value) {
  const example = /** @type {Record<string, unknown>} */ (defaults)[name];
  return typeof value === typeof example && Array.isArray(value) === Array.isArray(example) && value !== null;
}

/**
 * Change what is remembered.
 * @param {Partial<Prefs>} changes
 */
export function remember(changes) {
  Object.assign(prefs, { ...read(), ...changes }); // other tabs write here too
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // storage may be full or forbidden; playing works without it
  }
}

/**
 * Remember a match in which this browser has a seat.
 * @param {Match} match
 * @param {Seat} seat
 */
export function rememberMatch(match, seat) {
  const against = match.names[seat === "first" ? "second" : "first"];
  const others = prefs.recent.filter((recent) => recent.id !== match.id);
  const recent = { id: match.id, game: match.game, seat, against, when: Date.now() };
  remember({ recent: [recent, ...others].slice(0, MAX_RECENT) });
}

/**
 * Remember the first attempt at the puzzle of a day; later attempts do not count.
 * @param {string} day
 * @param {boolean} right
 */
export function rememberAttempt(day, right) {
  if (prefs.tried[day]) return;
  const tried = Object.entries({ ...prefs.tried, [day]: right ? "right" : "wrong" }).slice(-MAX_ATTEMPTS);
  remember({ tried: /** @type {Record<string, "right" | "wrong">} */ (Object.fromEntries(tried)) });
}

/** Return the number of days in a row, up to today or yesterday, solved on the first try. */
export function streakDays() {
  const day = new Date();
  const key = () => day.toISOString().slice(0, 10);
  if (!prefs.tried[key()]) day.setUTCDate(day.getUTCDate() - 1);
  let days = 0;
  for (; prefs.tried[key()] === "right"; days += 1) day.setUTCDate(day.getUTCDate() - 1);
  return days;
}

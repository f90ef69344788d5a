// What this browser remembers: the preferences, and progress in lessons. Games and puzzles have stores of their own.

/** @import { Options } from "./types.js" */

/** The event of the window after each change of the played games, in this tab or another. */
export const GAMES_CHANGED = "duelbook-games";

const KEY = "duelbook";

const defaults = {
  name: "",
  level: "", // the computer opponent that was chosen last, in any game; none yet
  seat: "first", // for games without a setup of their own
  public: true,
  values: false,
  plain: false,
  bestOf: 1, // games in a match, for games without a setup of their own
  notify: false, // by the system, when it is your turn
  keys: true, // letters and numbers play moves
  premoves: false, // a move can be chosen during the opponent's turn
  played: false, // a match was started in this browser
  scheme: "auto",
  pace: "normal", // of the computer's replies
  sound: false,
  /** @type {Record<string, {level: string, seat: string, bestOf: number}>} by game */ setups: {},
  /** @type {Record<string, Options>} */ options: {},
  /** @type {Record<string, string>} */ choices: {},
  /** @type {Record<string, {solved: number[], steps: number, done: boolean}>} by game */ lessons: {},
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

const MAX_PREFS_CHARACTERS = 100_000;
const MAX_TEXT_CHARACTERS = 2000;
/** @type {(keyof Prefs)[]} */ const RECORDS = ["setups", "options", "choices", "lessons"]; // by game

/**
 * Return the preferences in a value from a file, or null if something in it cannot be one.
 * @param {any} value
 * @returns {Partial<Prefs> | null}
 */
export function asPrefs(value) {
  const entries = Object.entries(Object(value)).filter(([name]) => name in defaults);
  const right =
    entries.every(([name, one]) => hasRightType(name, one) && isPlain(one, 3)) &&
    JSON.stringify(entries).length <= MAX_PREFS_CHARACTERS;
  return right ? Object.fromEntries(entries) : null;
}

/** Return true for texts, numbers, switches and objects of them. @param {unknown} value @param {number} depth @returns {boolean} */
function isPlain(value, depth) {
  if (typeof value === "string") return value.length <= MAX_TEXT_CHARACTERS;
  if (typeof value === "number" || typeof value === "boolean") return true;
  return typeof value === "object" && value !== null && depth > 0
    ? Object.values(value).every((one) => isPlain(one, depth - 1))
    : false;
}

/**
 * Return those preferences of another browser that are not set here.
 * @param {Partial<Prefs>} others
 * @returns {Partial<Prefs>}
 */
export function mergedPrefs(others) {
  /** @type {Record<string, any>} */
  const merged = {};
  for (const [name, value] of Object.entries(others)) {
    const key = /** @type {keyof Prefs} */ (name);
    if (RECORDS.includes(key)) merged[name] = { .../** @type {any} */ (value), .../** @type {any} */ (prefs[key]) };
    else if (prefs[key] === defaults[key]) merged[name] = value;
  }
  return merged;
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

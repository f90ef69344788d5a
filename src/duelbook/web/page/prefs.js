// What this browser remembers: how somebody likes to play, their matches, and their puzzles.

const KEY = "duelbook";

/** @typedef {{id: string, game: string, seat: import("./types.js").Seat, against: string, when: number}} Recent */

const first = {
  name: "",
  level: "club",
  seat: "first",
  public: true,
  values: false,
  plain: false,
  scheme: "auto",
  /** @type {Recent[]} */ recent: [],
  /** @type {Record<string, Record<string, string | number>>} */ options: {},
  /** @type {Record<string, string>} */ choices: {},
  /** @type {Record<string, "right" | "wrong">} */ tried: {},
};

/** @typedef {typeof first} Prefs */

/** @type {Prefs} */
export const prefs = { ...first, ...read() };

/** @returns {Partial<Prefs>} */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return Object.fromEntries(Object.entries(kept).filter(([name, value]) => fits(name, value)));
  } catch {
    return {}; // nothing is kept here, or nothing that makes sense
  }
}

/** @param {string} name @param {unknown} value */
function fits(name, value) {
  const like = /** @type {Record<string, unknown>} */ (first)[name];
  return typeof value === typeof like && Array.isArray(value) === Array.isArray(like) && value !== null;
}

/**
 * Change what is remembered.
 * @param {Partial<Prefs>} changes
 */
export function remember(changes) {
  Object.assign(prefs, { ...read(), ...changes }); // other tabs remember things too
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // a browser that keeps nothing still plays
  }
}

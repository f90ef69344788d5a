// The streak: how many puzzles of the day were solved in a row, as this browser remembers.

import { prefs, remember } from "./prefs.js";
import { plural } from "./words.js";

/**
 * Keep the first try of a day.
 * @param {string} day
 * @param {boolean} right
 */
export function keep(day, right) {
  if (prefs.tried[day]) return;
  const tried = Object.entries({ ...prefs.tried, [day]: right ? "right" : "wrong" }).slice(-400);
  remember({ tried: /** @type {Record<string, "right" | "wrong">} */ (Object.fromEntries(tried)) });
}

/** Answer how many days in a row, until today or yesterday, were solved at the first try. */
function streak() {
  const day = new Date();
  const key = () => day.toISOString().slice(0, 10);
  if (!prefs.tried[key()]) day.setUTCDate(day.getUTCDate() - 1);
  let days = 0;
  for (; prefs.tried[key()] === "right"; days += 1) day.setUTCDate(day.getUTCDate() - 1);
  return days;
}

export function streakWords() {
  const days = streak();
  return days
    ? `Solved at the first try on ${plural(days, "day")} in a row.`
    : "Solve it at the first try to begin a streak.";
}

// The banner above the board of a puzzle: what became of a try, why, the streak, and what to do next.

import { addStyle } from "./board.js";
import { h } from "./dom.js";
import { confetti } from "./ending.js";
import { icon } from "./icons.js";
import { marksRow } from "./puzzle-help.js";
import { plural } from "./text.js";

/** @import { Mood } from "./ending.js" */

/**
 * @param {object} about
 * @param {boolean} about.right the move on the board solves the puzzle
 * @param {string} about.marks of all tries, as in the results of a day
 * @param {string} about.why
 * @param {string} about.day what there is to say about the day; empty for other puzzles
 * @param {boolean} about.celebrate
 * @param {(() => void) | null} about.onshare
 * @param {() => void} about.onagain
 * @param {{href: string, text: string}} about.next the next puzzle
 */
export function puzzleBanner({ right, marks, why, day, celebrate, onshare, onagain, next }) {
  const { text, mood } = headline(right, marks);
  return h(
    "div",
    { class: "result-row puzzle-result", key: "result", "data-mood": mood },
    celebrate && confetti(),
    h(
      "div",
      { class: "words" },
      h("div", { class: "row" }, h("h2", { class: "headline" }, text), marksRow(marks)),
      h("p", { class: "lead" }, why),
      day && h("p", { class: "streak" }, day),
    ),
    h(
      "div",
      { class: "row" },
      !right && h("button", { type: "button", class: "main", key: "again", onclick: onagain }, "Try again"),
      right &&
        onshare &&
        h("button", { type: "button", class: "main", key: "share", onclick: onshare }, icon("share"), "Share"),
      right &&
        h(
          "a",
          { class: `button ${onshare ? "" : "main"}`, key: "next", href: next.href, "aria-label": next.text },
          "Another puzzle",
        ),
    ),
  );
}

/** @param {boolean} right @param {string} marks @returns {{text: string, mood: Mood}} */
function headline(right, marks) {
  if (!right) return { text: "Not this move", mood: "lost" };
  if (marks.endsWith("a")) return { text: "Not this time", mood: "other" };
  return { text: marks === "o" ? "Solved on the first try" : "Solved", mood: "won" };
}

/** Return the time to the next puzzle of the day, which comes at midnight UTC: "04:05:06". */
export function countdown() {
  const seconds = 86_400 - (Math.floor(Date.now() / 1000) % 86_400);
  const part = (/** @type {number} */ value) => String(Math.floor(value)).padStart(2, "0");
  return `${part(seconds / 3600)}:${part((seconds / 60) % 60)}:${part(seconds % 60)}`;
}

/**
 * Return the streak and the time to the next puzzle in a few words, for the banner.
 * @param {number} days in a row, solved on the first try
 */
export const bannerDayText = (days) =>
  [days && `Streak: ${plural(days, "day")}`, `Next puzzle in ${countdown()}`].filter(Boolean).join(" · ");

/** @param {number} days in a row, solved on the first try */
export const streakText = (days) =>
  days
    ? `Your streak: ${plural(days, "day")} solved on the first try.`
    : "Solve the puzzle on the first try to start a streak.";

addStyle(`
duel-puzzle .puzzle-result .words > .row { flex-wrap: nowrap; gap: var(--space-2); }
duel-puzzle .puzzle-result > .row { gap: var(--space-2); }
duel-puzzle .puzzle-result .streak { font-weight: 550; font-variant-numeric: tabular-nums; }
@media (max-width: 30rem) {
  duel-puzzle .puzzle-result { font-size: 0.9rem; line-height: 1.4; }
  duel-puzzle .headline { font-size: 1.2rem; }
  duel-puzzle .puzzle-result .streak { font-weight: 400; }
}
`);

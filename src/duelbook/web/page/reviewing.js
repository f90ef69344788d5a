// The review of a finished game: the value over time, and how well each player kept it.

import { chart } from "./chart.js";
import { h } from "./dom.js";
import { tokenOf } from "./players.js";

/** @typedef {import("./types.js").Review} Review */

/**
 * @param {Review} review
 * @param {number} ply the position that is shown; -1 in a branch
 */
export function reviewPanel(review, ply) {
  return h(
    "section",
    { key: "review", class: "panel review", "aria-label": "Review" },
    h("h2", null, "Review"),
    chart(review, ply),
    h("p", { class: "chart-key quiet" }, "Above the middle the first player is winning, below it the second."),
    h("p", { class: "judgement" }, judgement(review, ply)),
    h(
      "ul",
      { class: "accuracy" },
      review.players.map((player) =>
        h(
          "li",
          { key: player.seat },
          tokenOf(player.seat),
          h("span", null, `${player.name}: ${accuracy(player.accuracy)}`),
        ),
      ),
    ),
  );
}

/** @param {number | null} share */
function accuracy(share) {
  if (share === null) return "had no move that mattered";
  return `${Math.round(share * 100)} % of the moves that mattered were right`;
}

/** @type {Record<string, string>} */
const VERDICTS = {
  best: "best",
  good: "good, though there was a quicker way",
  forced: "forced",
  mistake: "a mistake",
  blunder: "a blunder",
  "lost anyway": "lost anyway, but sooner than it had to",
};

/**
 * Say what the move was worth that led to the position.
 * @param {Review} review
 * @param {number} ply
 */
export function judgement({ moves }, ply) {
  const judged = moves[ply - 1];
  if (!judged) return "Step through the game to see what each move was worth.";
  const better = judged.verdict === "best" || judged.verdict === "forced" ? "" : ` Best was ${judged.best}.`;
  return `Move ${ply}, ${judged.move}: ${VERDICTS[judged.verdict] ?? judged.verdict}.${better}`;
}

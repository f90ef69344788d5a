// The review of a finished game: a chart of who was winning, the verdict on a move, and each player's accuracy.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { tokenOf } from "./players.js";

/** @import { Review } from "./api-types.js" */
/** @import { Child } from "./dom.js" */

/**
 * @param {Review} review
 * @param {number} ply the position on the board; -1 in a branch
 * @param {(ply: number) => void} go
 */
export function reviewPanel(review, ply, go) {
  return h(
    "section",
    { key: "review", class: "panel review", "aria-label": "Review", tabindex: "-1" },
    h("h2", null, review.exact ? "Review" : "Review (estimated)"),
    chart(review, ply, go),
    h(
      "p",
      { class: "chart-key quiet" },
      `Above the middle the first player is ${review.exact ? "winning" : "ahead"}, below it the second.`,
      !review.exact && " This game is too large to be solved: a search has estimated the moves, and it can be wrong.",
    ),
    review.decided && h("p", { class: "decided" }, review.decided),
    review.exact &&
      h(
        "ul",
        { class: "accuracy" },
        review.players.map((player) =>
          h(
            "li",
            { key: player.seat },
            tokenOf(player.seat),
            h("span", null, `${player.name}: ${accuracyText(player.accuracy)}`),
          ),
        ),
      ),
  );
}

/** @param {number | null} accuracy */
function accuracyText(accuracy) {
  if (accuracy === null) return "no move made a difference";
  return `${Math.round(accuracy * 100)}% of the moves that mattered were right`;
}

/** @type {Record<string, {name: string, sign: Child, text: string}>} by the server's name */
const VERDICTS = {
  best: { name: "best", sign: icon("check"), text: "the best move" },
  good: { name: "good", sign: "·", text: "a good move, but there was a better one" },
  opening: { name: "opening", sign: "–", text: "drawn as the opening" },
  forced: { name: "forced", sign: "–", text: "the only legal move" },
  mistake: { name: "mistake", sign: "?", text: "a mistake" },
  blunder: { name: "blunder", sign: "??", text: "a blunder" },
  preferred: { name: "preferred", sign: icon("check"), text: "the search would play it, too" },
  similar: { name: "similar", sign: "·", text: "the search finds another move about as good" },
  doubtful: { name: "doubtful", sign: "?", text: "the search prefers another move" },
  "lost anyway": { name: "already lost", sign: "·", text: "already lost, but another move holds out longer" },
};

/**
 * Return how the move list writes a verdict: a name and a sign.
 * @param {string} verdict
 */
export const verdictSign = (verdict) => VERDICTS[verdict] ?? { name: verdict, sign: verdict, text: verdict };

/**
 * Return the verdict on the move that led to the position.
 * @param {Review} review
 * @param {number} ply
 */
export function judgement({ exact, moves }, ply) {
  const judged = moves[ply - 1];
  if (!judged) return "Step through the game to see how good each move was.";
  const found = exact ? `Best was ${judged.best}.` : `It would play ${judged.best}.`;
  const better = ["best", "preferred", "forced", "opening"].includes(judged.verdict) ? "" : ` ${found}`;
  const why = judged.why ? ` ${judged.why}` : "";
  const explained = why && ["mistake", "blunder"].includes(judged.verdict); // the reason names the better move, too
  const note = judged.note ? ` ${judged.note}` : "";
  return `Move ${ply}, ${judged.move}: ${verdictSign(judged.verdict).text}.${explained ? "" : better}${why}${note}`;
}

const WIDTH = 320;
const HEIGHT = 96;
const MIDDLE = HEIGHT / 2;
const MARGIN = 8;
const ERRORS = new Set(["mistake", "blunder", "doubtful"]);

/**
 * Draw the value of the game over time: above the middle the first player is winning; the further out, the nearer the end,
 * or the surer the search.
 * @param {Review} review
 * @param {number} ply the position on the board
 * @param {(ply: number) => void} go shows the position that was clicked; the list of moves does the same by keyboard
 */
function chart(review, ply, go) {
  const last = review.scores.length - 1;
  const x = (/** @type {number} */ at) => MARGIN + (at * (WIDTH - 2 * MARGIN)) / Math.max(1, last);
  const y = review.scores.map((_, at) => MIDDLE - height(review, at));
  const path = y.map((top, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${top.toFixed(1)}`).join("");
  const choose = (/** @type {MouseEvent} */ event) => {
    const { left, width } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const share = (((event.clientX - left) / width) * WIDTH - MARGIN) / (WIDTH - 2 * MARGIN);
    go(Math.round(Math.max(0, Math.min(1, share)) * last));
  };
  const onLine = ply >= 0 && ply <= last;
  const errors = review.moves.flatMap((move, index) => (ERRORS.has(move.verdict) ? [index + 1] : []));
  return h(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": chartText(review, errors),
      onclick: choose,
    },
    h("rect", { class: "upper", x: 0, y: 0, width: WIDTH, height: MIDDLE }),
    h("rect", { class: "lower", x: 0, y: MIDDLE, width: WIDTH, height: MIDDLE }),
    h("path", { class: "middle", d: `M0 ${MIDDLE}H${WIDTH}` }),
    onLine && h("path", { class: "now", d: `M${x(ply).toFixed(1)} 0V${HEIGHT}` }),
    h("path", { class: "line", d: path }),
    errors.map((at) => h("circle", { class: "error", cx: x(at).toFixed(1), cy: y[at].toFixed(1), r: 5 })),
    onLine && h("circle", { class: "here", cx: x(ply).toFixed(1), cy: y[ply].toFixed(1), r: 4 }),
  );
}

/**
 * Return the distance of the line from the middle: the nearer the end, the further.
 * @param {Review} review
 * @param {number} at
 */
function height({ exact, scores, values, moves }, at) {
  if (!exact) return (2 * scores[at] - 1) * (MIDDLE - MARGIN);
  const sign = { win: 1, draw: 0, loss: -1 }[values[at]];
  const remoteness = moves[at - 1]?.remoteness ?? (moves[0]?.remoteness ?? 0) + 1;
  const longest = Math.max(1, ...moves.map((move) => move.remoteness ?? 0)) + 1;
  return sign * (MIDDLE - MARGIN) * (1 - (0.7 * Math.min(remoteness, longest)) / longest);
}

/** @param {Review} review @param {number[]} errors */
function chartText({ exact, values }, errors) {
  if (!exact) {
    const doubts = errors.length ? `The search doubts move ${errors.join(", ")}.` : "The search doubts no move.";
    return `Chart of who was ahead, as a search estimates it. ${doubts}`;
  }
  const who = { win: "the first player was winning", draw: "it was a draw", loss: "the second player was winning" };
  const changes = errors.length ? `Mistakes: move ${errors.join(", ")}.` : "There were no mistakes.";
  return `Chart of who was winning. At the start ${who[values[0]]}. ${changes}`;
}

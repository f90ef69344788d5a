// The value of the game over time as a line: above, the first player is winning; further out, the end is nearer.

import { h } from "./dom.js";

/** @typedef {import("./types.js").Review} Review */

const WIDTH = 320;
const HEIGHT = 96;
const MIDDLE = HEIGHT / 2;
const LOST = new Set(["mistake", "blunder"]);

/**
 * @param {Review} review
 * @param {number} ply the position that is shown
 */
export function chart(review, ply) {
  const last = review.values.length - 1;
  const x = (/** @type {number} */ at) => 8 + (at * (WIDTH - 16)) / Math.max(1, last);
  const y = review.values.map((_, at) => MIDDLE - height(review, at));
  const path = y.map((top, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${top.toFixed(1)}`).join("");
  const known = ply >= 0 && ply <= last; // a branch has no place on the line
  const slips = review.moves.flatMap((move, index) => (LOST.has(move.verdict) ? [index + 1] : []));
  return h(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words(review, slips) },
    h("rect", { class: "upper", x: 0, y: 0, width: WIDTH, height: MIDDLE }),
    h("rect", { class: "lower", x: 0, y: MIDDLE, width: WIDTH, height: MIDDLE }),
    h("path", { class: "middle", d: `M0 ${MIDDLE}H${WIDTH}` }),
    known && h("path", { class: "now", d: `M${x(ply).toFixed(1)} 0V${HEIGHT}` }),
    h("path", { class: "line", d: path }),
    slips.map((at) => h("circle", { class: "slip", cx: x(at).toFixed(1), cy: y[at].toFixed(1), r: 5 })),
    known && h("circle", { class: "here", cx: x(ply).toFixed(1), cy: y[ply].toFixed(1), r: 4 }),
  );
}

/**
 * Answer how far from the middle the line is: the nearer the end, the further.
 * @param {Review} review
 * @param {number} at
 */
function height({ values, moves }, at) {
  const sign = { win: 1, draw: 0, loss: -1 }[values[at]];
  const before = moves[at - 1]?.remoteness ?? (moves[0]?.remoteness ?? 0) + 1;
  const longest = Math.max(1, ...moves.map((move) => move.remoteness ?? 0)) + 1;
  return sign * (MIDDLE - 8) * (1 - (0.7 * Math.min(before, longest)) / longest);
}

/** @param {Review} review @param {number[]} slips */
function words({ values }, slips) {
  const who = { win: "the first player winning", draw: "a draw", loss: "the second player winning" };
  const began = `Value of the game over time: it began with ${who[values[0]]}`;
  const turned = slips.length ? `; it was given away at move ${slips.join(", ")}` : "; nobody gave anything away";
  return `${began}${turned}.`;
}

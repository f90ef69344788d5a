// Value marks: what a move is worth, by letter and shape as well as by colour, with the plies to the end.

import { h } from "./dom.js";

/** @typedef {import("./types.js").MoveValue} MoveValue */
/** @typedef {import("./types.js").Worth} Worth */

/** @type {Record<Worth, {letter: string, shape: string, words: string}>} */
export const WORTH = {
  win: { letter: "W", shape: "▲", words: "wins" },
  draw: { letter: "D", shape: "■", words: "draws" },
  loss: { letter: "L", shape: "▼", words: "loses" },
};

/** @param {MoveValue} value */
export function markOf({ value, remoteness }) {
  const { letter, shape } = WORTH[value];
  const plies = remoteness === null ? "∞" : remoteness + 1;
  return h("span", { class: "mark", "data-value": value, "aria-hidden": "true" }, shape, letter, plies);
}

/**
 * Answer `wins in 3`, with the move itself counted.
 * @param {MoveValue} value
 */
export function valueWords({ value, remoteness }) {
  return remoteness === null ? `${WORTH[value].words} without end` : `${WORTH[value].words} in ${remoteness + 1}`;
}

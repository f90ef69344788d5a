// Exact values of positions: asked for once each.

import { get, query } from "./api.js";

/** @typedef {import("./types.js").Solution} Solution */

/** @type {Map<string, Promise<Solution>>} */
const known = new Map();
const MOST = 500; // solutions that are kept

/**
 * Answer what is known of a position.
 * @param {import("./types.js").Game} game
 * @param {Record<string, string | number>} options
 * @param {string[]} moves
 * @returns {Promise<Solution>}
 */
export function solutionOf(game, options, moves) {
  const path = `/api/solve/${game.name}${query(game, options, moves)}`;
  const asked = known.get(path) ?? get(path);
  known.set(path, asked);
  asked.catch(() => known.delete(path)); // it may be answered another time
  if (known.size > MOST) known.delete(known.keys().next().value ?? "");
  return asked;
}

/**
 * Say honestly what the seat is worth: most of these games are decided before they begin.
 * @param {Solution} solution of the start
 */
export function seatWords({ winner, remoteness }) {
  if (winner === "none") return "With best play nobody wins: neither seat has an advantage.";
  const length = remoteness === null ? "" : ` in ${remoteness} ${remoteness === 1 ? "move" : "moves"}`;
  return `The seat decides: with best play the ${winner} player wins${length}. The other can only hope for a mistake.`;
}

// Exact values of positions: asked for once each.

import { get, insist, query } from "./api.js";

/** @typedef {import("./types.js").Solution} Solution */

/** @type {Map<string, Promise<Solution>>} */
const known = new Map();
const MOST = 500; // solutions that are kept
const TRIES = 5; // of a server that is busy or cannot be reached

/**
 * Answer what is known of a position.
 * @param {import("./types.js").Game} game
 * @param {Record<string, string | number>} options
 * @param {string[]} moves
 * @returns {Promise<Solution>}
 */
export function solutionOf(game, options, moves) {
  const path = `/api/solve/${game.name}${query(game, options, moves)}`;
  let tries = TRIES;
  const again = () => --tries > 0;
  const asked = known.get(path) ?? insist(() => get(path), again);
  known.set(path, asked);
  asked.catch(() => known.delete(path)); // it may be answered another time
  if (known.size > MOST) known.delete(known.keys().next().value ?? "");
  return asked;
}

/** What is known of the position that is looked at, and of the start. */
export class Knowledge {
  /** @type {Solution | null} */ start = null;
  problem = "";
  #begun = false;
  #key = "";
  /** @type {Solution | null} */ #solution = null;

  /** @param {() => void} changed told when something new is known */
  constructor(changed) {
    this.changed = changed;
  }

  /**
   * Ask for the values of a position, unless that has been done; those of the one before are forgotten.
   * @param {import("./types.js").Game} game
   * @param {Record<string, string | number>} options
   * @param {string[]} moves
   */
  ask(game, options, moves) {
    const key = moves.join();
    if (this.#key === `after ${key}`) return;
    this.#key = `after ${key}`;
    this.#take(key, null, "");
    solutionOf(game, options, moves).then(
      (solution) => this.#take(key, solution, ""),
      (error) => this.#take(key, null, error.message),
    );
  }

  /**
   * Ask once who wins from the start; a game that is too large to be solved keeps that to itself.
   * @param {import("./types.js").Game} game
   * @param {Record<string, string | number>} options
   */
  async begin(game, options) {
    if (this.#begun) return;
    this.#begun = true;
    this.start = await solutionOf(game, options, []).catch(() => null);
    this.changed();
  }

  /** @param {string} key @param {Solution | null} solution @param {string} problem */
  #take(key, solution, problem) {
    if (this.#key !== `after ${key}`) return;
    this.#solution = solution;
    this.problem = problem;
    this.changed();
  }

  /**
   * Answer what is known after these moves.
   * @param {string[]} moves
   */
  of(moves) {
    return this.#key === `after ${moves.join()}` ? this.#solution : null;
  }
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

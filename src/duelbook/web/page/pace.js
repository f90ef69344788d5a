// The pace of a match: a reply of the computer is shown only when the move before it could be seen.

import { prefs } from "./prefs.js";

/** @import { Line, Match, Seat } from "./api-types.js" */

/** @type {Record<string, {text: string, ms: number}>} */
export const PACES = {
  slow: { text: "slowly", ms: 1600 },
  normal: { text: "at a normal pace", ms: 700 },
  instant: { text: "at once", ms: 0 },
};

/** Return true if the person has asked their system for less motion. */
export const prefersCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Follows the line of a match, move by move. The match goes on meanwhile: only what is shown of it waits. */
export class Pace {
  /** @type {string[] | null} */ #shown = null; // the moves that are shown; null before the first view
  #landedAt = 0; // when the last of them was shown
  #timer = 0;

  /** @param {() => void} onmove called when it is time to show the next move */
  constructor(onmove) {
    this.onmove = onmove;
  }

  /**
   * Return how many moves of the line are to be shown now.
   * @param {Line} line
   * @param {(seat: Seat | null) => boolean} waits whether a move of that player waits
   */
  follow({ moves, positions }, waits) {
    clearTimeout(this.#timer);
    const continues = this.#shown?.every((move, index) => moves[index] === move);
    let ply = continues && this.#shown ? this.#shown.length : moves.length; // moves that were taken back go at once
    for (; ply < moves.length; ply += 1) {
      const rest = waits(positions[ply].mover) ? this.#landedAt + pauseMs() - performance.now() : 0;
      if (rest > 0) {
        this.#timer = window.setTimeout(this.onmove, rest);
        break;
      }
      this.#landedAt = performance.now();
    }
    if (!continues) this.#landedAt = performance.now();
    this.#shown = moves.slice(0, ply);
    return ply;
  }

  /** Show what waits at once. */
  skip() {
    this.#landedAt = -Infinity;
    this.onmove();
  }

  /** Stop waiting: the match is left. */
  stop() {
    clearTimeout(this.#timer);
  }
}

const pauseMs = () => (prefersCalm() ? 0 : (PACES[prefs.pace] ?? PACES.normal).ms);

/**
 * Return the line up to a ply.
 * @param {Line} line
 * @param {number} ply
 * @returns {Line}
 */
export function lineUpTo(line, ply) {
  if (ply === line.moves.length) return line;
  return { ...line, moves: line.moves.slice(0, ply), positions: line.positions.slice(0, ply + 1) };
}

/**
 * Return the view of a match as it was at a ply.
 * @param {Match} match
 * @param {Line} line
 * @param {number} ply
 * @returns {Match}
 */
export function matchAt(match, line, ply) {
  if (ply === match.ply) return match;
  const { mover, outcome, legal, text, view, board } = line.positions[ply];
  const moves = match.moves.slice(0, ply);
  return {
    ...match,
    status: "playing",
    ply,
    mover,
    outcome,
    legal,
    text,
    view,
    board,
    moves,
    result: null,
    rematch: null,
  };
}

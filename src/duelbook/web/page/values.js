// Exact values: fetched once for each position, marked on the moves, and the panel with the switch and the hint.

import { get, Problem, post, query, retry } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { plural } from "./text.js";

/** @import { Advice, Game, MoveValue, Solution, Worth } from "./api-types.js" */
/** @import { Options } from "./types.js" */

const MAX_CACHED = 500; // solutions
const MAX_TRIES = 5; // while the server is busy or unreachable

/** @type {Map<string, Promise<Solution>>} */
const cache = new Map();

/**
 * Return the exact values of a position. In a match, its clock stands still until they come.
 * @param {Game} game
 * @param {Options} options
 * @param {string[]} moves
 * @param {string | null} [match] the path of the match
 * @returns {Promise<Solution>}
 */
export function fetchSolution(game, options, moves, match) {
  const path = `/api/solve/${game.name}${query(game, options, moves)}`;
  let tries = MAX_TRIES;
  const keepTrying = () => --tries > 0;
  const ask = () => (match ? post(`${match}/solution`, { ply: moves.length }) : get(path));
  const solution = cache.get(path) ?? retry(ask, keepTrying);
  cache.set(path, solution);
  solution.catch(() => cache.delete(path)); // it may succeed another time
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value ?? "");
  return solution;
}

/**
 * Return the steps of help in a position: a nudge, the move to play, and why; in a game that is too large to be solved
 * it is an estimate. In a match, its clock stands still until it comes.
 * @param {Game} game
 * @param {Options} options
 * @param {string[]} moves
 * @param {string | null} [match] the path of the match
 * @returns {Promise<string[]>}
 */
export async function fetchHints(game, options, moves, match) {
  const path = `/api/hint/${game.name}${query(game, options, moves)}`;
  /** @type {Advice} */
  const { hint } = await (match ? post(`${match}/hint`, { ply: moves.length }) : get(path));
  return hint ? [hint.nudge, `Play ${hint.move}.`, `${hint.move}: ${hint.why}`] : [];
}

const HINT_LABELS = ["Hint", "Show the move", "Why?"]; // by the number of steps that are shown

/** The values of the position on the screen and of the start. */
export class PositionValues {
  /** @type {Solution | null} */ start = null;
  startProblem = ""; // why the start has no value
  problem = "";
  #startRequested = false;
  /** @type {string | null} */ #key = null; // the moves that led to the position
  /** @type {Solution | null} */ #solution = null;

  /** @param {() => void} onchange called when values arrive */
  constructor(onchange) {
    this.onchange = onchange;
  }

  /**
   * Request the values of a position, once; the values of the previous position are dropped.
   * @param {Game} game
   * @param {Options} options
   * @param {string[]} moves
   * @param {string | null} [match] the path of the match
   */
  request(game, options, moves, match) {
    const key = moves.join();
    if (this.#key === key) return;
    this.#key = key;
    this.#receive(key, null, "");
    fetchSolution(game, options, moves, match).then(
      (solution) => this.#receive(key, solution, ""),
      (error) => this.#receive(key, null, error.message),
    );
  }

  /**
   * Request the value of the start, once.
   * @param {Game} game
   * @param {Options} options
   * @param {string | null} [match] the path of the match
   */
  async requestStart(game, options, match) {
    if (this.#startRequested) return;
    this.#startRequested = true;
    try {
      this.start = await fetchSolution(game, options, [], match);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!error.temporary) this.startProblem = error.message;
    }
    this.onchange();
  }

  /** @param {string} key @param {Solution | null} solution @param {string} problem */
  #receive(key, solution, problem) {
    if (this.#key !== key) return;
    this.#solution = solution;
    this.problem = problem;
    this.onchange();
  }

  /**
   * Return the values after these moves, or null if they are not known yet.
   * @param {string[]} moves
   */
  after(moves) {
    return this.#key === moves.join() ? this.#solution : null;
  }
}

/** @type {Record<Worth, {letter: string, verb: string}>} */
const SIGNS = {
  win: { letter: "W", verb: "wins" },
  draw: { letter: "D", verb: "draws" },
  loss: { letter: "L", verb: "loses" },
};

/**
 * Return the mark of a move: its value by shape and letter as well as by colour, and the moves left to the end.
 * @param {MoveValue} value
 */
export function valueMark({ value, own_moves }) {
  const look = { class: "mark", "data-value": value, "aria-hidden": "true" };
  return h("span", look, icon(value), SIGNS[value].letter, own_moves ?? icon("endless"));
}

/**
 * Return the mark in words: "wins in 3 moves".
 * @param {MoveValue} value
 */
export function valueText({ value, own_moves }) {
  if (own_moves === null) return "draws, since the game never ends";
  return `${SIGNS[value].verb} in ${plural(own_moves, "move")}`;
}

/**
 * Return the panel with the switch for values, the hint, and who wins from the start.
 * @param {object} about
 * @param {string} about.problem why there are no values
 * @param {Solution | null} about.start
 * @param {string} about.startProblem why the start has no value: the game may be too large to be solved
 * @param {string[]} about.hints the steps of help so far
 * @param {boolean} about.over the position is
 * @param {boolean} about.reviewed the game is over, and was reviewed
 * @param {boolean} about.rated it is a game that counts for the player's rating without help
 * @param {() => void} about.onhint
 * @param {boolean} about.values
 * @param {(values: boolean) => void} about.onvalues
 */
export function valuesPanel({ problem, start, startProblem, hints, over, reviewed, rated, values, onhint, onvalues }) {
  const label = HINT_LABELS[hints.length];
  const toggle = (/** @type {Event} */ event) => onvalues(/** @type {HTMLInputElement} */ (event.target).checked);
  return h(
    "section",
    { key: "help", class: "panel help", "aria-label": "Help" },
    h(
      "div",
      { class: "row" },
      h(
        "label",
        { class: "switch" },
        h("input", { type: "checkbox", role: "switch", checked: values, onchange: toggle }),
        "Values",
      ),
      h(
        "button",
        {
          type: "button",
          "aria-disabled": over || !label ? "true" : undefined,
          onclick: over || !label ? null : onhint,
        },
        label ?? "Hint",
      ),
    ),
    h("p", { class: "hint" }, hints.at(-1)),
    rated && h("p", { class: "quiet" }, "A game with help does not count for your rating."),
    values && !startProblem && h("p", { class: "quiet" }, problem || legend()),
    (values || reviewed) && h("p", { class: "quiet" }, start ? startText(start) : startProblem),
  );
}

function legend() {
  const signs = Object.entries(SIGNS).map(([value, { letter, verb }], index) => [
    index ? ", " : "",
    icon(/** @type {Worth} */ (value)),
    `${letter} ${verb}`,
  ]);
  return [signs, " for the player to move. The number counts that player's moves to the end."];
}

/**
 * Return who wins from the start with best play.
 * @param {Solution} solution of the start
 */
function startText({ winner, winner_moves }) {
  if (winner === "none") return "From the start, nobody wins with best play.";
  const loser = winner === "first" ? "second" : "first";
  const length = winner_moves === null ? "" : ` in ${plural(winner_moves, "move")}`;
  return `From the start, the ${winner} player wins${length} with best play. The ${loser} player can only hope for a mistake.`;
}

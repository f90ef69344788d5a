// Puzzles: find the only winning move. After a wrong answer the board shows the reply that refutes it.

import { fetchLine, findGame, get } from "./api.js";
import { Component, h } from "./dom.js";
import { replaceAddress } from "./main.js";
import { noteDay, streakDays } from "./puzzle-results.js";
import { share } from "./share.js";
import { announce, attempt } from "./status.js";
import { plural, SEAT_NAMES, streakText, titleOf } from "./text.js";
import "./viewer.js";

/** @import { DailyPuzzle, Game, Line, SeededPuzzle } from "./api-types.js" */
/** @import { ViewerInput } from "./types.js" */

/** @typedef {DailyPuzzle & {seed?: undefined} | SeededPuzzle & {day?: undefined}} Puzzle */

class DuelPuzzle extends Component {
  /** @type {Game | null} */ #game = null;
  /** @type {Puzzle | null} */ #puzzle = null;
  /** @type {Line | null} */ #line = null;
  /** @type {string | null} */ #pending = null;
  #verdict = "";
  #problem = "";

  connectedCallback() {
    super.connectedCallback();
    void this.#load().catch((error) => {
      this.#problem = error.message;
      this.update();
    });
  }

  /** The address of the puzzle: the daily one, or one of a game by its seed. */
  get #path() {
    const name = this.getAttribute("name") || "daily";
    const seed = this.#puzzle?.seed ?? new URLSearchParams(location.search).get("seed");
    return { path: `/api/puzzles/${name}`, seed: name === "daily" || !seed ? "" : `seed=${encodeURIComponent(seed)}` };
  }

  async #load() {
    const { path, seed } = this.#path;
    const puzzle = /** @type {Puzzle} */ (await get(`${path}${seed && `?${seed}`}`));
    this.#game = await findGame(puzzle.game);
    this.#line = await fetchLine(this.#game, puzzle.options, puzzle.moves);
    this.#puzzle = puzzle;
    this.#verdict = "";
    if (!this.isConnected) return; // another screen is shown by now
    if (puzzle.seed) replaceAddress(`/puzzle/${puzzle.game}?seed=${puzzle.seed}`);
    document.title = `Puzzle: ${this.#game.title} · Duelbook`;
    this.update();
  }

  /** @param {string} move */
  async #try(move) {
    const { path, seed } = this.#path;
    const puzzle = this.#puzzle;
    if (!puzzle || !this.#game) return;
    this.#pending = move;
    this.update();
    try {
      const tried = /** @type {Puzzle} */ (await get(`${path}?${seed && `${seed}&`}try=${encodeURIComponent(move)}`));
      const after = [...puzzle.moves, move, ...(tried.refutation ?? [])];
      this.#line = await fetchLine(this.#game, puzzle.options, after);
      this.#puzzle = tried;
      this.#verdict = verdictText(tried, move);
      if (puzzle.day) noteDay(puzzle.day, tried.right ? "o" : "x", move, false);
      announce(this.#verdict);
    } finally {
      this.#pending = null;
      this.update();
    }
  }

  render() {
    const puzzle = this.#puzzle;
    if (this.#problem)
      return [
        h("h1", null, "Puzzle"),
        h("p", { class: "notice" }, this.#problem),
        h("p", null, h("a", { href: "/" }, "Back to the games")),
      ];
    if (!puzzle || !this.#game || !this.#line) return h("p", { class: "notice" }, "Loading the puzzle …");
    const which = puzzle.day ? "Puzzle of the day" : "Puzzle";
    const task = `It is the ${puzzle.mover} player's turn. Only one move wins: find it and win in ${winLength(puzzle)}.`;
    return [
      h(
        "div",
        { class: "heading", key: "heading" },
        h("h1", null, `${which}: ${this.#game.title}`),
        h("p", { class: "lead" }, this.#verdict || task),
      ),
      h("duel-viewer", {
        key: puzzle.right === undefined ? "task" : `after ${this.#verdict}`,
        input: this.#viewerInput(puzzle, this.#game, this.#line),
      }),
    ];
  }

  /** @param {Puzzle} puzzle @param {Game} game @param {Line} line @returns {ViewerInput} */
  #viewerInput(puzzle, game, line) {
    const open = puzzle.right === undefined;
    const answer = { play: (/** @type {string} */ move) => this.#try(move), pending: this.#pending, yourTurn: true };
    return {
      game,
      line,
      names: SEAT_NAMES,
      you: puzzle.mover,
      live: open ? answer : null,
      branching: !open,
      help: true,
      puzzle: open,
      ply: open ? undefined : puzzle.moves.length + 1,
      below: h("div", { class: "actions", key: "actions" }, this.#actions(puzzle, open)),
    };
  }

  /** @param {Puzzle} puzzle @param {boolean} open */
  #actions(puzzle, open) {
    const again = () => void attempt(() => this.#load());
    return [
      puzzle.day && h("p", { class: "streak", key: "streak" }, streakText(streakDays())),
      !open && !puzzle.right && h("button", { type: "button", key: "again", onclick: again }, "Try again"),
      !open &&
        puzzle.day &&
        h(
          "button",
          { type: "button", key: "share", onclick: () => void attempt(() => share(this.#shareText(puzzle))) },
          "Share",
        ),
      h(
        "a",
        { class: "button main", key: "next", href: `/puzzle/${puzzle.game}` },
        `Another ${titleOf(puzzle.game)} puzzle`,
      ),
    ];
  }

  /** @param {Puzzle} puzzle */
  #shareText(puzzle) {
    const done = puzzle.right ? "I solved" : "I did not solve";
    return `${done} the Duelbook puzzle of ${puzzle.day} (${titleOf(puzzle.game)}). ${streakText(streakDays())} ${location.origin}/puzzle/daily`;
  }
}

/** @param {Puzzle} puzzle */
const winLength = ({ own_moves }) => plural(own_moves, "move");

/** @param {Puzzle} tried @param {string} move */
function verdictText(tried, move) {
  if (tried.right) return `${move} is right: it wins in ${winLength(tried)}. ${tried.why}`.trim();
  return `${tried.why_not} The winning move is ${tried.answer}. ${tried.why}`.trim();
}

customElements.define("duel-puzzle", DuelPuzzle);

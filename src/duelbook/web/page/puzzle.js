// Puzzles: one winning move. A wrong answer shows how it would be refuted.

import { gameOf, get, lineOf } from "./api.js";
import { h, Part } from "./dom.js";
import "./line.js";
import { share } from "./sharing.js";
import { tell, trying } from "./status.js";
import { keep, streakWords } from "./streak.js";
import { plural, titled } from "./words.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Line} Line */
/** @typedef {{game: string, options: Record<string, string | number>, level: number, plies: number, moves: string[], mover: import("./types.js").Seat, day?: string, seed?: string, right?: boolean, answer?: string, refutation?: string[]}} Puzzle */

class DuelPuzzle extends Part {
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

  /** Where the puzzle is asked for: of the day, or of a game with its seed. */
  get #path() {
    const name = this.getAttribute("name") || "daily";
    const seed = this.#puzzle?.seed ?? new URLSearchParams(location.search).get("seed");
    return { path: `/api/puzzles/${name}`, seed: name === "daily" || !seed ? "" : `seed=${encodeURIComponent(seed)}` };
  }

  async #load() {
    const { path, seed } = this.#path;
    const puzzle = /** @type {Puzzle} */ (await get(`${path}${seed && `?${seed}`}`));
    this.#game = await gameOf(puzzle.game);
    this.#line = await lineOf(this.#game, puzzle.options, puzzle.moves);
    this.#puzzle = puzzle;
    this.#verdict = "";
    if (!this.isConnected) return; // the address is another screen's by now
    if (puzzle.seed) history.replaceState(null, "", `/puzzle/${puzzle.game}?seed=${puzzle.seed}`);
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
      this.#line = await lineOf(this.#game, puzzle.options, after);
      this.#puzzle = tried;
      this.#verdict = verdict(tried, move);
      if (puzzle.day) keep(puzzle.day, tried.right === true);
      tell(this.#verdict);
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
        h("p", null, h("a", { href: "/" }, "To the games")),
      ];
    if (!puzzle || !this.#game || !this.#line) return h("p", { class: "notice" }, "Looking for a puzzle …");
    const which = puzzle.day ? "Puzzle of the day" : "Puzzle";
    const task = `${puzzle.mover === "first" ? "The first player" : "The second player"} moves. One move wins, in ${plural(puzzle.plies, "move")}; every other gives the win away.`;
    return [
      h(
        "div",
        { class: "heading", key: "heading" },
        h("h1", null, `${which}: ${this.#game.title}`),
        h("p", { class: "lead" }, this.#verdict || task),
      ),
      h("duel-line", {
        key: puzzle.right === undefined ? "task" : `after ${this.#verdict}`,
        setting: this.#setting(puzzle, this.#game, this.#line),
      }),
    ];
  }

  /** @param {Puzzle} puzzle @param {Game} game @param {Line} line @returns {import("./line.js").Setting} */
  #setting(puzzle, game, line) {
    const open = puzzle.right === undefined;
    const answer = { play: (/** @type {string} */ move) => this.#try(move), pending: this.#pending, mine: true };
    return {
      game,
      line,
      names: { first: "First player", second: "Second player" },
      you: puzzle.mover,
      live: open ? answer : null,
      branching: !open,
      help: true,
      secret: open,
      ply: open ? undefined : puzzle.moves.length + 1,
      below: h("div", { class: "actions", key: "actions" }, this.#actions(puzzle, open)),
    };
  }

  /** @param {Puzzle} puzzle @param {boolean} open */
  #actions(puzzle, open) {
    const again = () => void trying(() => this.#load());
    return [
      puzzle.day && h("p", { class: "streak", key: "streak" }, streakWords()),
      !open && !puzzle.right && h("button", { type: "button", key: "again", onclick: again }, "Try again"),
      !open &&
        puzzle.day &&
        h(
          "button",
          { type: "button", key: "share", onclick: () => void trying(() => share("Duelbook", this.#shared(puzzle))) },
          "Share",
        ),
      h(
        "a",
        { class: "button main", key: "next", href: `/puzzle/${puzzle.game}` },
        `Another of ${titled(puzzle.game)}`,
      ),
    ];
  }

  /** @param {Puzzle} puzzle */
  #shared(puzzle) {
    const done = puzzle.right ? "I solved" : "I did not solve";
    return `${done} Duelbook's puzzle of ${puzzle.day}, in ${titled(puzzle.game)}. ${streakWords()} ${location.origin}/puzzle/daily`;
  }
}

/** @param {Puzzle} tried @param {string} move */
function verdict(tried, move) {
  if (tried.right) return `${move} is right: it wins in ${plural(tried.plies, "move")}.`;
  const line = tried.refutation?.length ? ` It would go on ${tried.refutation.join(", ")}.` : "";
  return `${move} gives the win away.${line} Right was ${tried.answer}.`;
}

customElements.define("duel-puzzle", DuelPuzzle);

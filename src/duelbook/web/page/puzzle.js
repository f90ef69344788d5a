// Puzzles: find the right move. A wrong one is refuted on the board, and help comes in steps.

import { fetchLine, findGame, get } from "./api.js";
import { addStyle } from "./board.js";
import { Component, h } from "./dom.js";
import { icon } from "./icons.js";
import { replaceAddress } from "./main.js";
import { gameNotFound, isNotFound } from "./not-found.js";
import { prefersCalm } from "./pace.js";
import { bannerDayText, countdown, puzzleBanner, streakText } from "./puzzle-banner.js";
import { chooser, KINDS } from "./puzzle-chooser.js";
import { drawPuzzle } from "./puzzle-draw.js";
import { helpPanel, marksText } from "./puzzle-help.js";
import { dayResult, isDone, noteDay, streakDays } from "./puzzle-results.js";
import { showRules } from "./rules.js";
import { share } from "./share.js";
import { announce, attempt } from "./status.js";
import { plural, SEAT_NAMES } from "./text.js";
import { fetchHints } from "./values.js";
import "./viewer.js";

/** @import { DailyPuzzle, Game, Line, PuzzleLevels, SeededPuzzle } from "./api-types.js" */
/** @import { Options, ViewerInput } from "./types.js" */

/** @typedef {DailyPuzzle & {seed?: undefined} | SeededPuzzle & {day?: undefined}} Puzzle */

const LATE = "Puzzles of past days leave your streak as it is.";

class DuelPuzzle extends Component {
  /** @type {Game | null} */ #game = null;
  /** @type {Puzzle | null} */ #puzzle = null;
  /** @type {Line | null} */ #line = null;
  /** @type {PuzzleLevels | null} */ #levels = null;
  /** @type {string | null} */ #pending = null;
  /** @type {string[]} */ #help = []; // the steps of help that are shown
  /** @type {Promise<string[]> | null} */ #hints = null;
  #marks = ""; // of this puzzle, as in the results of a day
  #verdict = "";
  #celebrate = false; // it was solved just now
  #problem = "";
  #unknown = false; // there is no such game
  #late = false; // the puzzle of a past day
  #calendar = false; // it has been loaded
  #ticking = 0;

  connectedCallback() {
    super.connectedCallback();
    this.#ticking = window.setInterval(() => this.#puzzle?.day && this.update(), 1000);
    void this.#load().catch((error) => {
      this.#unknown = isNotFound(error);
      this.#problem = error.message;
      this.update();
    });
  }

  disconnectedCallback() {
    clearInterval(this.#ticking);
  }

  get #name() {
    return this.getAttribute("name") || "daily";
  }

  /** The query of the puzzle: its day, or its seed, level and kind. */
  get #query() {
    const asked = new URLSearchParams(location.search);
    const found = new URLSearchParams();
    for (const name of this.#name === "daily" ? ["day"] : ["seed", "level", "kind"]) {
      const value = asked.get(name);
      if (value) found.set(name, value);
    }
    if (this.#name !== "daily" && !found.has("kind")) found.set("kind", "any");
    if (this.#puzzle?.seed) found.set("seed", this.#puzzle.seed);
    return found;
  }

  /** @param {string} [move] to try */
  #fetch(move) {
    const query = this.#query;
    if (move !== undefined) query.set("try", move);
    return /** @type {Promise<Puzzle>} */ (get(`/api/puzzles/${this.#name}?${query}`));
  }

  /** Return the puzzle that was asked for, or another one than before. */
  #draw() {
    const asked = this.#name === "daily" || this.#query.has("seed");
    return asked ? this.#fetch() : /** @type {Promise<Puzzle>} */ (drawPuzzle(this.#name, this.#query));
  }

  async #load() {
    const puzzle = await this.#draw();
    this.#game = await findGame(puzzle.game);
    this.#line = await fetchLine(this.#game, puzzle.options, puzzle.moves);
    this.#puzzle = puzzle;
    if (!this.isConnected) return; // another screen is shown by now
    if (puzzle.seed) replaceAddress(`/puzzle/${puzzle.game}?${this.#query}`);
    document.title = `Puzzle: ${this.#game.title} · Duelbook`;
    this.#late = puzzle.day !== undefined && puzzle.day !== new Date().toISOString().slice(0, 10);
    const kept = puzzle.day ? dayResult(puzzle.day) : null;
    this.#marks = kept?.marks ?? "";
    if (kept && isDone(kept) && kept.move) await this.#show(puzzle, kept.move, await this.#fetch(kept.move));
    this.update();
    await this.#loadMore(puzzle);
  }

  /** Load what the puzzle can do without: the calendar, or the kinds and levels of the game. @param {Puzzle} puzzle */
  async #loadMore(puzzle) {
    if (puzzle.day) {
      await import("./puzzle-calendar.js");
      this.#calendar = true;
    } else {
      this.#levels = await get(`/api/puzzles/${puzzle.game}/levels`).catch(() => null);
    }
    this.update();
  }

  /** @param {string} move */
  async #try(move) {
    const puzzle = this.#puzzle;
    if (!puzzle) return;
    this.#pending = move;
    this.update();
    try {
      const tried = await this.#fetch(move);
      this.#note(tried.right ? "o" : "x", move);
      await this.#show(puzzle, move, tried);
      this.#celebrate = !!tried.right && !prefersCalm();
      announce(this.#verdict);
    } finally {
      this.#pending = null;
      this.update();
      this.#toBanner();
    }
  }

  /** Scroll up to the banner, if it is out of sight. */
  #toBanner() {
    requestAnimationFrame(() => {
      const banner = this.querySelector(".puzzle-result");
      if (banner && banner.getBoundingClientRect().top < 0) banner.scrollIntoView({ block: "start" });
    });
  }

  /** Show a move that was tried, and what follows it. @param {Puzzle} puzzle @param {string} move @param {Puzzle} tried */
  async #show(puzzle, move, tried) {
    if (!this.#game) return;
    this.#line = await fetchLine(this.#game, puzzle.options, [...puzzle.moves, move, ...(tried.refutation ?? [])]);
    this.#puzzle = tried;
    this.#verdict = tried.right ? rightText(tried, move) : `${tried.why_not}`;
  }

  /** @param {"x" | "h" | "a" | "o"} mark @param {string} [move] */
  #note(mark, move = "") {
    if (/[ao]$/.test(this.#marks)) return;
    this.#marks += mark;
    if (this.#puzzle?.day) noteDay(this.#puzzle.day, mark, move, this.#late);
  }

  async #again() {
    const { game, puzzle } = { game: this.#game, puzzle: this.#puzzle };
    if (!game || !puzzle) return;
    this.#line = await fetchLine(game, puzzle.options, puzzle.moves);
    this.#puzzle = { ...puzzle, right: undefined };
    this.#verdict = "";
    this.#celebrate = false;
    this.update();
  }

  /** Show the next step of help; the last one is the answer. */
  async #nextHelp() {
    const { game, puzzle } = { game: this.#game, puzzle: this.#puzzle };
    if (!game || !puzzle) return;
    this.#hints ??= fetchHints(game, puzzle.options, puzzle.moves).catch((error) => {
      this.#hints = null; // it may succeed another time
      throw error;
    });
    const [nudge, play] = await this.#hints;
    const answer = play.slice("Play ".length, -1);
    const steps = [nudge, candidatesText(puzzle, answer)].filter(Boolean);
    if (this.#help.length < steps.length) {
      this.#note("h");
      this.#help = steps.slice(0, this.#help.length + 1);
      announce(this.#help.at(-1) ?? "");
    } else {
      this.#note("a", answer);
      const tried = await this.#fetch(answer);
      await this.#show(puzzle, answer, tried);
      this.#verdict = `The answer: ${this.#verdict}`;
      announce(this.#verdict);
      this.#toBanner();
    }
    this.update();
  }

  render() {
    const puzzle = this.#puzzle;
    if (this.#unknown) return gameNotFound("puzzle");
    if (this.#problem)
      return [
        h("h1", null, "Puzzle"),
        h("p", { class: "notice" }, this.#problem),
        h("p", null, h("a", { href: "/puzzle/daily" }, "To the puzzle of the day")),
      ];
    if (!puzzle || !this.#game || !this.#line) return h("p", { class: "notice" }, "Loading the puzzle …");
    const which = !puzzle.day ? "Puzzle" : this.#late ? `Puzzle of ${dateText(puzzle.day)}` : "Puzzle of the day";
    return [
      h(
        "div",
        { class: "heading", key: "heading" },
        h("h1", null, `${which}: ${this.#game.title}`),
        h("p", { class: "quiet" }, `${KINDS[puzzle.kind]}, level ${puzzle.level} of 5`),
      ),
      h("duel-viewer", {
        key: puzzle.right === undefined ? "task" : `after ${this.#verdict}`,
        input: this.#viewerInput(puzzle, this.#game, this.#line),
      }),
      puzzle.day &&
        this.#calendar &&
        h("duel-calendar", { key: "calendar", first: puzzle.first_day, shown: puzzle.day, marks: this.#marks }),
      puzzle.seed && this.#levels && chooser(puzzle.game, this.#levels),
    ];
  }

  /** @param {Puzzle} puzzle @param {Game} game @param {Line} line @returns {ViewerInput} */
  #viewerInput(puzzle, game, line) {
    const open = puzzle.right === undefined;
    const answer = { play: (/** @type {string} */ move) => this.#try(move), pending: this.#pending, yourTurn: true };
    const solved = /[ao]$/.test(this.#marks);
    return {
      game,
      line,
      names: SEAT_NAMES,
      you: puzzle.mover,
      live: open ? answer : null,
      branching: !open,
      backText: "Back to the puzzle",
      help: solved && !open, // before that, values would give the answer away
      puzzle: open,
      ply: open ? undefined : puzzle.moves.length + 1,
      above: open ? h("p", { class: "lead task", key: "task" }, taskText(puzzle)) : this.#banner(puzzle, solved),
      below: [
        open && helpPanel(this.#help, () => void attempt(() => this.#nextHelp())),
        h(
          "div",
          { class: "actions", key: "actions" },
          rulesButton(game.name, line.options),
          open && puzzle.day && h("p", { class: "streak", key: "streak" }, this.#dayText()),
          open && h("a", { class: "button", key: "next", href: this.#next(puzzle).href }, this.#next(puzzle).text),
          puzzle.day && h("a", { class: "button", key: "run", href: "/puzzle/run" }, "How many in three minutes?"),
        ),
      ],
    };
  }

  /** @param {Puzzle} puzzle @param {boolean} solved */
  #banner(puzzle, solved) {
    return puzzleBanner({
      right: !!puzzle.right,
      marks: this.#marks,
      why: this.#verdict,
      day: !puzzle.day || !solved ? "" : this.#late ? LATE : bannerDayText(streakDays()),
      celebrate: this.#celebrate,
      onshare: puzzle.day && solved ? () => void attempt(() => share(this.#shareText(puzzle))) : null,
      onagain: () => void attempt(() => this.#again()),
      next: this.#next(puzzle),
    });
  }

  /** Return the link to another puzzle of the game. @param {Puzzle} puzzle */
  #next(puzzle) {
    const href = `/puzzle/${puzzle.game}${puzzle.seed ? this.#another() : ""}`;
    return { href, text: `Another ${this.#game?.title} puzzle` };
  }

  /** Return the query for another puzzle of the same kind and level. */
  #another() {
    const query = this.#query;
    query.delete("seed");
    return `?${query}`;
  }

  /** Return what there is to say about the day before the puzzle is solved. */
  #dayText() {
    if (this.#late) return LATE;
    const lost = this.#marks && "The first try of today is over. ";
    return `${lost}${streakText(streakDays())} The next puzzle comes in ${countdown()}.`;
  }

  /** @param {Puzzle} puzzle */
  #shareText(puzzle) {
    const day = puzzle.day ?? "";
    const address = `${location.origin}/puzzle/daily?day=${day}`;
    return `Duelbook puzzle of ${dateText(day)}: ${this.#game?.title}, level ${puzzle.level} of 5\n${marksText(this.#marks)}\n${address}`;
  }
}

/** @param {string} game @param {Options} options */
function rulesButton(game, options) {
  const onclick = () => void attempt(() => showRules(game, options));
  return h("button", { type: "button", key: "rules", onclick }, icon("rules"), "Rules (?)");
}

/** @param {Puzzle} puzzle */
function taskText(puzzle) {
  const length = puzzle.kind === "win" ? ` You win in ${plural(puzzle.own_moves, "move")}.` : "";
  return `It is the ${puzzle.mover} player's turn. ${puzzle.task}${length}`;
}

/** @param {Puzzle} tried @param {string} move */
function rightText(tried, move) {
  const wins = tried.kind === "win" ? `: it wins in ${plural(tried.own_moves, "move")}` : "";
  return `${move} is right${wins}. ${tried.why}`.trim();
}

/**
 * Return a few moves with a right one among them, or an empty text if there are few anyway.
 * @param {Puzzle} puzzle
 * @param {string} answer
 */
function candidatesText(puzzle, answer) {
  if (puzzle.legal.length < 5) return "";
  const others = puzzle.legal.filter((move) => move !== answer);
  const step = Math.max(1, Math.floor(others.length / 2));
  const shown = [answer, others[step % others.length], others[(2 * step) % others.length]];
  const listed = puzzle.legal.filter((move) => shown.includes(move));
  return `A right move is among these: ${listed.join(", ")}.`;
}

/** @param {string} day */
const dateText = (day) =>
  new Date(day).toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });

addStyle(`
duel-puzzle .above:has(.task, .puzzle-result) { position: static; }
duel-puzzle .task { min-height: 3rem; }
duel-puzzle .above .branch { align-content: center; }
duel-puzzle .above:has(.branch) > * { grid-area: 1 / 1; } /* the note stands in front of the banner, so that the board stays where it is */
duel-puzzle .above:has(.branch) > .puzzle-result { visibility: hidden; }
`);

customElements.define("duel-puzzle", DuelPuzzle);

// The viewer of a line of moves: the board, the list of moves, stepping, branches, values and hints.

import { fetchLine, historyOf } from "./api.js";
import { loadBoard } from "./board.js";
import { Component, h } from "./dom.js";
import { icon } from "./icons.js";
import { moveList, stepper } from "./moves.js";
import { prefs, remember } from "./prefs.js";
import { judgement, reviewPanel } from "./review.js";
import { showRules } from "./rules.js";
import { announce, attempt, notify } from "./status.js";
import { readMove } from "./typed-move.js";
import { fetchHints, PositionValues, valuesPanel } from "./values.js";

/** @import { Line } from "./api-types.js" */
/** @import { Child } from "./dom.js" */
/** @import { Board, BoardInput, ViewerInput } from "./types.js" */

export class DuelViewer extends Component {
  /** @type {ViewerInput | null} */ #input = null;
  /** @type {number | null} */ #ply = null; // null follows the end of the line
  /** @type {{from: number, line: Line} | null} */ #branch = null;
  /** @type {Board | null} */ #board = null;
  #positionValues = new PositionValues(() => this.update());
  /** @type {Promise<void>} */ #trying = Promise.resolve(); // moves are tried in order, however fast they come
  /** @type {string[]} */ #hints = []; // the steps of help that are shown
  /** @type {Promise<string[]> | null} */ #help = null; // all steps of help for this position
  #showValues = false;

  get input() {
    return this.#input;
  }

  set input(input) {
    const fresh = !this.#input;
    if (input?.live && !this.#input?.live) this.#showValues = false; // the seat of this browser may be known only now
    if (this.#input?.line.moves.length !== input?.line.moves.length) this.#clearHints();
    this.#input = input;
    if (fresh && input) void this.#start(input);
    this.update();
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("keydown", this);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this);
  }

  /** @param {ViewerInput} input */
  async #start(input) {
    this.#ply = input.ply ?? null;
    this.#showValues = prefs.values && !input.puzzle && !input.live; // a game is played without help unless it is asked for
    this.#board = await loadBoard(input.game);
    this.update();
  }

  /** The line on the screen: the game's own, or a branch of it. */
  get #line() {
    return this.#branch?.line ?? /** @type {ViewerInput} */ (this.#input).line;
  }

  /** The ply of the position on the board. */
  get #at() {
    return Math.min(this.#ply ?? Infinity, this.#line.moves.length);
  }

  /** @param {KeyboardEvent} event */
  handleEvent(event) {
    const typing = event.target instanceof Element && event.target.closest(TYPING);
    const taken = typing || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey;
    if (taken || !this.#input || document.querySelector("dialog[open]")) return;
    if (event.key === "?") void attempt(() => showRules(this.#input?.game.name ?? "", this.#line.options));
    if (event.key === "Escape") this.#leave();
    const last = this.#line.moves.length;
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: this.#at - 1, ArrowRight: this.#at + 1, Home: 0, End: last };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.#go(Math.max(0, Math.min(last, steps[event.key])));
  }

  /** Leave a branch, or an earlier position of a game that is being played. */
  #leave() {
    if (this.#branch && !this.#input?.free) this.#leaveBranch();
    else if (this.#isPast) this.#go(this.#line.moves.length);
  }

  /** True if an earlier position is shown of a game that is being played. */
  get #isPast() {
    return !!this.#input?.following && !this.#branch && this.#at < this.#input.line.moves.length;
  }

  /**
   * Show the position at a ply of the game, not of a branch.
   * @param {number} ply
   */
  goTo(ply) {
    this.#branch = null;
    this.#go(ply);
  }

  /** @param {number} ply */
  #go(ply) {
    const last = this.#line.moves.length;
    if (this.#branch && ply < this.#branch.from) this.#branch = null;
    this.#ply = ply === last && !this.#branch ? null : ply;
    this.#moved();
  }

  #clearHints() {
    this.#hints = [];
    this.#help = null;
  }

  #moved() {
    this.#clearHints();
    this.#input?.onmove?.(this.#at, this.#line, this.#branch !== null);
    const past = this.#isPast ? ` ${this.#pastText()}` : "";
    const move = this.#at ? `Move ${this.#at} of ${this.#line.moves.length}: ${this.#line.moves[this.#at - 1]}.` : "";
    const end = this.#branch && this.#endText() ? ` ${this.#endText()}` : "";
    if (move || past) announce(`${move}${past}${end}`.trim());
    this.update();
  }

  /** @param {string} move */
  async #play(move) {
    const { line, live } = /** @type {ViewerInput} */ (this.#input);
    if (!this.#branch && this.#at === line.moves.length && live) {
      await live.play(move);
      return;
    }
    const trying = this.#trying.then(() => this.#try(move));
    this.#trying = trying.catch(() => undefined);
    await trying;
  }

  /** @param {string} text */
  async #playTyped(text) {
    const { game } = /** @type {ViewerInput} */ (this.#input);
    const { moves, options, positions } = this.#line;
    const at = this.#at;
    const move = await readMove(game, options, moves.slice(0, at), positions[at].legal, text);
    if (this.#at === at) await this.#play(move);
  }

  /** @param {string} move */
  async #try(move) {
    const input = /** @type {ViewerInput} */ (this.#input);
    const at = this.#at;
    if (this.#line.moves[at] === move) {
      this.#go(at + 1);
      return;
    }
    const line = await fetchLine(input.game, input.line.options, [...this.#line.moves.slice(0, at), move]);
    if (!this.isConnected) return; // another screen is shown by now
    this.#branch = { from: this.#branch ? Math.min(this.#branch.from, at) : at, line };
    this.#ply = at + 1;
    this.#moved();
  }

  #leaveBranch() {
    const from = this.#branch?.from ?? 0;
    this.#branch = null;
    this.#go(from);
  }

  render() {
    const input = this.#input;
    if (!input) return null;
    const moves = this.#line.moves.slice(0, this.#at);
    if (input.help && !input.puzzle && (this.#showValues || input.review))
      void this.#positionValues.requestStart(input.game, input.line.options, input.helpPath);
    if (input.help && this.#showValues && !this.#positionValues.startProblem)
      this.#positionValues.request(input.game, input.line.options, moves, input.helpPath);
    return h(
      "div",
      { class: "viewer" },
      h(
        "div",
        { class: "stage" },
        h(
          "section",
          { class: "above", "aria-label": "The game now" },
          input.above,
          this.#isPast && this.#pastNote(),
          this.#branch && !input.free && this.#branchNote(this.#branch.from),
        ),
        this.#tableArea(input),
      ),
      h("aside", { class: "side", "aria-label": "The game" }, this.#side(input)),
    );
  }

  /** Return the board and what belongs right below it, so that all of it can be seen together. @param {ViewerInput} input */
  #tableArea(input) {
    const at = this.#at;
    const line = this.#line;
    const playable = (input.live || input.branching) && line.positions[at].mover;
    return h(
      "section",
      { class: "table-area", "aria-label": "Board" },
      input.caption,
      h(
        "div",
        {
          class: "felt",
          key: "felt",
          "data-past": this.#isPast,
          onclick: this.#isPast ? () => notify(this.#pastText()) : null,
        },
        this.#boardTree(input),
      ),
      stepper(at, line.moves.length, (ply) => this.#go(ply)),
      input.review && h("p", { class: "judgement", key: "judgement" }, judgement(input.review, this.#branch ? -1 : at)),
      playable && h("duel-typed-move", { key: "typed", play: (/** @type {string} */ text) => this.#playTyped(text) }),
    );
  }

  /** Scroll the list so that the current move is visible. */
  rendered() {
    const log = this.querySelector(".log");
    const current = log?.querySelector("[aria-current]")?.closest("li");
    if (!log || !current) return;
    const top = current.offsetTop;
    if (top < log.scrollTop || top + current.offsetHeight > log.scrollTop + log.clientHeight)
      log.scrollTop = top - current.offsetHeight;
  }

  /** @param {ViewerInput} input */
  #boardTree(input) {
    const at = this.#at;
    const line = this.#line;
    const atEnd = !this.#branch && at === input.line.moves.length;
    const canPlay = atEnd && input.live ? input.live.yourTurn : input.branching;
    const solution = input.help && this.#showValues ? this.#positionValues.after(line.moves.slice(0, at)) : null;
    if (solution && input.live) input.onhelp?.();
    /** @type {BoardInput} */
    const boardInput = {
      game: input.game.name,
      options: line.options,
      position: line.positions[at],
      history: historyOf(line, at),
      names: input.names,
      you: input.you,
      pending: (atEnd && input.live?.pending) || null,
      solution,
      beside: input.beside,
      secret: input.puzzle,
      play: canPlay ? (move) => void attempt(() => this.#play(move)) : null,
      plan: (atEnd && input.live?.plan) || null,
      planned: (atEnd && input.live?.planned) || null,
    };
    return h("duel-board", { key: "board", input: boardInput, board: this.#board });
  }

  /** @param {ViewerInput} input @returns {Child[]} */
  #side(input) {
    const at = this.#at;
    const line = this.#line;
    const history = historyOf(line, line.moves.length);
    const judged = input.review?.moves.slice(0, this.#branch?.from) ?? []; // a branch has no verdicts
    return [
      input.beforeMoves,
      h(
        "section",
        { key: "moves", class: "panel moves", "aria-label": "Moves" },
        moveList(history, line.short, at, (ply) => this.#go(ply), judged),
      ),
      input.help &&
        valuesPanel({
          problem: this.#positionValues.problem,
          start: this.#positionValues.start,
          startProblem: this.#positionValues.startProblem,
          hints: this.#hints,
          over: line.positions[at].mover === null,
          reviewed: !!input.review,
          rated: !!input.live && !input.puzzle,
          onhint: () => this.#requestHint(),
          values: this.#showValues,
          onvalues: (values) => this.#setValues(values),
        }),
      input.review && reviewPanel(input.review, this.#branch ? -1 : at, (ply) => this.goTo(ply)),
      input.below,
    ];
  }

  #pastText() {
    return `You are looking at ${this.#at ? `move ${this.#at}` : "the start"}.`;
  }

  #pastNote() {
    return h(
      "div",
      { class: "past", key: "past" },
      h("p", null, this.#pastText(), this.#input?.live?.yourTurn && h("span", null, " It is your turn.")),
      h("button", { type: "button", onclick: () => this.#leave() }, icon("last"), "Back to the game"),
    );
  }

  /** @param {number} from */
  #branchNote(from) {
    return h(
      "div",
      { class: "branch", key: "branch" },
      h(
        "p",
        null,
        `You are trying other moves ${from ? `after move ${from}` : "from the start"}.`,
        this.#endText() && [" ", h("strong", null, this.#endText())],
      ),
      h("button", { type: "button", onclick: () => this.#leaveBranch() }, this.#input?.backText ?? "Back to the game"),
    );
  }

  /** Return how the game ends in the position on the board; nothing if it goes on. */
  #endText() {
    const { mover, outcome } = this.#line.positions[this.#at];
    if (mover !== null || !this.#input) return "";
    const { you, names } = this.#input;
    if (outcome !== "first" && outcome !== "second")
      return `The game ends here: ${outcome === "draw" ? "a draw" : "nobody wins"}.`;
    return `The game ends here: ${you === outcome ? "you win" : you ? "you lose" : `${names[outcome]} wins`}.`;
  }

  /** @param {boolean} values */
  #setValues(values) {
    this.#showValues = values;
    if (!this.#input?.puzzle && !this.#input?.live) remember({ values });
    this.update();
  }

  /** Show the next step of help: a nudge, the move, and why. */
  async #requestHint() {
    const { game, line, helpPath } = /** @type {ViewerInput} */ (this.#input);
    const moves = this.#line.moves.slice(0, this.#at);
    this.#help ??= fetchHints(game, line.options, moves, helpPath);
    const help = this.#help;
    await attempt(async () => {
      const steps = await help.catch((error) => {
        this.#help = null; // it may succeed another time
        throw error;
      });
      if (this.#help !== help || this.#hints.length === steps.length) return; // another position is shown by now
      this.#hints = steps.slice(0, this.#hints.length + 1);
      if (this.#input?.live) this.#input.onhelp?.();
      announce(this.#hints.at(-1) ?? "");
    });
    this.update();
  }
}

const TYPING = 'input:not([type="checkbox"]), select, textarea, dialog'; // where keys have another use

customElements.define("duel-viewer", DuelViewer);

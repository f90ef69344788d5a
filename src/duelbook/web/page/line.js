// A line of moves at the table: the board with its players, the moves, stepping, branches and exact help.

import { lineOf } from "./api.js";
import { boardOf } from "./board.js";
import { showRules } from "./dialogs.js";
import { h, Part } from "./dom.js";
import { helpPanel } from "./help.js";
import { moveLog, stepper } from "./moves.js";
import { prefs, remember } from "./prefs.js";
import { reviewPanel } from "./reviewing.js";
import { tell, trying } from "./status.js";
import { typingBox } from "./typing.js";
import { Knowledge, solutionOf } from "./values.js";

/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Line} Line */
/** @typedef {import("./types.js").Child} Child */

/**
 * What a line is shown with.
 * @typedef {object} Setting
 * @property {import("./types.js").Game} game
 * @property {Line} line
 * @property {Record<Seat, string>} names
 * @property {Seat | null} you
 * @property {{play: (move: string) => Promise<void>, pending: string | null, mine: boolean} | null} live what is done
 *   at the end of the line; nothing for who only watches
 * @property {boolean} branching whether other moves may be tried from any position
 * @property {boolean} [free] whether there is no game to come back to: what is tried takes the place of the line
 * @property {boolean} help whether exact values may be asked for
 * @property {boolean} [secret] whether values would give something away, so that they are not shown unasked
 * @property {import("./types.js").Review | null} [review]
 * @property {number} [ply] the position to begin with
 * @property {(ply: number, line: Line, branch: boolean) => void} [moved] told of the position that is shown
 * @property {(seat: Seat) => Child} [beside] what else stands on a player's plate
 * @property {Child} [above]
 * @property {Child} [below]
 */

export class DuelLine extends Part {
  /** @type {Setting | null} */ #setting = null;
  /** @type {number | null} */ #ply = null; // nothing: the end, wherever that is
  /** @type {{from: number, line: Line} | null} */ #branch = null;
  /** @type {import("./types.js").Board | null} */ #board = null;
  #knowledge = new Knowledge(() => this.update());
  /** @type {Promise<void>} */ #tried = Promise.resolve(); // moves are tried one after the other, however soon they come
  #hinted = "";
  #values = false;

  get setting() {
    return this.#setting;
  }

  set setting(setting) {
    const fresh = !this.#setting;
    if (this.#setting?.line.moves.length !== setting?.line.moves.length) this.#hinted = "";
    this.#setting = setting;
    if (fresh && setting) void this.#begin(setting);
    this.update();
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("keydown", this);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this);
  }

  /** @param {Setting} setting */
  async #begin(setting) {
    this.#ply = setting.ply ?? null;
    this.#values = prefs.values && !setting.secret;
    this.#board = await boardOf(setting.game);
    this.update();
  }

  /** The line that is shown: the game's, or a branch of it. */
  get #line() {
    return this.#branch?.line ?? /** @type {Setting} */ (this.#setting).line;
  }

  get #at() {
    return Math.min(this.#ply ?? Infinity, this.#line.moves.length);
  }

  /** @param {KeyboardEvent} event */
  handleEvent(event) {
    const typing = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
    if (typing || event.altKey || event.ctrlKey || event.metaKey || !this.#setting) return;
    if (event.key === "?") void showRules(this.#setting.game.name);
    const last = this.#line.moves.length;
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: this.#at - 1, ArrowRight: this.#at + 1, Home: 0, End: last };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.#go(Math.max(0, Math.min(last, steps[event.key])));
  }

  /** @param {number} ply */
  #go(ply) {
    const last = this.#line.moves.length;
    if (this.#branch && ply <= this.#branch.from) this.#branch = ply < this.#branch.from ? null : this.#branch;
    this.#ply = ply === last && !this.#branch ? null : ply;
    this.#shown();
  }

  #shown() {
    this.#hinted = "";
    const setting = this.#setting;
    setting?.moved?.(this.#at, this.#line, this.#branch !== null);
    if (this.#at) tell(`Move ${this.#at} of ${this.#line.moves.length}: ${this.#line.moves[this.#at - 1]}.`);
    this.update();
  }

  /** @param {string} typed */
  async #play(typed) {
    const { line, live } = /** @type {Setting} */ (this.#setting);
    if (!this.#branch && this.#at === line.moves.length && live) {
      await live.play(this.#named(typed));
      return;
    }
    const turn = this.#tried.then(() => this.#try(typed));
    this.#tried = turn.catch(() => undefined);
    await turn;
  }

  /** @param {string} typed */
  #named(typed) {
    return this.#line.positions[this.#at].legal.find((name) => fold(name) === fold(typed)) ?? typed;
  }

  /** @param {string} typed */
  async #try(typed) {
    const setting = /** @type {Setting} */ (this.#setting);
    const at = this.#at;
    const move = this.#named(typed);
    if (this.#line.moves[at] === move) {
      this.#go(at + 1);
      return;
    }
    const line = await lineOf(setting.game, setting.line.options, [...this.#line.moves.slice(0, at), move]);
    if (!this.isConnected) return; // somebody has gone on to another screen
    this.#branch = { from: this.#branch ? Math.min(this.#branch.from, at) : at, line };
    this.#ply = at + 1;
    this.#shown();
  }

  /** Leave the branch for the game. */
  #back() {
    const from = this.#branch?.from ?? 0;
    this.#branch = null;
    this.#go(from);
  }

  render() {
    const setting = this.#setting;
    if (!setting) return null;
    const moves = this.#line.moves.slice(0, this.#at);
    if (setting.help && !setting.secret) void this.#knowledge.begin(setting.game, setting.line.options);
    if (setting.help && this.#values) this.#knowledge.ask(setting.game, setting.line.options, moves);
    return h(
      "div",
      { class: "line" },
      h(
        "section",
        { class: "table-area", "aria-label": "Table" },
        h("div", { class: "above" }, setting.above),
        h("div", { class: "felt" }, this.#boardTree()),
        (setting.live || setting.branching) && typingBox((move) => trying(() => this.#play(move))),
      ),
      h("aside", { class: "side", "aria-label": "The game" }, this.#side(setting)),
    );
  }

  /** Keep the move in sight that led to the position. */
  drawn() {
    const log = this.querySelector(".log");
    const now = log?.querySelector("[aria-current]")?.closest("li");
    if (!log || !now) return;
    const top = now.offsetTop;
    if (top < log.scrollTop || top + now.offsetHeight > log.scrollTop + log.clientHeight)
      log.scrollTop = top - now.offsetHeight;
  }

  #boardTree() {
    const setting = /** @type {Setting} */ (this.#setting);
    const at = this.#at;
    const line = this.#line;
    const end = !this.#branch && at === setting.line.moves.length;
    const can = end && setting.live ? setting.live.mine : setting.branching;
    const solution = setting.help && this.#values ? this.#knowledge.of(line.moves.slice(0, at)) : null;
    /** @type {import("./types.js").Shown} */
    const shown = {
      game: setting.game.name,
      options: line.options,
      position: line.positions[at],
      history: historyOf(line, at),
      names: setting.names,
      you: setting.you,
      pending: (end && setting.live?.pending) || null,
      solution,
      beside: setting.beside,
      play: can ? (move) => void trying(() => this.#play(move)) : null,
    };
    return h("duel-board", { key: "board", shown, board: this.#board });
  }

  /** @param {Setting} setting @returns {Child[]} */
  #side(setting) {
    const at = this.#at;
    const line = this.#line;
    const history = historyOf(line, line.moves.length);
    const judged = setting.review?.moves.slice(0, this.#branch?.from) ?? []; // a branch is not judged
    return [
      this.#branch &&
        !setting.free &&
        h(
          "div",
          { class: "branch", key: "branch" },
          h("p", null, `A branch from move ${this.#branch.from}: what could have been.`),
          h("button", { type: "button", onclick: () => this.#back() }, "Back to the game"),
        ),
      h(
        "section",
        { key: "moves", class: "panel moves", "aria-label": "Moves" },
        stepper(at, line.moves.length, (ply) => this.#go(ply)),
        moveLog(history, at, (ply) => this.#go(ply), judged),
      ),
      setting.help &&
        helpPanel({
          problem: this.#knowledge.problem,
          start: this.#knowledge.start,
          hinted: this.#hinted,
          over: line.positions[at].mover === null,
          onhint: () => this.#hint(),
          values: this.#values,
          onvalues: (values) => this.#showValues(values),
        }),
      setting.review && reviewPanel(setting.review, this.#branch ? -1 : at),
      setting.below,
    ];
  }

  /** @param {boolean} values */
  #showValues(values) {
    this.#values = values;
    if (!this.#setting?.secret) remember({ values });
    this.update();
  }

  async #hint() {
    const { game, line } = /** @type {Setting} */ (this.#setting);
    this.#hinted = "…";
    this.update();
    const moves = this.#line.moves.slice(0, this.#at);
    await trying(async () => {
      const { hint } = await solutionOf(game, line.options, moves);
      this.#hinted = hint ? `${hint.move}: ${hint.why}` : "";
      tell(this.#hinted);
    });
    this.update();
  }
}

/**
 * Answer a move as it compares; no letter from elsewhere becomes one of A to Z.
 * @param {string} text
 */
const fold = (text) =>
  text
    .trim()
    .replace(/[^\u0130\u212a]/gu, (letter) => letter.toLowerCase())
    .replace(/\s+/g, " ");

/**
 * Answer the moves that led to a ply, each with who made it.
 * @param {Line} line
 * @param {number} ply
 */
export function historyOf(line, ply) {
  return line.moves.slice(0, ply).map((move, index) => ({
    move,
    seat: /** @type {Seat} */ (line.positions[index].mover),
  }));
}

customElements.define("duel-line", DuelLine);

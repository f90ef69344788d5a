// The board element: a game's own board, or the plain one.

import { Component, h } from "./dom.js";
import { drawnBoard } from "./drawn-board.js";
import { plainBoard } from "./plain-board.js";
import * as players from "./players.js";
import { prefs } from "./prefs.js";
import { canPlay, holds, makeTable } from "./table.js";
import { withNames } from "./text.js";

/** @import { Game, MovePreview } from "./api-types.js" */
/** @import { BoardPlay } from "./board-play.js" */
/** @import { Board, BoardInput } from "./types.js" */

const MAX_MOVED_PLIES = 2; // a step further than this shows the position at once

/** @type {Map<string, Promise<Board>>} */
const boards = new Map();

/** @type {Map<string, Board>} */
const replaced = new Map(); // what is shown instead of each board that does not work

/**
 * Return the board of a game, made once: its own, one of what lies on the table, or the plain one if the player prefers it.
 * @param {Game} game
 * @returns {Promise<Board>}
 */
export function loadBoard(game) {
  if (prefs.plain) return Promise.resolve(plainBoard);
  const own = () => importBoard(game.name).catch((error) => instead(game.name, error));
  const board = boards.get(game.name) ?? (game.board ? own() : Promise.resolve(styled(drawnBoard(game))));
  boards.set(game.name, board);
  return board;
}

/** @param {Board} board */
function styled(board) {
  addStyle(board.style);
  return board;
}

/** @param {string} name @returns {Promise<Board>} */
async function importBoard(name) {
  /** @type {{default: Board}} */
  const module = await import(new URL(`boards/${name}.js`, import.meta.url).href);
  return styled(module.default);
}

/**
 * Return the plain board with a line that says why it is there. The error goes to the console, once for each game.
 * @param {string} game
 * @param {unknown} error
 * @returns {Board}
 */
function instead(game, error) {
  console.error(`The board of ${game} does not work.`, error);
  const note = "This game's own board does not work. This is the plain one.";
  /** @type {Board} */
  const board = {
    style: "",
    draw: (table) => [!table.small && h("p", { class: "plain-note", role: "status" }, note), plainBoard.draw(table, h)],
  };
  replaced.set(game, board);
  return board;
}

/**
 * Add a style to the page.
 * @param {string} style
 */
export function addStyle(style) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets.push(sheet);
}

addStyle(players.style);
addStyle(plainBoard.style);

let boardCount = 0;

/** Shows a position; the moves that can be pressed are those that the server says are legal. */
export class DuelBoard extends Component {
  /** @type {Board | null} */ board = null;
  /** @type {string[]} */ #picked = []; // words of moves
  /** @type {BoardInput | null} */ #input = null;
  /** @type {string[]} */ #keys = []; // that play a move
  #wordsId = `move-words-${++boardCount}`;
  /** @type {BoardPlay | null} */ #play = null; // null for a picture
  /** @type {BoardInput | null} */ #shown = null;

  get input() {
    return this.#input;
  }

  set input(input) {
    if (input && this.#input && positionKey(input) !== positionKey(this.#input)) {
      this.#picked = [];
      this.#play?.keys.reset();
    }
    if (input && !input.small && !this.#input) void this.#load();
    this.#input = input;
    this.update();
  }

  async #load() {
    const { BoardPlay } = await import("./board-play.js");
    this.#play = new BoardPlay(this, () => this.update());
    this.update();
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("keydown", this);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this);
    this.#play?.previews.cancel();
    this.#play?.motion.stop();
  }

  /** @param {KeyboardEvent} event */
  handleEvent(event) {
    if (!event.defaultPrevented && this.#play?.keys.press(event)) event.preventDefault();
  }

  render() {
    const input = this.#input;
    if (!this.board || !input) return null;
    const preview = this.#preview(input);
    const sent = input.pending ? this.#play?.previews.known(input, input.pending) : null;
    const shown = preview ?? sent ?? null;
    const pointed = shown && { ...shown, move: input.pending ?? this.#play?.pointing.move ?? "", id: this.#wordsId };
    const table = makeTable(input, this.#picked, (words) => this.#pick(words), pointed);
    const turn = table.mover && input.play ? `turn-${table.mover}` : "";
    const board = (this.board !== plainBoard && replaced.get(input.game)) || this.board;
    const state = table.small ? "small" : table.active ? "" : table.mover ? "idle" : "idle over";
    const tree = h("div", { class: `board ${input.game} ${state} ${turn}`, key: "board" }, board.draw(table, h));
    return [tree, !table.small && this.#words(input, preview)];
  }

  /** @param {BoardInput} input */
  #preview(input) {
    const play = this.#play;
    const move = play?.pointing.move ?? null;
    if (play && move !== null && canPlay(input) && input.position.legal.includes(move))
      return play.previews.of(input, move);
    play?.previews.cancel();
    return null;
  }

  /**
   * Return the line below the board: what the move that is pointed at would do, or else how to play.
   * @param {BoardInput} input
   * @param {MovePreview | null} preview
   */
  #words(input, preview) {
    const look = { class: "words", id: this.#wordsId, key: "words" };
    if (!preview) return h("p", { ...look, "data-help": "" }, canPlay(input) && this.#help());
    const text = withNames(
      `${preview.words} ${input.secret ? "" : preview.result}`.trim(),
      (seat) => input.names[seat],
    );
    return h(
      "p",
      { ...look, "data-warning": preview.warning },
      h("span", null, preview.warning && h("b", null, "Careful: "), text),
    );
  }

  #help() {
    const keys = prefs.keys && keysText(this.#keys);
    return [
      h("span", { class: "by-hand" }, "Hold a move to see what it does."),
      h(
        "span",
        { class: "by-keyboard" },
        keys && [h("kbd", null, keys), this.#keysUse()],
        h("span", { class: "arrows" }, keys && ", ", h("kbd", null, "arrows"), " move"),
      ),
    ];
  }

  /** Return what the keys do: some moves take two of them, and one key may stand for several moves. */
  #keysUse() {
    const again = new Set(this.#keys).size < this.#keys.length;
    const parts = this.querySelector("button.move[data-key][aria-pressed]:not([aria-disabled])");
    const one = parts ? " choose, in either order" : " play";
    return again ? [one, "; again for the other one, ", h("kbd", null, "Enter"), " plays"] : one;
  }

  /** Draw the board. If its code fails, or what it returns cannot be drawn, draw the plain one in its place. */
  show() {
    const changed = this.#changed();
    const before = changed === "near" ? this.#play?.motion.look() : null;
    const keepFocus = this.#play?.keys.keepFocus();
    try {
      super.show();
    } catch (error) {
      if (!this.input || this.board === plainBoard || replaced.has(this.input.game)) throw error;
      instead(this.input.game, error);
      this.replaceChildren(); // part of the board may be there
      super.show();
    }
    keepFocus?.();
    if (before) this.#play?.motion.start(before);
    else if (changed) this.#play?.motion.stop();
    this.#shown = this.#input;
  }

  /**
   * Return whether the position is another one than that on the screen, and if so, whether it is near enough to move there.
   * @returns {"near" | "far" | null}
   */
  #changed() {
    const [from, to] = [this.#shown, this.#input];
    if (!from || !to || (positionKey(from) === positionKey(to) && from.pending === to.pending)) return null;
    const near = !to.small && Math.abs(from.history.length - to.history.length) <= MAX_MOVED_PLIES;
    return near ? "near" : "far";
  }

  rendered() {
    if (!this.#play) return;
    this.#play.keys.setStops();
    const open = /** @type {NodeListOf<HTMLElement>} */ (
      this.querySelectorAll("button.move[data-key]:not([aria-disabled])")
    );
    const keys = [...open].map((move) => move.dataset.key ?? "");
    if (keys.join() === this.#keys.join()) return;
    this.#keys = keys;
    this.update(); // the line names them
  }

  /**
   * Pick words of a move, or no longer. Words that no move has beside them are dropped.
   * @param {string} words
   */
  #pick(words) {
    const legal = this.#input?.position.legal ?? [];
    const fits = (/** @type {string} */ one) => legal.some((move) => holds(move, one) && holds(move, words));
    this.#picked = this.#picked.includes(words)
      ? this.#picked.filter((one) => one !== words)
      : [...this.#picked.filter(fits), words];
    this.update();
  }
}

/** @param {BoardInput} input */
function positionKey(input) {
  return `${input.game} ${input.history.map((played) => played.move).join()}`;
}

/**
 * Return the keys in words: "1–5", "2 and 4", "A–Z and 1–5".
 * @param {string[]} keys
 */
function keysText(keys) {
  const all = [...new Set(keys)];
  const numbers = all.filter((key) => /\d/.test(key)).map(Number);
  const letters = all.filter((key) => !/\d/.test(key)).map((key) => key.toUpperCase().charCodeAt(0));
  return [
    ...runs(letters).map((run) => runText(run.map((code) => String.fromCharCode(code)))),
    ...runs(numbers).map((run) => runText(run.map(String))),
  ]
    .join(", ")
    .replace(/, (?=[^,]*$)/, " and ");
}

/** Return the numbers in order, those that follow each other together. @param {number[]} numbers */
function runs(numbers) {
  /** @type {number[][]} */
  const found = [];
  for (const number of [...numbers].sort((one, two) => one - two)) {
    const run = found.at(-1);
    if (run?.at(-1) === number - 1) run.push(number);
    else found.push([number]);
  }
  return found;
}

/** @param {string[]} run */
const runText = (run) => (run.length > 2 ? `${run[0]}–${run.at(-1)}` : run.join(", "));

customElements.define("duel-board", DuelBoard);

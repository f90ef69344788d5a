// The board element: a game's own board, or the plain one.

import { Component, h } from "./dom.js";
import { plainBoard } from "./plain-board.js";
import * as players from "./players.js";
import { prefs } from "./prefs.js";
import { makeTable } from "./table.js";

/** @import { Game } from "./api-types.js" */
/** @import { Board, BoardInput } from "./types.js" */

/** @type {Map<string, Promise<Board>>} */
const boards = new Map();

/** @type {Map<string, Board>} */
const replaced = new Map(); // what is shown instead of each board that does not work

/**
 * Return the board of a game, loaded once; the plain board if the game has none or the player prefers it.
 * @param {Game} game
 * @returns {Promise<Board>}
 */
export function loadBoard(game) {
  if (!game.board || prefs.plain) return Promise.resolve(plainBoard);
  const board = boards.get(game.name) ?? importBoard(game.name).catch((error) => instead(game.name, error));
  boards.set(game.name, board);
  return board;
}

/** @param {string} name @returns {Promise<Board>} */
async function importBoard(name) {
  /** @type {{default: Board}} */
  const module = await import(new URL(`boards/${name}.js`, import.meta.url).href);
  addStyle(module.default.style);
  return module.default;
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

/** Shows a position; the moves that can be pressed are those that the server says are legal. */
export class DuelBoard extends Component {
  /** @type {Board | null} */ board = null;
  /** @type {Record<string, string>} */ #picked = {};
  /** @type {BoardInput | null} */ #input = null;

  get input() {
    return this.#input;
  }

  set input(input) {
    if (input && this.#input && positionKey(input) !== positionKey(this.#input)) this.#picked = {};
    this.#input = input;
    this.update();
  }

  render() {
    if (!this.board || !this.input) return null;
    const table = makeTable(this.input, this.#picked, (part, value) => this.#pick(part, value));
    const turn = table.mover && this.input.play ? `turn-${table.mover}` : "";
    const board = (this.board !== plainBoard && replaced.get(this.input.game)) || this.board;
    const look = { class: `board ${this.input.game} ${table.small ? "small" : ""} ${turn}` };
    return h("div", look, board.draw(table, h));
  }

  /** Draw the board. If its code fails, or what it returns cannot be drawn, draw the plain one in its place. */
  show() {
    try {
      super.show();
    } catch (error) {
      if (!this.input || this.board === plainBoard || replaced.has(this.input.game)) throw error;
      instead(this.input.game, error);
      this.replaceChildren(); // part of the board may be there
      super.show();
    }
  }

  /** @param {string} part @param {string} value */
  #pick(part, value) {
    const { [part]: before, ...others } = this.#picked;
    this.#picked = before === value ? others : { ...others, [part]: value };
    this.update();
  }
}

/** @param {BoardInput} input */
function positionKey(input) {
  return `${input.game} ${input.history.map((played) => played.move).join()}`;
}

customElements.define("duel-board", DuelBoard);

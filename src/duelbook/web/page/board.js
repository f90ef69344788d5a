// The board element: a game's own board, or the plain one.

import { Component, h } from "./dom.js";
import { plainBoard } from "./plain-board.js";
import * as players from "./players.js";
import { prefs } from "./prefs.js";
import { makeTable } from "./table.js";

/** @import { Game } from "./api-types.js" */
/** @import { Child } from "./dom.js" */
/** @import { Board, BoardInput, Table } from "./types.js" */

/** @type {Map<string, Promise<Board>>} */
const boards = new Map();

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
 * Return the plain board with a line that says why it is there; the error goes to the console.
 * @param {string} game
 * @param {unknown} error
 * @returns {Board}
 */
function instead(game, error) {
  console.error(`The board of ${game} does not work.`, error);
  return {
    style: "",
    draw: (table) => [
      !table.small &&
        h("p", { class: "plain-note", role: "status" }, "This game's own board does not work. This is the plain one."),
      plainBoard.draw(table, h),
    ],
  };
}

/** @param {string} style */
function addStyle(style) {
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
    return h("div", { class: `board ${this.input.game} ${table.small ? "small" : ""} ${turn}` }, this.#drawn(table));
  }

  /** @param {Table} table @returns {Child} */
  #drawn(table) {
    const board = /** @type {Board} */ (this.board);
    try {
      return board.draw(table, h);
    } catch (error) {
      return instead(table.game, error).draw(table, h);
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

// The board element: a game's own board, or a plain one made of the state as text and buttons for the legal moves.

import { Component, h } from "./dom.js";
import * as players from "./players.js";
import { prefs } from "./prefs.js";
import { makeTable } from "./table.js";

/** @import { Game } from "./api-types.js" */
/** @import { Board, BoardInput } from "./types.js" */

const MAX_BUTTONS = 300; // legal moves that get a button; any move can be typed

/** @type {Board} */
const plainBoard = {
  style: `
.board .plain-text {
  margin: 0; padding: var(--space-4); overflow-x: auto; text-align: start;
  background: var(--tile); color: var(--ink); border-radius: var(--round);
  font: 500 1rem/1.5 var(--mono); white-space: pre-wrap;
}
.board .plain { display: grid; gap: var(--space-4); }
.board .plain-moves { display: flex; flex-wrap: wrap; align-content: start; gap: var(--space-2); min-height: 8rem; }
.board.small .plain-moves { display: none; }
.board .plain-moves .move { min-width: 4.5rem; padding: 0 var(--space-3); font-weight: 600; }
.board.small .plain-text { font-size: 0.7rem; padding: var(--space-2); }
`,
  draw: (table) => {
    const moves = table.small ? [] : table.legal.slice(0, MAX_BUTTONS);
    return h(
      "div",
      { class: "plain" },
      table.place(table.far, ""),
      h("pre", { class: "plain-text", tabindex: table.small ? null : "0" }, table.text),
      h(
        "div",
        { class: "plain-moves", role: "group", "aria-label": "Legal moves" },
        moves.map((move) => table.move(move, { label: move }, move)),
      ),
      table.place(table.near, ""),
    );
  },
};

/** @type {Map<string, Promise<Board>>} */
const boards = new Map();

/**
 * Return the board of a game, loaded once; the plain board if the game has none or the player prefers it.
 * @param {Game} game
 * @returns {Promise<Board>}
 */
export function loadBoard(game) {
  if (!game.board || prefs.plain) return Promise.resolve(plainBoard);
  const board = boards.get(game.name) ?? importBoard(game.name);
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
    return h(
      "div",
      { class: `board ${this.input.game} ${table.small ? "small" : ""} ${turn}` },
      this.board.draw(table, h),
    );
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

// The board of a match: the game's own where it has one, and a general one from text and move names else.

import { h, Part } from "./dom.js";
import * as general from "./general.js";
import * as pieces from "./pieces.js";
import { prefs } from "./prefs.js";
import { tableOf } from "./table.js";

/** @typedef {import("./types.js").Board} Board */
/** @typedef {import("./types.js").Shown} Shown */

/** @type {Map<string, Promise<Board>>} */
const boards = new Map();

/**
 * Answer the board of a game, loaded once; the general one if the game has none, or plain boards are wished for.
 * @param {import("./types.js").Game} game
 * @returns {Promise<Board>}
 */
export function boardOf(game) {
  if (!game.board || prefs.plain) return Promise.resolve(general);
  const known = boards.get(game.name) ?? load(game.name);
  boards.set(game.name, known);
  return known;
}

/** @param {string} name @returns {Promise<Board>} */
async function load(name) {
  /** @type {{default: Board}} */
  const module = await import(new URL(`boards/${name}.js`, import.meta.url).href);
  adopt(module.default.style);
  return module.default;
}

/** @param {string} style */
function adopt(style) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets.push(sheet);
}

adopt(pieces.style);
adopt(general.style);

/** Shows a position. What can be pressed is what the server says is legal. */
export class DuelBoard extends Part {
  /** @type {Board | null} */ board = null;
  /** @type {Record<string, string>} */ #picked = {};
  /** @type {Shown | null} */ #shown = null;

  get shown() {
    return this.#shown;
  }

  set shown(shown) {
    const before = this.#shown;
    if (shown && before && key(shown) !== key(before)) this.#picked = {};
    this.#shown = shown;
    this.update();
  }

  render() {
    if (!this.board || !this.shown) return null;
    const table = tableOf(this.shown, this.#picked, (part, value) => this.#pick(part, value));
    const turn = table.mover && this.shown.play ? `turn-${table.mover}` : "";
    return h(
      "div",
      { class: `board ${this.shown.game} ${table.small ? "small" : ""} ${turn}` },
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

/** @param {Shown} shown */
function key(shown) {
  return `${shown.game} ${shown.history.map((done) => done.move).join()}`;
}

customElements.define("duel-board", DuelBoard);

// The small picture on a game's card: it plays a short game, and plays it again when the pointer enters the card.

import { get, historyOf } from "./api.js";
import { loadBoard } from "./board.js";
import { Component, h } from "./dom.js";
import { SEAT_NAMES } from "./text.js";

/** @import { Game, Line } from "./api-types.js" */
/** @import { Board, BoardInput } from "./types.js" */

const STEP_MS = 700; // per move
const MAX_AUTOPLAY_MS = 4500; // WCAG 2.2.2: what moves by itself for more than five seconds needs a way to stop it
const STILL_PLY = 5; // the position shown to people who prefer reduced motion

class DuelPicture extends Component {
  /** @type {Game | null} */ game = null;
  /** @type {Line | null} */ #line = null;
  /** @type {Board | null} */ #board = null;
  #ply = 0;
  #timer = 0;

  connectedCallback() {
    super.connectedCallback();
    this.setAttribute("aria-hidden", "true");
    this.closest("article")?.addEventListener("pointerenter", () => this.#start(Infinity));
    void this.#load();
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  async #load() {
    if (!this.game) return;
    try {
      [this.#board, this.#line] = await Promise.all([
        loadBoard(this.game),
        get(`/api/games/${this.game.name}/demonstration`),
      ]);
    } catch {
      return; // the card works without its picture
    }
    this.#start(MAX_AUTOPLAY_MS);
  }

  /** @param {number} maxMs */
  #start(maxMs) {
    const line = this.#line;
    if (!line) return;
    const last = line.moves.length;
    const end = Math.min(last, Math.floor(maxMs / STEP_MS));
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.#ply = Math.min(last, STILL_PLY);
    else this.#animate(end);
    this.update();
  }

  /** @param {number} end */
  #animate(end) {
    clearInterval(this.#timer);
    this.#ply = 0;
    this.#timer = window.setInterval(() => {
      this.#ply += 1;
      if (this.#ply >= end) clearInterval(this.#timer);
      this.update();
    }, STEP_MS);
  }

  render() {
    const line = this.#line;
    if (!line || !this.game) return null;
    /** @type {BoardInput} */
    const input = {
      game: this.game.name,
      options: line.options,
      position: line.positions[this.#ply],
      history: historyOf(line, this.#ply),
      names: SEAT_NAMES,
      small: true,
    };
    return h("duel-board", { input, board: this.#board });
  }
}

customElements.define("duel-picture", DuelPicture);

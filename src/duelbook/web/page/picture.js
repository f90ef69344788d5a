// A small picture of a game on its card: a short game is played in it, and again when somebody points at it.

import { get } from "./api.js";
import { boardOf } from "./board.js";
import { h, Part } from "./dom.js";
import { historyOf } from "./line.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Line} Line */

const STEP = 700; // milliseconds a move
const LONGEST = 4500; // milliseconds that a picture moves by itself

class DuelPicture extends Part {
  /** @type {Game | null} */ game = null;
  /** @type {Line | null} */ #line = null;
  /** @type {import("./types.js").Board | null} */ #board = null;
  #ply = 0;
  #timer = 0;

  connectedCallback() {
    super.connectedCallback();
    this.setAttribute("aria-hidden", "true");
    this.closest("article")?.addEventListener("pointerenter", () => this.#run(Infinity));
    void this.#load();
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  async #load() {
    if (!this.game) return;
    try {
      [this.#board, this.#line] = await Promise.all([
        boardOf(this.game),
        get(`/api/games/${this.game.name}/demonstration`),
      ]);
    } catch {
      return; // a card without a picture is still a card
    }
    this.#run(LONGEST);
  }

  /** @param {number} longest milliseconds */
  #run(longest) {
    const line = this.#line;
    if (!line) return;
    const last = line.moves.length;
    const end = Math.min(last, Math.floor(longest / STEP));
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.#ply = Math.min(last, 5);
    else this.#walk(end);
    this.update();
  }

  /** @param {number} end */
  #walk(end) {
    clearInterval(this.#timer);
    this.#ply = 0;
    this.#timer = window.setInterval(() => {
      this.#ply += 1;
      if (this.#ply >= end) clearInterval(this.#timer);
      this.update();
    }, STEP);
  }

  render() {
    const line = this.#line;
    if (!line || !this.game) return null;
    const names = { first: "First", second: "Second" };
    const shown = {
      game: this.game.name,
      options: line.options,
      position: line.positions[this.#ply],
      history: historyOf(line, this.#ply),
      names,
      small: true,
    };
    return h("duel-board", { shown, board: this.#board });
  }
}

customElements.define("duel-picture", DuelPicture);

// The small picture on a game's card: it plays the end of a game, and the whole game when the pointer enters the card.

import { historyOf } from "./api.js";
import { loadBoard } from "./board.js";
import { Component, h } from "./dom.js";
import { SEAT_NAMES } from "./text.js";

/** @import { Demonstrations, Game, Line } from "./api-types.js" */
/** @import { Board, BoardInput } from "./types.js" */

const STEP_MS = 700; // per move
const MAX_AUTOPLAY_MS = 4500; // WCAG 2.2.2: what moves by itself for more than five seconds needs a way to stop it
const LAST_MOVES = Math.floor(MAX_AUTOPLAY_MS / STEP_MS); // that are played without being asked for

const NEAR = { rootMargin: "1000px" }; // pictures further from the screen wait until somebody scrolls

/** @type {Promise<Demonstrations> | null} */
let demonstrations = null; // requested once, for all games

/** @param {string} game @returns {Promise<Line>} */
async function demonstration(game) {
  demonstrations ??= fetchQuietly("/api/demonstrations");
  const { lines } = await demonstrations;
  return lines.find((line) => line.game === game) ?? fetchQuietly(`/api/games/${game}/demonstration`); // it takes longer
}

/**
 * Return JSON without a word about how long it takes or what is wrong: nobody waits for a picture.
 * @param {string} path
 */
async function fetchQuietly(path) {
  const answer = await fetch(path);
  if (answer.status !== 200) throw new Error(path);
  return answer.json();
}

class DuelPicture extends Component {
  /** @type {Game | null} */ game = null;
  /** @type {Line | null} */ #line = null;
  /** @type {Board | null} */ #board = null;
  #ply = 0;
  #timer = 0;

  connectedCallback() {
    super.connectedCallback();
    this.setAttribute("aria-hidden", "true");
    this.closest("article")?.addEventListener("pointerenter", () => this.#start(0));
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      void this.#load();
    }, NEAR);
    seen.observe(this.closest(".picture") ?? this);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  async #load() {
    if (!this.game) return;
    try {
      [this.#board, this.#line] = await Promise.all([loadBoard(this.game), demonstration(this.game.name)]);
    } catch {
      return; // the card works without its picture
    }
    this.#start(Math.max(0, this.#line.moves.length - LAST_MOVES));
  }

  /**
   * Play the game from a ply to its end; people who prefer reduced motion see the position before the last move.
   * @param {number} from
   */
  #start(from) {
    const last = this.#line?.moves.length ?? 0;
    clearInterval(this.#timer);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.#ply = Math.max(0, last - 1);
    else {
      this.#ply = from;
      this.#timer = window.setInterval(() => {
        this.#ply = Math.min(last, this.#ply + 1);
        if (this.#ply === last) clearInterval(this.#timer);
        this.update();
      }, STEP_MS);
    }
    this.update();
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

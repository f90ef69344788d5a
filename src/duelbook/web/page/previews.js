// Previews: what a move would do, asked for when a person points at it, and kept for each position.

import { findGame, query } from "./api.js";

/** @import { MovePreview, Previews as Answer } from "./api-types.js" */
/** @import { BoardInput } from "./types.js" */

const POINTED_MS = 90; // a pointer that only passes asks for nothing
const PAUSE_MS = 5000; // after a request that failed
const MAX_AT_ONCE = 64; // moves that the server describes in one answer
const MAX_POSITIONS = 60;

/** @type {Map<string, Record<string, MovePreview>>} */
const known = new Map(); // by position

/** The previews for one board. */
export class Previews {
  #asked = "";
  #timer = 0;
  #pausedUntil = 0;
  #abort = new AbortController();

  /** @param {() => void} onchange called when previews arrive */
  constructor(onchange) {
    this.onchange = onchange;
  }

  /**
   * Return what the move would do, or null while that is not known; then the server is asked after a moment.
   * @param {BoardInput} input
   * @param {string | null} move
   * @returns {MovePreview | null}
   */
  of(input, move) {
    const position = positionKey(input);
    const found = move === null ? null : known.get(position)?.[move];
    if (found !== undefined) {
      this.cancel();
      return found;
    }
    const asked = `${position} ${input.position.legal.length > MAX_AT_ONCE ? move : ""}`;
    if (asked === this.#asked || performance.now() < this.#pausedUntil) return null;
    this.cancel();
    this.#asked = asked;
    this.#timer = window.setTimeout(() => void this.#ask(input, position, move ?? ""), POINTED_MS);
    return null;
  }

  /**
   * Return what the move would do if that is known already.
   * @param {BoardInput} input
   * @param {string} move
   * @returns {MovePreview | null}
   */
  known(input, move) {
    return known.get(positionKey(input))?.[move] ?? null;
  }

  /** Ask for nothing any more. */
  cancel() {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#asked = "";
  }

  /** @param {BoardInput} input @param {string} position @param {string} move */
  async #ask(input, position, move) {
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    try {
      const game = await findGame(input.game);
      const where = query(
        game,
        input.options,
        input.history.map((done) => done.move),
      );
      const one =
        input.position.legal.length > MAX_AT_ONCE ? `${where ? "&" : "?"}move=${encodeURIComponent(move)}` : "";
      const response = await fetch(`/api/previews/${game.name}${where}${one}`, { signal });
      if (!response.ok) throw new Error(response.statusText);
      const answer = /** @type {Answer} */ (await response.json());
      known.set(position, { ...known.get(position), ...answer.moves });
      if (known.size > MAX_POSITIONS) known.delete(known.keys().next().value ?? "");
    } catch {
      if (!signal.aborted) this.#pausedUntil = performance.now() + PAUSE_MS; // a board works without
    }
    if (!signal.aborted) this.onchange();
  }
}

/** @param {BoardInput} input */
const positionKey = (input) =>
  `${input.game} ${JSON.stringify(input.options)} ${input.history.map((done) => done.move).join()}`;

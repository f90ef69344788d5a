// A match as this browser knows it: the server's view, the seat it has here, and a move on its way.

import { catalogue, gameOf, get, insist, lineOf, newKey, post } from "./api.js";
import { prefs } from "./prefs.js";
import { LiveSocket } from "./socket.js";

/** @typedef {import("./types.js").Match} Match */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Line} Line */

/** Tells `change` after every change; what the server says always wins. */
export class MatchStore extends EventTarget {
  /** @type {Match | null} */ match = null;
  /** @type {import("./types.js").Game | null} */ game = null;
  /** @type {Line | null} */ line = null;
  /** @type {Seat | null} */ seat;
  sure = false; // whether the server has said which seat this is
  /** @type {Record<Seat, boolean>} */ present = { first: true, second: true };
  /** @type {string | null} */ pending = null;
  connected = true;
  received = 0; // when the view came, for clocks
  /** @type {LiveSocket | null} */ #socket = null;
  #closed = false;

  /** @param {string} id */
  constructor(id) {
    super();
    this.id = id;
    this.path = `/api/matches/${id}`;
    this.seat = prefs.recent.find((recent) => recent.id === id)?.seat ?? null;
  }

  /** Read the match and go on hearing of it. */
  async open() {
    void catalogue(); // on its way while the match is read
    const view = await insist(
      () => get(this.path),
      () => this.#goOn(),
    );
    this.game = await gameOf(view.game);
    await this.#take(view);
    this.#listen();
  }

  #listen() {
    if (this.#closed) return;
    this.#socket?.close();
    this.#socket = new LiveSocket(
      `${this.path}/live`,
      (message) => void this.#hear(message),
      (connected) => this.#tell({ connected }),
    );
  }

  close() {
    this.#closed = true;
    this.#socket?.close();
  }

  /** @param {any} message */
  async #hear(message) {
    if ("present" in message) this.#tell({ present: message.present });
    if (message.type !== "view") return;
    if ("seat" in message) Object.assign(this, { seat: message.seat, sure: true });
    await this.#take(message.match);
  }

  /**
   * Take a view, unless a newer one is here; its positions are read where they do not follow from those known.
   * @param {Match} view
   */
  async #take(view) {
    if (this.match && view.version < this.match.version) return;
    const line = await this.#extended(view);
    if (this.match && view.version < this.match.version) return;
    this.received = performance.now();
    const pending = view.ply === this.match?.ply ? this.pending : null;
    this.#tell({ match: view, line, pending });
  }

  /** @param {Match} view @returns {Promise<Line>} */
  async #extended(view) {
    const { game, options, moves, ply, mover, outcome, legal, text } = view;
    const present = { ply, mover, outcome, legal, text, view: view.view };
    const before = this.line?.positions ?? [];
    const follows =
      this.line && before.length >= ply && this.line.moves.slice(0, ply - 1).join() === moves.slice(0, -1).join();
    const same = JSON.stringify(options) === JSON.stringify(this.line?.options);
    if (ply === 0 || (follows && same)) return { game, options, moves, positions: [...before.slice(0, ply), present] };
    if (!this.game) throw new Error("the match has not been read");
    const rules = this.game;
    return insist(
      () => lineOf(rules, options, moves),
      () => this.#goOn(),
    );
  }

  /**
   * Play a move: it shows at once, is sent until it gets through, and is taken back if it is refused.
   * @param {string} move
   */
  async play(move) {
    if (!this.match || this.pending !== null) return;
    const sent = { ply: this.match.ply, move, key: newKey() };
    this.#tell({ pending: move });
    try {
      await this.#take(
        await insist(
          () => post(`${this.path}/moves`, sent),
          () => this.#goOn(),
        ),
      );
    } catch (error) {
      this.#tell({ pending: null });
      throw error;
    }
  }

  /** Give the match up. */
  async resign() {
    await this.#take(await post(`${this.path}/resign`));
  }

  /** Ask to take the last move back, agree to it or decline, once however often it is sent. */
  async undo(agree = true) {
    await this.#take(await post(`${this.path}/undo`, { agree, ply: this.match?.ply }));
  }

  /**
   * Take the free seat.
   * @param {{name?: string, choice?: string}} who
   */
  async join(who) {
    const key = newKey();
    const seated = await insist(
      () => post(`${this.path}/join`, { ...who, key }),
      () => this.#goOn(),
    );
    this.seat = seated.seat;
    await this.#take(seated.match);
    this.#listen(); // as a player from now on
  }

  /** Whether it is this browser's turn. */
  get mine() {
    return this.match?.status === "playing" && this.seat !== null && this.match.mover === this.seat;
  }

  /** Whether the other seat is a computer's. */
  get alone() {
    return !!this.match && Object.values(this.match.seats).some((who) => !["human", "free", "reserved"].includes(who));
  }

  /** What is left of the mover's time, in seconds. */
  get left() {
    const left = this.match?.clocks?.left ?? null;
    return left === null ? null : Math.max(0, left - (performance.now() - this.received) / 1000);
  }

  #goOn() {
    this.#tell({ connected: false });
    return !this.#closed;
  }

  /** @param {Partial<MatchStore>} changes */
  #tell(changes) {
    if (this.#closed) return;
    Object.assign(this, changes);
    this.dispatchEvent(new Event("change"));
  }
}

// A match as this browser knows it: the server's view, the seat of this browser, and a move that is being sent.

import { catalogue, fetchLine, findGame, get, newKey, post, retry } from "./api.js";
import { rememberMatch, seatIn } from "./played-games.js";
import { LiveSocket } from "./socket.js";

/** @import { Action, Game, Line, Match, Seat, Seated, ServiceMessage } from "./api-types.js" */

const AT_ANY_PLY = ["resign", "claim"]; // also if the opponent moves at the same moment

/** Dispatches `change` after every change. The server's view always wins. */
export class MatchStore extends EventTarget {
  /** @type {Match | null} */ match = null;
  /** @type {Game | null} */ game = null;
  /** @type {Line | null} */ line = null;
  /** @type {Seat | null} */ seat = null;
  seatConfirmed = false; // the server has said which seat this browser has
  /** @type {Record<Seat, boolean>} */ present = { first: true, second: true };
  /** @type {string | null} */ pending = null;
  connected = true;
  receivedAt = 0; // when the view came, for the clocks
  /** @type {LiveSocket | null} */ #socket = null;
  #closed = false;

  /** @param {string} id */
  constructor(id) {
    super();
    this.id = id;
    this.path = `/api/matches/${id}`;
  }

  /** Load the match and listen for changes. */
  async open() {
    void catalogue(); // in parallel with the match
    const [view, seat] = await Promise.all([this.#retry(() => get(this.path)), seatIn(this.id)]);
    this.seat ??= seat;
    this.game = await findGame(view.game);
    await this.#receive(view);
    this.#listen();
  }

  #listen() {
    if (this.#closed) return;
    this.#socket?.close();
    this.#socket = new LiveSocket(
      `${this.path}/live`,
      (message) => void this.#handle(message),
      (connected) => this.#set({ connected }),
    );
  }

  close() {
    this.#closed = true;
    this.#socket?.close();
  }

  /** @param {ServiceMessage} message */
  async #handle(message) {
    if ("present" in message) this.#set({ present: message.present });
    if (message.type !== "view") return;
    if ("seat" in message) Object.assign(this, { seat: message.seat, seatConfirmed: true });
    await this.#receive(message.match);
  }

  /**
   * Store a view unless a newer one is already here.
   * @param {Match} view
   */
  async #receive(view) {
    if (this.match && view.version < this.match.version) return;
    const line = await this.#lineOf(view);
    if (this.match && view.version < this.match.version) return;
    this.receivedAt = performance.now();
    const pending = view.ply === this.match?.ply ? this.pending : null;
    this.#set({ match: view, line, pending });
  }

  /**
   * Return the line of the match: the known positions and the new one if it follows from them, else fetched.
   * @param {Match} view
   * @returns {Promise<Line>}
   */
  async #lineOf(view) {
    const { game, options, moves, ply, mover, outcome, legal, text } = view;
    const current = { ply, mover, outcome, legal, text, view: view.view, board: view.board };
    const known = this.line?.positions ?? [];
    const follows =
      this.line && known.length >= ply && this.line.moves.slice(0, ply - 1).join() === moves.slice(0, -1).join();
    const same = JSON.stringify(options) === JSON.stringify(this.line?.options);
    const short = [...(this.line?.short.slice(0, ply - 1) ?? []), view.short ?? ""].slice(0, ply);
    const positions = [...known.slice(0, ply), current];
    if (ply === 0 || (follows && same)) return { game, options, moves, short, positions };
    if (!this.game) throw new Error("The match has not been loaded.");
    const rules = this.game;
    return this.#retry(() => fetchLine(rules, options, moves));
  }

  /**
   * Play a move. It is shown at once, sent until the server answers, and removed if the server refuses it.
   * @param {string} move
   */
  async play(move) {
    if (!this.match || this.pending !== null) return;
    const body = { action: "play", ply: this.match.ply, move, key: newKey() };
    this.#set({ pending: move });
    try {
      await this.#receive(await this.#retry(() => post(`${this.path}/actions`, body)));
    } catch (error) {
      this.#set({ pending: null });
      throw error;
    }
  }

  /**
   * Do something other than a move. What is about the last move counts only while it is the last one.
   * @param {Action["action"]} action
   */
  async act(action) {
    const ply = AT_ANY_PLY.includes(action) ? undefined : this.match?.ply;
    await this.#receive(await post(`${this.path}/actions`, { action, ply }));
  }

  /** Offer the free seat to everybody, or withdraw the offer. @param {boolean} open */
  async offer(open) {
    await this.#receive(await post(`${this.path}/challenge`, { open }));
  }

  /**
   * Take the free seat.
   * @param {{name?: string, choice?: string}} who
   */
  async join(who) {
    const key = newKey();
    /** @type {Seated} */
    const seated = await this.#retry(() => post(`${this.path}/join`, { ...who, key }));
    await rememberMatch(seated.match, seated.seat); // also if this match was left in the meantime
    this.seat = seated.seat;
    await this.#receive(seated.match);
    this.#listen(); // again, now as a player
  }

  /** True if it is this browser's turn. */
  get yourTurn() {
    return this.match?.status === "playing" && this.seat !== null && this.match.mover === this.seat;
  }

  /** True if one of the players is the computer. */
  get againstComputer() {
    return !!this.match && Object.values(this.match.seats).some((who) => !["human", "free", "reserved"].includes(who));
  }

  /** Seconds left of the current turn; null without a clock. */
  get secondsLeft() {
    const { left = null, stopped = 0 } = this.match?.clocks ?? {};
    const passed = Math.max(0, (performance.now() - this.receivedAt) / 1000 - stopped);
    return left === null ? null : Math.max(0, left - passed);
  }

  /** True if a time is running that the screen shows. */
  get isTicking() {
    return !!(this.match?.clocks || this.match?.claim);
  }

  /** Seconds until the win can be claimed; null if nobody waits for that. */
  get claimSecondsLeft() {
    const left = this.match?.claim?.left ?? null;
    return left === null ? null : Math.max(0, left - (performance.now() - this.receivedAt) / 1000);
  }

  /**
   * Repeat a request until the server answers or this match is left.
   * @template T
   * @param {() => Promise<T>} work
   */
  #retry(work) {
    return retry(work, () => {
      this.#set({ connected: false });
      return !this.#closed;
    });
  }

  /** @param {Partial<MatchStore>} changes */
  #set(changes) {
    if (this.#closed) return;
    Object.assign(this, changes);
    this.dispatchEvent(new Event("change"));
  }
}

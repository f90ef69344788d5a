// The live socket of a match. It reconnects after a lost connection, a restart of the server, or a phone's sleep.

/** @import { ServiceMessage } from "./api-types.js" */

const PONG_TIMEOUT_MS = 6000;
const PING_INTERVAL_MS = 15_000;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 8000;

/** Receives the messages of a match, and reports whether it is connected. */
export class LiveSocket {
  /** @type {WebSocket | null} */ #socket = null;
  #attempts = 0;
  #closed = false;
  #timer = 0;
  #lastMessage = 0; // a time in milliseconds

  /**
   * @param {string} path
   * @param {(message: ServiceMessage) => void} onmessage
   * @param {(connected: boolean) => void} onconnection
   */
  constructor(path, onmessage, onconnection) {
    this.url = `${location.protocol.replace("http", "ws")}//${location.host}${path}`;
    this.onmessage = onmessage;
    this.onconnection = onconnection;
    this.wake = () => this.#wake();
    for (const event of ["online", "focus", "pageshow"]) addEventListener(event, this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.#connect();
  }

  /** Close for good. */
  close() {
    this.#closed = true;
    for (const event of ["online", "focus", "pageshow"]) removeEventListener(event, this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #connect() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = () => this.#lost(socket);
  }

  /** @param {string} data */
  #receive(data) {
    if (this.#closed) return;
    this.#attempts = 0;
    this.#lastMessage = Date.now();
    this.onconnection(true);
    this.#schedule(PING_INTERVAL_MS, () => this.#ping());
    this.onmessage(JSON.parse(data));
  }

  #ping() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send('{"type": "ping"}');
    const socket = this.#socket;
    this.#schedule(PONG_TIMEOUT_MS, () => this.#lost(socket));
  }

  /** @param {WebSocket} socket */
  #lost(socket) {
    if (this.#closed || socket !== this.#socket) return;
    socket.onclose = null;
    socket.close();
    this.#socket = null;
    this.onconnection(false);
    const pause = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#attempts++) * (0.75 + Math.random() / 2);
    this.#schedule(pause, () => this.#connect());
  }

  /** Reconnect at once when the player returns; after a sleep a dead socket may still look open. */
  #wake() {
    if (this.#closed || document.hidden) return;
    if (!this.#socket) this.#connect();
    else if (Date.now() - this.#lastMessage > PONG_TIMEOUT_MS) this.#ping();
  }

  /** @param {number} ms @param {() => void} work */
  #schedule(ms, work) {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(work, ms);
  }
}

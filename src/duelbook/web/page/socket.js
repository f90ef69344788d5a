// A live socket that comes back: after a lost connection, a restart of the server, or a phone's sleep.

const PATIENCE = 6000; // milliseconds for an answer to a ping
const QUIET = 15_000; // milliseconds between pings
const LONGEST = 8000; // milliseconds between attempts

/** Hears what a match's socket says, and says whether it is connected. */
export class LiveSocket {
  /** @type {WebSocket | null} */ #socket = null;
  #attempts = 0;
  #closed = false;
  #timer = 0;
  #heard = 0;

  /**
   * @param {string} path
   * @param {(message: any) => void} hear
   * @param {(connected: boolean) => void} tell
   */
  constructor(path, hear, tell) {
    this.url = `${location.protocol.replace("http", "ws")}//${location.host}${path}`;
    this.hear = hear;
    this.tell = tell;
    this.wake = () => this.#wake();
    for (const event of ["online", "focus", "pageshow"]) addEventListener(event, this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.#connect();
  }

  /** Stop for good. */
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
    this.#heard = Date.now();
    this.tell(true);
    this.#later(QUIET, () => this.#ping());
    this.hear(JSON.parse(data));
  }

  #ping() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send('{"type": "ping"}');
    const socket = this.#socket;
    this.#later(PATIENCE, () => this.#lost(socket));
  }

  /** @param {WebSocket} socket */
  #lost(socket) {
    if (this.#closed || socket !== this.#socket) return;
    socket.onclose = null;
    socket.close();
    this.#socket = null;
    this.tell(false);
    const pause = Math.min(LONGEST, 250 * 2 ** this.#attempts++) * (0.75 + Math.random() / 2);
    this.#later(pause, () => this.#connect());
  }

  /** Come back at once when somebody looks again; a socket that slept may not know that it is dead. */
  #wake() {
    if (this.#closed || document.hidden) return;
    if (!this.#socket) this.#connect();
    else if (Date.now() - this.#heard > PATIENCE) this.#ping();
  }

  /** @param {number} pause @param {() => void} work */
  #later(pause, work) {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(work, pause);
  }
}

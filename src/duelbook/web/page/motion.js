// Motion: pieces that a board has marked travel from where they were to where they are, appear, and turn.
//
// A piece has an identity (`data-piece`). Drawn elsewhere than before, it travels; drawn for the first time, it comes from
// the piece that `data-from` names, or appears. `data-via` lists pieces that it passes, and a new `data-turns` turns it.
// Only `translate`, `scale`, `rotate` and `opacity` change, so the browser needs neither layout nor painting for it.

const TRAVEL_MS = 320;
const APPEAR_MS = 200;
const STAGGER_MS = 35; // between pieces that appear together
const MAX_STAGGER_MS = 280;
const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";
const MIN_SHIFT = 2; // pixels; less is not worth a motion
const [MIN_SCALE, MAX_SCALE] = [0.5, 2];

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{x: number, y: number, size: number}} Place the centre of a piece on the screen, and its smaller side */
/** @typedef {{piece: HTMLElement, animation: Animation, keyframes: Keyframe[], options: KeyframeAnimationOptions, to: Place}} Running */
/**
 * What a board looked like before it was drawn again.
 * @typedef {object} Look
 * @property {Map<string, Place>} places
 * @property {Map<string, string>} faces
 * @property {Set<string>} last
 * @property {Map<string, {running: Running, at: number}>} running
 */

/** The motion of the pieces of one board. */
export class Motion {
  /** @type {Map<string, Running>} */ #running = new Map();
  /** @type {Animation[]} */ #frames = []; // around what was played last

  /** @param {HTMLElement} board */
  constructor(board) {
    this.board = board;
  }

  /**
   * Return where all pieces are, those on their way included; null if nothing shall move.
   * @returns {Look | null}
   */
  look() {
    if (reduced.matches || document.hidden || !this.board.isConnected) return null;
    const pieces = piecesOf(this.board);
    const running = [...this.#running].filter(([, one]) => one.animation.playState === "running");
    return {
      places: new Map(pieces.map(([id, piece]) => [id, placeOf(piece)])),
      faces: new Map(pieces.map(([id, piece]) => [id, piece.dataset.turns ?? ""])),
      last: new Set(this.#lastOnes().map(lastKey)),
      running: new Map(running.map(([id, one]) => [id, { running: one, at: Number(one.animation.currentTime) }])),
    };
  }

  /**
   * Move the pieces from where they were. What is still on its way to the same place goes on.
   * @param {Look} before
   */
  start(before) {
    this.stop();
    const pieces = piecesOf(this.board);
    const now = new Map(pieces.map(([id, piece]) => [id, placeOf(piece)])); // all are read before anything is changed
    let delay = 0;
    for (const [id, piece] of pieces) {
      const to = /** @type {Place} */ (now.get(id));
      const going = before.running.get(id);
      const from = before.places.get(id) ?? before.places.get(piece.dataset.from ?? "");
      if (going && near(going.running.to, to))
        this.#go(id, piece, going.running.keyframes, going.running.options, to, going.at);
      else if (from && !near(from, to)) this.#go(id, piece, travel(piece, from, to, now), { duration: TRAVEL_MS }, to);
      else if (!from) {
        this.#go(id, piece, APPEARING, { duration: APPEAR_MS, delay, fill: "backwards" }, to);
        delay = Math.min(delay + STAGGER_MS, MAX_STAGGER_MS);
      } else if (before.faces.has(id) && before.faces.get(id) !== (piece.dataset.turns ?? ""))
        this.#go(id, piece, TURNING, { duration: TRAVEL_MS }, to);
    }
    for (const element of this.#lastOnes().filter((one) => !before.last.has(lastKey(one))))
      this.#frames.push(element.animate(ARRIVING, { duration: TRAVEL_MS, easing: EASE, pseudoElement: "::after" }));
  }

  /** End all motion: every piece is where it belongs. */
  stop() {
    for (const { animation, piece } of this.#running.values()) {
      animation.cancel();
      piece.removeAttribute("data-moving");
    }
    for (const frame of this.#frames) frame.cancel();
    this.#running.clear();
    this.#frames = [];
  }

  #lastOnes() {
    return /** @type {HTMLElement[]} */ ([...this.board.querySelectorAll(".last")]);
  }

  /**
   * @param {string} id
   * @param {HTMLElement} piece
   * @param {Keyframe[]} keyframes
   * @param {KeyframeAnimationOptions} options
   * @param {Place} to
   * @param {number} [at] how far it has come already
   */
  #go(id, piece, keyframes, options, to, at) {
    const animation = piece.animate(keyframes, { easing: EASE, ...options });
    if (at !== undefined) animation.currentTime = at;
    piece.setAttribute("data-moving", "");
    animation.onfinish = () => piece.removeAttribute("data-moving");
    this.#running.set(id, { piece, animation, keyframes, options, to });
  }
}

const APPEARING = [
  { opacity: 0, scale: "0.4" },
  { opacity: 1, scale: "1" },
];
const TURNING = [{ rotate: "y 90deg" }, { rotate: "y 0deg" }];
const ARRIVING = [
  { opacity: 0, scale: "1.6" },
  { opacity: 1, scale: "1" },
];

/** @param {HTMLElement} board @returns {[string, HTMLElement][]} */
function piecesOf(board) {
  const all = /** @type {HTMLElement[]} */ ([...board.querySelectorAll("[data-piece]:not([data-piece=''])")]);
  return all.map((piece) => [piece.dataset.piece ?? "", piece]);
}

/** @param {HTMLElement} element */
const lastKey = (element) => element.dataset.move ?? element.dataset.pick ?? element.dataset.piece ?? element.className;

/** @param {Element} piece @returns {Place} */
function placeOf(piece) {
  const { left, top, width, height } = piece.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, size: Math.min(width, height) };
}

/** @param {Place} one @param {Place} two */
const near = (one, two) => Math.abs(one.x - two.x) < MIN_SHIFT && Math.abs(one.y - two.y) < MIN_SHIFT;

/**
 * Return the keyframes of the way from one place to another, past the pieces that it passes.
 * @param {HTMLElement} piece
 * @param {Place} from
 * @param {Place} to
 * @param {Map<string, Place>} places
 * @returns {Keyframe[]}
 */
function travel(piece, from, to, places) {
  const svg = piece instanceof SVGGraphicsElement && piece.ownerSVGElement ? piece.getScreenCTM()?.a || 1 : 0;
  const unit = svg || 1; // a piece in a drawing moves in the units of the drawing
  const passed = (piece.dataset.via ?? "").split(",").flatMap((id) => places.get(id) ?? []);
  const ratio = svg || !to.size ? 1 : Math.max(MIN_SCALE, Math.min(MAX_SCALE, from.size / to.size));
  return [from, ...passed, to].map((place, index, way) => ({
    translate: `${(place.x - to.x) / unit}px ${(place.y - to.y) / unit}px`,
    scale: String(1 + (ratio - 1) * (1 - index / (way.length - 1))),
  }));
}

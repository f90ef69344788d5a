// The keys of a board: arrows move between its moves, letters and numbers play them, and Tab passes it in a few steps.

import { prefs } from "./prefs.js";

const MIN_STEP = 4; // pixels between the centres of two moves
const MAX_STOPS = 6; // of Tab; a board with more groups is a single one
const ELSEWHERE = "input:not([type=checkbox], [type=radio]), select, textarea, dialog, [contenteditable]"; // typing there is not for the board

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The keyboard of one board. */
export class BoardKeys {
  #typed = ""; // of a number with several digits
  #byPointer = false; // the focus came by a press; then left and right step through the game, as they do elsewhere

  /** @param {HTMLElement} board */
  constructor(board) {
    this.board = board;
    board.addEventListener("pointerdown", () => {
      this.#byPointer = true;
    });
    board.addEventListener("focusin", (event) => this.#focused(/** @type {HTMLElement} */ (event.target)));
    board.addEventListener("keydown", (event) => this.#arrow(event));
  }

  /** Forget what was typed: the position has changed. */
  reset() {
    this.#typed = "";
  }

  get #moves() {
    return /** @type {HTMLElement[]} */ ([...this.board.querySelectorAll("button.move")]);
  }

  /** Make each group of moves one stop of Tab: the move that had the focus last, or else the first that can be played. */
  setStops() {
    /** @type {Map<Element | null, HTMLElement[]>} */
    const groups = new Map();
    for (const move of this.#moves) {
      const group = move.closest("[role=group]");
      groups.set(group, [...(groups.get(group) ?? []), move]);
    }
    const sets = groups.size > MAX_STOPS ? [this.#moves] : [...groups.values()];
    for (const moves of sets) {
      const stop =
        moves.find((move) => move === document.activeElement) ??
        moves.find((move) => move.tabIndex === 0 && move.hasAttribute("tabindex")) ??
        moves.find((move) => !move.hasAttribute("aria-disabled")) ??
        moves[0];
      for (const move of moves)
        if (move.tabIndex !== (move === stop ? 0 : -1) || !move.hasAttribute("tabindex"))
          move.tabIndex = move === stop ? 0 : -1;
    }
  }

  /**
   * Return what gives the focus to the nearest move, if drawing the board has taken away the one that has it now.
   * @returns {() => void}
   */
  keepFocus() {
    const move = document.activeElement;
    if (!(move instanceof HTMLElement) || !this.board.contains(move) || !move.matches("button.move")) return () => {};
    const from = middleOf(move);
    return () => {
      if (document.activeElement === move) return;
      const distance = (/** @type {HTMLElement} */ other) => {
        const to = middleOf(other);
        return Math.hypot(to.x - from.x, to.y - from.y);
      };
      const [near] = move.isConnected ? [move] : this.#moves.sort((one, two) => distance(one) - distance(two));
      near?.focus({ preventScroll: true });
    };
  }

  /** @param {HTMLElement} element */
  #focused(element) {
    if (!element.matches("button.move")) return;
    const group = element.closest("[role=group]");
    for (const move of this.#moves)
      if (move.closest("[role=group]") === group) move.tabIndex = move === element ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  #arrow(event) {
    if (event.key === "Tab" || event.key === "ArrowUp" || event.key === "ArrowDown") this.#byPointer = false;
    const arrow = ARROWS[event.key];
    const from = /** @type {HTMLElement} */ (event.target);
    if (!arrow || this.#byPointer || event.altKey || event.ctrlKey || event.metaKey || !from.matches("button.move"))
      return;
    event.preventDefault();
    event.stopPropagation(); // elsewhere the arrows step through the game
    this.#typed = "";
    nearest(from, this.#moves, arrow).focus();
  }

  /**
   * Play the move that the key stands for, or go to it if the key stands for several. Return true if there is one.
   * @param {KeyboardEvent} event
   */
  press(event) {
    const elsewhere = event.target instanceof Element && event.target.closest(ELSEWHERE);
    if (!prefs.keys || elsewhere || event.altKey || event.ctrlKey || event.metaKey || event.repeat) return false;
    const key = event.key.toLowerCase();
    const open = this.#moves.filter((move) => move.dataset.key && !move.hasAttribute("aria-disabled"));
    const fits = (/** @type {string} */ typed) => open.filter((move) => move.dataset.key?.startsWith(typed));
    this.#typed = fits(this.#typed + key).length ? this.#typed + key : key;
    const found = fits(this.#typed);
    const exact = found.filter((move) => move.dataset.key === this.#typed);
    if (!found.length || [...key].length !== 1) {
      this.#typed = "";
      return false;
    }
    if (exact.length === 1 && found.length === 1) {
      this.#typed = "";
      found[0].click();
      return true;
    }
    const choices = exact.length ? exact : found;
    if (found.length === exact.length) this.#typed = "";
    this.#byPointer = false;
    choices[(choices.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + 1) % choices.length].focus();
    return true;
  }
}

/** @param {HTMLElement} move */
function middleOf(move) {
  const { left, top, width, height } = move.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/**
 * Return the nearest move in the direction of an arrow. At the end of a row, left and right go on to the next one.
 * @param {HTMLElement} from
 * @param {HTMLElement[]} moves
 * @param {[number, number]} direction
 */
function nearest(from, moves, [dx, dy]) {
  const start = from.getBoundingClientRect();
  const ahead = moves.flatMap((move) => {
    const box = move.getBoundingClientRect();
    const [x, y] = [
      box.left + box.width / 2 - start.left - start.width / 2,
      box.top + box.height / 2 - start.top - start.height / 2,
    ];
    const along = x * dx + y * dy;
    const beside = dx ? Math.abs(y) * 3 : Math.abs(x);
    const sameRow = Math.abs(y) < (box.height + start.height) / 4;
    return along > MIN_STEP && (dy || sameRow) ? [{ move, distance: along * (dy ? 3 : 1) + beside }] : [];
  });
  const next = moves[(moves.indexOf(from) + (dx || dy) + moves.length) % moves.length];
  return ahead.sort((one, two) => one.distance - two.distance)[0]?.move ?? (dx ? next : from);
}

// Pointing: the move on a board that a person points at, by mouse, by the keyboard's focus, or by holding a finger on it.

const HOLD_MS = 350;
const EVENTS = [
  "pointerover",
  "pointerout",
  "pointerdown",
  "pointerup",
  "pointercancel",
  "focusin",
  "focusout",
  "click",
  "contextmenu",
];

/** Knows the move that is pointed at. A finger that was held on a move does not play it. */
export class Pointing {
  /** @type {string | null} */ #hovered = null;
  /** @type {string | null} */ #focused = null;
  /** @type {string | null} */ #held = null;
  #holding = 0;
  #swallow = false; // the click that ends a hold

  /**
   * @param {HTMLElement} board
   * @param {() => void} onchange
   */
  constructor(board, onchange) {
    this.onchange = onchange;
    for (const name of EVENTS) board.addEventListener(name, this, name === "click");
  }

  get move() {
    return this.#hovered ?? this.#held ?? this.#focused;
  }

  /** @param {Event} event */
  handleEvent(event) {
    const before = this.move;
    const touch = event instanceof PointerEvent && event.pointerType === "touch";
    const element = event.target instanceof Element ? event.target : null;
    switch (event.type) {
      case "pointerover":
        if (!touch) this.#hovered = moveAt(element);
        break;
      case "pointerout":
        if (!touch) this.#hovered = null;
        break;
      case "focusin":
        this.#focused = element?.matches(":focus-visible") ? moveAt(element) : null;
        break;
      case "focusout":
        this.#focused = null;
        break;
      case "click":
        if (this.#swallow) event.stopPropagation();
        this.#swallow = false;
        break;
      case "contextmenu":
        if (this.#swallow) event.preventDefault();
        break;
      default:
        this.#touch(event.type, touch ? moveAt(element) : null);
    }
    if (this.move !== before) this.onchange();
  }

  /** @param {string} type @param {string | null} move */
  #touch(type, move) {
    clearTimeout(this.#holding);
    if (type === "pointercancel") this.#swallow = false;
    if (type !== "pointerdown") return;
    this.#held = null;
    this.#swallow = false;
    if (move === null) return;
    this.#holding = window.setTimeout(() => {
      this.#held = move;
      this.#swallow = true;
      this.onchange();
    }, HOLD_MS);
  }
}

/** @param {Element | null} element @returns {string | null} the move that a press on the element would play */
function moveAt(element) {
  const found = /** @type {HTMLElement | null | undefined} */ (
    element?.closest("[data-move]:not([aria-disabled]), [data-target]")
  );
  return found?.dataset.move ?? found?.dataset.target ?? null;
}

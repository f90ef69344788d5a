// A move that is typed, for those who like that: a field behind a line below the table, opened with the key `/`.

import { get, query } from "./api.js";
import { Component, h } from "./dom.js";
import { attempt } from "./status.js";

/** @import { Game, TypedMove } from "./api-types.js" */
/** @import { Options } from "./types.js" */

/**
 * Return the legal move that a text means: its name as it is, or what the server reads in it.
 * @param {Game} game
 * @param {Options} options
 * @param {string[]} moves
 * @param {string[]} legal
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function readMove(game, options, moves, legal, text) {
  if (legal.includes(text)) return text;
  const where = query(game, options, moves);
  /** @type {TypedMove} */
  const { move } = await get(
    `/api/typed-moves/${game.name}${where}${where ? "&" : "?"}typed=${encodeURIComponent(text)}`,
  );
  return move;
}

class DuelTypedMove extends Component {
  /** @type {((text: string) => Promise<void>) | null} */ play = null; // rejects with the reason if the text is refused

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("keydown", this);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this);
  }

  /** @param {KeyboardEvent} event */
  handleEvent(event) {
    const typing =
      event.target instanceof Element && event.target.closest("input:not([type=checkbox]), select, textarea, dialog");
    if (event.key !== "/" || typing || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const menu = this.querySelector("details");
    if (menu) menu.open = true;
    this.querySelector("input")?.focus();
  }

  render() {
    const plain = { autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: "60" };
    return h(
      "details",
      { class: "move-input" },
      h("summary", null, "Type a move", h("kbd", { "aria-hidden": "true" }, "/")),
      h(
        "form",
        { onsubmit: (/** @type {SubmitEvent} */ event) => this.#submit(event) },
        h("input", { name: "move", "aria-label": "Type a move", ...plain }),
        h("button", { type: "submit" }, "Play move"),
      ),
    );
  }

  /** @param {SubmitEvent} event */
  #submit(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("move"));
    const typed = field.value.trim();
    if (!typed || !this.play) return;
    void attempt(() => this.play?.(typed) ?? Promise.resolve()).then(() => form.reset());
  }
}

customElements.define("duel-typed-move", DuelTypedMove);

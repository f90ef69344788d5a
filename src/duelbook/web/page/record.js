// A record from disk: opened, checked by the server, and reviewed.

import { gameOf, lineOf, post } from "./api.js";
import { h, Part } from "./dom.js";
import "./line.js";
import { tell } from "./status.js";

const LARGEST = 8000; // bytes that the server reads

class DuelRecord extends Part {
  /** @type {any} */ #record = null;
  /** @type {import("./types.js").Game | null} */ #game = null;
  /** @type {import("./types.js").Line | null} */ #line = null;
  #problem = "";

  /** @param {File} file */
  async #open(file) {
    this.#problem = "";
    try {
      if (file.size > LARGEST) throw new Error("This file is too large for a record.");
      const record = await post("/api/review", parsed(await file.text()));
      this.#game = await gameOf(record.game);
      this.#line = await lineOf(this.#game, record.options, record.moves);
      this.#record = record;
      tell(record.result ?? "The record has been opened.");
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
      tell(this.#problem);
    }
    this.update();
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Open a record · Duelbook";
  }

  render() {
    const choose = (/** @type {Event} */ event) => {
      const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
      if (file) void this.#open(file);
    };
    const record = this.#record;
    return [
      h(
        "div",
        { class: "heading", key: "heading" },
        h("h1", null, this.#game ? `${this.#game.title}: a record` : "Open a record"),
        h(
          "p",
          { class: "lead" },
          record
            ? record.result
            : "A record is the file that a finished match or the terminal writes. It stays with you: the server only reads it.",
        ),
      ),
      h(
        "div",
        { class: "field panel", key: "file" },
        h("label", { for: "file" }, "Record"),
        h("input", { id: "file", type: "file", accept: ".json,application/json", onchange: choose }),
      ),
      this.#problem && h("p", { class: "notice", key: "problem" }, this.#problem),
      record &&
        this.#line &&
        this.#game &&
        h("duel-line", { key: JSON.stringify(record.moves), setting: this.#setting(this.#game, this.#line) }),
    ];
  }

  /** @param {import("./types.js").Game} game @param {import("./types.js").Line} line @returns {import("./line.js").Setting} */
  #setting(game, line) {
    return {
      game,
      line,
      names: this.#record.names,
      you: null,
      live: null,
      branching: true,
      help: true,
      review: this.#record.review,
    };
  }
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("This file is not a record.");
  }
}

customElements.define("duel-record", DuelRecord);

// A record: a file from disk, checked and reviewed by the server.

import { fetchLine, findGame, post } from "./api.js";
import { Component, h } from "./dom.js";
import { announce } from "./status.js";
import { termsText } from "./terms.js";
import "./viewer.js";

/** @import { Game, Line, RecordReview } from "./api-types.js" */
/** @import { ViewerInput } from "./types.js" */

const MAX_RECORD_BYTES = 65_536; // the server reads no more

class DuelRecord extends Component {
  /** @type {File | null} */ #file = null; // that was chosen last
  /** @type {RecordReview | null} */ #record = null;
  /** @type {Game | null} */ #game = null;
  /** @type {Line | null} */ #line = null;
  #problem = "";

  /** @param {File} file */
  async #open(file) {
    this.#file = file;
    this.#record = this.#game = this.#line = null;
    this.#problem = "";
    this.update();
    try {
      if (file.size > MAX_RECORD_BYTES) throw new Error(`This file is too large to be a record. ${CHOOSE}`);
      /** @type {RecordReview} */
      const record = await post("/api/review", parse(await file.text()));
      const game = await findGame(record.game);
      const line = await fetchLine(game, record.options, record.moves);
      if (this.#file !== file) return;
      this.#record = record;
      this.#game = game;
      this.#line = line;
      announce(record.result ?? "The record is open.");
    } catch (error) {
      if (this.#file !== file) return;
      this.#problem = error instanceof Error ? error.message : String(error);
      announce(this.#problem);
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
        h("h1", null, this.#game ? `${this.#game.title}: record` : "Open a record"),
        h(
          "p",
          { class: "lead" },
          record
            ? record.result
            : "A record is the file of a played game, from this site or from the terminal. The server reviews it but does not keep it.",
        ),
        record && this.#game && h("p", { class: "terms quiet" }, recordTerms(record, this.#game)),
      ),
      h(
        "div",
        { class: "field panel", key: "file" },
        h("label", { for: "file" }, "Record"),
        h("input", { id: "file", type: "file", accept: ".json,application/json", onchange: choose }),
      ),
      this.#problem && h("p", { class: "notice", key: "problem" }, this.#problem),
      this.#file && !record && !this.#problem && h("p", { class: "notice", key: "reading" }, "Opening the file …"),
      record &&
        this.#line &&
        this.#game &&
        h("duel-viewer", { key: JSON.stringify(record.moves), input: viewerInput(record, this.#game, this.#line) }),
    ];
  }
}

/** @param {RecordReview} record @param {Game} game */
const recordTerms = ({ options, time_limit, names }, game) =>
  termsText(game, { options, limit: time_limit, first: names.first });

/** @param {RecordReview} record @param {Game} game @param {Line} line @returns {ViewerInput} */
function viewerInput({ names, review }, game, line) {
  return { game, line, names, you: null, live: null, branching: true, help: true, review };
}

const CHOOSE = "Choose a .json file that Duelbook saved.";

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`This file is not a record. ${CHOOSE}`);
  }
}

customElements.define("duel-record", DuelRecord);

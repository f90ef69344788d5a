// The analysis board: any game, any options, any line of moves, each at its own address.

import { catalogue, fetchLine, findGame, query } from "./api.js";
import { Component, h } from "./dom.js";
import { go, replaceAddress } from "./main.js";
import { gameNotFound, isNotFound } from "./not-found.js";
import { rangeProblems, rulesForm, VariantCheck } from "./rule-options.js";
import { share } from "./share.js";
import { announce, attempt } from "./status.js";
import { SEAT_NAMES } from "./text.js";
import "./viewer.js";

/** @import { Game, Line } from "./api-types.js" */
/** @import { Options, ViewerInput } from "./types.js" */

class DuelAnalysis extends Component {
  /** @type {Game | null} */ #game = null;
  /** @type {Game[]} */ #games = [];
  /** @type {Line | null} */ #line = null;
  /** @type {Options} */ #options = {};
  /** @type {Options | null} */ #draft = null; // options that are being changed
  #check = new VariantCheck(() => this.update());
  #problem = "";
  #unknown = false; // there is no such game

  connectedCallback() {
    super.connectedCallback();
    void this.#load().catch((error) => {
      this.#unknown = isNotFound(error) && !this.#game;
      this.#problem = error.message;
      announce(error.message);
      this.update();
    });
  }

  async #load() {
    this.#games = (await catalogue()).games;
    const game = await findGame(this.getAttribute("name") || this.#games[0].name);
    this.#game = game;
    const search = new URLSearchParams(location.search);
    this.#options = Object.fromEntries(search.getAll("option").map(splitPair));
    const moves = (search.get("after") ?? "").split(",").filter((move) => move.trim());
    document.title = `${game.title}: analysis · Duelbook`;
    this.#line = await fetchLine(game, this.#options, moves);
    this.#options = this.#line.options;
    this.update();
  }

  render() {
    const game = this.#game;
    if (this.#unknown) return gameNotFound("analysis");
    return [
      h(
        "div",
        { class: "heading", key: "heading" },
        h("h1", null, game ? `${game.title}: analysis` : "Analysis"),
        h("p", { class: "lead" }, "Play both sides, step back and try other moves."),
      ),
      this.#problem &&
        h(
          "p",
          { class: "notice", key: "problem" },
          `This position cannot be shown. ${this.#problem} `,
          h("a", { href: game ? `/analysis/${game.name}` : "/analysis" }, "Open an empty analysis board"),
        ),
      game && this.#line && h("duel-viewer", { key: "viewer", input: this.#viewerInput(game, this.#line) }),
      game && !this.#line && this.#problem && this.#panel(game),
    ];
  }

  /** @param {Game} game @param {Line} line @returns {ViewerInput} */
  #viewerInput(game, line) {
    return {
      game,
      line,
      names: SEAT_NAMES,
      you: null,
      live: null,
      branching: true,
      free: true,
      help: true,
      onmove: (at, shown) => this.#setAddress(game, { ...shown, moves: shown.moves.slice(0, at) }),
      below: [
        this.#panel(game),
        h(
          "div",
          { class: "actions", key: "actions" },
          h(
            "button",
            { type: "button", onclick: () => void attempt(() => share(location.href)) },
            "Copy link to this position",
          ),
        ),
      ],
    };
  }

  /** @param {Game} game @param {Line} line */
  #setAddress(game, line) {
    replaceAddress(`/analysis/${game.name}${query(game, line.options, line.moves)}`);
  }

  /** @param {Game} game */
  #panel(game) {
    const choose = (/** @type {Event} */ event) =>
      go(`/analysis/${/** @type {HTMLSelectElement} */ (event.target).value}`);
    return h(
      "section",
      { class: "panel", key: "panel", "aria-label": "Game and options" },
      h(
        "div",
        { class: "field" },
        h("label", { for: "game" }, "Game"),
        h(
          "select",
          { id: "game", onchange: choose },
          this.#games.map((one) => h("option", { value: one.name, selected: one.name === game.name }, one.title)),
        ),
      ),
      h("details", { class: "options" }, h("summary", null, "Options"), this.#rules(game)),
    );
  }

  /** @param {Game} game */
  #rules(game) {
    const options = this.#draft ?? this.#options;
    const problem = rangeProblems(game, options).length > 0;
    if (this.#draft && !problem) this.#check.ask(game, options, "");
    const open = (/** @type {Options} */ wanted) => go(`/analysis/${game.name}${query(game, wanted, [])}`);
    const apply = (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!problem && !this.#check.found?.problem) open(options);
    };
    return h(
      "form",
      { onsubmit: apply },
      rulesForm({
        game,
        options,
        fields: game.options,
        custom: this.#draft !== null,
        check: this.#check,
        onchange: (changed, custom) => {
          if (!custom) open(changed);
          this.#draft = changed;
          this.update();
        },
      }),
      this.#draft &&
        h(
          "button",
          { key: "apply", "aria-disabled": problem || this.#check.found?.problem ? "true" : undefined },
          "Use these options",
        ),
    );
  }
}

/** @param {string} pair @returns {[string, string]} */
function splitPair(pair) {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

customElements.define("duel-analysis", DuelAnalysis);

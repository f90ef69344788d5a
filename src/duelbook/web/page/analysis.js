// Analysis without a match: any game, any options, any line of moves, at an address of its own.

import { catalogue, gameOf, lineOf, query } from "./api.js";
import { h, Part } from "./dom.js";
import "./line.js";
import { go } from "./main.js";
import { share } from "./sharing.js";
import { trying } from "./status.js";
import { optionField } from "./wishes.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Line} Line */

const NAMES = { first: "First player", second: "Second player" };

class DuelAnalysis extends Part {
  /** @type {Game | null} */ #game = null;
  /** @type {Game[]} */ #games = [];
  /** @type {Line | null} */ #line = null;
  /** @type {Record<string, string | number>} */ #options = {};
  #problem = "";

  connectedCallback() {
    super.connectedCallback();
    void this.#load().catch((error) => {
      this.#problem = error.message;
      this.update();
    });
  }

  async #load() {
    this.#games = (await catalogue()).games;
    const game = await gameOf(this.getAttribute("name") || this.#games[0].name);
    this.#game = game;
    const search = new URLSearchParams(location.search);
    this.#options = Object.fromEntries(search.getAll("option").map((pair) => split(pair)));
    const moves = (search.get("after") ?? "").split(",").filter((move) => move.trim());
    document.title = `${game.title}: analysis · Duelbook`;
    this.#line = await lineOf(game, this.#options, moves);
    this.#options = this.#line.options;
    this.update();
  }

  render() {
    const game = this.#game;
    return [
      h(
        "div",
        { class: "heading", key: "heading" },
        h("h1", null, game ? `${game.title}: analysis` : "Analysis"),
        h("p", { class: "lead" }, "Play both sides, step back, try something else. Nothing here is a match."),
      ),
      this.#problem &&
        h(
          "p",
          { class: "notice", key: "problem", role: "alert" },
          this.#problem,
          " ",
          game && h("a", { href: `/analysis/${game.name}` }, "Begin anew"),
        ),
      game && this.#line && h("duel-line", { key: "line", setting: this.#setting(game, this.#line) }),
      game && !this.#line && this.#problem && this.#panel(game),
    ];
  }

  /** @param {Game} game @param {Line} line @returns {import("./line.js").Setting} */
  #setting(game, line) {
    return {
      game,
      line,
      names: NAMES,
      you: null,
      live: null,
      branching: true,
      free: true,
      help: true,
      moved: (at, shown) => this.#moved(game, { ...shown, moves: shown.moves.slice(0, at) }),
      below: [
        this.#panel(game),
        h(
          "div",
          { class: "actions", key: "actions" },
          h(
            "button",
            { type: "button", onclick: () => void trying(() => share("Duelbook", location.href)) },
            "Copy link to this position",
          ),
        ),
      ],
    };
  }

  /** @param {Game} game @param {Line} line */
  #moved(game, line) {
    history.replaceState(null, "", `/analysis/${game.name}${query(game, line.options, line.moves)}`);
  }

  /** @param {Game} game */
  #panel(game) {
    const choose = (/** @type {Event} */ event) =>
      go(`/analysis/${/** @type {HTMLSelectElement} */ (event.target).value}`);
    const keep = (/** @type {string} */ name) => (/** @type {string | number | undefined} */ value) => {
      const { [name]: _, ...others } = this.#options;
      go(`/analysis/${game.name}${query(game, value === undefined ? others : { ...others, [name]: value }, [])}`);
    };
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
      h(
        "details",
        { class: "options" },
        h("summary", null, "Options"),
        game.options.map((option) => optionField(game, option, this.#options[option.name], keep(option.name))),
      ),
    );
  }
}

/** @param {string} pair @returns {[string, string]} */
function split(pair) {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

customElements.define("duel-analysis", DuelAnalysis);

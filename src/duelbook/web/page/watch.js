// The public matches that are being played right now.

import { catalogue, get } from "./api.js";
import { Component, h } from "./dom.js";
import { listedTerms } from "./terms.js";
import { plural, titleOf } from "./text.js";

/** @import { Game, ListedMatch } from "./api-types.js" */

const REFRESH_MS = 5000;

class DuelWatch extends Component {
  /** @type {ListedMatch[] | null} */ #matches = null;
  /** @type {Game[]} */ #games = [];
  #problem = "";
  #timer = 0;

  connectedCallback() {
    super.connectedCallback();
    document.title = "Watch · Duelbook";
    void this.#load();
    this.#timer = window.setInterval(() => !document.hidden && void this.#load(), REFRESH_MS);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  async #load() {
    try {
      this.#games = (await catalogue()).games;
      this.#matches = (await get("/api/matches")).matches;
      this.#problem = "";
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.update();
  }

  /** @param {ListedMatch} match */
  #terms(match) {
    const game = this.#games.find(({ name }) => name === match.game);
    return game ? listedTerms(game, match) : titleOf(match.game);
  }

  render() {
    const matches = this.#matches;
    return [
      h(
        "div",
        { class: "heading", key: "heading" },
        h("h1", null, "Watch"),
        h("p", { class: "lead" }, "Games being played right now. You see each move as it is made."),
      ),
      this.#problem && h("p", { class: "notice", key: "problem" }, this.#problem),
      matches &&
        !matches.length &&
        h(
          "p",
          { class: "panel", key: "none" },
          "No public match is being played right now. ",
          h("a", { href: "/" }, "Start one yourself."),
        ),
      matches &&
        h(
          "ul",
          { class: "running plain-list", key: "list" },
          matches.map((match) =>
            h(
              "li",
              { key: match.id },
              h(
                "a",
                { class: "panel", href: `/match/${match.id}` },
                h("strong", null, `${match.names.first} and ${match.names.second}`),
                h("span", null, this.#terms(match)),
                h("span", { class: "quiet" }, `${plural(match.ply, "move")} so far`),
              ),
            ),
          ),
        ),
    ];
  }
}

customElements.define("duel-watch", DuelWatch);

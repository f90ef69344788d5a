// The screen of an address where nothing is: it says so, and shows the ways on.

import { catalogue, Problem } from "./api.js";
import { Component, h } from "./dom.js";

/** @import { Game } from "./api-types.js" */

class DuelNotFound extends Component {
  /** @type {Game[]} */ #games = [];

  connectedCallback() {
    super.connectedCallback();
    if (this.#section) void this.#load();
  }

  /** The part of the site in which a game was not found, such as `puzzle`; empty elsewhere. */
  get #section() {
    return this.getAttribute("section") ?? "";
  }

  async #load() {
    this.#games = (await catalogue()).games;
    this.update();
  }

  render() {
    document.title = "Not found · Duelbook";
    return [
      h("h1", null, "There is nothing at this address"),
      h("p", { class: "notice" }, "It may be mistyped, or what was here is gone."),
      this.#games.length > 0 &&
        h(
          "ul",
          { class: "plain-list row", "aria-label": "Games" },
          this.#games.map(({ name, title }) =>
            h("li", { key: name }, h("a", { class: "button", href: `/${this.#section}/${name}` }, title)),
          ),
        ),
      h(
        "p",
        { class: "row" },
        h("a", { class: "button main", href: "/" }, "All games"),
        h("a", { class: "button", href: "/puzzle/daily" }, "Puzzle of the day"),
        h("a", { class: "button", href: "/lobby" }, "Lobby"),
      ),
    ];
  }
}

/**
 * Return what a screen shows instead of a game that there is not.
 * @param {string} section of the address, such as `puzzle`
 */
export const gameNotFound = (section) => h("duel-not-found", { section });

/** Return true if the game of an address, or something else that was asked for, does not exist. @param {unknown} error */
export const isNotFound = (error) => error instanceof Problem && error.code === "not-found";

customElements.define("duel-not-found", DuelNotFound);

// Matches that are being played now and that anybody may watch.

import { get } from "./api.js";
import { h, Part } from "./dom.js";
import { plural, titled } from "./words.js";

/** @typedef {{id: string, game: string, ply: number, names: Record<import("./types.js").Seat, string>}} Running */

const AGAIN = 5000; // milliseconds until the list is read anew

class DuelWatch extends Part {
  /** @type {Running[] | null} */ #matches = null;
  #problem = "";
  #timer = 0;

  connectedCallback() {
    super.connectedCallback();
    document.title = "Watch · Duelbook";
    void this.#load();
    this.#timer = window.setInterval(() => !document.hidden && void this.#load(), AGAIN);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  async #load() {
    try {
      this.#matches = (await get("/api/matches")).matches;
      this.#problem = "";
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.update();
  }

  render() {
    const matches = this.#matches;
    return [
      h(
        "div",
        { class: "heading", key: "heading" },
        h("h1", null, "Watch"),
        h("p", { class: "lead" }, "Matches that are being played now. You see every move as it is made."),
      ),
      this.#problem && h("p", { class: "notice", key: "problem" }, this.#problem),
      matches &&
        !matches.length &&
        h(
          "p",
          { class: "panel", key: "none" },
          "Nobody plays a public match just now. ",
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
                h("strong", null, titled(match.game)),
                ` ${match.names.first} and ${match.names.second}, ${plural(match.ply, "move")}`,
              ),
            ),
          ),
        ),
    ];
  }
}

customElements.define("duel-watch", DuelWatch);

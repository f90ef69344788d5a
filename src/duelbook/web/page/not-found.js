// The screen of an address where nothing is: it says so, and shows the ways on.

import { Component, h } from "./dom.js";

class DuelNotFound extends Component {
  render() {
    document.title = "Not found · Duelbook";
    return [
      h("h1", null, "There is nothing at this address"),
      h("p", { class: "notice" }, "It may be mistyped, or what was here is gone."),
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

customElements.define("duel-not-found", DuelNotFound);

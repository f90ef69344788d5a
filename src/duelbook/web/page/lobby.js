// The lobby: open challenges that a visitor can take, a game to offer, and the matches that are being played now.

import { catalogue, get, newKey, post } from "./api.js";
import { Component, h } from "./dom.js";
import { go } from "./main.js";
import { startMatch } from "./new-match.js";
import { rememberMatch, seatIn } from "./played-games.js";
import { prefs } from "./prefs.js";
import { attempt } from "./status.js";
import { challengeTerms, listedTerms } from "./terms.js";
import { plural } from "./text.js";

/** @import { Challenge, Game, ListedMatch, Seated } from "./api-types.js" */

const REFRESH_MS = 5000;

class DuelLobby extends Component {
  /** @type {Challenge[] | null} */ #challenges = null;
  /** @type {ListedMatch[]} */ #matches = [];
  /** @type {Game[]} */ #games = [];
  /** @type {Set<string>} */ #own = new Set(); // the challenges of this browser
  #offered = ""; // the name of the game that is chosen in the form
  #problem = "";
  #timer = 0;

  connectedCallback() {
    super.connectedCallback();
    document.title = "Lobby · Duelbook";
    void this.#load();
    this.#timer = window.setInterval(() => !document.hidden && void this.#load(), REFRESH_MS);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  async #load() {
    try {
      const [{ games }, { challenges }, { matches }] = await Promise.all([
        catalogue(),
        get("/api/challenges"),
        get("/api/matches"),
      ]);
      this.#own = new Set(await ownIds(challenges));
      this.#games = games;
      this.#challenges = challenges;
      this.#matches = matches;
      this.#problem = "";
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.update();
  }

  /**
   * Take a challenge, and go to its match.
   * @param {Challenge} challenge
   */
  async #take(challenge) {
    const path = `/match/${challenge.id}`;
    if (challenge.choose) {
      go(path); // which asks for the choice
      return;
    }
    const who = { ...(prefs.name && { name: prefs.name }), key: newKey(), challenge: true };
    try {
      /** @type {Seated} */
      const seated = await post(`/api/matches/${challenge.id}/join`, who);
      await rememberMatch(seated.match, seated.seat);
      go(path);
    } catch (error) {
      void this.#load(); // the list was out of date
      throw error;
    }
  }

  render() {
    return [
      h(
        "div",
        { class: "heading", key: "heading" },
        h("h1", null, "Lobby"),
        h("p", { class: "lead" }, "Play somebody who is here right now, or watch others play."),
      ),
      this.#problem && h("p", { class: "notice", key: "problem" }, this.#problem),
      this.#challenges && [this.#open(this.#challenges), this.#running()],
    ];
  }

  /** @param {Challenge[]} challenges */
  #open(challenges) {
    return h(
      "section",
      { class: "lobby-section", key: "open", "aria-labelledby": "lobby-open" },
      h("h2", { id: "lobby-open" }, "Open challenges"),
      challenges.length
        ? h(
            "ul",
            { class: "running plain-list", "aria-label": "Open challenges" },
            challenges.map((challenge) => this.#challenge(challenge)),
          )
        : h(
            "p",
            { class: "quiet" },
            "Nobody is waiting for an opponent. Offer a game, and the next visitor can take it.",
          ),
      this.#offerForm(),
    );
  }

  /** @param {Challenge} challenge */
  #challenge(challenge) {
    const game = this.#game(challenge.game);
    const own = this.#own.has(challenge.id);
    return h(
      "li",
      { class: "panel challenge", key: challenge.id },
      h("strong", null, own ? "Your challenge" : challenge.name),
      h("span", { class: "terms" }, game && challengeTerms(game, challenge)),
      own
        ? h("a", { class: "button", href: `/match/${challenge.id}` }, "Go there")
        : h(
            "button",
            {
              type: "button",
              class: "main",
              "aria-label": `Play ${game?.title ?? challenge.game} against ${challenge.name}`,
              onclick: () => void attempt(() => this.#take(challenge)),
            },
            "Play",
          ),
    );
  }

  #offerForm() {
    const game = this.#game(this.#offered) ?? this.#games[0];
    const choose = (/** @type {Event} */ event) => {
      this.#offered = /** @type {HTMLSelectElement} */ (event.target).value;
      this.update();
    };
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      void attempt(() => startMatch(game, null, { open: true }));
    };
    return h(
      "form",
      { class: "row offer", onsubmit: submit },
      h("label", { for: "offer-game" }, "Game"),
      h(
        "select",
        { id: "offer-game", onchange: choose },
        this.#games.map(({ name, title }) => h("option", { value: name, selected: name === game.name }, title)),
      ),
      h("button", { type: "submit" }, "Offer a game"),
      h("p", { class: "quiet" }, "With the options, the seat and the clock that you have set for it."),
    );
  }

  #running() {
    return h(
      "section",
      { class: "lobby-section", key: "running", "aria-labelledby": "lobby-running" },
      h("h2", { id: "lobby-running" }, "Being played now"),
      this.#matches.length
        ? h(
            "ul",
            { class: "running plain-list", "aria-label": "Being played now" },
            this.#matches.map((match) => this.#match(match)),
          )
        : h("p", { class: "quiet" }, "No public match is being played right now."),
    );
  }

  /** @param {ListedMatch} match */
  #match(match) {
    const game = this.#game(match.game);
    return h(
      "li",
      { key: match.id },
      h(
        "a",
        { class: "panel", href: `/match/${match.id}` },
        h("strong", null, `${match.names.first} and ${match.names.second}`),
        h("span", { class: "terms" }, game && listedTerms(game, match)),
        h("span", { class: "quiet" }, `${plural(match.ply, "move")} so far`),
      ),
    );
  }

  /** @param {string} name */
  #game(name) {
    return this.#games.find((game) => game.name === name);
  }
}

/**
 * Return the ids of the challenges that this browser has made.
 * @param {Challenge[]} challenges
 */
async function ownIds(challenges) {
  const seats = await Promise.all(challenges.map(({ id }) => seatIn(id)));
  return challenges.flatMap(({ id }, index) => (seats[index] ? [id] : []));
}

customElements.define("duel-lobby", DuelLobby);

// The home screen: a card for each game, the daily puzzle, recent matches, and matches to watch.

import { catalogue } from "./api.js";
import { Component, h } from "./dom.js";
import { choiceField, optionsPanel, startMatch } from "./new-match.js";
import { prefs, remember } from "./prefs.js";
import { today } from "./puzzle-results.js";
import { attempt } from "./status.js";
import { sentence, streakText, titleOf } from "./text.js";

/** @import { Agent, Catalogue, Game } from "./api-types.js" */
/** @import { PlayedGame } from "./played-games.js" */

const MAX_UNFINISHED = 6; // matches that are listed

class DuelHome extends Component {
  /** @type {Catalogue | null} */ #catalogue = null;
  /** @type {PlayedGame[]} */ #unfinished = [];
  #pictures = false;

  connectedCallback() {
    super.connectedCallback();
    void catalogue().then((found) => {
      this.#catalogue = found;
      this.update();
      const whenIdle = window.requestIdleCallback ?? ((/** @type {() => void} */ work) => setTimeout(work, 200));
      whenIdle(() => void this.#loadPictures());
    });
  }

  /** Load the small pictures last; the page works without them. */
  async #loadPictures() {
    const { unfinishedGames } = await import("./played-games.js");
    this.#unfinished = await unfinishedGames(MAX_UNFINISHED);
    await import("./picture.js");
    this.#pictures = true;
    this.update();
  }

  render() {
    const found = this.#catalogue;
    return [
      h(
        "div",
        { class: "hero", key: "hero" },
        h("h1", null, "Two players, no luck, nothing hidden"),
        h(
          "p",
          { class: "lead" },
          "Play the computer, or invite a friend with a link. Turn on values to see which moves win and which lose.",
        ),
      ),
      found && opponentBar(found, () => this.update()),
      h(
        "div",
        { class: "cards", key: "cards" },
        found ? [...found.games.map((game) => this.#card(game, found)), dailyCard()] : emptyCards(),
      ),
      h("div", { class: "more", key: "more" }, recentPanel(this.#unfinished), watchPanel()),
    ];
  }

  /** @param {Game} game @param {Catalogue} found */
  #card(game, found) {
    const id = `title-${game.name}`;
    return h(
      "article",
      { class: "card", key: game.name, "aria-labelledby": id },
      h("div", { class: "picture felt" }, this.#pictures && h("duel-picture", { game })),
      h("h2", { id }, game.title),
      h("p", { class: "aim" }, sentence(game.aim)),
      h(
        "div",
        { class: "choice" },
        choiceField(game, undefined, () => this.update()),
      ),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            type: "button",
            class: "main",
            "aria-label": `Play ${game.title}`,
            onclick: () => void attempt(() => startMatch(game, chosenOpponent(found))),
          },
          "Play",
        ),
        h(
          "button",
          {
            type: "button",
            "aria-label": `Invite a friend to ${game.title}`,
            onclick: () => void attempt(() => startMatch(game, null)),
          },
          "Invite a friend",
        ),
      ),
      h(
        "p",
        { class: "links" },
        h(
          "button",
          {
            type: "button",
            class: "plain-button",
            "aria-label": `Rules of ${game.title}`,
            onclick: () => void openRules(game),
          },
          "Rules",
        ),
        h("a", { href: `/puzzle/${game.name}`, "aria-label": `${game.title} puzzles` }, "Puzzles"),
        h("a", { href: `/analysis/${game.name}`, "aria-label": `${game.title} analysis` }, "Analysis"),
      ),
      optionsPanel(game, () => this.update()),
    );
  }
}

/** Return as many empty cards as there will be, so that nothing moves when they are filled. */
function emptyCards() {
  const count = Number(document.body.dataset.games) + 1; // one for the daily puzzle
  return Array.from({ length: count }, (_, number) =>
    h("article", { class: "card waiting", key: String(number), "aria-hidden": "true" }),
  );
}

/** @param {Game} game */
async function openRules(game) {
  const { showRules } = await import("./rules.js");
  await showRules(game.name);
}

/** @type {Record<string, string>} */
const SEATS = { first: "first", second: "second", random: "first or second at random" };

/**
 * Return the computer opponent that was chosen, perhaps by an older name, or else the level in the middle.
 * @param {Catalogue} catalogue
 */
function chosenOpponent({ agents }) {
  const levels = agents.filter((agent) => agent.level);
  const chosen = agents.find((agent) => [agent.name, ...agent.older_names].includes(prefs.level));
  return chosen ?? levels[Math.floor((levels.length - 1) / 2)];
}

/**
 * Return the choice of the computer opponent and of the seat.
 * @param {Catalogue} catalogue
 * @param {() => void} onchange
 */
function opponentBar(catalogue, onchange) {
  const { agents } = catalogue;
  const chosen = chosenOpponent(catalogue);
  const change = (/** @type {"level" | "seat"} */ what) => (/** @type {Event} */ event) => {
    remember({ [what]: /** @type {HTMLSelectElement} */ (event.target).value });
    onchange();
  };
  const option = (/** @type {Agent} */ agent) =>
    h("option", { value: agent.name, selected: agent === chosen }, agent.name);
  return h(
    "div",
    { class: "opponent-bar", key: "opponent-bar", role: "group", "aria-label": "Opponent and seat" },
    h("label", { for: "level" }, "Against the computer:"),
    h(
      "select",
      { id: "level", onchange: change("level") },
      h("optgroup", { label: "Levels" }, agents.filter((agent) => agent.level).map(option)),
      h("optgroup", { label: "Other opponents" }, agents.filter((agent) => !agent.level).map(option)),
    ),
    h("label", { for: "seat" }, "You move"),
    h(
      "select",
      { id: "seat", onchange: change("seat") },
      Object.entries(SEATS).map(([value, text]) => h("option", { value, selected: value === prefs.seat }, text)),
    ),
    h("p", { class: "quiet" }, sentence(chosen.about)),
  );
}

function dailyCard() {
  const { state, streak } = today();
  const done =
    state === "new" ? "" : state === "begun" ? " You have begun today's puzzle." : " You have solved today's.";
  return h(
    "article",
    { class: "card", key: "daily", "aria-labelledby": "title-daily" },
    h("div", { class: "picture felt", "aria-hidden": "true" }, h("span", { class: "question-mark" }, "?")),
    h("h2", { id: "title-daily" }, "Puzzle of the day"),
    h("p", { class: "aim" }, `Only one move wins. Can you find it? Everybody gets the same puzzle.${done}`),
    h("div", { class: "choice" }),
    h("div", { class: "row" }, h("a", { class: "button main", href: "/puzzle/daily" }, "Solve it")),
    h("p", { class: "links quiet" }, streakText(streak)),
  );
}

/** @param {PlayedGame[]} items */
function recentPanel(items) {
  return h(
    "section",
    { class: "panel", key: "recent" },
    h("h2", null, "Your matches"),
    items.length
      ? h(
          "ul",
          { class: "plain-list" },
          items.map(({ id, game, against }) =>
            h("li", { key: id }, h("a", { href: `/match/${id}` }, `${titleOf(game)} against ${against || "a friend"}`)),
          ),
        )
      : h("p", { class: "quiet" }, "Matches that you have not finished are listed here."),
    h("a", { href: "/games" }, "All your games"),
    h("a", { href: "/record" }, "Open a record file"),
  );
}

function watchPanel() {
  return h(
    "section",
    { class: "panel", key: "watch" },
    h("h2", null, "Lobby"),
    h("p", null, "Play somebody who is here right now, or watch others play."),
    h("a", { class: "button", href: "/lobby" }, "Go to the lobby"),
  );
}

customElements.define("duel-home", DuelHome);

// The home page: a card for each game, and what else there is to do.

import { catalogue } from "./api.js";
import { h, Part } from "./dom.js";
import { prefs, remember } from "./prefs.js";
import { start } from "./starting.js";
import { trying } from "./status.js";
import { streakWords } from "./streak.js";
import { choiceField, optionsPanel } from "./wishes.js";
import { titled } from "./words.js";

/** @typedef {import("./types.js").Catalogue} Catalogue */
/** @typedef {import("./types.js").Game} Game */

class DuelHome extends Part {
  /** @type {Catalogue | null} */ #catalogue = null;
  #pictures = false;

  connectedCallback() {
    super.connectedCallback();
    void catalogue().then((found) => {
      this.#catalogue = found;
      this.update();
      const later = window.requestIdleCallback ?? ((/** @type {() => void} */ work) => setTimeout(work, 200));
      later(() => void this.#enliven());
    });
  }

  /** Draw the small pictures; the page can be used without them. */
  async #enliven() {
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
        h("h1", null, "Two players, five games, nothing hidden"),
        h(
          "p",
          { class: "lead" },
          "Play at once, or invite a friend with a link. Every position has an exact value, and you can see it.",
        ),
      ),
      found && sitting(found, () => this.update()),
      h(
        "div",
        { class: "cards", key: "cards" },
        found ? [...found.games.map((game) => this.#card(game)), daily()] : WAITING,
      ),
      h("div", { class: "more", key: "more" }, recent(), watching()),
    ];
  }

  /** @param {Game} game */
  #card(game) {
    const id = `title-${game.name}`;
    return h(
      "article",
      { class: "card", key: game.name, "aria-labelledby": id },
      h("div", { class: "picture felt" }, this.#pictures && h("duel-picture", { game })),
      h("h2", { id }, game.title),
      h("p", { class: "aim" }, `${game.aim[0].toUpperCase()}${game.aim.slice(1)}`),
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
            onclick: () => void trying(() => start(game, prefs.level)),
          },
          "Play",
        ),
        h(
          "button",
          {
            type: "button",
            "aria-label": `Invite a friend to ${game.title}`,
            onclick: () => void trying(() => start(game, "friend")),
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
            onclick: () => void rules(game),
          },
          "Rules",
        ),
        h("a", { href: `/puzzle/${game.name}`, "aria-label": `Puzzles of ${game.title}` }, "Puzzles"),
        h("a", { href: `/analysis/${game.name}`, "aria-label": `Analysis of ${game.title}` }, "Analysis"),
      ),
      optionsPanel(game, () => this.update()),
    );
  }
}

const WAITING = ["1", "2", "3", "4", "5", "6"].map((key) =>
  h("article", { class: "card waiting", key, "aria-hidden": "true" }),
);

/** @param {Game} game */
async function rules(game) {
  const { showRules } = await import("./dialogs.js");
  await showRules(game.name);
}

/** @type {Record<string, string>} */
const SITTING = { first: "first", second: "second", random: "first or second by chance" };

/** How somebody likes to play. @param {Catalogue} found @param {() => void} changed */
function sitting({ agents }, changed) {
  const keep = (/** @type {"level" | "seat"} */ what) => (/** @type {Event} */ event) => {
    remember({ [what]: /** @type {HTMLSelectElement} */ (event.target).value });
    changed();
  };
  const option = (/** @type {import("./types.js").Agent} */ agent) =>
    h("option", { value: agent.name, selected: agent.name === prefs.level }, agent.name);
  return h(
    "div",
    { class: "sitting", key: "sitting", role: "group", "aria-label": "How you play" },
    h("label", { for: "level" }, "Against the computer:"),
    h(
      "select",
      { id: "level", onchange: keep("level") },
      h("optgroup", { label: "Levels" }, agents.filter((agent) => agent.level).map(option)),
      h("optgroup", { label: "Other ways of thinking" }, agents.filter((agent) => !agent.level).map(option)),
    ),
    h("label", { for: "seat" }, "You move"),
    h(
      "select",
      { id: "seat", onchange: keep("seat") },
      Object.entries(SITTING).map(([value, text]) => h("option", { value, selected: value === prefs.seat }, text)),
    ),
    h("p", { class: "quiet" }, agents.find((agent) => agent.name === prefs.level)?.about),
  );
}

function daily() {
  const today = new Date().toISOString().slice(0, 10);
  const done = prefs.tried[today] ? " You have tried today's." : "";
  return h(
    "article",
    { class: "card", key: "daily", "aria-labelledby": "title-daily" },
    h("div", { class: "picture felt", "aria-hidden": "true" }, h("span", { class: "riddle" }, "?")),
    h("h2", { id: "title-daily" }, "Puzzle of the day"),
    h("p", { class: "aim" }, `One move wins: find it. The same for everybody.${done}`),
    h("div", { class: "choice" }),
    h("div", { class: "row" }, h("a", { class: "button main", href: "/puzzle/daily" }, "Solve it")),
    h("p", { class: "links quiet" }, streakWords()),
  );
}

function recent() {
  const items = prefs.recent.slice(0, 6);
  return h(
    "section",
    { class: "panel", key: "recent" },
    h("h2", null, "Your matches"),
    items.length
      ? h(
          "ul",
          { class: "plain-list" },
          items.map(({ id, game, against }) =>
            h("li", { key: id }, h("a", { href: `/match/${id}` }, `${titled(game)} against ${against}`)),
          ),
        )
      : h("p", { class: "quiet" }, "What you play in this browser is found here again."),
    h("a", { href: "/record" }, "Open a record from disk"),
  );
}

function watching() {
  return h(
    "section",
    { class: "panel", key: "watch" },
    h("h2", null, "Watch"),
    h("p", null, "Look over the shoulders of those who are playing now."),
    h("a", { class: "button", href: "/watch" }, "Watch a match"),
  );
}

customElements.define("duel-home", DuelHome);

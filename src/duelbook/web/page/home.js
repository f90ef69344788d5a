// The home screen: what this is, what to do next, a card for each game, and the rest of the site.

import { catalogue } from "./api.js";
import { Component, h } from "./dom.js";
import { icon } from "./icons.js";
import { lessonLink, nextLesson, progressText } from "./lesson-progress.js";
import { choiceText, chosenOpponent, startMatch } from "./new-match.js";
import { GAMES_CHANGED, prefs } from "./prefs.js";
import { puzzleResults, today } from "./puzzle-results.js";
import { attempt } from "./status.js";
import { plural, sentence, titleOf } from "./text.js";

/** @import { Agent, Catalogue, Game } from "./api-types.js" */
/** @import { Child } from "./dom.js" */
/** @import { PlayedGame } from "./played-games.js" */

const MAX_CONTINUED = 2;
const REFRESH_MS = 10_000; // between two looks at how the games stand
const IDLE_MS = 2000; // after which a browser that is always busy loads the pictures all the same

class DuelHome extends Component {
  /** @type {Catalogue | null} */ #catalogue = null;
  /** @type {PlayedGame[]} */ #unfinished = [];
  #pictures = false;
  #timer = 0;

  connectedCallback() {
    super.connectedCallback();
    addEventListener(GAMES_CHANGED, this.#readGames);
    this.#timer = window.setInterval(() => !document.hidden && void this.#refreshGames(), REFRESH_MS);
    if (hasBeenHere()) void this.#readGames().then(() => this.#refreshGames());
    void catalogue().then((found) => {
      this.#catalogue = found;
      this.update();
      whenIdle(() => void this.#loadPictures());
    });
  }

  disconnectedCallback() {
    removeEventListener(GAMES_CHANGED, this.#readGames);
    clearInterval(this.#timer);
  }

  /** Ask the server how the unfinished games stand that are shown. */
  async #refreshGames() {
    if (!this.#unfinished.length) return;
    const { refreshGames } = await import("./played-games.js");
    await refreshGames(this.#unfinished.slice(0, MAX_CONTINUED));
  }

  /** Show the unfinished games as this browser knows them. */
  #readGames = async () => {
    const { playedGames, unfinished } = await import("./played-games.js");
    this.#unfinished = unfinished((await playedGames()).games);
    this.update();
  };

  /** Load the small pictures last; the page works without them. */
  async #loadPictures() {
    await import("./picture.js");
    this.#pictures = true;
    this.update();
  }

  render() {
    const found = this.#catalogue;
    return [
      h(
        "div",
        { class: hasBeenHere() ? "welcome back" : "welcome", key: "welcome" },
        hasBeenHere() ? greeting() : introduction(found),
        h(
          "div",
          { class: "tiles" },
          this.#unfinished.slice(0, MAX_CONTINUED).map(continueTile),
          this.#unfinished.length > MAX_CONTINUED && moreTile(this.#unfinished.length - MAX_CONTINUED),
          dailyTile(),
          hasBeenHere() && found && lessonTile(found),
        ),
      ),
      h(
        "div",
        { class: "cards", key: "cards" },
        found ? found.games.map((game) => this.#card(game, chosenOpponent(found, game))) : emptyCards(),
        moreCard(),
      ),
    ];
  }

  /** @param {Game} game @param {Agent} opponent */
  #card(game, opponent) {
    const id = `title-${game.name}`;
    return h(
      "article",
      { class: "card", key: game.name, "aria-labelledby": id },
      h("div", { class: "picture felt" }, this.#pictures && h("duel-picture", { game })),
      h("h2", { id }, game.title),
      h("p", { class: "aim" }, sentence(game.aim)),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            type: "button",
            class: "main",
            "aria-label": `Play ${game.title}`,
            "aria-describedby": `how-${game.name}`,
            onclick: () => void attempt(() => startMatch(game, opponent)),
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
        "button",
        {
          type: "button",
          class: "how",
          "aria-label": `Change how ${game.title} is played`,
          onclick: () => void attempt(() => openStart(game)),
        },
        h("span", { id: `how-${game.name}` }, choiceText(game, opponent)),
        h("span", { class: "change" }, "Change"),
      ),
      h(
        "p",
        { class: "links" },
        h("a", { href: lessonLink(game.name), "aria-label": `Learn ${game.title}` }, "Learn"),
        h(
          "button",
          {
            type: "button",
            class: "plain-button",
            "aria-label": `Rules of ${game.title}`,
            onclick: () => void attempt(() => openRules(game)),
          },
          "Rules",
        ),
        h("a", { href: `/puzzle/${game.name}`, "aria-label": `${game.title} puzzles` }, "Puzzles"),
        h("a", { href: `/analysis/${game.name}`, "aria-label": `${game.title} analysis` }, "Analysis"),
      ),
    );
  }
}

/** Call the function when the browser has nothing else to do, or soon in any case. @param {() => void} work */
function whenIdle(work) {
  if (window.requestIdleCallback) window.requestIdleCallback(work, { timeout: IDLE_MS });
  else setTimeout(work, 200);
}

/** Return as many empty cards as there will be, so that nothing moves when they are filled. */
function emptyCards() {
  return Array.from({ length: Number(document.body.dataset.games) }, (_, number) =>
    h("article", { class: "card waiting", key: String(number), "aria-hidden": "true" }),
  );
}

/** @param {Game} game */
async function openRules(game) {
  const { showRules } = await import("./rules.js");
  await showRules(game.name);
}

/** @param {Game} game */
async function openStart(game) {
  const { showStartDialog } = await import("./start-dialog.js");
  await showStartDialog(game);
}

/**
 * Return the game to begin with: the one whose seats are the nearest to equal between equal players.
 * @param {Catalogue} catalogue
 * @returns {Game}
 */
function firstGame({ games }) {
  const edge = (/** @type {Game} */ game) => Math.abs((game.presets[0].measured?.first_score ?? 1) - 0.5);
  return games.reduce((best, game) => (edge(game) < edge(best) ? game : best));
}

/** Return true if somebody has played, solved or learned something in this browser. */
const hasBeenHere = () =>
  prefs.played || [prefs.lessons, puzzleResults().days].some((kept) => Object.keys(kept).length > 0);

/** @param {Catalogue | null} found */
function introduction(found) {
  const game = found && firstGame(found);
  return h(
    "div",
    { class: "hero", key: "introduction" },
    h("h1", null, "Two-player games you learn in a minute"),
    h(
      "p",
      { class: "lead" },
      "No luck, nothing hidden. Play the computer or a friend, then see which move decided it.",
    ),
    h(
      "div",
      { class: "row" },
      game && [
        h("a", { class: "button main", href: lessonLink(game.name) }, `Learn ${game.title} in a minute`),
        h(
          "button",
          {
            type: "button",
            onclick: () => void attempt(() => startMatch(game, chosenOpponent(found, game))),
          },
          `Play ${game.title} now`,
        ),
      ],
    ),
  );
}

const greeting = () =>
  h(
    "div",
    { class: "hero", key: "greeting" },
    h("h1", null, "Welcome back"),
    h("p", { class: "lead" }, "Go on where you stopped, or choose a game."),
  );

/**
 * Return a link with a title and a line below it.
 * @param {string} href
 * @param {Child} sign
 * @param {string} title
 * @param {string} state
 * @param {string} action
 */
const tile = (href, sign, title, state, action) =>
  h(
    "a",
    { class: "tile", key: href, href },
    h("span", { class: "tile-sign", "aria-hidden": "true" }, sign),
    h("strong", null, title),
    h("span", { class: "state" }, state),
    h("span", { class: "go", "aria-hidden": "true" }, action),
  );

/** @param {PlayedGame} game */
function continueTile({ id, game, against, seat, status, mover }) {
  const turn = status === "playing" ? (mover === seat ? "Your turn" : "Their turn") : "Not finished";
  const state = status === "waiting" ? "Waiting for your opponent" : `${turn} · against ${against || "a friend"}`;
  return tile(`/match/${id}`, icon("play"), titleOf(game), state, "Go on");
}

/** @param {number} count */
const moreTile = (count) =>
  tile("/games", icon("open"), plural(count, "more unfinished game"), "All are in Your games.", "Show");

function dailyTile() {
  const { state, streak } = today();
  return tile(
    "/puzzle/daily",
    icon("puzzle"),
    "Puzzle of the day",
    DAILY[state](streak),
    state === "new" ? "Solve" : "Open",
  );
}

/** @type {Record<string, (streak: number) => string>} by what became of it */
const DAILY = {
  new: (streak) => `Can you find the move?${streak ? ` Your streak: ${plural(streak, "day")}.` : ""}`,
  begun: () => "You have begun it.",
  done: () => "Solved.",
  shown: () => "You have seen the answer.",
  "first try": (streak) => `Solved on the first try${streak > 1 ? `, ${streak} days in a row` : ""}.`,
};

/** @param {Catalogue} catalogue */
function lessonTile({ games }) {
  const game = nextLesson(games);
  return game && tile(lessonLink(game.name), icon("learn"), `Learn ${game.title}`, progressText(game.name), "Learn");
}

function moreCard() {
  return h(
    "nav",
    { class: "card more", key: "more", "aria-labelledby": "title-more" },
    h("h2", { id: "title-more" }, "More"),
    h(
      "ul",
      { class: "plain-list" },
      Object.entries(MORE).map(([href, [title, about]]) =>
        h("li", { key: href }, h("a", { href }, title), h("p", { class: "quiet" }, about)),
      ),
    ),
  );
}

/** @type {Record<string, [string, string]>} */
const MORE = {
  "/games": ["Your games", "Results, ratings, and what is left to finish."],
  "/lobby": ["Lobby", "Play somebody who is here right now, or watch others play."],
  "/analysis": ["Analysis", "Try any moves in any game, and see what each is worth."],
  "/record": ["Open a record file", "Review a game that was saved here or in the terminal."],
};

customElements.define("duel-home", DuelHome);

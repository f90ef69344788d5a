// Your games: every game of this browser, with filters, the ladder of each game, a rating, and a file to take along.

import { catalogue } from "./api.js";
import { addStyle } from "./board.js";
import { Component, h } from "./dom.js";
import { ladder, ladderText, PEOPLE, ratingOf, resultOf, streaks, tally } from "./game-statistics.js";
import { filePanel } from "./games-file.js";
import { startMatch } from "./new-match.js";
import { isOver, isYourTurn, playedGames, refreshGames, unfinished } from "./played-games.js";
import { GAMES_CHANGED } from "./prefs.js";
import { announce, attempt } from "./status.js";
import { rulesText, timeText } from "./terms.js";
import { plural, titleOf } from "./text.js";

/** @import { Agent, Catalogue, Game } from "./api-types.js" */
/** @import { PlayedGame } from "./played-games.js" */
/** @import { Tally } from "./game-statistics.js" */

const PAGE_GAMES = 15; // games that are listed at first, and more at a time
const MAX_UNFINISHED = 5; // games that are listed first
const MAX_CHECKED = 40; // unfinished games whose state the server is asked for

const RESULTS = { "": "Any result", unfinished: "Unfinished", won: "Won", lost: "Lost", drawn: "Drawn" };

class DuelGames extends Component {
  /** @type {Catalogue | null} */ #catalogue = null;
  /** @type {PlayedGame[] | null} */ #games = null;
  #filter = { game: "", opponent: "", result: "" };
  #shown = PAGE_GAMES;
  #problem = "";

  connectedCallback() {
    super.connectedCallback();
    document.title = "Your games · Duelbook";
    addEventListener(GAMES_CHANGED, this.#read);
    void attempt(async () => {
      this.#catalogue = await catalogue();
      await this.#read();
      await this.#check();
    });
  }

  disconnectedCallback() {
    removeEventListener(GAMES_CHANGED, this.#read);
  }

  #read = async () => {
    const { games, problem } = await playedGames();
    this.#games = games;
    this.#problem = problem;
    this.update();
  };

  /** Ask the server what became of unfinished games while this browser was away. */
  async #check() {
    await refreshGames((this.#games ?? []).filter((game) => !isOver(game)).slice(0, MAX_CHECKED));
  }

  render() {
    const found = this.#catalogue;
    const games = this.#games;
    if (!found || !games) return h("p", { class: "notice" }, "Loading your games …");
    return [
      h(
        "div",
        { class: "heading", key: "heading" },
        h("h1", null, "Your games"),
        h(
          "p",
          { class: "lead" },
          "Every game that you played in this browser. The list is kept here and nowhere else.",
        ),
      ),
      this.#problem && h("p", { class: "notice", key: "problem" }, this.#problem),
      this.#unfinished(games, found),
      games.length ? summary(games, found) : null,
      h(
        "section",
        { class: "panel list", key: "list", "aria-labelledby": "list-title" },
        h("h2", { id: "list-title", tabindex: "-1" }, "All games"),
        this.#filters(games),
        this.#list(games, found),
      ),
      h(
        "section",
        { class: "panel", key: "ladder", "aria-labelledby": "ladder-title" },
        h("h2", { id: "ladder-title" }, "The ladder"),
        h(
          "ul",
          { class: "plain-list ladders" },
          found.games.map((game) => ladderItem(game, games, found.agents)),
        ),
      ),
      filePanel(games, () => void this.#read()),
    ];
  }

  /** @param {PlayedGame[]} games @param {Catalogue} found */
  #unfinished(games, found) {
    const open = unfinished(games);
    if (!open.length) return null;
    const all = () => {
      this.#filter = { game: "", opponent: "", result: "unfinished" };
      this.update();
      /** @type {HTMLElement | null} */ (this.querySelector("#list-title"))?.focus();
    };
    return h(
      "section",
      { class: "panel unfinished", key: "unfinished", "aria-labelledby": "unfinished-title" },
      h("h2", { id: "unfinished-title" }, "Go on with"),
      h(
        "ol",
        { class: "plain-list game-rows" },
        open.slice(0, MAX_UNFINISHED).map((one) => listItem(one, found)),
      ),
      open.length > MAX_UNFINISHED &&
        h("button", { type: "button", onclick: all }, `All ${open.length} unfinished games`),
    );
  }

  /** @param {PlayedGame[]} games */
  #filters(games) {
    const names = [...new Set(games.map((game) => game.game))].sort();
    const opponents = [...new Set(games.map((game) => game.opponent).filter(Boolean))].sort();
    const field = (
      /** @type {"game" | "opponent" | "result"} */ name,
      /** @type {string} */ label,
      /** @type {Record<string, string>} */ choices,
    ) =>
      h(
        "div",
        { class: "field", key: name },
        h("label", { for: `filter-${name}` }, label),
        h(
          "select",
          {
            id: `filter-${name}`,
            onchange: (/** @type {Event} */ event) => {
              this.#filter = { ...this.#filter, [name]: /** @type {HTMLSelectElement} */ (event.target).value };
              this.#shown = PAGE_GAMES;
              announce(plural(this.#fitting(games).length, "game"));
              this.update();
            },
          },
          Object.entries(choices).map(([value, text]) =>
            h("option", { value, key: value, selected: this.#filter[name] === value }, text),
          ),
        ),
      );
    return h(
      "div",
      { class: "filters", role: "group", "aria-label": "Filters" },
      field("game", "Game", { "": "All games", ...Object.fromEntries(names.map((name) => [name, titleOf(name)])) }),
      field("opponent", "Opponent", {
        "": "All opponents",
        ...Object.fromEntries(opponents.map((name) => [name, name === PEOPLE ? "People" : name])),
      }),
      field("result", "Result", RESULTS),
    );
  }

  /** @param {PlayedGame[]} games */
  #fitting(games) {
    const { game, opponent, result } = this.#filter;
    return games.filter(
      (one) =>
        (!game || one.game === game) &&
        (!opponent || one.opponent === opponent) &&
        (!result || (result === "unfinished" ? !isOver(one) : resultOf(one) === result)),
    );
  }

  /** @param {PlayedGame[]} games @param {Catalogue} found */
  #list(games, found) {
    const fitting = this.#fitting(games);
    if (!fitting.length)
      return h("p", { class: "quiet", key: "none" }, games.length ? "No game fits." : "You have not played yet.");
    const rest = fitting.length - this.#shown;
    const more = () => {
      this.#shown += PAGE_GAMES;
      this.update();
    };
    return [
      h("p", { class: "quiet", key: "count" }, `${plural(fitting.length, "game")}.`),
      h(
        "ol",
        { class: "plain-list game-rows played", key: "games" },
        fitting.slice(0, this.#shown).map((one) => listItem(one, found)),
      ),
      rest > 0 && h("button", { type: "button", key: "more", onclick: more }, `Show more (${rest} left)`),
    ];
  }
}

/** @param {PlayedGame[]} games @param {Catalogue} found */
function summary(games, { agents }) {
  const { now, best } = streaks(games);
  const rated = ratingOf(games, agents, Date.now());
  const fact = (/** @type {string} */ name, /** @type {string} */ value, /** @type {string} */ note) =>
    h("div", { key: name }, h("dt", null, name), h("dd", null, h("strong", null, value), ` ${note}`));
  const error = rated ? 2 * rated.rating.deviation : 0;
  return h(
    "dl",
    { class: "panel facts", key: "facts" },
    fact("Results", tallyText(tally(games)), ""),
    fact("Winning streak", String(now), `best: ${best}`),
    rated
      ? fact(
          "Rating",
          `${Math.round(rated.rating.rating)} ± ${Math.round(error)}`,
          `by ${plural(rated.games, "game")} against the levels without help; medium has 1500`,
        )
      : fact("Rating", "–", "play one of the levels without hints to get one"),
  );
}

/** @param {Tally} count */
const tallyText = ({ won, lost, drawn }) => `${won} won, ${lost} lost${drawn ? `, ${drawn} drawn` : ""}`;

/** @param {Game} game @param {PlayedGame[]} all @param {Agent[]} agents */
function ladderItem(game, all, agents) {
  const games = all.filter((one) => one.game === game.name);
  const climbed = ladder(
    games,
    agents.filter((agent) => agent.level),
    all,
  );
  const rated = ratingOf(games, agents, Date.now());
  const people = tally(games.filter((one) => one.opponent === PEOPLE));
  const next = climbed.next;
  return h(
    "li",
    { key: game.name, class: "ladder" },
    h(
      "h3",
      null,
      game.title,
      rated &&
        h(
          "span",
          { class: "quiet" },
          ` rating ${Math.round(rated.rating.rating)} ± ${Math.round(2 * rated.rating.deviation)}`,
        ),
    ),
    h(
      "ol",
      { class: "rungs" },
      climbed.rungs.map((rung) => {
        const { won, lost, drawn } = rung.tally;
        const played = won + lost + drawn;
        return h(
          "li",
          {
            key: rung.level.name,
            "data-state": rung.passed ? "passed" : rung === next ? "next" : "",
            "aria-label": `${rung.level.name}: ${played ? tallyText(rung.tally) : "not played"}${rung.passed ? ", passed" : ""}`,
          },
          h("span", { "aria-hidden": "true" }, rung.level.name),
          h(
            "span",
            { class: "score", "aria-hidden": "true" },
            played ? `${won}–${lost}${drawn ? `–${drawn}` : ""}` : "·",
          ),
        );
      }),
    ),
    h(
      "p",
      { class: "next" },
      ladderText(climbed),
      people.won + people.lost + people.drawn ? ` Against people: ${tallyText(people)}.` : "",
    ),
    next &&
      h(
        "button",
        {
          type: "button",
          class: games.length ? "main" : "",
          "aria-label": `Play ${game.title} against ${next.level.name}`,
          onclick: () => void attempt(() => startMatch(game, next.level)),
        },
        `Play ${next.level.name}`,
      ),
  );
}

/** @param {PlayedGame} one @param {Catalogue} found */
function listItem(one, found) {
  const game = found.games.find(({ name }) => name === one.game);
  const moved = `you ${isOver(one) ? "moved" : "move"} ${one.seat}`;
  const terms = [game && rulesText(game, one.options), timeText(one.limit), moved].filter(Boolean);
  const against = one.against || "a friend";
  return h(
    "li",
    { key: one.id },
    h(
      "a",
      { href: `/match/${one.id}`, "data-result": resultOf(one) ?? "", "data-yours": isYourTurn(one) },
      h("strong", { class: "outcome" }, stateText(one)),
      h("span", { class: "who" }, `${game?.title ?? titleOf(one.game)} against ${against}`),
      h("time", { class: "quiet", datetime: new Date(one.changed).toISOString() }, dateText(one.changed)),
      h("span", { class: "quiet terms" }, terms.join(" · ")),
    ),
  );
}

/** @param {PlayedGame} game */
function stateText(game) {
  const result = resultOf(game);
  if (result) return { won: "Won", lost: "Lost", drawn: "Drawn" }[result];
  if (game.status === "gone") return "Removed";
  if (game.status === "over") return "Ended";
  if (game.status === "waiting") return "Waiting";
  return isYourTurn(game) ? "Your turn" : "Their turn";
}

/** @param {number} when */
const dateText = (when) =>
  new Date(when).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });

addStyle(`
duel-games { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); align-items: start; }
duel-games .panel { display: grid; gap: var(--space-3); }
duel-games .facts { grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); margin: 0; }
duel-games .facts dt { color: var(--quiet); font-size: 0.9rem; }
duel-games .facts dd { margin: 0; color: var(--quiet); font-size: 0.9rem; }
duel-games .facts strong { display: block; color: var(--text); font: 600 1.25rem var(--serif); }
duel-games .seats a { display: inline-flex; align-items: center; min-height: var(--target); }
duel-games .ladders { display: grid; gap: var(--space-3); grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); }
duel-games .ladder { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--space-1) var(--space-3); align-items: center; align-content: start; padding: var(--space-3); border: 1px solid var(--edge); border-radius: var(--round); }
duel-games .ladder h3, duel-games .rungs { grid-column: 1 / -1; }
duel-games .ladder .next { font-size: 0.9rem; }
duel-games .rungs { list-style: none; display: grid; grid-template-columns: repeat(6, auto); gap: 2px; width: 100%; margin: 0; padding: 0; font-size: 0.7rem; white-space: nowrap; }
duel-games .rungs li { display: grid; justify-items: center; padding: var(--space-1) 0; border-bottom: 4px solid var(--edge); overflow: hidden; }
duel-games .rungs li[data-state="passed"] { border-color: var(--win); }
duel-games .rungs li[data-state="next"] { border-color: var(--first); font-weight: 600; }
@media (forced-colors: active) {
  duel-games .rungs li { border-bottom-style: dotted; }
  duel-games .rungs li[data-state="passed"] { border-bottom-style: solid; }
  duel-games .rungs li[data-state="next"] { border: 2px solid Highlight; border-bottom-width: 4px; }
}
duel-games .rungs .score { font-variant-numeric: tabular-nums; color: var(--quiet); }
duel-games .filters { display: flex; flex-wrap: wrap; gap: var(--space-3); }
duel-games .filters .field { flex: 1 1 9rem; }
duel-games .game-rows { display: grid; gap: var(--space-2); }
duel-games .game-rows a { display: grid; grid-template-columns: 6rem minmax(0, 1fr) auto; gap: 0 var(--space-3); align-items: baseline; min-height: var(--target); padding: var(--space-2) var(--space-3); border: 1px solid var(--edge); border-inline-start-width: 5px; border-radius: var(--round); color: var(--text); text-decoration: none; }
duel-games .game-rows a:hover { border-color: var(--accent); }
duel-games .game-rows a[data-result="won"] { border-inline-start-color: var(--win); }
duel-games .game-rows a[data-result="lost"] { border-inline-start-color: var(--loss); }
duel-games .game-rows a[data-result="drawn"] { border-inline-start-color: var(--draw); }
duel-games .game-rows a[data-yours] { border-inline-start-color: var(--first); }
duel-games .game-rows .terms { grid-column: 2 / -1; }
@media (min-width: 60rem) {
  duel-games { grid-template-columns: minmax(0, 1fr) 25rem; }
  duel-games > :not(.list, [aria-labelledby="ladder-title"]) { grid-column: 1 / -1; }
}
@media (max-width: 26rem) {
  duel-games .facts { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--space-2); }
  duel-games .facts :last-child { grid-column: 1 / -1; }
  duel-games .facts strong { font-size: 1rem; }
  duel-games .facts dd, duel-games .facts dt { font-size: 0.8rem; }
  duel-games .ladders { gap: var(--space-2); }
  duel-games .ladder { padding: var(--space-2) var(--space-3); }
  duel-games .ladder h3 { font-size: 0.95rem; }
  duel-games .rungs li { padding: 0; }
  duel-games .rungs li > :not(.score) { display: none; } /* the button names the next one */
  duel-games .ladder .next { font-size: 0.8rem; line-height: 1.35; }
  duel-games .ladder button { padding-inline: var(--space-2); font-size: 0.9rem; }
  duel-games .game-rows a { grid-template-columns: minmax(0, 1fr) auto; }
  duel-games .game-rows .who, duel-games .game-rows .terms { grid-column: 1 / -1; }
  duel-games .game-rows time { grid-row: 1; grid-column: 2; }
}
`);

customElements.define("duel-games", DuelGames);

// Learn: the list of lessons, and the lesson of a game: small positions, each with a task that shows one rule.

import { catalogue, findGame, get } from "./api.js";
import { addStyle, loadBoard } from "./board.js";
import { Component, h } from "./dom.js";
import { icon } from "./icons.js";
import { lessonLink, lessonProgress, nextLesson, progressText, rememberLesson } from "./lesson-progress.js";
import { startMatch } from "./new-match.js";
import { gameNotFound, isNotFound } from "./not-found.js";
import { showRules } from "./rules.js";
import { announce, attempt } from "./status.js";
import { sentence } from "./text.js";

/** @import { Catalogue, Game, Lesson, LessonAnswer, LessonStep, Seat, Snapshot } from "./api-types.js" */
/** @import { Child } from "./dom.js" */
/** @import { Board, BoardInput } from "./types.js" */

const SHOW_MS = 900; // between a move and the reply to it

addStyle(`
duel-learn { display: grid; gap: var(--space-4); }
duel-learn .lessons { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: var(--space-4); padding: 0; margin: 0; list-style: none; }
duel-learn .lessons .panel { display: grid; gap: var(--space-2); grid-template-rows: auto 1fr auto auto; height: 100%; }
duel-learn .lesson { display: grid; gap: var(--space-3); width: 100%; max-width: 46rem; margin: 0 auto; }
duel-learn .steps-done { display: flex; flex-wrap: wrap; gap: var(--space-1); margin: 0; padding: 0; list-style: none; }
duel-learn .steps-done button { min-width: var(--target); padding: 0; border-radius: 50%; }
duel-learn .steps-done button[data-done] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
duel-learn .steps-done button[aria-current] { box-shadow: 0 0 0 2px var(--page), 0 0 0 5px var(--accent); }
duel-learn .steps-done button[aria-current] { font-weight: 800; }
duel-learn .teacher { display: grid; gap: var(--space-2); align-content: start; min-height: 10.5rem; border-inline-start: 5px solid var(--edge); }
duel-learn .teacher[data-stage="right"] { border-inline-start-color: light-dark(#14713f, #7fd6a0); }
duel-learn .teacher[data-stage="wrong"] { border-inline-start-color: var(--danger); }
duel-learn .teacher h2:focus { outline: none; }
duel-learn .verdict-line { font-weight: 650; }
duel-learn [data-stage="right"] .verdict-line { color: light-dark(#14713f, #7fd6a0); }
duel-learn [data-stage="wrong"] .verdict-line { color: var(--danger); }
duel-learn .lesson .felt { padding: clamp(var(--space-2), 2vw, var(--space-4)); }
duel-learn .lesson duel-board { display: block; min-height: 16rem; }
@media (min-width: 60rem) { /* the task stands beside the board, so that all of it is in view */
  duel-learn .lesson { grid-template-columns: minmax(0, 1fr) 21rem; max-width: 72rem; align-items: start; }
  duel-learn .lesson > * { grid-column: 1 / -1; }
  duel-learn .lesson > .felt { grid-column: 1; grid-row: 3; }
  duel-learn .lesson > .teacher:has(~ .felt) { grid-column: 2; grid-row: 3; }
}
@media (forced-colors: active) {
  duel-learn .steps-done button[aria-current] { outline: 4px solid Highlight; outline-offset: -1px; }
}
@media (max-width: 40rem) {
  duel-learn .lesson { gap: 0.4rem; }
  duel-learn .lesson h1 { font-size: 1.15rem; }
  duel-learn .lesson .lead { display: none; }
  duel-learn .lesson .felt { padding: 0.3rem; }
  duel-learn .teacher { gap: var(--space-1); min-height: 8.8rem; padding: var(--space-2) var(--space-3); font-size: 0.95rem; line-height: 1.35; }
  duel-learn .teacher h2 { font-size: 1.05rem; }
  duel-learn .teacher[data-stage="right"]:not([aria-label="Finished"]), duel-learn .teacher[data-stage="wrong"] { grid-template-columns: minmax(0, 1fr) auto; align-items: start; column-gap: var(--space-3); }
  duel-learn .teacher:not([data-stage="task"]) .task { display: none; }
  duel-learn .teacher:not([data-stage="task"]) h2 { grid-column: 1 / -1; }
  duel-learn .teacher[data-stage="task"] .row { display: none; }
}
`);

class DuelLearn extends Component {
  /** @type {Catalogue | null} */ #catalogue = null;
  /** @type {Game | null} */ #game = null;
  /** @type {Lesson | null} */ #lesson = null;
  /** @type {Board | null} */ #board = null;
  #at = 0; // the index of the step; the number of steps once the lesson is finished
  /** @type {"task" | "right" | "wrong"} */ #stage = "task";
  /** @type {Snapshot | null} */ #shown = null; // instead of the position of the step
  /** @type {string | null} */ #pending = null;
  #text = "";
  #problem = "";
  #unknown = false; // there is no such game
  #timer = 0;
  #focus = ""; // what to focus after the next drawing

  connectedCallback() {
    super.connectedCallback();
    void this.#load().catch((error) => {
      this.#unknown = isNotFound(error);
      this.#problem = error.message;
      this.update();
    });
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
  }

  async #load() {
    const name = this.getAttribute("name");
    document.title = "Learn · Duelbook";
    this.#catalogue = await catalogue();
    if (!name) return this.update();
    const game = await findGame(name);
    [this.#lesson, this.#board] = await Promise.all([get(`/api/games/${game.name}/lesson`), loadBoard(game)]);
    this.#game = game;
    this.#at = Math.max(0, this.#firstOpen());
    if (this.isConnected) document.title = `Learn ${game.title} · Duelbook`;
    this.update();
  }

  get #steps() {
    return this.#lesson?.steps ?? [];
  }

  /** @param {number} index */
  #go(index) {
    clearTimeout(this.#timer);
    this.#at = index;
    this.#stage = "task";
    this.#shown = null;
    this.#text = "";
    this.#focus = ".teacher h2";
    const step = this.#steps[index];
    announce(step ? `${step.title}. ${taskText(step)}` : "You have finished the lesson.");
    this.update();
  }

  /** @param {string} move */
  async #try(move) {
    const game = /** @type {Game} */ (this.#game);
    const at = this.#at;
    this.#pending = move;
    this.update();
    try {
      const path = `/api/games/${game.name}/lesson/answer?step=${at + 1}&try=${encodeURIComponent(move)}`;
      /** @type {LessonAnswer} */
      const answer = await get(path);
      if (this.#at !== at || !this.isConnected) return;
      this.#stage = answer.right ? "right" : "wrong";
      this.#text = answer.text;
      this.#focus = ".teacher button.main";
      if (answer.right) rememberLesson(game.name, at, this.#steps.length);
      announce(`${verdict(this.#stage)} ${answer.text}`);
      this.#showMoves(answer.shown);
    } finally {
      this.#pending = null;
      this.update();
    }
  }

  /** Return true if a step was solved, now or on an earlier visit. @param {number} index */
  #isSolved(index) {
    return lessonProgress(/** @type {Game} */ (this.#game).name)?.solved.includes(index) ?? false;
  }

  /** Return the index of the first step that is not solved, or -1. */
  #firstOpen() {
    return this.#steps.findIndex((_, index) => !this.#isSolved(index));
  }

  /** Return the index of what comes after this step: the next one, then one that was left out, and then the end. */
  #following() {
    const end = this.#steps.length;
    if (this.#at + 1 < end) return this.#at + 1;
    const open = this.#firstOpen();
    return open < 0 ? end : open;
  }

  /**
   * Show the position after the move that was tried, and then after each move that follows.
   * @param {Snapshot[]} positions
   */
  #showMoves([first, ...rest]) {
    this.#shown = first;
    this.update();
    if (!rest.length) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#timer = window.setTimeout(() => this.#showMoves(rest), still ? 0 : SHOW_MS);
  }

  rendered() {
    if (!this.#focus) return;
    const element = this.querySelector(this.#focus);
    this.#focus = "";
    if (element instanceof HTMLElement) element.focus({ preventScroll: true });
  }

  render() {
    if (this.#unknown) return gameNotFound("learn");
    if (this.#problem)
      return [
        h("h1", null, "Learn"),
        h("p", { class: "notice" }, this.#problem),
        h("p", null, h("a", { href: "/learn" }, "All lessons")),
      ];
    if (!this.#catalogue) return h("p", { class: "notice" }, "Loading the lessons …");
    if (!this.getAttribute("name")) return lessonList(this.#catalogue.games);
    const game = this.#game;
    if (!game || !this.#lesson) return h("p", { class: "notice" }, "Loading the lesson …");
    const step = this.#steps[this.#at];
    return h(
      "div",
      { class: "lesson" },
      h(
        "div",
        { class: "heading" },
        h("h1", null, `Learn ${game.title}`),
        this.#at === 0 && h("p", { class: "lead" }, sentence(game.aim)),
      ),
      this.#stepList(),
      step ? this.#teacher(step) : this.#finish(game, this.#catalogue),
      step && h("div", { class: "felt", key: "felt" }, this.#boardTree(game, step)),
    );
  }

  #stepList() {
    return h(
      "ol",
      { class: "steps-done", key: "steps", "aria-label": "Steps" },
      this.#steps.map((step, index) =>
        h(
          "li",
          { key: String(index) },
          h(
            "button",
            {
              type: "button",
              "aria-label": `Step ${index + 1}: ${step.title}${this.#isSolved(index) ? ", solved" : ""}`,
              "aria-current": index === this.#at ? "step" : undefined,
              "data-done": this.#isSolved(index),
              onclick: () => this.#go(index),
            },
            this.#isSolved(index) ? icon("check") : index + 1,
          ),
        ),
      ),
    );
  }

  /** @param {LessonStep} step */
  #teacher(step) {
    const stage = this.#stage;
    const following = this.#following();
    return h(
      "section",
      { class: "panel teacher", key: "teacher", "data-stage": stage, "aria-label": "Task" },
      h("h2", { tabindex: "-1" }, step.title),
      h("p", { class: "task", key: "task" }, taskText(step)),
      stage !== "task" &&
        h("p", { key: "verdict" }, h("span", { class: "verdict-line" }, verdict(stage)), " ", this.#text),
      h(
        "div",
        { class: "row", key: "buttons" },
        stage === "right" &&
          mainButton(following === this.#steps.length ? "Finish" : "Next", () => this.#go(following)),
        stage === "wrong" && mainButton("Try again", () => this.#go(this.#at)),
      ),
    );
  }

  /** @param {Game} game @param {LessonStep} step */
  #boardTree(game, step) {
    const { position, history } = this.#shown ?? step.start;
    const you = /** @type {Seat} */ (step.start.position.mover);
    /** @type {BoardInput} */
    const input = {
      game: game.name,
      options: step.options,
      position,
      history,
      names: you === "first" ? { first: "You", second: "Opponent" } : { first: "Opponent", second: "You" },
      you,
      pending: this.#pending,
      still: this.#stage !== "task",
      play: this.#stage === "task" ? (move) => void attempt(() => this.#try(move)) : null,
    };
    return h("duel-board", { key: `board ${this.#at}`, input, board: this.#board });
  }

  /** @param {Game} game @param {Catalogue} found */
  #finish(game, { games, agents }) {
    const easiest = agents.find((agent) => agent.level) ?? agents[0];
    const next = nextLesson(games, game.name);
    return h(
      "section",
      { class: "panel teacher", key: "finish", "data-stage": "right", "aria-label": "Finished" },
      h("h2", { tabindex: "-1" }, `You can play ${game.title}`),
      h("p", null, `You know the rules. Try them in a match: the opponent "${easiest.name}" makes many mistakes.`),
      h(
        "div",
        { class: "row" },
        mainButton(`Play against ${easiest.name}`, () => void attempt(() => startMatch(game, easiest))),
        next && h("a", { class: "button", href: lessonLink(next.name) }, `Next lesson: ${next.title}`),
        button("All the rules", () => void attempt(() => showRules(game.name))),
        button("Do it again", () => this.#go(0)),
      ),
    );
  }
}

/** Return the task, which also says on which side of the table one sits. @param {LessonStep} step */
const taskText = ({ start, task }) => (start.position.mover === "second" ? `This time you move second. ${task}` : task);

/** @param {"task" | "right" | "wrong"} stage */
const verdict = (stage) => (stage === "right" ? "Right!" : "Not quite.");

/** @param {string} text @param {() => void} onclick */
const button = (text, onclick) => h("button", { type: "button", key: text, onclick }, text);

/** @param {string} text @param {() => void} onclick */
const mainButton = (text, onclick) => h("button", { type: "button", class: "main", key: text, onclick }, text);

/** @param {Game[]} games @returns {Child} */
function lessonList(games) {
  return [
    h(
      "div",
      { class: "heading", key: "heading" },
      h("h1", null, "Learn to play"),
      h("p", { class: "lead" }, "A few small positions for each game, about a minute each. Make a move and see why."),
    ),
    h(
      "ul",
      { class: "lessons", key: "lessons" },
      games.map((game) => h("li", { key: game.name }, lessonCard(game))),
    ),
  ];
}

/** @param {Game} game */
function lessonCard(game) {
  const progress = lessonProgress(game.name);
  const what = progress?.done ? "Do it again" : progress ? "Continue" : "Start";
  const look = progress?.done ? "button" : "button main";
  return h(
    "div",
    { class: "panel" },
    h("h2", null, game.title),
    h("p", null, sentence(game.aim)),
    h("p", { class: "quiet" }, progressText(game.name)),
    h("a", { class: look, href: lessonLink(game.name), "aria-label": `${what}: ${game.title}` }, what),
  );
}

customElements.define("duel-learn", DuelLearn);

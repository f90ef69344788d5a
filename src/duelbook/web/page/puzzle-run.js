// A run: as many puzzles as you can in three minutes. A wrong move costs ten seconds, and the next puzzle is ready.

import { catalogue, fetchLine, get } from "./api.js";
import { addStyle, loadBoard } from "./board.js";
import { Component, h } from "./dom.js";
import { drawPuzzle } from "./puzzle-draw.js";
import { noteRun, puzzleResults } from "./puzzle-results.js";
import { announce, attempt } from "./status.js";
import { plural, SEAT_NAMES } from "./text.js";

/** @import { Game, Line, PuzzleLevels, SeededPuzzle } from "./api-types.js" */
/** @import { Board } from "./types.js" */

const RUN_SECONDS = 180;
const PENALTY_SECONDS = 10;
const PREFETCHED = 2; // puzzles that wait
const LEVEL_PUZZLES = 3; // puzzles of a level before the next one
const TICK_MS = 200;

/** @typedef {{puzzle: SeededPuzzle, game: Game, line: Line, board: Board}} Ready */

class DuelRun extends Component {
  /** @type {"start" | "running" | "over"} */ #state = "start";
  /** @type {[Game, PuzzleLevels["levels"]][]} */ #games = [];
  /** @type {Promise<Ready>[]} */ #queue = [];
  /** @type {Ready | null} */ #now = null;
  /** @type {string | null} */ #pending = null;
  #asked = 0;
  #score = 0;
  #wrong = 0;
  #end = 0; // when the run is over, as performance.now() counts
  #news = "";
  #newsWrong = false; // about a wrong move
  #record = false;
  #ticking = 0;

  connectedCallback() {
    super.connectedCallback();
    document.title = "Puzzle run · Duelbook";
    this.#ticking = window.setInterval(() => this.#tick(), TICK_MS);
    void attempt(() => this.#prepare());
  }

  disconnectedCallback() {
    clearInterval(this.#ticking);
    if (this.#state === "running" && this.#score) noteRun(this.#score, this.#wrong); // who leaves keeps the score so far
  }

  async #prepare() {
    const { games } = await catalogue();
    const found = await Promise.all(
      games.map(async (game) => {
        const levels = await get(`/api/puzzles/${game.name}/levels`).catch(() => ({ levels: {} }));
        return /** @type {[Game, PuzzleLevels["levels"]]} */ ([game, levels.levels]);
      }),
    );
    this.#games = found.filter(([, levels]) => Object.keys(levels).length);
    if (this.#games.length) while (this.#queue.length < PREFETCHED) this.#ask();
    this.update();
  }

  /** Ask for one more puzzle: a game at random that has the level that is due, or the nearest. */
  #ask() {
    const due = 1 + Math.floor(this.#asked / LEVEL_PUZZLES);
    this.#asked += 1;
    const cells = this.#games.flatMap(([game, kinds]) =>
      Object.entries(kinds).flatMap(([kind, levels]) => levels.map((level) => ({ game, kind, level }))),
    );
    const nearest = Math.min(...cells.map(({ level }) => Math.abs(level - due)));
    const fitting = cells.filter(({ level }) => Math.abs(level - due) === nearest);
    const names = [...new Set(fitting.map(({ game }) => game))];
    const chosen = names[Math.floor(Math.random() * names.length)]; // first the game: some have more kinds than others
    const own = fitting.filter(({ game }) => game === chosen);
    const { game, kind, level } = own[Math.floor(Math.random() * own.length)];
    const ready = fetchReady(game, kind, level);
    ready.catch(() => undefined); // whoever waits for it is told
    this.#queue.push(ready);
  }

  async #start() {
    this.#score = 0;
    this.#wrong = 0;
    this.#news = "";
    this.#state = "running";
    await this.#next();
    this.#end = performance.now() + 1000 * RUN_SECONDS; // the first puzzle is there
    announce(`The run has begun. You have ${RUN_SECONDS / 60} minutes.`);
    this.update();
  }

  async #next() {
    this.#ask();
    this.#now = null;
    this.update();
    try {
      this.#now = await /** @type {Promise<Ready>} */ (this.#queue.shift());
    } finally {
      this.update();
    }
  }

  get #left() {
    return this.#end ? Math.max(0, (this.#end - performance.now()) / 1000) : RUN_SECONDS;
  }

  #tick() {
    if (this.#state !== "running") return;
    if (this.#end && this.#left <= 0) this.#finish("The time is up.");
    this.update();
  }

  /** @param {string} why */
  #finish(why) {
    this.#state = "over";
    this.#record = noteRun(this.#score, this.#wrong) && this.#score > 0;
    this.#end = 0;
    this.#asked = 0;
    this.#queue = [];
    while (this.#queue.length < PREFETCHED) this.#ask();
    announce(`${why} You solved ${plural(this.#score, "puzzle")}.`);
  }

  /** @param {string} move */
  async #try(move) {
    const now = this.#now;
    if (!now || this.#pending || this.#state !== "running") return;
    this.#pending = move;
    this.update();
    try {
      const query = new URLSearchParams({ ...queryOf(now.puzzle), try: move });
      const tried = /** @type {SeededPuzzle} */ (await get(`/api/puzzles/${now.game.name}?${query}`));
      if (this.#state !== "running") return;
      if (tried.right) this.#score += 1;
      else {
        this.#wrong += 1;
        this.#end -= 1000 * PENALTY_SECONDS;
      }
      this.#news = tried.right ? `${move} is right.` : `${move} is wrong: ${tried.answer} was right. 10 seconds less.`;
      this.#newsWrong = !tried.right;
      announce(this.#news);
      this.#pending = null; // the next puzzle is another position
      await this.#next();
    } finally {
      this.#pending = null;
      this.update();
    }
  }

  render() {
    const [best] = puzzleResults().runs;
    const bestText = best ? `Your best: ${plural(best.score, "puzzle")}.` : "";
    if (this.#state !== "running")
      return [
        h(
          "div",
          { class: "heading", key: "heading" },
          h(
            "h1",
            null,
            this.#state === "over" ? `You solved ${plural(this.#score, "puzzle")}` : "How many in three minutes?",
          ),
          h("p", { class: "lead" }, this.#state === "over" ? this.#overText(bestText) : START_TEXT),
        ),
        h(
          "div",
          { class: "actions", key: "actions" },
          this.#state === "start" && bestText && h("p", { class: "streak" }, bestText),
          h(
            "button",
            {
              type: "button",
              class: "main",
              "aria-disabled": this.#queue.length ? undefined : "true",
              onclick: () => this.#queue.length && void attempt(() => this.#start()),
            },
            this.#state === "over" ? "Once more" : "Start",
          ),
          h("a", { class: "button", href: "/puzzle/daily" }, "Puzzle of the day"),
        ),
      ];
    return [this.#bar(), this.#board()];
  }

  /** @param {string} bestText */
  #overText(bestText) {
    const wrong = this.#wrong ? ` ${plural(this.#wrong, "wrong move")}.` : "";
    return this.#record ? `That is your best run.${wrong}` : `${bestText}${wrong}`;
  }

  #bar() {
    const left = Math.ceil(this.#left);
    return h(
      "div",
      { class: "run-bar", key: "bar" },
      h("h1", null, "Puzzle run"),
      h(
        "span",
        { class: "clock", role: "timer", "aria-label": "Time left", "data-low": left <= RUN_SECONDS / 5 },
        timeText(left),
      ),
      h("strong", null, plural(this.#score, "puzzle")),
      h(
        "button",
        {
          type: "button",
          class: "end",
          onclick: () => {
            this.#finish("The run is over.");
            this.update();
          },
        },
        "End the run",
      ),
      h(
        "p",
        { class: "news", "data-wrong": this.#newsWrong, "data-right": !!this.#news && !this.#newsWrong },
        this.#news,
      ),
    );
  }

  #board() {
    const now = this.#now;
    if (!now) return h("p", { class: "notice", key: "wait" }, "The next puzzle …");
    const { puzzle, game, line, board } = now;
    const position = line.positions[line.positions.length - 1];
    const history = line.moves.map((move, index) => ({ move, seat: line.positions[index].mover ?? "first" }));
    return h(
      "div",
      {
        class: "run",
        key: `${game.name} ${puzzle.seed}`,
        "data-puzzle": `/api/puzzles/${game.name}?${new URLSearchParams(queryOf(puzzle))}`,
      },
      h("p", { class: "lead" }, `${game.title}. It is the ${puzzle.mover} player's turn. ${puzzle.task}`),
      h(
        "section",
        { class: "table-area", "aria-label": "Board" },
        h(
          "div",
          { class: "felt" },
          h("duel-board", {
            input: {
              game: game.name,
              options: line.options,
              position,
              history,
              names: SEAT_NAMES,
              you: puzzle.mover,
              pending: this.#pending,
              secret: true,
              play: (/** @type {string} */ move) => void attempt(() => this.#try(move)),
            },
            board,
          }),
        ),
      ),
    );
  }
}

const START_TEXT =
  "Solve as many puzzles of all games as you can. They get harder. A wrong move costs ten seconds, and the next puzzle follows.";

/** @param {SeededPuzzle} puzzle */
const queryOf = ({ seed, kind, level }) => ({ seed, kind, level: String(level) });

/** @param {Game} game @param {string} kind @param {number} level @returns {Promise<Ready>} */
async function fetchReady(game, kind, level) {
  const puzzle = await drawPuzzle(game.name, new URLSearchParams({ kind, level: String(level) }));
  const [line, board] = await Promise.all([fetchLine(game, puzzle.options, puzzle.moves), loadBoard(game)]);
  return { puzzle, game, line, board };
}

/** @param {number} seconds */
const timeText = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

addStyle(`
duel-run { display: grid; gap: var(--space-4); }
duel-run .run { display: grid; gap: var(--space-3); max-width: 52rem; }
duel-run .run-bar { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-4); min-height: var(--target); }
duel-run .news { flex-basis: 100%; min-height: 2.25rem; padding: var(--space-1) var(--space-3); border-inline-start: 6px solid transparent; border-radius: var(--round); }
duel-run .news[data-right] { border-color: light-dark(#14713f, #7fd6a0); background: var(--paper); }
duel-run .news[data-wrong] { border-color: var(--danger); background: color-mix(in srgb, var(--danger) 14%, var(--paper)); font-weight: 600; }
duel-run .end { margin-inline-start: auto; }
duel-run .run-bar h1 { font-size: 1.25rem; }
duel-run .run-bar .clock { font: 600 1.5rem var(--mono); }
duel-run .run-bar .clock[data-low] { color: var(--danger); }
`);

customElements.define("duel-run", DuelRun);

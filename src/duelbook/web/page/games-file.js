// Everything that this browser keeps, as one file: saved here, and taken over by another browser.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { addGames, asPlayedGame, isNewer, isOver, playedGames } from "./played-games.js";
import { asPrefs, mergedPrefs, prefs, remember } from "./prefs.js";
import { asPuzzleResults, keepPuzzleResults, puzzleResults } from "./puzzle-results.js";
import { announce, attempt, notify } from "./status.js";
import { plural, titleOf } from "./text.js";

/** @import { PlayedGame } from "./played-games.js" */
/** @import { Prefs } from "./prefs.js" */
/** @import { PuzzleResults } from "./puzzle-results.js" */

const FORMAT = "duelbook-browser";
const VERSION = 1;
const MAX_BYTES = 10_000_000;
const MAX_GAMES = 20_000;
const MAX_SEATS = 100;
const NOTHING_CHANGED = "Nothing was changed.";

/** @typedef {{id: string, token: string}} SeatToken the secret of a seat: whoever has it can play there */
/** @typedef {{prefs: Partial<Prefs>, games: PlayedGame[], puzzles: PuzzleResults, seats: SeatToken[]}} Kept */
/** @typedef {{kept: Kept, newGames: PlayedGame[], newDays: number}} Plan what an import would do */

/** @type {Plan | null} */
let plan = null;

/**
 * Return the panel that saves a file and takes one over.
 * @param {PlayedGame[]} games
 * @param {() => void} onchange
 */
export function filePanel(games, onchange) {
  const unfinished = games.filter((game) => !isOver(game)).slice(0, MAX_SEATS);
  const choose = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const files = [...(input.files ?? [])];
    void attempt(async () => {
      plan = files.length ? await planOf(files, games) : null;
      if (plan) announce(`${gamesText(plan)} Import it, or cancel.`);
    }).then(() => {
      input.value = ""; // so that the same file can be chosen again
      onchange();
    });
  };
  return h(
    "section",
    { class: "panel", key: "file", "aria-labelledby": "file-title" },
    h("h2", { id: "file-title" }, "Take your games along"),
    h(
      "p",
      null,
      "Save your games, puzzle results, lessons and preferences as one file, and open it in another browser. There is no account.",
    ),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", onclick: () => void attempt(save) }, icon("download"), "Save to a file"),
    ),
    unfinished.length > 0 && seatLinks(unfinished),
    h(
      "div",
      { class: "field" },
      h("label", { for: "open-file" }, "Open files that you saved in another browser"),
      h("input", {
        id: "open-file",
        type: "file",
        multiple: true,
        accept: ".json,application/json",
        onchange: choose,
      }),
    ),
    plan && preview(plan, onchange),
  );
}

/**
 * Return links that save the seats: scripts cannot read the tokens, but the browser can save what the server sends.
 * @param {PlayedGame[]} unfinished
 */
function seatLinks(unfinished) {
  const link = (/** @type {PlayedGame} */ { id, game, against }) =>
    h(
      "li",
      { key: id },
      h("a", { href: `/api/matches/${id}/seat` }, `Seat in ${titleOf(game)} against ${against || "a friend"}`),
    );
  return h(
    "details",
    { key: "seats", class: "options seats" },
    h("summary", null, `Take your seats in unfinished matches along (${unfinished.length})`),
    h(
      "p",
      { class: "quiet" },
      "Each seat is a file of its own. Keep it to yourself: whoever has it can play for you in the match.",
    ),
    h("ul", null, unfinished.map(link)),
  );
}

/** @param {Plan} chosen */
const gamesText = ({ kept, newGames }) =>
  `The file has ${plural(kept.games.length, "game")}: ${newGames.length} are new or newer than here.`;

/** @param {Plan} chosen @param {() => void} onchange */
function preview(chosen, onchange) {
  const { kept, newDays } = chosen;
  const end = () => {
    plan = null;
    onchange();
  };
  return h(
    "div",
    { class: "notice", key: "preview" },
    h("p", null, gamesText(chosen)),
    h(
      "p",
      null,
      `It has the results of ${plural(Object.keys(kept.puzzles.days).length, "daily puzzle")}, ${newDays} of them new.`,
    ),
    kept.seats.length > 0 &&
      h("p", null, `It has your seats in ${plural(kept.seats.length, "match")}`.replace(/matchs$/, "matches"), "."),
    h("p", null, "Preferences that you have set here stay as they are. Nothing is removed."),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        { type: "button", class: "main", onclick: () => void attempt(() => take(chosen)).then(end) },
        "Import",
      ),
      h("button", { type: "button", onclick: end }, "Cancel"),
    ),
  );
}

async function save() {
  const { games, problem } = await playedGames();
  if (problem) notify(problem);
  const file = {
    format: FORMAT,
    version: VERSION,
    saved: new Date().toISOString(),
    prefs,
    games,
    puzzles: puzzleResults(),
    seats: [],
  };
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(file)], { type: "application/json" }));
  link.download = `duelbook-${file.saved.slice(0, 10)}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * Return what an import of the files would do; throw an error with a sentence if one of them is not one of ours.
 * @param {File[]} files
 * @param {PlayedGame[]} games that are here
 * @returns {Promise<Plan>}
 */
async function planOf(files, games) {
  if (files.some(({ size }) => size > MAX_BYTES))
    throw new Error(`This file is too large for a file of Duelbook. ${NOTHING_CHANGED}`);
  const all = await Promise.all(files.map(async (file) => asKept(await file.text())));
  const kept = {
    prefs: Object.assign({}, ...all.map(({ prefs: one }) => one)),
    games: all.flatMap((one) => one.games),
    puzzles: {
      days: Object.assign({}, ...all.map(({ puzzles }) => puzzles.days)),
      runs: all.flatMap(({ puzzles }) => puzzles.runs),
    },
    seats: all.flatMap((one) => one.seats),
  };
  const known = new Map(games.map((game) => [game.id, game]));
  const newGames = kept.games.filter((game) => {
    const here = known.get(game.id);
    return !here || isNewer(game, here);
  });
  const { days } = puzzleResults();
  return { kept, newGames, newDays: Object.keys(kept.puzzles.days).filter((day) => !days[day]).length };
}

/** @param {string} text @returns {Kept} */
export function asKept(text) {
  /** @type {any} */ let value;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (value?.format !== FORMAT || value.version !== VERSION || !Array.isArray(value.games))
    throw new Error(`This is not a file that Duelbook saved. ${NOTHING_CHANGED}`);
  const games = value.games.slice(0, MAX_GAMES + 1).map(asPlayedGame);
  const seats = Array.isArray(value.seats) ? value.seats : [];
  const days = Object.keys(Object(value.puzzles?.days)).length;
  const puzzles = asPuzzleResults(value.puzzles);
  const read = asPrefs(value.prefs);
  const damaged =
    games.length > MAX_GAMES ||
    games.includes(null) ||
    seats.length > MAX_SEATS ||
    !seats.every(isSeatToken) ||
    Object.keys(puzzles.days).length !== days ||
    read === null;
  if (damaged) throw new Error(`This file is damaged. ${NOTHING_CHANGED}`);
  return {
    prefs: /** @type {Partial<Prefs>} */ (read),
    games: /** @type {PlayedGame[]} */ (games),
    puzzles,
    seats: seats.map((/** @type {SeatToken} */ { id, token }) => ({ id, token })),
  };
}

/** @param {any} seat */
const isSeatToken = (seat) =>
  /^[0-9a-f]{24}$/.test(String(seat?.id)) &&
  typeof seat.token === "string" &&
  /^[A-Za-z0-9_-]{20,100}$/.test(seat.token);

/** @param {Plan} chosen */
async function take({ kept, newGames, newDays }) {
  await addGames(newGames);
  const here = puzzleResults();
  keepPuzzleResults({ days: { ...kept.puzzles.days, ...here.days }, runs: mergedRuns(kept.puzzles, here) });
  remember(mergedPrefs(kept.prefs));
  let seats = 0;
  for (const seat of kept.seats) seats += await takeSeat(seat);
  const taken = kept.seats.length ? ` ${seats} of ${kept.seats.length} seats can be played here now.` : "";
  notify(`Imported ${plural(newGames.length, "game")} and ${plural(newDays, "puzzle result")}.${taken}`);
}

/** @param {PuzzleResults} one @param {PuzzleResults} other */
function mergedRuns(one, other) {
  const known = new Set(other.runs.map((run) => run.when));
  return [...other.runs, ...one.runs.filter((run) => !known.has(run.when))];
}

/** Have the server set the cookie of a seat. Return 1 if it did. @param {SeatToken} seat */
async function takeSeat({ id, token }) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  try {
    const response = await fetch(`/api/matches/${id}/seat`, { method: "POST", headers, body: "{}" });
    return response.ok ? 1 : 0;
  } catch {
    return 0; // the server cannot be reached; the file can be opened again
  }
}

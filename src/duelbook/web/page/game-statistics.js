// What the games of this browser add up to: results, streaks, the ladder from level to level, and a rating.

import { NEW_RATING, rate } from "./glicko.js";

/** @import { Agent } from "./api-types.js" */
/** @import { RatedGame, Rating } from "./glicko.js" */
/** @import { PlayedGame } from "./played-games.js" */

export const PEOPLE = "human";
const RUNG_GAMES = 4; // of the latest against a level …
const RUNG_WINS = 3; // … have to be won to go on to the next
const MAX_LOST = 2; // games against a level that was never beaten in this game, before a weaker one is offered
const LEVEL_DEVIATION = 30; // of the rating of a level, which was measured
const DAY_MS = 86_400_000;

/** @typedef {{won: number, lost: number, drawn: number}} Tally */

/**
 * Return how a game ended for the person at this browser, or null if it has no result.
 * @param {PlayedGame} game
 * @returns {"won" | "lost" | "drawn" | null}
 */
export function resultOf({ status, outcome, seat }) {
  if (status !== "over" || outcome === "none") return null;
  return outcome === "draw" ? "drawn" : outcome === seat ? "won" : "lost";
}

/** @param {PlayedGame[]} games @returns {Tally} */
export function tally(games) {
  const count = { won: 0, lost: 0, drawn: 0 };
  for (const game of games) {
    const result = resultOf(game);
    if (result) count[result] += 1;
  }
  return count;
}

/**
 * Return the games won in a row up to now, and the most ever.
 * @param {PlayedGame[]} games the latest first
 */
export function streaks(games) {
  const results = games.map(resultOf).filter(Boolean).reverse();
  let [now, best] = [0, 0];
  for (const result of results) {
    now = result === "won" ? now + 1 : 0;
    best = Math.max(best, now);
  }
  return { now, best };
}

/** @typedef {{level: Agent, tally: Tally, recent: number, won: number, passed: boolean}} Rung */
/** @typedef {{rungs: Rung[], next: Rung | null}} Ladder */

/**
 * Return the rungs of the ladder in a game, and the one to play next; null once all are passed. A level is passed by
 * winning most of the latest games against it, or by beating a stronger one. Who has not won this game yet begins with
 * the strongest level they have beaten in another one.
 * @param {PlayedGame[]} games of this game, the latest first
 * @param {Agent[]} levels the weakest first
 * @param {PlayedGame[]} all games of this browser
 * @returns {Ladder}
 */
export function ladder(games, levels, all) {
  const rungs = levels.map((level) => {
    const against = finishedAgainst(games, level);
    const recent = against.slice(0, RUNG_GAMES);
    const won = recent.filter((game) => resultOf(game) === "won").length;
    return { level, tally: tally(against), recent: recent.length, won, passed: won >= RUNG_WINS };
  });
  const beaten = rungs.findLastIndex((rung) => rung.tally.won > 0);
  for (const rung of rungs.slice(0, Math.max(0, beaten))) rung.passed = true;
  const highest = rungs.findLastIndex((rung) => rung.passed);
  const at = beaten < 0 ? firstRung(rungs, all) : Math.max(highest + 1, beaten);
  return { rungs, next: rungs[at] ?? null };
}

/** @param {PlayedGame[]} games @param {Agent} level */
function finishedAgainst(games, level) {
  return games.filter((game) => game.opponent === level.name && resultOf(game));
}

/**
 * Return where somebody begins who has not won this game yet: a rung lower for a level that has won every game here.
 * @param {Rung[]} rungs
 * @param {PlayedGame[]} all
 */
function firstRung(rungs, all) {
  let at = rungs.findLastIndex(({ level }) => tally(finishedAgainst(all, level)).won > 0);
  while (at > 0 && rungs[at].recent >= MAX_LOST) at -= 1;
  return Math.max(0, at);
}

/**
 * Return what the ladder says: "You beat easy 3 of 4 times: try medium."
 * @param {Ladder} ladder
 */
export function ladderText({ rungs, next }) {
  if (!next) return "You are at the top of the ladder.";
  const { name } = next.level;
  if (next.recent) return `${recentText(next)} Win ${RUNG_WINS} of ${RUNG_GAMES} to move up.`;
  const below = rungs[rungs.indexOf(next) - 1];
  if (below?.won) return `You beat ${below.level.name} ${below.won} of ${below.recent} times: try ${name}.`;
  return `Start with ${name}.`;
}

/** @param {Rung} rung that was played */
function recentText({ level, recent, won, tally: { drawn } }) {
  if (recent > 1) return `You won ${won} of your last ${recent} games against ${level.name}.`;
  return `You ${won ? "won" : drawn ? "drew" : "lost"} your first game against ${level.name}.`;
}

/**
 * Return the rating that follows from games against the levels; null if there was none. A day is a rating period.
 * @param {PlayedGame[]} games
 * @param {Agent[]} agents
 * @param {number} now
 * @returns {{rating: Rating, games: number} | null}
 */
export function ratingOf(games, agents, now) {
  const ratings = new Map(agents.map((agent) => [agent.name, agent.rating]));
  /** @type {Map<number, RatedGame[]>} */
  const days = new Map();
  let count = 0;
  for (const game of games) {
    const opponent = ratings.get(game.opponent);
    const result = resultOf(game);
    if (typeof opponent !== "number" || !result || game.helped) continue;
    const score = { won: 1, drawn: 0.5, lost: 0 }[result];
    const day = Math.floor(game.changed / DAY_MS);
    days.set(day, [...(days.get(day) ?? []), { rating: opponent, deviation: LEVEL_DEVIATION, score }]);
    count += 1;
  }
  if (!count) return null;
  const played = [...days.keys()].sort((one, other) => one - other);
  const last = Math.min(Math.max(played[played.length - 1], Math.floor(now / DAY_MS)), played[0] + 36_500);
  let rating = NEW_RATING;
  for (let day = played[0]; day <= last; day += 1) rating = rate(rating, days.get(day) ?? []);
  return { rating, games: count };
}

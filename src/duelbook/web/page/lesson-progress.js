// Progress in the lessons, as this browser remembers it.

import { prefs, remember } from "./prefs.js";

/** @import { Game } from "./api-types.js" */

const MAX_STEPS = 100; // more can only be a damaged file

/** @typedef {{solved: number[], steps: number, done: boolean}} LessonProgress which steps are solved, of how many, and once all */

/**
 * Return how far the player is in the lesson of a game, or null if it was never begun.
 * @param {string} game its name
 * @returns {LessonProgress | null}
 */
export function lessonProgress(game) {
  const { solved, steps, done } = prefs.lessons[game] ?? {};
  if (!isCount(steps) || !Array.isArray(solved)) return null;
  const known = Array.from({ length: steps }, (_, index) => index).filter((index) => solved.includes(index));
  return { solved: known, steps, done: done === true || known.length === steps };
}

/** Return true for a number of steps that a lesson can have. @param {unknown} value */
const isCount = (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_STEPS;

/**
 * Remember that a step was solved. A lesson that was finished once stays finished.
 * @param {string} game
 * @param {number} step its index
 * @param {number} steps
 */
export function rememberLesson(game, step, steps) {
  const before = lessonProgress(game);
  const solved = [...new Set([...(before?.solved ?? []), step])].filter((index) => index < steps).sort((a, b) => a - b);
  const done = solved.length === steps || before?.done === true;
  remember({ lessons: { ...prefs.lessons, [game]: { solved, steps, done } } });
}

/** @param {string} game */
export const lessonLink = (game) => `/learn/${game}`;

/**
 * Return the game whose lesson comes next: one that was begun, or else the first that is not finished.
 * @param {Game[]} games
 * @param {string} [except] the game whose lesson was just taken
 */
export function nextLesson(games, except) {
  const open = games.filter((game) => game.name !== except && !lessonProgress(game.name)?.done);
  return open.find((game) => lessonProgress(game.name)) ?? open[0] ?? null;
}

/**
 * Return how far the player is, in words.
 * @param {string} game
 */
export function progressText(game) {
  const progress = lessonProgress(game);
  if (!progress) return "About a minute";
  if (progress.done) return "Finished";
  return `${progress.solved.length} of ${progress.steps} steps done`;
}

// Progress in the lessons, as this browser remembers it.

import { prefs, remember } from "./prefs.js";

/** @import { Game } from "./api-types.js" */

/** @typedef {{step: number, steps: number, done: boolean}} LessonProgress steps passed, of how many, and once all of them */

/**
 * Return how far the player is in the lesson of a game, or null if it was never begun.
 * @param {string} game its name
 * @returns {LessonProgress | null}
 */
export function lessonProgress(game) {
  const { step, steps, done } = prefs.lessons[game] ?? {};
  const known = Number.isInteger(step) && Number.isInteger(steps) && step >= 0 && steps >= step;
  return known ? { step, steps, done: done === true } : null;
}

/**
 * Remember that a step was passed. A lesson that was finished once stays finished.
 * @param {string} game
 * @param {number} step how many steps are passed now
 * @param {number} steps
 */
export function rememberLesson(game, step, steps) {
  const done = step >= steps || lessonProgress(game)?.done === true;
  remember({ lessons: { ...prefs.lessons, [game]: { step: Math.min(step, steps), steps, done } } });
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
  return `${progress.step} of ${progress.steps} steps done`;
}

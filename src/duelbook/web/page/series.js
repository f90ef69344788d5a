// A match of several games: which game it is, the score, and what the button to the next one is called.

/** @import { Match, Seat } from "./api-types.js" */

const HALF = "½";

/**
 * Return the number of the game and the score: "Game 2 of 4 · Ada: 1, Bo: 0"; nothing before a series and for a single game.
 * @param {Match} match
 */
export function seriesText({ series, names, status }) {
  const { best_of, game, points, decided } = series;
  if (game === 1 && (best_of === 1 || status === "waiting")) return "";
  const number = best_of > 1 ? `Game ${game} of ${best_of}` : `Game ${game}`;
  const score = `${names.first}: ${pointsText(points.first)}, ${names.second}: ${pointsText(points.second)}`;
  return [number, score, best_of > 1 && decided && winnerText(points, names)].filter(Boolean).join(" · ");
}

/**
 * @param {Record<Seat, number>} points
 * @param {Record<Seat, string>} names
 */
function winnerText(points, names) {
  if (points.first === points.second) return "the series is tied";
  return `${names[points.first > points.second ? "first" : "second"]} wins the series`;
}

/** @param {number} points */
const pointsText = (points) => (points % 1 ? `${Math.floor(points) || ""}${HALF}` : String(points));

/**
 * Return the text of the button that leads to the game after this one.
 * @param {Match} match
 */
export function nextGameText({ series, rematch }) {
  if (series.decided) return rematch ? "Join the rematch" : "Rematch";
  return rematch ? `Join game ${series.game + 1}` : `Play game ${series.game + 1} of ${series.best_of}`;
}

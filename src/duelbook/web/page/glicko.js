// Ratings by Glicko-2 (Mark Glickman, "Example of the Glicko-2 system"): a rating, its deviation, and its volatility.

/** @typedef {{rating: number, deviation: number, volatility: number}} Rating */
/** @typedef {{rating: number, deviation: number, score: number}} RatedGame the opponent, and 1, 0.5 or 0 */

const SCALE = 173.7178;
const CENTRE = 1500;
const TAU = 0.5; // how fast the volatility may change
const TOLERANCE = 1e-6;
const MAX_DEVIATION = 350;

/** @type {Rating} of somebody who has not played yet */
export const NEW_RATING = { rating: CENTRE, deviation: MAX_DEVIATION, volatility: 0.06 };

/**
 * Return the rating after the games of one period; without games only the deviation grows.
 * @param {Rating} before
 * @param {RatedGame[]} games
 * @returns {Rating}
 */
export function rate(before, games) {
  const mean = (before.rating - CENTRE) / SCALE;
  const deviation = before.deviation / SCALE;
  if (!games.length) {
    const grown = Math.min(MAX_DEVIATION, SCALE * Math.hypot(deviation, before.volatility));
    return { ...before, deviation: grown };
  }
  let information = 0;
  let surprise = 0;
  for (const game of games) {
    const weight = 1 / Math.sqrt(1 + (3 * (game.deviation / SCALE) ** 2) / Math.PI ** 2);
    const expected = 1 / (1 + Math.exp(-weight * (mean - (game.rating - CENTRE) / SCALE)));
    information += weight ** 2 * expected * (1 - expected);
    surprise += weight * (game.score - expected);
  }
  const variance = 1 / information;
  const volatility = newVolatility(before.volatility, deviation, variance, variance * surprise);
  const after = 1 / Math.sqrt(1 / (deviation ** 2 + volatility ** 2) + information);
  return { rating: CENTRE + SCALE * (mean + after ** 2 * surprise), deviation: SCALE * after, volatility };
}

/**
 * Return the new volatility: the root of the paper's function f, found by the Illinois method.
 * @param {number} volatility
 * @param {number} deviation
 * @param {number} variance
 * @param {number} improvement
 */
function newVolatility(volatility, deviation, variance, improvement) {
  const start = Math.log(volatility ** 2);
  const spread = deviation ** 2 + variance;
  const f = (/** @type {number} */ x) => {
    const e = Math.exp(x);
    return (e * (improvement ** 2 - spread - e)) / (2 * (spread + e) ** 2) - (x - start) / TAU ** 2;
  };
  let low = start;
  let high = Math.log(improvement ** 2 - spread);
  if (improvement ** 2 <= spread) {
    let steps = 1;
    while (f(start - steps * TAU) < 0) steps += 1;
    high = start - steps * TAU;
  }
  let [atLow, atHigh] = [f(low), f(high)];
  while (Math.abs(high - low) > TOLERANCE) {
    const middle = low + ((low - high) * atLow) / (atHigh - atLow);
    const atMiddle = f(middle);
    if (atMiddle * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [middle, atMiddle];
  }
  return Math.exp(low / 2);
}

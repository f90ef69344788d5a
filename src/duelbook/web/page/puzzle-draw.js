// Puzzles drawn at random: none that was shown already, unless a few draws bring no other.

import { get } from "./api.js";

/** @import { SeededPuzzle } from "./api-types.js" */

const MAX_DRAWS = 4;

/** @type {Set<string>} */
const shown = new Set(); // since the page was opened

/**
 * @param {string} game
 * @param {URLSearchParams} query the kind and level, if any
 * @returns {Promise<SeededPuzzle>}
 */
export async function drawPuzzle(game, query) {
  for (let draws = 1; ; draws += 1) {
    const puzzle = /** @type {SeededPuzzle} */ (await get(`/api/puzzles/${game}?${query}`));
    const position = JSON.stringify([game, puzzle.options, puzzle.moves]);
    if (shown.has(position) && draws < MAX_DRAWS) continue;
    shown.add(position);
    return puzzle;
  }
}

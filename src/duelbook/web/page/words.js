// Sentences about matches, for looking at and for reading aloud.

/** @typedef {import("./types.js").Match} Match */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Review} Review */

/** @param {number} count @param {string} noun */
export const plural = (count, noun) => `${count} ${count === 1 ? noun : `${noun}s`}`;

/** @param {string} name */
export const titled = (name) =>
  name.replace(/(^|-)([a-z])/g, (_, dash, letter) => (dash && " ") + letter.toUpperCase());

/**
 * Answer whose turn it is, or how the match ended.
 * @param {Match} match
 * @param {Seat | null} seat
 */
export function standing(match, seat) {
  if (match.status === "waiting") return "Waiting for the other player.";
  if (match.status === "over") return match.result ?? "The match is over.";
  if (match.mover === seat) return "It is your turn.";
  return `It is ${match.names[/** @type {Seat} */ (match.mover)]}'s turn.`;
}

/**
 * Answer what to tell others of a finished match: plain sentences that read well aloud.
 * @param {Match} match
 * @param {Seat | null} seat
 * @param {Review | null} review
 * @param {string} address
 */
export function shareText(match, seat, review, address) {
  const game = titled(match.game);
  const length = plural(match.moves.length, "move");
  const accuracy = review?.players.find((player) => player.seat === seat)?.accuracy ?? null;
  const right = accuracy === null ? "" : ` ${Math.round(accuracy * 100)} percent of my moves that mattered were right.`;
  if (!seat) {
    return `${match.names.first} and ${match.names.second} played ${game}. ${match.result} It took ${length}. ${address}`;
  }
  const against = match.names[seat === "first" ? "second" : "first"];
  const result = match.outcome === "draw" ? "drew with" : match.outcome === seat ? "beat" : "lost to";
  return `I ${result} ${against} at ${game}, moving ${seat}, in ${length}.${right} ${address}`;
}

// Sentences that several screens use; they read well aloud, too.

/** @import { Line, Match, Review, Seat } from "./api-types.js" */

/** @type {Record<Seat, string>} */
export const SEAT_NAMES = { first: "First player", second: "Second player" };

/** @param {number} count @param {string} noun */
export const plural = (count, noun) => `${count} ${count === 1 ? noun : `${noun}s`}`;

/**
 * Return a time as a clock shows it: "4:05".
 * @param {number} left seconds
 */
export function clockText(left) {
  const seconds = Math.ceil(left);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {string} game its name, such as `flag-chase` */
export const titleOf = (game) =>
  game.replace(/(^|-)([a-z])/g, (_, dash, letter) => (dash && " ") + letter.toUpperCase());

/**
 * Return the text as a sentence, with a capital and a full stop; an empty text stays empty.
 * @param {string} text
 */
export const sentence = (text) => text.slice(0, 1).toUpperCase() + text.slice(1) + (/[^.!?]$/.test(text) ? "." : "");

/**
 * Return whose turn it is, or how the match ended.
 * @param {Match} match
 * @param {Seat | null} seat
 * @param {Line | null} line the moves so far: a player who also made the last one is to move again
 */
export function standingText(match, seat, line) {
  if (match.status === "waiting") return seat ? "Waiting for your opponent." : "The match has not started yet.";
  if (match.status === "over") return match.result ?? "The match is over.";
  const last = match.ply ? line?.positions[match.ply - 1]?.mover : null;
  const again = last === match.mover ? " again" : "";
  if (match.mover === seat) return `It is your turn${again}.`;
  return `It is ${match.names[/** @type {Seat} */ (match.mover)]}'s turn${again}.`;
}

/**
 * Return the text of a position with the players' names in place of their seats.
 * @param {string} text
 * @param {(seat: Seat) => string} name
 */
export const withNames = (text, name) =>
  text.replace(/\b(?:the )?(first|second) player('s)?\b/gi, (_, seat, possessive = "", at) => {
    const named = name(seat.toLowerCase());
    if (named !== "You") return `${named}${possessive}`;
    const you = possessive ? "your" : "you";
    return at ? you : `${you[0].toUpperCase()}${you.slice(1)}`;
  });

/**
 * Return the text to share about a finished match.
 * @param {Match} match
 * @param {Line} line
 * @param {Seat | null} seat the reader's; null for spectators
 * @param {Review | null} review
 * @param {string} address
 */
export function resultText(match, line, seat, review, address) {
  const game = titleOf(match.game);
  if (!seat) {
    const length = plural(match.moves.length, "move");
    return `${match.names.first} and ${match.names.second} played ${game}. ${match.result} The game lasted ${length}. ${address}`;
  }
  const opponent = match.names[seat === "first" ? "second" : "first"];
  const result = match.outcome === "draw" ? "drew with" : match.outcome === seat ? "beat" : "lost to";
  const own = match.moves.filter((_, index) => line.positions[index].mover === seat).length;
  const accuracy = review?.players.find((player) => player.seat === seat)?.accuracy ?? null;
  const right = accuracy === null ? "" : ` ${Math.round(accuracy * 100)}% of my moves that mattered were right.`;
  return `I ${result} ${opponent} at ${game}, playing ${seat}, in ${plural(own, "move")}.${right} ${address}`;
}

// The terms of a match in one line: the game, what differs from its rule book, the time, who moves first, how many games.

/** @import { Challenge, Game, ListedMatch, Match, Seat } from "./api-types.js" */
/** @import { Options } from "./types.js" */

/**
 * @typedef {object} Terms
 * @property {Options} options
 * @property {number | null} limit seconds for each move
 * @property {string} [first] who moves first, if that is known: a name, or "you"
 * @property {number} [bestOf] games
 */

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six"];

/**
 * Return the terms in one line: "Charge, Long: goal 21 instead of 15 · 30 seconds per move · Ada moves first".
 * @param {Game} game
 * @param {Terms} terms
 */
export const termsText = (game, terms) => [variantText(game, terms.options), ...otherTerms(terms)].join(" · ");

/** @param {Terms} terms */
function otherTerms({ limit, first, bestOf = 1 }) {
  const order = first && `${first} ${first === "you" ? "move" : "moves"} first`;
  const games = bestOf > 1 && `best of ${NUMBERS[bestOf] ?? bestOf}`;
  return [timeText(limit), order, games].filter(Boolean);
}

/**
 * Return the terms of a match in one line.
 * @param {Game} game
 * @param {Match} match
 * @param {Seat | null} seat of the reader; null for a spectator and for a guest who may take the free seat
 */
export const matchTerms = (game, match, seat) => termsText(game, matchTermsOf(match, seat));

/**
 * Return the terms of a match in one line, below a title that names the game.
 * @param {Game} game
 * @param {Match} match
 * @param {Seat | null} seat as above
 */
export function titledTerms(game, match, seat) {
  const terms = matchTermsOf(match, seat);
  return [rulesText(game, terms.options), ...otherTerms(terms)].join(" · ");
}

/** @param {Match} match @param {Seat | null} seat @returns {Terms} */
function matchTermsOf(match, seat) {
  const taken = !["free", "reserved"].includes(match.seats.first);
  const guest = match.status === "waiting" && !seat && !taken;
  const name = taken || match.seats.first === "reserved" ? match.names.first : "your opponent";
  return {
    options: match.options,
    limit: match.clocks?.limit ?? null,
    first: seat === "first" || guest ? "you" : name,
    bestOf: match.series.best_of,
  };
}

/**
 * Return the terms of a match in a list.
 * @param {Game} game
 * @param {ListedMatch} match
 */
export const listedTerms = (game, match) =>
  termsText(game, {
    options: match.options,
    limit: match.time_limit,
    first: match.names.first,
    bestOf: match.series.best_of,
  });

/**
 * Return the terms of an open challenge, for the person who may take it.
 * @param {Game} game
 * @param {Challenge} challenge
 */
export const challengeTerms = (game, { options, time_limit, best_of, seat, name }) =>
  termsText(game, { options, limit: time_limit, first: seat === "first" ? "you" : name, bestOf: best_of });

/**
 * Return the game with what differs from its rule book: "Charge, Long: goal 21 instead of 15".
 * @param {Game} game
 * @param {Options} options
 */
function variantText(game, options) {
  const changes = changedOptions(game, options);
  const preset = presetOf(game, options);
  const title = preset ? `${game.title}, ${preset.name === "book" ? "book rules" : preset.title}` : game.title;
  return changes.length ? `${title}: ${changes.join(", ")}` : title;
}

/**
 * Return what differs from the rule book, below a title that names the game: "Long: goal 21 instead of 15".
 * @param {Game} game
 * @param {Options} options
 */
export function rulesText(game, options) {
  const changes = changedOptions(game, options).join(", ");
  const preset = presetOf(game, options);
  const text = [preset && (preset.name === "book" ? "Book rules" : preset.title), changes].filter(Boolean).join(": ");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * Return each option that differs from the rule book, in words. What is drawn or chosen for a match is no difference.
 * @param {Game} game
 * @param {Options} options
 */
function changedOptions(game, options) {
  return game.options
    .filter(({ name, drawn }) => !drawn && name !== game.choice?.option && name in options)
    .filter(({ name, default: book }) => String(options[name]) !== String(book))
    .map(
      ({ name, default: book }) =>
        `${name.replaceAll("_", " ")} ${plainValue(options[name])} instead of ${plainValue(book)}`,
    );
}

/** Return the value of an option in plain words: "no charges" for `no-charges`. @param {unknown} value */
export const plainValue = (value) => String(value).replace(/(?<=[a-z])-(?=[a-z])/g, " ");

/**
 * Return the preset that has these options, if there is one.
 * @param {Game} game
 * @param {Options} options
 */
export function presetOf(game, options) {
  return game.presets.find((preset) =>
    game.options.every(({ name, drawn, default: book }) => {
      const wanted = preset.options[name] ?? (drawn ? undefined : book);
      return wanted === undefined || String(options[name] ?? book) === String(wanted);
    }),
  );
}

/**
 * Return the time for a move in words.
 * @param {number | null} limit seconds
 */
export function timeText(limit) {
  if (limit === null) return "no clock";
  const minutes = limit / 60;
  const [count, unit] = minutes >= 1 && Number.isInteger(minutes) ? [minutes, "minute"] : [limit, "second"];
  return `${count} ${unit}${count === 1 ? "" : "s"} per move`;
}

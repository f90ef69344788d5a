// The games played in this browser: an IndexedDB database, in which thousands fit and several tabs can write at once.

import { get, Problem } from "./api.js";
import { GAMES_CHANGED, prefs, remember } from "./prefs.js";
import { screenLeft } from "./progress.js";
import { notify } from "./status.js";

/** @import { Match, Seat } from "./api-types.js" */
/** @import { Options } from "./types.js" */

const DATABASE = "duelbook";
const GAMES = "games";
const BY_TIME = "changed";
const MAX_NAME = 64; // characters of a name
const MAX_OPTIONS = 32;
const MAX_OPTION = 2000; // characters of the value of an option
const MAX_NUMBER = 1e15;
const ASKED_AT_ONCE = 4; // matches that the server is asked for
const TELL_MS = 1500; // after a problem: the screen of a new match comes first, and ends what was said before

/**
 * A game as this browser keeps it.
 * @typedef {object} PlayedGame
 * @property {string} id of the match
 * @property {string} game its name
 * @property {Seat} seat of the person at this browser
 * @property {string} against the opponent's name
 * @property {string} opponent `human`, or the name of an agent; empty if it is not known yet
 * @property {Options} options
 * @property {number | null} limit seconds per turn
 * @property {number} started milliseconds since 1970
 * @property {number} changed milliseconds since 1970
 * @property {"waiting" | "playing" | "over" | "gone"} status `gone` if the server has removed the match
 * @property {string} outcome
 * @property {string} reason
 * @property {Seat | null} mover
 * @property {number} moves that were made
 * @property {number} version of the match
 * @property {boolean} helped values or hints were shown while it was played
 */

export const CANNOT_KEEP = "This browser does not let the page keep your games. The matches themselves are safe.";
export const FULL = "This browser has no room left for your games. The matches themselves are safe on the server.";

/** @type {Map<string, PlayedGame>} what could not be stored, so that at least this tab knows it */
const unstored = new Map();
/** @type {Promise<IDBDatabase> | null} */
let opened = null;
/** @type {Set<string>} */
const helped = new Set(); // matches of this tab in which help was shown
let told = false; // the person knows that games cannot be kept
const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel("duelbook-games") : null;
channel?.addEventListener("message", () => dispatchEvent(new Event(GAMES_CHANGED)));

/**
 * Return the value if it is a game as this browser keeps it, or null: it may come from a file, or be damaged.
 * @param {any} value
 * @returns {PlayedGame | null}
 */
export function asPlayedGame(value) {
  if (typeof value !== "object" || value === null) return null;
  const { id, game, seat, against, opponent, options, limit, started, changed, status } = value;
  const { outcome, reason, mover, moves, version, helped } = value;
  const right =
    matches(id, /^[0-9a-f]{24}$/) &&
    matches(game, /^[a-z][a-z0-9-]{0,63}$/) &&
    (seat === "first" || seat === "second") &&
    isText(against, MAX_NAME) &&
    matches(opponent, /^[A-Za-z0-9:._-]{0,64}$/) &&
    areOptions(options) &&
    (limit === null || isNumber(limit)) &&
    isNumber(started) &&
    isNumber(changed) &&
    ["waiting", "playing", "over", "gone"].includes(status) &&
    ["first", "second", "draw", "none"].includes(outcome) &&
    matches(reason, /^[a-z -]{0,40}$/) &&
    [null, "first", "second"].includes(mover) &&
    isNumber(moves) &&
    isNumber(version) &&
    typeof helped === "boolean";
  if (!right) return null;
  return {
    ...{ id, game, seat, against, opponent, options: { ...options }, limit, started, changed, status },
    ...{ outcome, reason, mover, moves, version, helped },
  };
}

/** @param {unknown} value @param {RegExp} pattern */
const matches = (value, pattern) => typeof value === "string" && pattern.test(value);

/** @param {unknown} value @param {number} most */
const isText = (value, most) => typeof value === "string" && value.length <= most;

/** @param {unknown} value */
const isNumber = (value) => typeof value === "number" && value >= 0 && value < MAX_NUMBER;

/** @param {unknown} value */
function areOptions(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  const right = (/** @type {[string, unknown]} */ [name, one]) =>
    matches(name, /^[a-z_0-9]{1,64}$/) &&
    (isText(one, MAX_OPTION) || (typeof one === "number" && Math.abs(one) < MAX_NUMBER));
  return entries.length <= MAX_OPTIONS && entries.every(right);
}

/**
 * Remember a match in which this browser has a seat, as it is now.
 * @param {Match} match
 * @param {Seat} seat
 */
export async function rememberMatch(match, seat) {
  if (!prefs.played) remember({ played: true });
  await store(match.id, (known) => playedGame(match, seat, known));
}

/**
 * Remember that help was shown in a match: it does not count for the rating.
 * @param {string} id
 */
export async function rememberHelp(id) {
  if (helped.has(id)) return;
  helped.add(id);
  await store(id, (known) => known && !known.helped && known.status !== "over" && { ...known, helped: true });
}

/**
 * Ask the server how games stand, and remember it, as long as the screen is shown.
 * @param {PlayedGame[]} games
 */
export async function refreshGames(games) {
  const screen = screenLeft();
  const waiting = [...games];
  const next = async () => {
    for (let game = waiting.shift(); game && !screen.aborted; game = waiting.shift()) await refresh(game);
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, next));
}

/** @param {PlayedGame} game */
async function refresh({ id, seat }) {
  try {
    await rememberMatch(await get(`/api/matches/${id}`), seat);
  } catch (error) {
    const removed = error instanceof Problem && error.code === "not-found";
    if (removed) await store(id, (known) => known && { ...known, status: "gone" });
  }
}

/**
 * @param {Match} match
 * @param {Seat} seat
 * @param {PlayedGame | null} known
 * @returns {PlayedGame | null} null if nothing has changed
 */
function playedGame(match, seat, known) {
  if (known && known.version >= match.version) return null;
  const other = seat === "first" ? "second" : "first";
  const opponent = match.seats[other];
  const now = Date.now();
  return {
    id: match.id,
    game: match.game,
    seat,
    against: opponent === "free" || opponent === "reserved" ? "" : match.names[other],
    opponent: opponent === "free" || opponent === "reserved" ? "" : opponent,
    options: match.options,
    limit: match.clocks?.limit ?? null,
    started: known?.started ?? now,
    changed: now,
    status: match.status,
    outcome: match.outcome,
    reason: match.reason,
    mover: match.mover,
    moves: match.moves.length,
    version: match.version,
    helped: known?.helped ?? false,
  };
}

/**
 * Change one game in a transaction of its own, so that tabs do not overwrite each other.
 * @param {string} id
 * @param {(known: PlayedGame | null) => PlayedGame | null | false} change returns nothing if nothing changes
 */
async function store(id, change) {
  let stored = false;
  try {
    const database = await open();
    await new Promise((resolve, reject) => {
      const transaction = database.transaction(GAMES, "readwrite");
      const games = transaction.objectStore(GAMES);
      const reading = games.get(id);
      reading.onsuccess = () => {
        const changed = change(asPlayedGame(reading.result));
        if (changed) games.put(changed);
        stored = Boolean(changed);
      };
      finish(transaction, resolve, reject);
    });
  } catch (error) {
    const changed = change(unstored.get(id) ?? null);
    if (changed) unstored.set(id, changed);
    stored = Boolean(changed);
    tell(error);
  }
  if (stored) tellChange();
}

/** Tell the screen and other tabs that a game has changed. */
function tellChange() {
  dispatchEvent(new Event(GAMES_CHANGED));
  channel?.postMessage(null);
}

/** @param {unknown} error */
function tell(error) {
  if (told) return;
  told = true;
  setTimeout(() => notify(problemText(error)), TELL_MS);
}

/** @param {unknown} error */
export const problemText = (error) =>
  error instanceof DOMException && error.name === "QuotaExceededError" ? FULL : CANNOT_KEEP;

/**
 * @param {IDBTransaction} transaction
 * @param {(value?: any) => void} resolve
 * @param {(error: unknown) => void} reject
 */
function finish(transaction, resolve, reject) {
  transaction.oncomplete = resolve;
  transaction.onabort = () => reject(transaction.error);
  transaction.onerror = () => reject(transaction.error);
}

/** Return the database, which is opened once. */
function open() {
  opened ??= openDatabase().catch((error) => {
    opened = null; // it may succeed another time
    throw error;
  });
  return opened;
}

/** @returns {Promise<IDBDatabase>} */
async function openDatabase() {
  const database = await new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(GAMES, { keyPath: "id" }).createIndex(BY_TIME, BY_TIME);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(request.error);
  });
  database.onversionchange = () => {
    database.close(); // another tab deletes or changes the database
    opened = null;
  };
  database.onclose = () => {
    opened = null;
  };
  return database;
}

/**
 * Add games that the database does not know, and those that are newer than what it knows.
 * @param {IDBDatabase} database
 * @param {any[]} games
 */
function addAll(database, games) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(GAMES, "readwrite");
    const stored = transaction.objectStore(GAMES);
    for (const game of games) {
      const reading = stored.get(game.id);
      reading.onsuccess = () => {
        const known = asPlayedGame(reading.result);
        if (!known || isNewer(game, known)) stored.put(game);
      };
    }
    finish(transaction, resolve, reject);
  });
}

/** @param {PlayedGame} game @param {PlayedGame} known */
export const isNewer = (game, known) =>
  game.version > known.version || (game.version === known.version && game.helped && !known.helped);

/**
 * Add games of another browser, all of them or none.
 * @param {PlayedGame[]} games
 */
export async function addGames(games) {
  await addAll(await open(), games);
  tellChange();
}

/**
 * Return all games, the latest first, and a sentence if some or all could not be read.
 * @returns {Promise<{games: PlayedGame[], problem: string}>}
 */
export async function playedGames() {
  try {
    const database = await open();
    const found = await result(database.transaction(GAMES).objectStore(GAMES).getAll());
    const games = found.map(asPlayedGame).filter((/** @type {PlayedGame | null} */ game) => game !== null);
    const damaged = found.length - games.length;
    const problem = damaged ? `${damaged} of your games cannot be read and are left out here.` : "";
    return { games: sorted([...games, ...unstored.values()]), problem };
  } catch (error) {
    return { games: sorted([...unstored.values()]), problem: problemText(error) };
  }
}

/** @param {PlayedGame[]} games */
const sorted = (games) => games.sort((one, other) => other.changed - one.changed);

/**
 * Return those games that are not over: where it is this browser's turn first, and the latest first.
 * @param {PlayedGame[]} games the latest first
 */
export const unfinished = (games) =>
  games.filter((game) => !isOver(game)).sort((one, other) => Number(isYourTurn(other)) - Number(isYourTurn(one)));

/** @param {PlayedGame} game */
export const isYourTurn = ({ status, mover, seat }) => status === "playing" && mover === seat;

/** @param {PlayedGame} game */
export const isOver = ({ status }) => status === "over" || status === "gone";

/**
 * Return a game of this browser, or null if it has none with this id.
 * @param {string} id
 * @returns {Promise<PlayedGame | null>}
 */
export async function knownGame(id) {
  try {
    const found = await result((await open()).transaction(GAMES).objectStore(GAMES).get(id));
    return asPlayedGame(found);
  } catch {
    return unstored.get(id) ?? null; // the server knows one's seat, too
  }
}

/**
 * Return the seat of this browser in a match, or null if it has none.
 * @param {string} id
 * @returns {Promise<Seat | null>}
 */
export const seatIn = async (id) => (await knownGame(id))?.seat ?? null;

/** @param {IDBRequest} request @returns {Promise<any>} */
function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

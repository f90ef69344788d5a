// Requests to the server: JSON in both directions, with errors that carry a sentence for the player.

import { reachable } from "./connection.js";
import { screenLeft, withProgress } from "./progress.js";

/** @import { Catalogue, Game, Line, Seat } from "./api-types.js" */
/** @import { Options, PlayedBy } from "./types.js" */

/** A request that failed; the code is `offline` if the server did not answer, `left` if nobody waits for it any more. */
export class Problem extends Error {
  /** @param {string} code @param {string} detail */
  constructor(code, detail) {
    super(PLAYER_TEXTS[code] ?? detail);
    this.code = code;
  }

  /** True if the same request may succeed later. */
  get temporary() {
    return ["offline", "unavailable", "too-many"].includes(this.code);
  }
}

const UNREACHABLE = "Cannot reach the server. Check your connection and try again.";

/** @type {Record<string, string>} where the server counts in plies, which players do not know */
const PLAYER_TEXTS = {
  "ply-played": "This turn has already been played, perhaps in another tab.",
  "ply-ahead": "The match has changed: a move was taken back. Choose a move again.",
};

/**
 * Send a request. What the server needs time for is asked for again until it is ready or the screen is left.
 * @param {string} path
 * @param {RequestInit} [init]
 * @param {string} [doing] what the server does, shown if that takes a while
 * @returns {Promise<any>}
 */
function request(path, init, doing) {
  const left = screenLeft();
  return withProgress(async (report) => {
    let { response, body } = await send(path, init);
    while (response.status === 202) {
      report(body);
      await pause(1000 * Number(response.headers.get("Retry-After")));
      if (left.aborted) throw new Problem("left", "");
      ({ response, body } = await send(body.url, init));
    }
    if (!response.ok) throw new Problem(body.code ?? "offline", body.detail ?? UNREACHABLE);
    return body;
  }, doing);
}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<{response: Response, body: any}>}
 */
async function send(path, init) {
  try {
    const response = await fetch(path, init);
    return { response, body: await response.json() };
  } catch {
    throw new Problem("offline", UNREACHABLE);
  }
}

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Ask for something. While the server cannot be reached, the page says so and asks again until the screen is left.
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function get(path) {
  const left = screenLeft();
  for (;;) {
    try {
      return await request(path);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "offline") throw error;
      await reachable();
      if (left.aborted) throw new Problem("left", "");
    }
  }
}

/** @param {string} path @param {unknown} [body] @param {string} [doing] what the server does, if it may take a while */
export const post = (path, body, doing) =>
  request(
    path,
    {
      method: "POST",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    },
    doing,
  );

const FIRST_RETRY_MS = 300;
const MAX_RETRY_MS = 5000;

/**
 * Do the work again, with growing pauses, until it succeeds or fails for good.
 * @template T
 * @param {() => Promise<T>} work
 * @param {(problem: Problem) => boolean} keepTrying called after every temporary failure; false gives up
 * @returns {Promise<T>}
 */
export async function retry(work, keepTrying) {
  for (let delay = FIRST_RETRY_MS; ; delay = Math.min(MAX_RETRY_MS, delay * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem) || !error.temporary || !keepTrying(error)) throw error;
      await pause(delay);
    }
  }
}

/** @type {Promise<Catalogue> | null} */
let cached = null;

/**
 * Return the games and the agents; requested once.
 * @returns {Promise<Catalogue>}
 */
export function catalogue() {
  cached ??= retry(
    () => get("/api/games"),
    () => true,
  );
  return cached;
}

/** @param {string} name @returns {Promise<Game>} */
export async function findGame(name) {
  const { games } = await catalogue();
  const game = games.find((candidate) => candidate.name === name);
  if (game) return game;
  throw new Problem("not-found", `Unknown game '${name}'. Games: ${games.map((known) => known.name).join(", ")}.`);
}

/**
 * Return the query string of a position: the options that differ from the rule book, and the moves.
 * @param {Game} game
 * @param {Options} options
 * @param {string[]} moves
 */
export function query(game, options, moves) {
  const search = new URLSearchParams();
  for (const option of game.options) {
    const value = options[option.name];
    if (value !== undefined && value !== option.default) search.append("option", `${option.name}=${value}`);
  }
  if (moves.length) search.set("after", moves.join(","));
  const text = search.toString();
  return text && `?${text}`;
}

/**
 * Return every position of a line of moves.
 * @param {Game} game
 * @param {Options} options
 * @param {string[]} moves
 * @returns {Promise<Line>}
 */
export const fetchLine = (game, options, moves) => get(`/api/positions/${game.name}${query(game, options, moves)}`);

/**
 * Return the moves up to a ply, each with the player who made it.
 * @param {Line} line
 * @param {number} ply
 * @returns {PlayedBy[]}
 */
export function historyOf(line, ply) {
  return line.moves.slice(0, ply).map((move, index) => ({
    move,
    seat: /** @type {Seat} */ (line.positions[index].mover),
  }));
}

/** Return a random key for a request that may have to be sent again. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Asking the server: JSON there and back, and refusals as errors with a sentence for people.

/** A request that was refused, or that did not get through (then the code is `offline`). */
export class Problem extends Error {
  /** @param {string} code @param {string} detail @param {any} [more] */
  constructor(code, detail, more = {}) {
    super(detail);
    this.code = code;
    this.more = more;
  }

  /** Whether the same request may get through later. */
  get passing() {
    return ["offline", "unavailable", "too-many"].includes(this.code);
  }
}

const UNREACHABLE = "The server cannot be reached.";

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<any>}
 */
async function ask(path, init) {
  let response;
  let body;
  try {
    response = await fetch(path, init);
    body = await response.json();
  } catch {
    throw new Problem("offline", UNREACHABLE);
  }
  if (!response.ok) throw new Problem(body.code ?? "offline", body.detail ?? UNREACHABLE, body);
  return body;
}

/** @param {string} path */
export const get = (path) => ask(path);

/** @param {string} path @param {unknown} [body] */
export const post = (path, body) =>
  ask(path, {
    method: "POST",
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

/**
 * Do something until it gets through or is refused for good.
 * @template T
 * @param {() => Promise<T>} work
 * @param {(problem: Problem) => boolean} goOn told of every failure that may pass; may give up
 * @returns {Promise<T>}
 */
export async function insist(work, goOn) {
  for (let pause = 300; ; pause = Math.min(5000, pause * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem) || !error.passing || !goOn(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** @type {Promise<import("./types.js").Catalogue> | null} */
let known = null;

/**
 * Answer the games and agents there are; asked for once.
 * @returns {Promise<import("./types.js").Catalogue>}
 */
export function catalogue() {
  known ??= insist(
    () => get("/api/games"),
    () => true,
  );
  return known;
}

/** @param {string} name @returns {Promise<import("./types.js").Game>} */
export async function gameOf(name) {
  const game = (await catalogue()).games.find((candidate) => candidate.name === name);
  if (!game) throw new Problem("not-found", `There is no game called ${name}.`);
  return game;
}

/**
 * Answer the query of a position: options that differ from the book's, and the moves that led to it.
 * @param {import("./types.js").Game} game
 * @param {Record<string, string | number>} options
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
 * Answer every position of a line of moves.
 * @param {import("./types.js").Game} game
 * @param {Record<string, string | number>} options
 * @param {string[]} moves
 * @returns {Promise<import("./types.js").Line>}
 */
export const lineOf = (game, options, moves) => get(`/api/positions/${game.name}${query(game, options, moves)}`);

/** Answer a key for a request that may have to be sent again. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Starting a match, and remembering it.

import { post } from "./api.js";
import { go } from "./main.js";
import { prefs, remember } from "./prefs.js";
import { wishFor } from "./wishes.js";

/** @typedef {import("./types.js").Match} Match */
/** @typedef {import("./types.js").Seat} Seat */

const MOST = 12; // matches that are remembered

/**
 * Make a match and go to it.
 * @param {import("./types.js").Game} game
 * @param {string} opponent an agent, or `friend`
 */
export async function start(game, opponent) {
  const seated = await post("/api/matches", wishFor(game, opponent));
  note(seated.match, seated.seat);
  go(`/match/${seated.id}`);
}

/**
 * Remember a match in which this browser has a seat.
 * @param {Match} match
 * @param {Seat} seat
 */
export function note(match, seat) {
  const against = match.names[seat === "first" ? "second" : "first"];
  const others = prefs.recent.filter((recent) => recent.id !== match.id);
  const recent = { id: match.id, game: match.game, seat, against, when: Date.now() };
  remember({ recent: [recent, ...others].slice(0, MOST) });
}

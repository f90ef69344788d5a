// What stands beside a player's name in a match: that they think or are away, and their clock.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { otherSeat } from "./match-news.js";
import { clockText } from "./text.js";

/** @import { Match, Seat } from "./api-types.js" */
/** @import { Child } from "./dom.js" */
/** @import { MatchStore } from "./match-store.js" */

const LOW_SHARE = 0.2; // a clock with less left than this is highlighted

/**
 * @param {MatchStore} store
 * @param {Match} shown the match as far as it is shown
 * @param {Seat} seat
 * @returns {Child[]}
 */
export function besidePlayer(store, shown, seat) {
  return [thinking(shown, seat), absence(store, seat), clock(store, seat)];
}

/** Return true if a computer has the seat. @param {Match} match @param {Seat | null} seat */
export function isAgent({ seats }, seat) {
  return seat !== null && !["human", "free", "reserved"].includes(seats[seat]);
}

/** @param {Match} match @param {Seat} seat */
function thinking(match, seat) {
  if (match.status !== "playing" || match.mover !== seat || !isAgent(match, seat)) return null;
  return h("span", { class: "thinking" }, "thinking", icon("thinking"));
}

/** @param {MatchStore} store @param {Seat} seat */
function clock({ match, secondsLeft }, seat) {
  if (!match?.clocks) return null;
  const { limit } = match.clocks;
  const late = match.reason === "time" && match.outcome === otherSeat(seat);
  if (match.status === "over" && !late) return null;
  const left = late ? 0 : match.mover === seat ? (secondsLeft ?? limit) : limit;
  const low = left < limit * LOW_SHARE;
  return h("span", { class: "clock", role: "timer", "aria-label": "Time left", "data-low": low }, clockText(left));
}

/** @param {MatchStore} store @param {Seat} seat */
function absence(store, seat) {
  const away = store.match?.status === "playing" && seat !== store.seat && store.connected && !store.present[seat];
  return away ? h("span", { class: "away" }, "away") : null;
}

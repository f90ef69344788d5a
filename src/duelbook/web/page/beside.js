// What stands beside a player's name: the clock, and whether they are there.

import { h } from "./dom.js";

/** @typedef {import("./match-store.js").MatchStore} MatchStore */
/** @typedef {import("./types.js").Seat} Seat */

/** @param {MatchStore} store @param {Seat} seat */
export function clock(store, seat) {
  const { match } = store;
  if (!match?.clocks) return null;
  const left = match.mover === seat ? (store.left ?? match.clocks.limit) : match.clocks.limit;
  const low = match.mover === seat && left < 10;
  return h("span", { class: "clock", role: "timer", "aria-label": "Time left", "data-low": low }, minutes(left));
}

/** @param {number} seconds */
function minutes(seconds) {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** @param {MatchStore} store @param {Seat} seat */
export function presence(store, seat) {
  const away = store.match?.status === "playing" && seat !== store.seat && store.connected && !store.present[seat];
  return away ? h("span", { class: "away" }, "away") : null;
}

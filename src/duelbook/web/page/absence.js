// An opponent who stays away: the warning, the time to come back, and the claim of the win.

import { h } from "./dom.js";
import { attempt } from "./status.js";
import { clockText } from "./text.js";

/** @import { Match, Seat } from "./api-types.js" */
/** @import { MatchStore } from "./match-store.js" */

/**
 * Return what is shown above the board while a player who should move is away, or null.
 * @param {MatchStore} store
 */
export function absenceNote(store) {
  const { match, seat } = store;
  if (match?.status !== "playing" || !match.mover) return null;
  if (match.claim) return claimNote(store, match, match.claim.by);
  const gone = seat && match.mover !== seat && store.connected && !store.present[match.mover];
  if (!gone || match.clocks || store.againstComputer) return null;
  const name = match.names[match.mover];
  return h(
    "div",
    { class: "ask row", key: "absence" },
    h("p", null, `${name} has left. Warn ${name}, and you can claim the win if they do not come back in time.`),
    h("button", { type: "button", onclick: () => void attempt(() => store.act("claim")) }, `Warn ${name}`),
  );
}

/**
 * @param {MatchStore} store
 * @param {Match} match
 * @param {Seat} by
 */
function claimNote(store, match, by) {
  const name = match.names[by === "first" ? "second" : "first"];
  const left = store.claimSecondsLeft ?? 0;
  if (store.seat !== by) {
    const text = store.seat
      ? `${match.names[by]} is waiting for you. It is your turn.`
      : `${match.names[by]} is waiting for ${name} to come back.`;
    return h("p", { class: "ask", key: "absence" }, text);
  }
  return h(
    "div",
    { class: "ask row", key: "absence" },
    h(
      "p",
      null,
      left > 0 ? `${name} has been warned, and has ${clockText(left)} to come back.` : `${name} has not come back.`,
    ),
    left <= 0 &&
      h(
        "button",
        { type: "button", class: "main", onclick: () => void attempt(() => store.act("claim")) },
        "Claim the win",
      ),
  );
}

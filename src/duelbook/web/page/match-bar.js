// The bar above the board of a match: whose turn it is or who won, and what is asked of the player. It stays in view.

import { h } from "./dom.js";
import { confetti, headline } from "./ending.js";
import { icon } from "./icons.js";
import { otherSeat } from "./match-news.js";
import { nextGameText } from "./series.js";
import { standingText } from "./text.js";

/** @import { Line, Match, Seat } from "./api-types.js" */

export const DISCONNECTED = "Connection lost. Reconnecting …";

/**
 * @param {object} about
 * @param {Match} about.match as it is shown
 * @param {Line} about.line
 * @param {Seat | null} about.seat
 * @param {boolean} about.connected
 * @param {string | null} about.pending the move that is being sent
 * @param {string | null} about.planned the move for one's next turn
 * @param {boolean} about.celebrate
 * @param {boolean} about.inRematch this browser has its seat in the rematch already
 * @param {(agree: boolean) => void} about.onundo
 * @param {() => void} about.onrematch
 */
export function matchBar({ match, line, seat, connected, pending, planned, celebrate, inRematch, onundo, onrematch }) {
  const unsent = pending && ` Your move ${pending} is sent as soon as it is back.`;
  const next = planned && ` Your next move: ${planned}.`;
  return [
    !connected &&
      h("p", { class: "connection", key: "connection", "data-lost": true }, icon("offline"), DISCONNECTED, unsent),
    match.status === "over"
      ? result(match, seat, celebrate, inRematch, onrematch)
      : h("p", { class: "lead standing", key: "standing" }, standingText(match, seat, line), next),
    match.status === "playing" && undoRequest(match, seat, onundo),
  ];
}

/**
 * @param {Match} match
 * @param {Seat | null} seat
 * @param {boolean} celebrate
 * @param {boolean} inRematch
 * @param {() => void} onrematch
 */
function result(match, seat, celebrate, inRematch, onrematch) {
  const { text, mood } = headline(match, seat);
  const offered = match.rematch && seat && !inRematch;
  return h(
    "div",
    { class: "result-row", key: "result", "data-mood": mood },
    celebrate && confetti(),
    h(
      "div",
      { class: "words" },
      h("h2", { class: "headline" }, text),
      offered && h("p", { class: "offer" }, `${match.names[otherSeat(seat)]} offers a rematch.`),
    ),
    seat
      ? h("button", { type: "button", class: "main rematch", onclick: onrematch }, icon("rematch"), nextGameText(match))
      : match.rematch &&
          h("a", { class: "button main rematch", href: `/match/${match.rematch}` }, icon("watch"), "Watch the rematch"),
  );
}

/** @param {Match} match @param {Seat | null} seat @param {(agree: boolean) => void} onundo */
function undoRequest(match, seat, onundo) {
  if (!match.undo || !seat) return null;
  if (match.undo === seat) return h("p", { class: "ask", key: "ask" }, "You have asked to take back your last move.");
  return h(
    "div",
    { class: "ask row", key: "ask" },
    h("p", null, `${match.names[match.undo]} asks to take back their last move.`),
    h("button", { type: "button", onclick: () => onundo(true) }, "Agree"),
    h("button", { type: "button", onclick: () => onundo(false) }, "Decline"),
  );
}

// What all boards are laid with: the players' places at the table, and the ring around the last move.

import { h } from "./dom.js";
import { tokenOf } from "./players.js";

/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Child} Child */

export const style = `
.board { container-type: inline-size; width: 100%; }
.board .spread { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); }
.board:not(.small) .spread { min-height: 16rem; align-content: space-between; }
.board .place {
  display: grid; gap: var(--space-2); padding: var(--space-2) var(--space-2) var(--space-3); color: var(--on-felt);
  background: var(--felt-deep); border: 1px solid var(--felt-line); border-radius: var(--round);
}
.board .tally {
  display: flex; align-items: center; gap: var(--space-2); font-variant-numeric: tabular-nums; white-space: nowrap;
}
.board .tally .token { font-size: 1.1rem; }
.board .last { position: relative; }
.board .last::after {
  content: ""; position: absolute; inset: -5px; pointer-events: none;
  border: 2px solid var(--on-felt); border-radius: calc(var(--round) + 4px);
}
@container (min-width: 40rem) {
  .board:not(.small) .place {
    grid-template-columns: 7.5rem minmax(0, 1fr) 7.5rem; align-items: center; padding: var(--space-3);
  }
  .board:not(.small) .place > :not(.tally) { grid-column: 2; }
}
.board.small .place {
  grid-template-columns: auto minmax(0, 1fr); align-items: center; gap: 0.4rem; padding: 0.25rem 0.4rem;
  border-radius: 0.4rem;
}
.board.small .place > .token { border-width: 1px; }
.board.small .last::after { inset: -3px; border-width: 1.5px; border-radius: 0.35rem; }
`;

/**
 * Answer a player's place: their token, a tally of how they stand, and what they have.
 * @param {{small: boolean, name: (seat: Seat) => string}} table
 * @param {Seat} seat
 * @param {string} tally
 * @param {Child[]} children
 */
export function placeOf({ small, name }, seat, tally, children) {
  const look = { class: `place ${seat}`, key: seat };
  if (small) return h("div", look, tokenOf(seat), ...children);
  const line = h("p", { class: "tally" }, tokenOf(seat), tally);
  return h("div", { ...look, role: "group", "aria-label": name(seat) }, line, ...children);
}

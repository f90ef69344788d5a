// What all boards are laid with: the players' tokens, their places at the table, and the ring around the last move.

import { h } from "./dom.js";

/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").Child} Child */

export const style = `
duel-board { display: block; }
.board { container-type: inline-size; }
.board .spread { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); }
.board .token {
  display: inline-block; flex: none; width: 0.95em; height: 0.95em; vertical-align: -0.12em;
  background: var(--seat); border: 2px solid var(--ink); border-radius: 50%; forced-color-adjust: none;
}
.board .token.second { border-radius: 0.12em; transform: rotate(45deg) scale(0.86); }
.board .place {
  padding: var(--space-1) var(--space-2) var(--space-2); color: var(--on-felt); text-align: start;
  background: var(--felt-deep); border: 1px solid var(--felt-line); border-radius: var(--round);
}
.board .place.turn { border-color: var(--seat); }
.board .plate { display: flex; align-items: center; gap: var(--space-2); min-height: 2rem; font-weight: 600; }
.board .plate .token { font-size: 1.15rem; }
.board .place.turn .plate .token { outline: 2px solid var(--on-felt); outline-offset: 2px; }
.board .named { flex: 1 1 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.board .tally { flex: none; color: var(--on-felt); font-variant-numeric: tabular-nums; }
@container (min-width: 30rem) {
  .board .place { padding: var(--space-2) var(--space-3) var(--space-3); }
}
.board .last { position: relative; }
.board .last::after {
  content: ""; position: absolute; inset: -5px; pointer-events: none;
  border: 2px solid var(--on-felt); border-radius: calc(var(--round) + 4px);
}
.board.small .place { display: flex; align-items: center; gap: 0.4rem; padding: 0.25rem 0.4rem; border-radius: 0.4rem; }
.board.small .last::after { inset: -3px; border-width: 1.5px; border-radius: 0.35rem; }
`;

/** @param {Seat} seat */
export function tokenOf(seat) {
  return h("i", { class: `token ${seat}`, "aria-hidden": "true" });
}

/**
 * Answer a player's place: their token and name, a note such as a total, and what they have.
 * @param {Pick<Table, "mover" | "small" | "name">} table
 * @param {Seat} seat
 * @param {string} note
 * @param {Child[]} children
 */
export function placeOf({ mover, small, name }, seat, note, children) {
  const look = { class: `place ${seat} ${mover === seat && !small ? "turn" : ""}` };
  if (small) return h("div", look, tokenOf(seat), ...children);
  const plate = h("p", { class: "plate" }, tokenOf(seat), h("span", { class: "named" }, name(seat)), h("span", { class: "tally" }, note));
  return h("div", { ...look, role: "group", "aria-label": name(seat) }, plate, ...children);
}

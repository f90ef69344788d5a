// The players at a board: their tokens, their places at the table, and the style that all boards share.

import { h } from "./dom.js";

/** @import { Seat } from "./api-types.js" */
/** @import { Child } from "./dom.js" */
/** @import { BoardInput } from "./types.js" */

export const style = `
.board { container-type: inline-size; width: 100%; }
.board .spread { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); }
.board:not(.small) .spread { min-height: 16rem; align-content: space-between; }
.board .place {
  display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2);
  padding: var(--space-1) var(--space-2) var(--space-2); color: var(--on-felt);
  background: var(--felt-deep); border: 1px solid var(--felt-line); border-radius: var(--round);
}
.board .place.turn { border-color: var(--seat); }
.board .plate { display: flex; align-items: center; gap: var(--space-2); min-width: 0; min-height: 2rem; font-weight: 600; }
.board .plate .token { font-size: 1.15rem; }
.board .place.turn .plate .token { outline: 2px solid var(--on-felt); outline-offset: 2px; }
.board .named { flex: 1 1 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.board .you { font-weight: 400; color: var(--on-felt-quiet); }
.board .to-move { flex: none; padding: 0 var(--space-2); border-radius: 1rem; background: var(--seat); color: var(--ink); font-size: 0.85rem; }
.board .clock { flex: none; padding: 0 var(--space-2); border: 1px solid var(--felt-line); border-radius: var(--round); font: 600 1.1rem var(--mono); font-variant-numeric: tabular-nums; }
.board .clock[data-low] { background: var(--loss); color: #fff; }
.board .away { flex: none; padding: 0 var(--space-2); border: 1px dashed var(--on-felt-quiet); border-radius: var(--round); font-weight: 400; font-size: 0.85rem; }
.board .thinking { display: inline-flex; flex: none; align-items: center; gap: 0.3em; color: var(--on-felt-quiet); font-weight: 400; font-size: 0.85rem; }
.board .thinking svg { animation: thinking 1s ease-in-out infinite alternate; }
@keyframes thinking { from { opacity: 0.35; } }
.board .tally { flex: none; color: var(--on-felt); font-variant-numeric: tabular-nums; }
.board .place.turn .clock:not([data-low]) { border-color: var(--seat); background: var(--seat); color: var(--ink); }
.board .to-move:has(+ .thinking, + .away) { display: none; } /* the place of whoever is to move has a border and a marked token, too */
@container (max-width: 28.5rem) {
  .board:not(.small) .spread { gap: 0.65rem; }
  .board:not(.small) .place { gap: var(--space-1); padding: 0 var(--space-2) var(--space-1); }
  .board .plate { gap: 0.4rem; min-height: 1.9rem; font-size: 0.95rem; }
  .board .tally { font-size: 0.9rem; }
  .board .to-move, .board .away, .board .thinking { font-size: 0.75rem; }
  .board .to-move, .board .away, .board .clock { padding: 0 0.35rem; }
  .board .clock { font-size: 1rem; }
  .board .plate:has(.clock) .to-move { display: none; }
}
@container (min-width: 30rem) {
  .board .place { padding: var(--space-2) var(--space-3) var(--space-3); }
}
.board .last { position: relative; }
.board .last::after {
  content: ""; position: absolute; inset: -6px; pointer-events: none;
  border: 3px solid var(--on-felt); border-radius: calc(var(--round) + 4px); box-shadow: 0 0 0 2px var(--ink);
}
.board [data-moving] { position: relative; z-index: 3; pointer-events: none; }
.board [data-target] { cursor: pointer; }
.board button.move { touch-action: manipulation; user-select: none; -webkit-touch-callout: none; }
.board.idle button.move { box-shadow: none; }
.board.idle button.move[data-legal]:not([data-pending], .last) { opacity: 0.72; }
duel-board > .words {
  display: grid; place-content: center; height: 2.5rem; margin: var(--space-1) 0 0; overflow: hidden; text-align: center;
  color: var(--on-felt); font-size: 0.95rem; line-height: 1.3;
}
duel-board > .words[data-help] { color: var(--on-felt-quiet); font-size: 0.85rem; }
duel-board > .words[data-warning] { border-radius: var(--round); background: var(--loss); color: #fff; }
duel-board > .words kbd { font: 600 0.95em var(--sans); color: var(--on-felt); }
@media (min-width: 40rem) { duel-board > .words { height: 1.75rem; } }
duel-board:not(:has(button.move:focus-visible)) > .words .arrows { display: none; }
@media (hover: none) { duel-board > .words .by-keyboard { display: none; } }
@media (hover: hover) { duel-board > .words .by-hand { display: none; } }
.board .place > .plate:only-child { margin-bottom: calc(var(--space-1) * -1); }
.board.small .place {
  grid-template-columns: auto minmax(0, 1fr); align-items: center; gap: 0.4rem; padding: 0.25rem 0.4rem;
  border-radius: 0.4rem;
}
.board.small .place > .token { border-width: 1px; }
.board.small .last::after { inset: -3px; border-width: 1.5px; border-radius: 0.35rem; }
`;

/**
 * Return a player's token: a circle for the first player, a diamond for the second.
 * @param {Seat} seat
 */
export const tokenOf = (seat) => h("span", { class: `token ${seat}`, "aria-hidden": "true" });

/**
 * Return a player's place: the name, whether it is their turn, a note such as a total, and what they have.
 * @param {BoardInput} input
 * @param {Seat} seat
 * @param {string} note
 * @param {Child[]} children
 */
export function placeOf(input, seat, note, children) {
  const turn = input.position.mover === seat && !input.small && !input.still;
  const look = { class: `place ${seat} ${turn ? "turn" : ""}`, key: `place ${seat}` };
  if (input.small) return h("div", look, tokenOf(seat), ...children);
  const you = input.you === seat;
  const again = input.history.at(-1)?.seat === seat ? " again" : "";
  const plate = h(
    "div",
    { class: "plate" },
    tokenOf(seat),
    h(
      "span",
      { class: "named" },
      input.names[seat],
      you && !turn && input.names[seat] !== "You" && h("span", { class: "you" }, " (you)"),
    ),
    turn && h("span", { class: "to-move" }, `${you ? "Your turn" : "To move"}${again}`),
    input.beside?.(seat),
    h("span", { class: "tally", "data-piece": `tally ${seat}`, "data-turns": note }, note),
  );
  return h("div", { ...look, role: "group", "aria-label": input.names[seat] }, plate, ...children);
}

// Flag Chase: the track from one player's end to the other's, with the flag in the middle. A long track bends into rows.

/** @import { Seat } from "../../web/page/api-types.js" */
/** @import { h as H } from "../../web/page/dom.js" */
/** @import { Board, Table } from "../../web/page/types.js" */
/** @typedef {{x: number, y: number}} Spot */

const style = `
.board.flag-chase .track { display: block; width: 100%; max-height: 32rem; margin: 0 auto; overflow: visible; }
.board.flag-chase .bed {
  fill: none; stroke: var(--tile-edge); stroke-width: 4; stroke-linejoin: round; stroke-linecap: round;
}
.board.flag-chase .cell { fill: var(--tile); stroke: var(--tile-edge); stroke-width: 0.4; }
.board.flag-chase .cell.reach { stroke: var(--seat-deep); stroke-width: 0.6; stroke-dasharray: 1.2 0.9; }
.board.flag-chase .cell.reach:hover, .board.flag-chase .cell.soon { fill: color-mix(in srgb, var(--tile) 60%, var(--seat)); }
.board.flag-chase .count, .board.flag-chase .flag, .board.flag-chase .runner { pointer-events: none; }
.board.flag-chase .ghost { opacity: 0.55; }
.board.flag-chase .count { fill: var(--ink); font: 600 2.6px var(--sans); text-anchor: middle; }
.board.flag-chase .flag { fill: var(--loss); stroke: var(--ink); stroke-width: 0.4; stroke-linejoin: round; }
.board.flag-chase.small .runner { transition: transform var(--quick); }
.board.flag-chase .runner > * { fill: var(--seat); stroke: var(--ink); stroke-width: 0.7; }
.board.flag-chase .runner .ring { fill: none; stroke: var(--on-felt); stroke-width: 0.6; }
.board.flag-chase .runner.soon > * { stroke-dasharray: 1.4 0.9; }
.board.flag-chase .steps { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.6rem; }
.board.flag-chase .steps .move {
  display: grid; place-items: center; align-content: center; min-width: 3.4rem; min-height: 4.2rem;
  padding: 0.75rem 0.2rem 0.4rem; border-radius: 0.5rem; font: 700 1.3rem/1.1 var(--serif);
}
.board.flag-chase .steps small { font: 600 0.85rem/1.2 var(--sans); }
.board.flag-chase .steps .move:not([data-legal]) {
  background: none; border: 1px dashed var(--on-felt-quiet); color: var(--on-felt); box-shadow: none;
}
.board.flag-chase.over .steps .move { opacity: 0.6; }
@media (forced-colors: active) {
  .board.flag-chase .cell { fill: Canvas; stroke: CanvasText; }
  .board.flag-chase .cell.reach { stroke: Highlight; }
  .board.flag-chase .count { fill: CanvasText; }
  .board.flag-chase .flag, .board.flag-chase .runner > * { stroke: CanvasText; }
}
.board.flag-chase.small .place { display: none; }
.board.flag-chase.small .track { width: 94%; max-height: 8.5rem; }
`;

const ROW_CELLS = 11; // an odd number keeps the flag in the middle
const CELL_WIDTH = 10;
const ROW_HEIGHT = 13;
const FLAG = "M-2 3V-4.500L3.500-2.500-1.200-.500V3Z";

/** @param {Table} table @param {typeof H} h */
function draw(table, h) {
  const steps = !table.small && stepsOf(table, h);
  return h("div", { class: "spread" }, side(table, table.far), track(table, h), steps, side(table, table.near));
}

/** @param {Table} table @param {Seat} seat */
function side(table, seat) {
  const left = Math.abs(table.view.flag - cellOf(table, seat));
  return table.place(seat, left ? `${left} to go` : "on the flag");
}

/** @param {Table} table @param {Seat} seat */
function cellOf({ view }, seat) {
  return view.tokens[seat === "first" ? 0 : 1];
}

/**
 * Return the moves that lead to a cell, as the server says.
 * @param {Table} table @param {number} cell
 */
function movesTo({ legal, view }, cell) {
  return legal.filter((_, index) => view.reach[index] === cell);
}

/**
 * Return the centres of the cells, from the near player's end: the middle row is full, and the track bends away from it.
 * @param {number} count @returns {Spot[]}
 */
function spots(count) {
  const across = Math.min(count, ROW_CELLS);
  const before = (count - across) / 2; // cells on either side of the middle row
  const rows = Math.ceil(before / across);
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor((index - before) / across);
    const column = index - before - row * across;
    return { x: (row % 2 ? across - 1 - column : column) * CELL_WIDTH, y: (rows - row) * ROW_HEIGHT };
  });
}

/** @param {Table} table @param {typeof H} h */
function track(table, h) {
  const { cells, flag } = table.view;
  const where = `${whereText(table, "first")}, ${whereText(table, "second")}`;
  const places = spots(cells);
  /** @param {number} cell */
  const at = (cell) => places[table.near === "first" ? cell - 1 : cells - cell];
  const across = Math.min(cells, ROW_CELLS);
  return h(
    "svg",
    {
      class: "track",
      viewBox: `-5 -5 ${across * CELL_WIDTH} ${Math.max(...places.map((spot) => spot.y)) + CELL_WIDTH}`,
      style: { "max-width": `${across * 5}rem` },
      role: "img",
      "aria-label": `A track of ${cells} cells: the flag on cell ${flag}, ${where}`,
    },
    h("path", { class: "bed", d: `M${places.map((spot) => `${spot.x} ${spot.y}`).join("L")}` }),
    places.map((_, index) => cellAt(table, h, index + 1, at(index + 1))),
    runner(table, h, "first", at),
    runner(table, h, "second", at),
    ghost(table, h, at),
    flagOn(table, h, at(flag)),
  );
}

/**
 * Return the flag in the middle of its cell, or small in a corner if a token stands there.
 * @param {Table} table @param {typeof H} h @param {Spot} spot
 */
function flagOn({ view, legal, pending }, h, { x, y }) {
  const soon = pending === null ? null : view.reach[legal.indexOf(pending)];
  const taken = [...view.tokens, soon].includes(view.flag);
  const where = taken ? `translate(${x + 2.4} ${y - 2.6}) scale(0.6)` : `translate(${x} ${y})`;
  return h("path", { class: "flag", d: FLAG, transform: where });
}

/** @param {Table} table @param {Seat} seat */
function whereText(table, seat) {
  return `${table.name(seat)} on cell ${cellOf(table, seat)}`;
}

/** @param {Table} table @param {typeof H} h @param {number} cell @param {Spot} spot */
function cellAt(table, h, cell, { x, y }) {
  const { mover, small, view, active, preview } = table;
  const [move] = active ? movesTo(table, cell) : [];
  const soon = preview && move && movesTo(table, cell).includes(preview.move) ? "soon" : "";
  const look = {
    class: `cell ${move ? `reach ${mover} ${soon}` : ""}`,
    "data-piece": `cell ${cell}`,
    ...{ x: x - 4.5, y: y - 4.5, width: 9, height: 9, rx: 1.5 },
    ...(move && table.target(move)),
  };
  const counted = !small && view.cells <= ROW_CELLS && cell !== view.flag;
  return [h("rect", look), counted && h("text", { class: "count", x, y: y + 0.9 }, cell)];
}

/** @param {Table} table @param {typeof H} h @param {Seat} seat @param {(cell: number) => Spot} at */
function runner(table, h, seat, at) {
  const soon = table.pending !== null && table.mover === seat;
  const cell = soon
    ? table.view.reach[table.legal.indexOf(/** @type {string} */ (table.pending))]
    : cellOf(table, seat);
  const { x, y } = at(cell);
  return h(
    "g",
    {
      class: `runner ${seat} ${soon ? "soon" : ""}`,
      style: { transform: `translate(${x}px, ${y}px)` },
      "data-piece": `runner ${seat}`,
      "data-via": wayTo(table, seat, cell),
    },
    shape(h, seat),
    table.last?.seat === seat && h("rect", { class: "ring", x: -5.4, y: -5.4, width: 10.8, height: 10.8, rx: 2.2 }),
  );
}

/**
 * Return the cells that a token passes on its way to a cell, so that it follows the bends of the track.
 * @param {Table} table @param {Seat} seat @param {number} cell
 */
function wayTo({ pending, mover, last }, seat, cell) {
  const move = pending && mover === seat ? pending : last?.seat === seat ? last.move : "1";
  const back = seat === "first" ? -1 : 1;
  const passed = Array.from({ length: Number(move) - 1 }, (_, index) => `cell ${cell + back * (index + 1)}`);
  return passed.reverse().join();
}

/** @param {typeof H} h @param {Seat} seat */
const shape = (h, seat) =>
  seat === "first" ? h("circle", { r: 3 }) : h("path", { d: "M0-3.600 3.600 0 0 3.600-3.600 0Z" });

/**
 * Return the token where the move that is pointed at would take it.
 * @param {Table} table @param {typeof H} h @param {(cell: number) => Spot} at
 */
function ghost({ mover, preview }, h, at) {
  if (!preview || !mover) return null;
  const { x, y } = at(preview.view.tokens[mover === "first" ? 0 : 1]);
  const look = { class: `runner ghost soon ${mover}`, style: { transform: `translate(${x}px, ${y}px)` } };
  return h("g", look, shape(h, mover));
}

/** @param {Table} table @param {typeof H} h */
function stepsOf(table, h) {
  const steps = Array.from({ length: Number(table.options.stride) }, (_, index) => index + 1);
  const buttons = steps.map((step) => {
    const unit = step === 1 ? "cell" : "cells";
    return table.move(String(step), { label: `${step} ${unit} forward` }, step, h("small", null, unit));
  });
  return h("div", { class: "steps", role: "group", "aria-label": "Move forward" }, buttons);
}

/** @type {Board} */
export default { style, draw };

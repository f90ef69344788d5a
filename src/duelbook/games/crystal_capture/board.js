// Crystal Capture: the crystals between the players, and a bar for each player that fills up to the goal.

/** @import { Seat } from "../../web/page/api-types.js" */
/** @import { h as H } from "../../web/page/dom.js" */
/** @import { Board, Table } from "../../web/page/types.js" */

const style = `
.board.crystal-capture .pool {
  --size: 3.4rem; display: flex; flex-wrap: wrap; justify-content: center; gap: 0.5rem 0.45rem;
}
.board.crystal-capture .pool.many { --size: var(--target); }
.board.crystal-capture .pool .move {
  display: grid; place-items: center; width: var(--size); height: calc(var(--size) * 1.1); min-width: 0; padding: 0;
  background: none; border: 0; box-shadow: none; font: 700 calc(0.55rem + var(--size) * 0.2) / 1 var(--serif);
}
.board.crystal-capture .pool .move:not([aria-disabled]):hover { background: none; filter: brightness(1.08); }
.board.crystal-capture .pool .move > :not(.mark) { grid-area: 1 / 1; }
.board.crystal-capture .pool .pass {
  border: 1px solid var(--tile-edge); background: var(--tile); box-shadow: var(--lift); font: 600 0.85rem/1 var(--sans);
}
.board.crystal-capture .pool .pass:not([data-legal]) {
  border: 1px dashed var(--on-felt-quiet); background: none; box-shadow: none; color: var(--on-felt);
}
.board.crystal-capture .gem { width: 100%; height: 100%; filter: drop-shadow(0 3px 3px rgb(0 0 0 / 30%)); }
.board.crystal-capture .gem path { fill: var(--tile); stroke: var(--tile-edge); stroke-linejoin: round; }
.board.crystal-capture .gem .body { fill: var(--tile-edge); stroke: var(--ink); }
.board.crystal-capture .gone .gem { filter: none; transform: scale(0.88); }
.board.crystal-capture .gone .gem path { fill: #fff3; stroke: #0003; }
.board.crystal-capture .gone .gem .body { fill: var(--seat); stroke: var(--seat-deep); stroke-width: 2; }
.board.crystal-capture .gone .token { z-index: 1; place-self: end; font-size: 1.05rem; }
.board.crystal-capture .number { z-index: 1; }
.board.crystal-capture .out .gem, .board.crystal-capture.idle .gem { filter: none; opacity: 0.7; }
.board.crystal-capture .gone .gem, .board.crystal-capture.idle .gone .gem { opacity: 1; }
.board.crystal-capture [data-pending] .gem .body { stroke-dasharray: 4 3; }
.board.crystal-capture .last::after { inset: -2px; }
.board.crystal-capture .bar {
  display: flex; height: 1.75rem; background: var(--felt); border: 2px solid var(--on-felt);
  border-radius: 0.5rem;
}
.board.crystal-capture .part {
  flex: 0 0 calc(var(--worth) * 100%); display: grid; place-items: center; min-width: 0; overflow: hidden;
  background: var(--seat); border-inline-end: 2px solid var(--ink); color: var(--ink); font: 700 0.9rem/1 var(--sans);
  forced-color-adjust: none;
}
.board.crystal-capture .part:first-child { border-start-start-radius: 0.35rem; border-end-start-radius: 0.35rem; }
.board.crystal-capture .part:last-child { border-start-end-radius: 0.35rem; border-end-end-radius: 0.35rem; }
.board.crystal-capture .many .part { border-inline-end-width: 1px; }
.board.crystal-capture .part.soon {
  background: repeating-linear-gradient(135deg, var(--seat) 0 5px, var(--on-felt) 5px 7px);
}
@container (min-width: 40rem) {
  .board.crystal-capture .pool { --size: 3.6rem; }
  .board.crystal-capture .pool.many { --size: 3.3rem; }
}
@media (forced-colors: active) {
  .board.crystal-capture .gem path, .board.crystal-capture .gem .body { fill: Canvas; stroke: CanvasText; }
}
.board.crystal-capture.small .spread { gap: 0.6rem; }
.board.crystal-capture.small .pool { --size: 1.55rem; gap: 3px 2px; }
.board.crystal-capture.small .pool.many { --size: 1.2rem; }
.board.crystal-capture.small .pool .move { min-height: 0; font-size: 0.7rem; }
.board.crystal-capture.small .gone .token { border-width: 1px; font-size: 0.55rem; }
.board.crystal-capture.small .gem { filter: none; }
.board.crystal-capture.small .bar { height: 1rem; border-width: 1px; border-radius: 0.3rem; }
.board.crystal-capture.small .part { font-size: 0; }
`;

const MIN_NUMBER_SHARE = 0.06; // a smaller part of the bar has no room for a number

/** @param {Table} table @param {typeof H} h */
function draw(table, h) {
  const count = Number(table.options.crystals);
  const crystals = Array.from({ length: count }, (_, index) => crystal(table, h, String(index + 1)));
  const look = { class: `pool ${count > 12 ? "many" : ""}`, role: "group", "aria-label": "Crystals" };
  const pool = h("div", look, crystals, !table.small && pass(table));
  return h("div", { class: "spread" }, side(table, h, table.far), pool, side(table, h, table.near));
}

/** @param {Table} table @param {typeof H} h @param {string} number */
function crystal(table, h, number) {
  const taker = takerOf(table, number);
  const just = table.last?.move === number;
  const out = !taker && table.mover && !table.legal.includes(number);
  const state = taker ? `, ${just ? "just " : ""}taken by ${table.name(taker)}` : out ? ", too large" : "";
  const face = {
    label: `Crystal ${number}${state}`,
    class: `${taker ? `gone ${taker}` : ""} ${just ? "last" : ""} ${out ? "out" : ""}`,
  };
  const piece = taker ? undefined : `crystal ${number}`; // a taken one is in its player's bar
  return table.move(number, face, gem(h, piece), h("span", { class: "number" }, number), taker && table.token(taker));
}

/** @param {Table} table @param {string} number @returns {Seat | null} */
function takerOf({ history, pending, mover }, number) {
  if (pending === number) return mover;
  return history.find((done) => done.move === number)?.seat ?? null;
}

/** @param {typeof H} h @param {string} [piece] */
function gem(h, piece) {
  return h(
    "svg",
    { class: "gem", viewBox: "0 0 40 44", "aria-hidden": "true", "data-piece": piece },
    h("path", { class: "body", d: "M20 2 37 12V32L20 42 3 32V12Z" }),
    h("path", { d: "M20 2 37 12 31 15.500 20 9 9 15.500 3 12Z" }),
    h("path", { d: "M20 9 31 15.500V28.500L20 35 9 28.500V15.500Z" }),
  );
}

/** @param {Table} table */
function pass(table) {
  const label = table.legal.includes("pass") ? "Pass" : "Pass, only when no crystal fits";
  return table.move("pass", { label, class: `pass ${table.last?.move === "pass" ? "last" : ""}` }, "Pass");
}

/** @param {Table} table @param {typeof H} h @param {Seat} seat */
function side(table, h, seat) {
  const { view, history, pending, preview, mover } = table;
  const total = view.totals[seat === "first" ? 0 : 1];
  const taken = history.filter((done) => done.seat === seat && done.move !== "pass").map((done) => done.move);
  const parts = taken.map((number) => part(h, number, view.goal, "", `crystal ${number}`));
  const soon = mover === seat ? (pending ?? preview?.move ?? "pass") : "pass";
  if (soon !== "pass") parts.push(part(h, soon, view.goal, "soon", pending ? `crystal ${soon}` : undefined));
  const bar = h("div", { class: "bar", "aria-hidden": "true" }, parts);
  return table.place(seat, `${total} of ${view.goal}`, bar);
}

/** @param {typeof H} h @param {string} number @param {number} goal @param {string} soon @param {string} [piece] */
function part(h, number, goal, soon, piece) {
  const worth = Number(number) / goal;
  const look = { class: `part ${soon}`, style: { "--worth": worth }, key: number, "data-piece": piece };
  return h("span", look, worth >= MIN_NUMBER_SHARE && number);
}

/** @type {Board} */
export default { style, draw };

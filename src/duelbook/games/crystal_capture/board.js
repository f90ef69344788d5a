// Crystal Capture: the crystals between the players, and a bar each that they fill up to the goal.

/** @typedef {import("../../web/page/types.js").Table} Table */
/** @typedef {import("../../web/page/types.js").Seat} Seat */
/** @typedef {typeof import("../../web/page/dom.js").h} H */

const style = `
.board.crystal-capture .pool {
  --size: 3.4rem; display: flex; flex-wrap: wrap; justify-content: center; gap: 0.45rem;
  max-width: 42rem; margin: 0 auto;
}
.board.crystal-capture .pool.many { --size: var(--target); }
.board.crystal-capture .pool .move {
  position: relative; display: grid; place-items: center; width: var(--size); height: calc(var(--size) * 1.1);
  min-width: 0; min-height: 0; padding: 0; background: none; border: 0; box-shadow: none; color: var(--ink);
  font: 700 calc(0.55rem + var(--size) * 0.2) / 1 var(--serif); font-variant-numeric: lining-nums;
}
.board.crystal-capture .pool .move > * { grid-area: 1 / 1; }
.board.crystal-capture .gem { width: 100%; height: 100%; overflow: visible; filter: drop-shadow(0 3px 3px rgb(0 0 0 / 30%)); }
.board.crystal-capture .gem path { fill: var(--tile); stroke: var(--tile-edge); stroke-width: 1; stroke-linejoin: round; }
.board.crystal-capture .gem .body { fill: var(--tile-edge); stroke: var(--ink); }
.board.crystal-capture .gem .light { fill: #fff; stroke: none; }
.board.crystal-capture .last::after { inset: -2px; }
.board.crystal-capture .number { z-index: 1; }
.board.crystal-capture .gone .gem { filter: none; transform: scale(0.86); }
.board.crystal-capture .gone .gem path { fill: var(--seat); stroke: var(--seat-deep); }
.board.crystal-capture .gone .gem .light { fill: none; }
.board.crystal-capture .gone .token { z-index: 1; align-self: end; justify-self: end; font-size: 1rem; }
.board.crystal-capture .out .gem { filter: none; opacity: 0.7; }
.board.crystal-capture [data-pending] .gem path { stroke-dasharray: 3 2; }
.board.crystal-capture .pass { justify-self: center; padding: 0 var(--space-5); font-weight: 600; }
.board.crystal-capture .bar {
  display: flex; height: 1.75rem; overflow: hidden; background: var(--felt); border: 2px solid var(--on-felt);
  border-radius: 0.5rem;
}
.board.crystal-capture .part {
  flex: 0 0 calc(var(--worth) * 100%); display: grid; place-items: center; overflow: hidden; min-width: 0;
  background: var(--seat); color: var(--ink); border-inline-end: 2px solid var(--ink); font-weight: 700; font-size: 0.9rem;
}
.board.crystal-capture .part.soon { background: repeating-linear-gradient(135deg, var(--seat) 0 5px, var(--on-felt) 5px 7px); }
@container (min-width: 40rem) {
  .board.crystal-capture .pool { --size: 4.4rem; }
  .board.crystal-capture .pool.many { --size: 3.3rem; }
}
@media (forced-colors: active) {
  .board.crystal-capture .gem path, .board.crystal-capture .gem .body { fill: Canvas; stroke: CanvasText; }
  .board.crystal-capture .gem .light { fill: none; }
}
.board.crystal-capture.small .spread { gap: 0.45rem; }
.board.crystal-capture.small .pool { --size: 1.5rem; gap: 2px; }
.board.crystal-capture.small .pool.many { --size: 1.2rem; }
.board.crystal-capture.small .pool .move { font-size: 0.7rem; }
.board.crystal-capture.small .gone .token { font-size: 0.5rem; border-width: 1px; }
.board.crystal-capture.small .gem { filter: none; }
.board.crystal-capture.small .bar { flex: 1; height: 0.9rem; border-width: 1px; }
.board.crystal-capture.small .part { font-size: 0; }
`;

const WIDE = 0.07; // the part of the bar that has room for a number

/** @param {Table} table @param {H} h */
function draw(table, h) {
  const count = Number(table.options.crystals);
  const crystals = Array.from({ length: count }, (_, index) => crystal(table, h, String(index + 1)));
  const look = { class: `pool ${count > 12 ? "many" : ""}`, role: "group", "aria-label": "Crystals" };
  return h("div", { class: "spread" }, side(table, h, table.far), h("div", look, crystals), pass(table, h), side(table, h, table.near));
}

/** @param {Table} table @param {H} h @param {string} number */
function crystal(table, h, number) {
  const taker = takerOf(table, number);
  const just = table.last?.move === number;
  const out = !taker && table.mover && !table.legal.includes(number);
  const state = taker ? `, ${just ? "just " : ""}taken by ${table.name(taker)}` : out ? ", too much for now" : "";
  const face = {
    label: `Crystal ${number}${state}`,
    class: `${taker ? `gone ${taker}` : ""} ${just ? "last" : ""} ${out ? "out" : ""}`,
  };
  return table.move(number, face, gem(h), h("span", { class: "number" }, number), taker && table.token(taker));
}

/** @param {Table} table @param {string} number @returns {Seat | null} */
function takerOf({ history, pending, mover }, number) {
  if (pending === number) return mover;
  return history.find((done) => done.move === number)?.seat ?? null;
}

/** @param {H} h */
function gem(h) {
  return h(
    "svg",
    { class: "gem", viewBox: "0 0 40 44", "aria-hidden": "true" },
    h("path", { class: "body", d: "M20 2 37 12V32L20 42 3 32V12Z" }),
    h("path", { d: "M20 2 37 12 29 17 20 12 11 17 3 12Z" }),
    h("path", { d: "M11 17 20 12 29 17V28L20 33 11 28Z" }),
    h("path", { class: "light", d: "M20 4 33 12 28.500 14.800 20 10Z" }),
  );
}

/** @param {Table} table @param {H} h */
function pass(table, h) {
  return table.legal.includes("pass") && table.move("pass", { label: "Pass", class: "pass" }, "Pass");
}

/** @param {Table} table @param {H} h @param {Seat} seat */
function side(table, h, seat) {
  const { view, history, pending, mover } = table;
  const total = view.totals[seat === "first" ? 0 : 1];
  const taken = history.filter((done) => done.seat === seat && done.move !== "pass").map((done) => Number(done.move));
  const parts = taken.map((worth) => part(h, worth, view.goal, ""));
  if (pending && pending !== "pass" && mover === seat) parts.push(part(h, Number(pending), view.goal, "soon"));
  const bar = h("div", { class: "bar", "aria-hidden": "true" }, parts);
  return table.place(seat, `${total} of ${view.goal}`, bar);
}

/** @param {H} h @param {number} worth @param {number} goal @param {string} soon */
function part(h, worth, goal, soon) {
  return h("span", { class: `part ${soon}`, style: { "--worth": worth / goal } }, worth / goal >= WIDE && String(worth));
}

/** @type {import("../../web/page/types.js").Board} */
export default { style, draw };

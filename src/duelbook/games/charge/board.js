// Charge: a battery and an open hand for each player, the card each played last, and the cards that can be played.

/** @import { Seat } from "../../web/page/api-types.js" */
/** @import { h as H } from "../../web/page/dom.js" */
/** @import { Board, Table } from "../../web/page/types.js" */
/** @typedef {"charge" | "block" | "steal" | "refresh"} Card */

const style = `
.board.charge .battery {
  position: relative; display: flex; gap: 1px; height: 1.9rem; margin-inline-end: 0.5rem; padding: 3px;
  border: 2px solid var(--on-felt); border-radius: 0.5rem;
}
.board.charge .battery::after {
  content: ""; position: absolute; inset: 26% -0.5rem 26% auto; width: 0.4rem; background: var(--on-felt);
  border-radius: 0 0.25rem 0.25rem 0;
}
.board.charge .cell { flex: 1 1 0; min-width: 0; background: var(--felt); border-radius: 2px; }
.board.charge .cell.full { background: var(--seat); forced-color-adjust: none; }
.board.charge .cell.soon { background: repeating-linear-gradient(135deg, var(--seat) 0 3px, var(--felt) 3px 6px); }
.board.charge .cell.gone { background: repeating-linear-gradient(135deg, var(--loss) 0 3px, var(--felt) 3px 6px); }
.board.charge .cell.gain { background: repeating-linear-gradient(135deg, var(--seat) 0 4px, var(--ink) 4px 6px); }
.board.charge .cell:nth-child(5n):not(:last-child) { margin-inline-end: 3px; }
.board.charge .hand { display: flex; align-items: center; gap: var(--space-3); min-height: 2.9rem; }
.board.charge .stack { display: flex; min-width: calc(1.95rem + (var(--most) - 1) * 0.3rem); }
.board.charge .stack.thick { min-width: calc(1.95rem + (var(--most) - 1) * 0.15rem); }
.board.charge .held {
  display: grid; place-items: center; flex: none; width: 1.95rem; height: 2.6rem; background: var(--tile);
  border: 1px solid var(--ink); border-radius: 0.3rem; color: var(--ink); font: 700 0.9rem/1 var(--sans);
}
.board.charge .held + .held { margin-inline-start: -1.65rem; }
.board.charge .thick .held + .held { margin-inline-start: -1.8rem; }
.board.charge .held.none { background: none; border: 1px dashed var(--on-felt-quiet); color: var(--on-felt); }
.board.charge .sign { width: 1.1em; height: 1.1em; fill: currentColor; }
.board.charge .played {
  display: flex; align-items: center; gap: var(--space-2); margin-inline: auto 5px; font-weight: 600;
}
.board.charge .played .held { background: var(--seat); }
.board.charge .played .soon { border-style: dashed; }
.board.charge .played > .sign { width: 1.7rem; height: 1.7rem; }
.board.charge .deck { display: grid; gap: 0.65rem; }
.board.charge .fan {
  display: grid; grid-template-columns: repeat(var(--count), minmax(0, 7rem)); justify-content: center; gap: 0.6rem;
}
.board.charge .fan .move {
  display: grid; justify-items: center; align-content: center; gap: 0.15rem; min-width: 0; height: 4.8rem;
  padding: 0.6rem 0 0.2rem; border-radius: 0.5rem; font: 700 1.3rem/1.1 var(--serif);
}
.board.charge .fan small { font: 600 0.85rem/1.2 var(--sans); }
.board.charge .fan .note { font-size: 0.7rem; white-space: nowrap; }
.board.charge .fan .move.over { border-color: var(--loss); color: var(--loss); }
.board.charge .fan .move.vain .note { border-radius: 0.25rem; padding-inline: 0.3em; background: var(--draw); color: var(--on-value); }
.board.charge .fan .move[aria-disabled] {
  background: none; border: 1px dashed var(--on-felt-quiet); color: var(--on-felt); box-shadow: none;
}
.board.charge.idle:not(.over) .fan .move[aria-disabled] { opacity: 1; }
.board.charge .fan .move[aria-disabled] .note { visibility: hidden; }
.board.charge.over .fan .move { opacity: 0.6; }
@container (max-width: 28.5rem) {
  .board.charge:not(.small) .battery { height: 1.5rem; }
  .board.charge:not(.small) .hand { min-height: 2.4rem; }
  .board.charge:not(.small) .held { height: 2.2rem; }
  .board.charge .fan .move { height: 4.4rem; padding: 0.3rem 0 0.2rem; font-size: 1.15rem; }
}
@container (max-width: 32rem) {
  .board.charge .fan.many { grid-template-columns: repeat(5, minmax(0, 7rem)); }
}
.board.charge.small .battery { height: 1.1rem; padding: 2px; border-width: 1px; }
.board.charge.small .hand { grid-column: 2; min-height: 0; }
.board.charge.small .held { width: 1.2rem; height: 1.6rem; font-size: 0.62rem; }
.board.charge.small .stack { min-width: 0; }
.board.charge.small .held + .held { margin-inline-start: -0.95rem; }
.board.charge.small .thick .held + .held { margin-inline-start: -1.05rem; }
`;

/** @type {Record<Card, string>} */
const SIGNS = {
  charge: "M13 1 4 13.500h6L8.500 23 19 9.500h-6.500Z",
  block: "M12 1 21 4v8c0 5-4 9-9 11-5-2-9-6-9-11V4Z",
  steal: "M2 9h11V4l9 8-9 8v-5H2Z",
  refresh: "M12 3a9 9 0 0 1 8.500 6H23l-4.500 6L14 9h3a6 6 0 1 0 .600 6h3.200A9 9 0 1 1 12 3Z",
};

/** @param {Table} table @param {typeof H} h */
function draw(table, h) {
  const deck = !table.small && deckOf(table, h);
  return h("div", { class: "spread" }, side(table, h, table.far), deck, side(table, h, table.near));
}

/** @param {typeof H} h @param {Card} card */
function sign(h, card) {
  return h("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: SIGNS[card] }));
}

/** @param {Table} table @param {typeof H} h @param {Seat} seat */
function side(table, h, seat) {
  const { view, preview } = table;
  const index = seat === "first" ? 0 : 1;
  const { points, charges, blocks, steals } = view.sides[index];
  const next = preview ? preview.view.sides[index].points : points;
  const gain = table.last?.seat === seat ? view.gain : 0;
  const { charge_cards, block_cards, steal_cards } = table.options;
  const stacks = [
    stack(h, "charge", charges, Number(charge_cards)),
    stack(h, "block", blocks, Number(block_cards)),
    stack(h, "steal", steals, Number(steal_cards)),
  ];
  const hand = h("div", { class: "hand" }, stacks, !table.small && played(table, h, seat));
  return table.place(seat, `${points} of ${view.goal}`, battery(h, seat, { points, gain, next }, view.goal), hand);
}

/**
 * Return a player's battery: full up to the points, and marked where the move that is pointed at would change it.
 * @param {typeof H} h @param {Seat} seat @param {{points: number, gain: number, next: number}} charge @param {number} goal
 */
function battery(h, seat, { points, gain, next }, goal) {
  const cells = Array.from({ length: goal }, (_, index) => {
    const full = index < points ? (index >= points - gain ? "full gain" : "full") : "";
    const soon =
      index >= Math.min(points, next) && index < Math.max(points, next) ? (next < points ? "gone" : "soon") : "";
    return h("i", { class: `cell ${full} ${soon}`, "data-piece": full ? `${seat} point ${index}` : undefined });
  });
  return h("div", { class: "battery", "aria-hidden": "true" }, cells);
}

/** @param {typeof H} h @param {Card} card @param {number} count @param {number} most at the start; there is room for them */
function stack(h, card, count, most) {
  const label = `${count} ${card} ${count === 1 ? "card" : "cards"}`;
  const below = Array.from({ length: Math.max(0, count - 1) }, () => h("i", { class: "held" }));
  const top = h("span", { class: `held ${count ? "" : "none"}`, key: "top" }, sign(h, card), count);
  const look = {
    class: `stack ${most > 5 ? "thick" : ""}`,
    style: { "--most": most },
    role: "img",
    "aria-label": label,
  };
  return h("div", look, below, top);
}

/**
 * Return the card that a player has just played and what it gained, or the shield that blocks them.
 * @param {Table} table @param {typeof H} h @param {Seat} seat
 */
function played(table, h, seat) {
  const { view, mover, last, pending } = table;
  const soon = pending !== null && seat === mover;
  const move = soon ? pending : last?.seat === seat ? last.move : null;
  if (move === null && (seat !== mover || !view.blocked)) return null;
  if (move === null) return h("div", { class: "played" }, sign(h, "block"), "Blocked");
  const [card, amount] = move.split(" ");
  const gained = !soon && amount && (view.gain ? `+${view.gain}` : "no gain");
  const label = `${soon ? "plays" : "has just played"} ${move}`;
  const motion = { "data-piece": `played by ${seat} ${move}`, "data-from": `card ${move}` };
  const face = { class: `held ${soon ? "soon" : "last"}`, role: "img", "aria-label": label, ...motion };
  return h("div", { class: "played" }, gained, h("span", face, sign(h, /** @type {Card} */ (card)), amount));
}

/** @param {Table} table @param {typeof H} h */
function deckOf(table, h) {
  const maxCharge = Number(table.options.biggest_charge);
  const charges = Array.from({ length: maxCharge }, (_, index) => button(table, h, "charge", index + 1));
  const others = [button(table, h, "block"), button(table, h, "steal"), button(table, h, "refresh")];
  return h(
    "div",
    { class: "deck", role: "group", "aria-label": "Cards to play" },
    h("div", { class: `fan ${maxCharge > 5 ? "many" : ""}`, style: { "--count": maxCharge } }, charges),
    h("div", { class: "fan", style: { "--count": others.length } }, others),
  );
}

/** @param {Table} table @param {typeof H} h @param {Card} card @param {number} [amount] */
function button(table, h, card, amount) {
  const move = amount ? `${card} ${amount}` : card;
  const title = card[0].toUpperCase() + card.slice(1);
  const [look, note] = outlook(table, card, move);
  const state = table.legal.includes(move) ? note : "not allowed now";
  const label = `${title}${amount ? ` ${amount}` : ""}${state && `, ${state}`}`;
  const what = amount ? h("span", null, amount) : h("small", null, title);
  const face = { label, class: look, piece: `card ${move}` };
  return table.move(move, face, sign(h, card), what, note && h("small", { class: "note" }, note));
}

/**
 * Return how a card looks that would cost its player points, or add nothing, and a note that says so.
 * @param {Table} table @param {Card} card @param {string} move
 * @returns {[string, string]}
 */
function outlook({ view, mover }, card, move) {
  const after = view.after[move];
  if (after === undefined || !mover || card === "block" || card === "refresh") return ["", ""];
  const { points } = view.sides[mover === "first" ? 0 : 1];
  if (after > points) return ["", ""];
  if (card === "charge" && view.blocked) return ["vain", "blocked"];
  return card === "steal" && !view.gain ? ["vain", "nothing"] : ["over", `over ${view.goal}`];
}

/** @type {Board} */
export default { style, draw };

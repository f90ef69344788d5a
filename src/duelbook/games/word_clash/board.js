// Word Clash: a board of slots for each player, and the letters. A move is a slot and a letter, picked in either order.

/** @import { Seat } from "../../web/page/api-types.js" */
/** @import { h as H } from "../../web/page/dom.js" */
/** @import { Board, Table } from "../../web/page/types.js" */

const style = `
.board.word-clash .word {
  display: grid; grid-template-columns: repeat(var(--length), minmax(var(--target), 3.8rem)); gap: 0.25rem;
  justify-content: center;
}
.board.word-clash .move {
  display: grid; place-items: center; min-width: 0; padding: 0; border-radius: 0.45rem;
  font: 700 1.35rem/1 var(--serif);
}
.board.word-clash .slot { height: 3.4rem; border: 2px solid var(--seat); }
.board.word-clash .slot.empty {
  background: var(--felt); border: 2px dashed var(--on-felt-quiet); color: var(--on-felt); box-shadow: none;
  font: 600 0.85rem/1 var(--sans);
}
.board.word-clash .slot.empty:not([aria-disabled], [aria-pressed="true"]):hover { background: var(--tile-gone); }
.board.word-clash .slot.empty[aria-pressed="true"] {
  background: var(--tile); border: 3px solid var(--seat); color: var(--ink);
}
.board.word-clash .slot.soon { border-style: dashed; box-shadow: none; background: var(--tile); color: var(--ink); font: 700 1.35rem/1 var(--serif); }
.board.word-clash .slot.soon:not([data-piece]) { opacity: 0.75; }
.board.word-clash .cue {
  min-height: 1.5rem; overflow: hidden; text-align: center; text-overflow: ellipsis; white-space: nowrap;
  color: var(--on-felt); font-weight: 600;
}
.board.word-clash:not(.turn-first, .turn-second) .cue { visibility: hidden; }
.board.word-clash .keys { display: grid; grid-template-columns: repeat(9, minmax(0, 1fr)); gap: 0.6rem 0.45rem; }
.board.word-clash .keys .move { height: 3rem; }
.board.word-clash .keys .move[aria-pressed="true"] {
  background: var(--ink); border-color: var(--tile); color: var(--tile);
}
.board.word-clash .keys .move:not([data-legal]) {
  background: none; border: 1px dashed var(--on-felt-quiet); color: var(--on-felt); box-shadow: none;
}
.board.word-clash.over .keys .move { opacity: 0.6; }
@container (max-width: 28.5rem) {
  .board.word-clash .word.long { grid-template-columns: repeat(4, minmax(var(--target), 4.4rem)); }
  .board.word-clash .keys { grid-template-columns: repeat(7, minmax(0, 1fr)); gap: 0.45rem 0.18rem; }
  .board.word-clash .keys .move { height: 2.75rem; }
  .board.word-clash .keys .move:nth-child(22) { grid-column-start: 2; }
  .board.word-clash:not(.small) .slot { height: 2.9rem; }
  .board.word-clash .cue { min-height: 1.3rem; font-size: 0.9rem; line-height: 1.3rem; }
}
@container (min-width: 41.5rem) {
  .board.word-clash .keys { grid-template-columns: repeat(13, minmax(0, 1fr)); }
}
.board.word-clash.small .spread { gap: 0.9rem; }
.board.word-clash.small .word {
  grid-template-columns: repeat(var(--length), minmax(0, 1.9rem)); justify-content: start;
}
.board.word-clash.small .slot {
  height: 2.3rem; min-height: 0; border-width: 1px; border-radius: 0.25rem; font-size: 1.1rem;
}
`;

const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** @param {Table} table @param {typeof H} h */
function draw(table, h) {
  return h(
    "div",
    { class: "spread" },
    side(table, h, table.far),
    !table.small && [h("p", { class: "cue" }, cue(table)), keys(table, h)],
    side(table, h, table.near),
  );
}

/** @param {Table} table @param {typeof H} h @param {Seat} seat */
function side(table, h, seat) {
  /** @type {string[]} */
  const board = table.view.boards[seat === "first" ? 0 : 1];
  const slots = board.map((letter, index) => slot(table, seat, letter, `${whose(table, seat)} ${index + 1}`));
  const look = { class: `word ${board.length > 6 ? "long" : ""}`, style: { "--length": board.length } };
  return table.place(seat, `${board.filter(Boolean).length} of ${board.length}`, h("div", look, slots));
}

/** @param {Table} table @param {Seat} seat the board's owner, as moves name it */
function whose({ mover }, seat) {
  return mover === null || mover === seat ? "self" : "opponent";
}

/** @param {Table} table @param {Seat} seat @param {string} letter @param {string} spot such as `self 3` */
function slot(table, seat, letter, spot) {
  const nth = spot.split(" ")[1];
  const coming = table.pending ?? table.preview?.move;
  const soon = coming?.endsWith(` ${spot}`) ? coming[0] : "";
  const just = isLast(table, seat, nth);
  const shown = letter || soon;
  const filled = letter || (table.pending && soon); // not by a letter that is only pointed at
  const state = filled ? `${just ? "just filled with" : "holds"} ${filled}` : "empty";
  const look = `slot ${shown ? "" : "empty"} ${soon && "soon"} ${just ? "last" : ""}`;
  const piece = filled ? `${seat} ${nth} ${filled}` : undefined;
  const label = `${capital(slotText(table, seat, nth))}, ${state}`;
  const face = { label, key: `slot ${nth}`, class: look, piece, from: `key ${filled}` };
  const content = shown || (table.small ? "" : nth);
  if (!letter && table.picked.letter) return table.move(`${table.picked.letter} ${spot}`, face, content);
  const moves = letter ? [] : table.legal.filter((move) => move.endsWith(` ${spot}`));
  return table.pick("slot", spot, moves, face, content);
}

/** @param {Table} table @param {Seat} seat @param {string} nth */
function isLast({ last }, seat, nth) {
  if (!last) return false;
  const [, side, slotted] = last.move.split(" ");
  return slotted === nth && (side === "self") === (last.seat === seat);
}

/** @param {Table} table @param {typeof H} h */
function keys(table, h) {
  const { slot: spot } = table.picked;
  const tiles = ALPHABET.map((letter) => {
    const label = spot ? `${letter} on ${spotText(table, spot)}` : letter;
    const face = { label, key: letter, shortcut: letter, piece: `key ${letter}` };
    if (spot) return table.move(`${letter} ${spot}`, face, letter);
    const moves = table.legal.filter((move) => move.startsWith(`${letter} `));
    return table.pick("letter", letter, moves, face, letter);
  });
  return h("div", { class: "keys", role: "group", "aria-label": "Letters" }, tiles);
}

/** @param {Table} table @param {Seat} seat @param {string} nth */
function slotText({ you, name }, seat, nth) {
  return seat === you ? `your slot ${nth}` : `${name(seat)}'s slot ${nth}`;
}

/** @param {string} text */
function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** @param {Table} table @param {string} spot */
function spotText(table, spot) {
  const [side, nth] = spot.split(" ");
  return slotText(table, (side === "self") === (table.mover === "first") ? "first" : "second", nth);
}

/** @param {Table} table */
function cue(table) {
  const { letter, slot: spot } = table.picked;
  if (table.mover === null || table.pending) return "";
  if (spot) return `Pick a letter for ${spotText(table, spot)}`;
  return letter ? `Pick a slot for ${letter}` : "Pick a slot and a letter";
}

/** @type {Board} */
export default { style, draw };

// Word Clash: a board of slots for each player, and the letters. A move is a slot and a letter, whichever comes first.

/** @typedef {import("../../web/page/types.js").Table} Table */
/** @typedef {import("../../web/page/types.js").Seat} Seat */
/** @typedef {typeof import("../../web/page/dom.js").h} H */

const style = `
.board.word-clash .word {
  display: grid; grid-template-columns: repeat(var(--length), minmax(var(--target), 3.6rem)); gap: 0.25rem;
}
.board.word-clash .move {
  position: relative; display: grid; place-items: center; min-width: 0; min-height: var(--target); padding: 0;
  color: var(--ink); border-radius: 0.45rem; font: 700 1.45rem/1 var(--serif);
  transition: background var(--quick), transform var(--quick);
}
.board.word-clash .slot { height: 3.4rem; background: var(--felt); border: 2px dashed var(--on-felt-quiet); color: var(--on-felt); box-shadow: none; }
.board.word-clash .slot.full { background: var(--tile); border: 2px solid var(--seat); color: var(--ink); box-shadow: var(--lift); }
.board.word-clash .slot.soon { border-style: dashed; box-shadow: none; }
.board.word-clash .slot[aria-pressed="true"] { background: var(--on-felt); border: 3px solid var(--seat); color: var(--ink); }
.board.word-clash .slot .nth { font: 600 0.8rem/1 var(--sans); }
.board.word-clash .cue { min-height: 1.5rem; text-align: center; color: var(--on-felt); font-weight: 600; }
.board.word-clash .keys { display: grid; grid-template-columns: repeat(9, minmax(0, 1fr)); gap: 0.55rem 0.4rem; }
.board.word-clash .keys .move { height: 2.9rem; background: var(--tile); border: 1px solid var(--tile-edge); box-shadow: var(--lift); }
.board.word-clash .keys .move[aria-pressed="true"] { background: var(--ink); color: var(--tile); transform: translateY(2px); box-shadow: none; }
.board.word-clash .keys .move:not([data-legal]) { background: none; color: var(--on-felt); border: 1px dashed var(--on-felt-quiet); box-shadow: none; }
@container (max-width: 25rem) {
  .board.word-clash .word.long { grid-template-columns: repeat(4, minmax(var(--target), 3.6rem)); }
}
@container (max-width: 26rem) {
  .board.word-clash .keys { grid-template-columns: repeat(6, 1fr); }
  .board.word-clash .keys .move:nth-child(25) { grid-column-start: 3; }
}
@container (min-width: 40rem) {
  .board.word-clash .keys { grid-template-columns: repeat(13, 1fr); }
}
.board.word-clash.small .spread { gap: 0.9rem; }
.board.word-clash.small .word { grid-template-columns: repeat(var(--length), minmax(0, 1.7rem)); gap: 3px; }
.board.word-clash.small .slot { height: 1.9rem; min-height: 0; font-size: 1rem; border-radius: 0.25rem; border-width: 1px; }
`;

const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** @param {Table} table @param {H} h */
function draw(table, h) {
  return h(
    "div",
    { class: "spread" },
    side(table, h, table.far),
    !table.small && [h("p", { class: "cue", role: "status" }, next(table)), keys(table, h)],
    side(table, h, table.near),
  );
}

/** @param {Table} table @param {H} h @param {Seat} seat */
function side(table, h, seat) {
  /** @type {string[]} */
  const board = table.view.boards[seat === "first" ? 0 : 1];
  const full = board.filter(Boolean).length;
  const slots = board.map((letter, index) => slot(table, h, seat, letter, `${whose(table, seat)} ${index + 1}`));
  const look = { class: `word ${board.length > 6 ? "long" : ""}`, style: { "--length": board.length } };
  return table.place(seat, `${full} of ${board.length} filled`, h("div", look, slots));
}

/** @param {Table} table @param {Seat} seat the board's owner, as moves name it */
function whose({ mover }, seat) {
  return mover === null || mover === seat ? "self" : "opponent";
}

/** @param {Table} table @param {H} h @param {Seat} seat @param {string} letter @param {string} spot such as `self 3` */
function slot(table, h, seat, letter, spot) {
  const nth = spot.split(" ")[1];
  const soon = table.pending?.endsWith(` ${spot}`) ? table.pending[0] : "";
  const just = isLast(table, seat, nth);
  const shown = letter || soon;
  const label = `${table.name(seat)}'s slot ${nth}, ${shown ? `${just ? "just filled with" : "holds"} ${shown}` : "empty"}`;
  const face = { label, key: `slot ${nth}`, class: `slot ${shown ? "full" : ""} ${soon && "soon"} ${just ? "last" : ""}` };
  const content = shown || h("span", { class: "nth" }, table.small ? "" : nth);
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

/** @param {Table} table @param {H} h */
function keys(table, h) {
  const { slot: spot } = table.picked;
  const tiles = ALPHABET.map((letter) => {
    const face = { label: spot ? `${letter} on ${spotText(table, spot)}` : letter, key: letter };
    if (spot) return table.move(`${letter} ${spot}`, face, letter);
    const moves = table.legal.filter((move) => move.startsWith(`${letter} `));
    return table.pick("letter", letter, moves, face, letter);
  });
  return h("div", { class: "keys", role: "group", "aria-label": "Letters" }, tiles);
}

/** @param {Table} table @param {string} spot */
function spotText({ mover, name }, spot) {
  const [side, nth] = spot.split(" ");
  const owner = (side === "self") === (mover === "first") ? "first" : "second";
  return `${name(owner)}'s slot ${nth}`;
}

/** @param {Table} table */
function next(table) {
  const { letter, slot: spot } = table.picked;
  if (table.mover === null || table.pending) return "";
  if (spot) return `Now a letter for ${spotText(table, spot)}`;
  if (letter) return `Now a slot for ${letter}`;
  return table.you === table.mover ? "Pick a slot, then a letter" : "";
}

/** @type {import("../../web/page/types.js").Board} */
export default { style, draw };

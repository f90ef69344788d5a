// Alpha Chase: the alphabet between the players, and their words, which fill up as they take letters.

/** @import { Seat } from "../../web/page/api-types.js" */
/** @import { h as H } from "../../web/page/dom.js" */
/** @import { Board, Table } from "../../web/page/types.js" */
/** @typedef {Record<string, Seat>} Takers the seat that took each letter */

const style = `
.board.alpha-chase .word { display: flex; justify-content: center; gap: 0.3rem; }
.board.alpha-chase .slot {
  display: grid; place-items: center; width: 2.6rem; height: 3rem; border: 2px dashed var(--on-felt-quiet);
  border-radius: 0.45rem; color: var(--on-felt-quiet); font: 700 1.35rem/1 var(--serif);
}
.board.alpha-chase .slot.own {
  background: var(--seat); border: 2px solid var(--ink); color: var(--ink); box-shadow: 0 3px 8px rgb(0 0 0 / 30%);
  forced-color-adjust: none;
}
.board.alpha-chase .slot.lost { border-style: dotted; text-decoration: line-through; text-decoration-thickness: 2px; }
.board.alpha-chase .slot.soon { border-style: dashed; box-shadow: none; }
.board.alpha-chase .slot[data-target]:hover { background: var(--tile-gone); color: var(--on-felt); }
.board.alpha-chase .others {
  min-height: 1.5rem; color: var(--on-felt-quiet); font-size: 0.9rem; text-align: center; word-spacing: 0.15em;
}
.board.alpha-chase .others b { display: inline-block; margin-inline-end: 0.3em; color: var(--on-felt); font-weight: 600; }
.board.alpha-chase .pool { display: grid; grid-template-columns: repeat(9, minmax(0, 1fr)); gap: 0.6rem 0.45rem; }
.board.alpha-chase .pool .move {
  display: grid; place-items: center; min-width: 0; height: 3rem; padding: 0; border-radius: 0.45rem;
  font: 700 1.35rem/1 var(--serif);
}
.board.alpha-chase .pool .gone {
  background: none; border: 1px dashed var(--on-felt-quiet); box-shadow: none; font-size: 1rem;
}
.board.alpha-chase.over .pool .move:not(.gone) { background: none; border: 1px dotted var(--on-felt-quiet); color: var(--on-felt); opacity: 0.6; }
.board.alpha-chase .gone > :not(.mark) { grid-area: 1 / 1; }
.board.alpha-chase .gone .token { font-size: 2.3rem; }
.board.alpha-chase .gone .letter { z-index: 1; forced-color-adjust: none; }
.board.alpha-chase .wanted { position: absolute; inset: auto auto 0.25rem 0.25rem; display: grid; font-size: 0.65rem; }
.board.alpha-chase .wanted .token { border-width: 1px; }
@container (max-width: 28.5rem) {
  .board.alpha-chase:not(.small) .pool { grid-template-columns: repeat(7, minmax(0, 1fr)); gap: 0.45rem 0.18rem; }
  .board.alpha-chase:not(.small) .pool .move { height: 2.75rem; }
  .board.alpha-chase:not(.small) .pool .move:nth-child(22) { grid-column-start: 2; }
  .board.alpha-chase:not(.small) .slot { height: 2.6rem; }
  .board.alpha-chase .others { min-height: 1.3rem; font-size: 0.8rem; line-height: 1.3rem; }
}
@container (min-width: 41.5rem) {
  .board.alpha-chase .pool { grid-template-columns: repeat(13, minmax(0, 1fr)); }
}
.board.alpha-chase.small .spread { gap: 0.5rem; }
.board.alpha-chase.small .word { justify-content: start; gap: 2px; }
.board.alpha-chase.small .slot {
  width: 1.3rem; height: 1.35rem; border-width: 1px; border-radius: 0.2rem; font-size: 0.8rem;
}
.board.alpha-chase.small .pool { grid-template-columns: repeat(13, minmax(0, 1fr)); gap: 3px 2px; }
.board.alpha-chase.small .pool .move {
  height: 1.5rem; min-height: 0; border-radius: 0.2rem; box-shadow: none; font-size: 0.75rem;
}
.board.alpha-chase.small .gone .token { border-width: 1px; font-size: 1.1rem; }
.board.alpha-chase.small .gone .letter { font-size: 0.6rem; }
`;

const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** @param {Table} table @param {typeof H} h */
function draw(table, h) {
  const takers = takersOf(table);
  const tiles = ALPHABET.map((letter) => tile(table, h, letter, takers[letter]));
  const pool = h("div", { class: "pool", role: "group", "aria-label": "The alphabet" }, tiles);
  return h("div", { class: "spread" }, side(table, h, table.far, takers), pool, side(table, h, table.near, takers));
}

/** @param {Table} table @returns {Takers} */
function takersOf({ view, pending, preview, mover }) {
  /** @type {Takers} */
  const takers = {};
  for (const letter of view.letters[0]) takers[letter] = "first";
  for (const letter of view.letters[1]) takers[letter] = "second";
  const soon = pending ?? preview?.move;
  if (soon && mover) takers[soon] = mover;
  return takers;
}

/** @param {Table} table @param {typeof H} h @param {string} letter @param {Seat | undefined} soonTaker */
function tile(table, h, letter, soonTaker) {
  const taker = table.preview?.move === letter ? undefined : soonTaker; // it is still here while it is only pointed at
  const just = table.last?.move === letter;
  const owners = ownersOf(table, letter);
  const label = taker
    ? `${letter}, ${just ? "just " : ""}taken by ${table.name(taker)}`
    : [letter, ...owners.map((seat) => (seat === table.you ? "in your word" : `in ${table.name(seat)}'s word`))].join(
        ", ",
      );
  const look = `${taker ? `gone ${taker}` : ""} ${just ? "last" : ""}`;
  const face = { label, class: look, piece: `tile ${letter}`, turns: taker ?? "free" };
  const wanted = !taker && !table.small && h("span", { class: "wanted" }, owners.map(table.token));
  const piece = taker ? undefined : `letter ${letter}`; // a taken one is in a word, or among the other letters
  const shown = h("span", { class: "letter", "data-piece": piece }, letter);
  return table.move(letter, face, shown, taker ? table.token(taker) : wanted);
}

/** @param {Table} table @param {string} letter @returns {Seat[]} */
function ownersOf({ view }, letter) {
  /** @type {Seat[]} */
  const seats = ["first", "second"];
  return seats.filter((_, index) => view.words[index].includes(letter));
}

/** @param {Table} table @param {typeof H} h @param {Seat} seat @param {Takers} takers */
function side(table, h, seat, takers) {
  const word = [...table.view.words[seat === "first" ? 0 : 1]];
  const own = word.filter((letter) => takers[letter] === seat && letter !== table.preview?.move);
  const slots = word.map((letter) => {
    const here = takers[letter] === seat && table.preview?.move !== letter;
    const look = { class: `slot ${stateOf(table, letter, seat, takers)}`, key: letter };
    return h("span", { ...look, ...table.target(letter), "data-piece": here ? `letter ${letter}` : undefined }, letter);
  });
  const drawn = h("div", { class: "word", role: "img", "aria-label": wordText(word, seat, takers) }, slots);
  return table.place(
    seat,
    `${own.length} of ${word.length}`,
    drawn,
    !table.small && otherLetters(table, h, word, seat, takers),
  );
}

/** @param {Table} table @param {string} letter @param {Seat} seat @param {Takers} takers */
function stateOf({ pending, preview }, letter, seat, takers) {
  const taker = takers[letter];
  const soon = letter === (pending ?? preview?.move);
  return `${taker === seat ? "own" : taker ? "lost" : ""} ${soon ? "soon" : ""}`;
}

/** @param {string[]} word @param {Seat} seat @param {Takers} takers */
function wordText(word, seat, takers) {
  const parts = [
    ["has", word.filter((letter) => takers[letter] === seat)],
    ["needs", word.filter((letter) => !takers[letter])],
    ["lost", word.filter((letter) => takers[letter] && takers[letter] !== seat)],
  ];
  const texts = parts.map(([what, letters]) => letters.length && `${what} ${[...letters].join(" ")}`);
  return `The word ${word.join("")}: ${texts.filter(Boolean).join("; ")}`;
}

/** @param {Table} table @param {typeof H} h @param {string[]} word @param {Seat} seat @param {Takers} takers */
function otherLetters({ preview }, h, word, seat, takers) {
  const others = ALPHABET.filter((letter) => takers[letter] === seat && !word.includes(letter));
  const shown = others
    .filter((letter) => letter !== preview?.move)
    .map((letter) => h("b", { key: letter, "data-piece": `letter ${letter}` }, letter));
  return h("p", { class: "others" }, shown.length > 0 && ["Other letters: ", shown]);
}

/** @type {Board} */
export default { style, draw };

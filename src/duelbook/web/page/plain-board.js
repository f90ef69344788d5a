// The plain board, for any game: the state as text, and buttons for the legal moves in groups. Its height stands still.

import { h } from "./dom.js";
import { withNames } from "./text.js";

/** @import { Child } from "./dom.js" */
/** @import { Board, Table } from "./types.js" */

const MAX_BUTTONS = 300; // legal moves that get a button; any move can be typed
const MAX_UNGROUPED = 6; // so few moves are easily read with their whole names
const MAX_COLUMNS = 48; // a text with longer lines is prose, and is wrapped
const MIN_LINES = 3;
const [MIN_ROWS, MAX_ROWS] = [1, 4]; // of buttons; more can be scrolled
const NARROW_CHARACTERS = 28; // that a row of buttons holds on a phone
const WIDE_CHARACTERS = 60;

/** @type {Board} */
export const plainBoard = {
  style: `
.board .plain { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); }
.board .plain-note { margin: 0 0 var(--space-3); color: var(--on-felt-quiet); text-align: center; }
.board .plain-text {
  box-sizing: border-box; height: calc(var(--lines) * 1.4em + 2 * var(--space-4)); margin: 0; padding: var(--space-4);
  display: grid; align-content: safe center; justify-content: safe center; overflow: auto; text-align: start;
  background: var(--tile); color: var(--ink); border-radius: var(--round); white-space: pre;
  font: 500 clamp(0.6rem, calc((100cqi - 2.5rem) / var(--columns) / 0.62), 1.5rem)/1.4 var(--mono);
}
.board .plain-text.soon { background: color-mix(in srgb, var(--tile) 82%, var(--felt)); outline: 2px dashed var(--on-felt); outline-offset: -5px; }
.board .plain-text.prose { font-size: 1rem; justify-content: stretch; white-space: pre-wrap; }
.board .plain-moves {
  box-sizing: border-box; height: calc(var(--narrow-rows) * 3.25rem + 1.25rem); padding: var(--space-3); overflow-y: auto;
  display: flex; flex-wrap: wrap; align-content: safe center; justify-content: center; gap: var(--space-2) var(--space-4);
  background: var(--felt-deep); border: 1px solid var(--felt-line); border-radius: var(--round);
}
@container (min-width: 30rem) {
  .board .plain-moves { height: calc(var(--wide-rows) * 3.25rem + 1.25rem); }
}
.board .plain-group { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); max-width: 100%; }
.board .plain-word { min-width: 1.5rem; color: var(--on-felt-quiet); font-weight: 600; text-align: end; }
.board .plain-moves .move { min-width: 2.75rem; min-height: 2.75rem; padding: 0 var(--space-3); font-weight: 600; }
.board.small .plain-text { --lines: 0; height: auto; padding: var(--space-2); font-size: min(0.85rem, calc((100cqi - 1rem) / var(--columns) / 0.62)); }
.board.small .plain-text.prose { font-size: 0.7rem; }
`,
  draw: (table) => {
    const { preview } = table;
    const text = withNames(preview?.text ?? table.text, table.name).replace(/\s+$/, "");
    const lines = text.split("\n");
    const columns = Math.max(8, ...lines.map((line) => line.length));
    const prose = columns > MAX_COLUMNS ? "prose" : "";
    const look = { class: `plain-text ${prose} ${preview ? "soon" : ""}`, tabindex: table.small ? null : "0" };
    if (table.small) return h("div", { class: "plain", style: { "--columns": columns } }, h("pre", look, text));
    const groups = groupMoves(table.legal.slice(0, MAX_BUTTONS));
    const room = roomFor(table, lines.length, groups);
    return h(
      "div",
      {
        class: "plain",
        style: { "--columns": columns, "--lines": room.lines, "--narrow-rows": room.narrow, "--wide-rows": room.wide },
      },
      table.place(table.far, ""),
      h("pre", { ...look, "data-piece": "text", "data-turns": table.history.length }, text),
      buttons(table, groups),
      table.place(table.near, ""),
    );
  },
};

/** @type {Map<string, Room>} */
const rooms = new Map(); // by game

/**
 * Return how much room there is: what the first position that is seen needs. In a position that needs more, the text or
 * the buttons can be scrolled, so that everything stays where it is while the game goes on.
 * @typedef {{lines: number, narrow: number, wide: number}} Room lines of text, and rows of buttons by width
 * @param {Table} table
 * @param {number} lines
 * @param {Group[]} groups
 * @returns {Room}
 */
function roomFor(table, lines, groups) {
  const key = JSON.stringify([table.game, table.options]);
  const rows = (/** @type {number} */ width) => Math.min(MAX_ROWS, Math.max(MIN_ROWS, rowsOf(groups, width)));
  const room = rooms.get(key) ?? {
    lines: Math.max(MIN_LINES, lines),
    narrow: rows(NARROW_CHARACTERS),
    wide: rows(WIDE_CHARACTERS),
  };
  rooms.set(key, room);
  return room;
}

/**
 * Return about how many rows the buttons take.
 * @param {Group[]} groups
 * @param {number} width in characters
 */
function rowsOf(groups, width) {
  const widths = groups.map(({ word, moves }) =>
    moves.reduce((sum, { rest }) => sum + Math.max(5, rest.length + 2) + 1, word.length + 2),
  );
  return Math.ceil(widths.reduce((sum, one) => sum + Math.ceil(one / width) * Math.min(one, width), 0) / width);
}

/** @param {Table} table @param {Group[]} groups @returns {Child} */
function buttons(table, groups) {
  return h(
    "div",
    { class: "plain-moves", role: "group", "aria-label": "Legal moves" },
    groups.map(({ word, moves }) =>
      h(
        "div",
        { class: "plain-group", key: `group ${word}` },
        word && h("span", { class: "plain-word", "aria-hidden": "true" }, word),
        moves.map(({ move, rest }) => table.move(move, { label: move }, rest)),
      ),
    ),
  );
}

/** @typedef {{word: string, moves: {move: string, rest: string}[]}} Group moves whose names begin with the same words */

/**
 * Return the moves in groups by the words of their names: "move north 1" and "move north 2" become "move north", 1 and 2.
 * Of the ways to cut the names, that with the fewest groups and buttons in a group is taken.
 * @param {string[]} moves
 * @returns {Group[]}
 */
export function groupMoves(moves) {
  const ways = [firstWord, allButTheLastWord].map((cut) => grouped(moves, cut));
  const best = ways.sort((one, two) => size(one) - size(two))[0];
  const few = moves.length <= MAX_UNGROUPED && best.length > 1;
  if (few || best.length === moves.length) return [{ word: "", moves: moves.map((move) => ({ move, rest: move })) }];
  return best;
}

/** @param {string[]} moves @param {(move: string) => number} cut @returns {Group[]} */
function grouped(moves, cut) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const move of moves) {
    const at = cut(move);
    const word = move.slice(0, at).trim();
    const group = groups.get(word) ?? { word, moves: [] };
    group.moves.push({ move, rest: move.slice(at).trim() });
    groups.set(word, group);
  }
  return [...groups.values()];
}

/** @param {Group[]} groups */
const size = (groups) => Math.max(groups.length, ...groups.map((group) => group.moves.length));

/** Return where the first word ends; a letter before a number is a word. @param {string} move */
const firstWord = (move) => move.match(/^(?:\S+(?=\s)|\p{L}+(?=\d))/u)?.[0].length ?? 0;

/** Return where the last word begins. @param {string} move */
const allButTheLastWord = (move) => move.match(/^.*(?:\s(?=\S)|\p{L}(?=\d+$))/u)?.[0].length ?? 0;

// The board of any game, from what the server says lies on the table: rows, grids, tracks and gauges of cells.

import { h } from "./dom.js";
import { plainBoard } from "./plain-board.js";
import { withNames } from "./text.js";

/** @import { Board as Laid, Cell, Gauge, Game, Grid, Part, Row, Seat, Sign, Track } from "./api-types.js" */
/** @import { Child } from "./dom.js" */
/** @import { Board, Table } from "./types.js" */
/** @typedef {Cell & {soon?: boolean}} ShownCell a cell, which the move that is pointed at would change */
/** @typedef {Part & {soon?: Part | true}} ShownPart a part, and what it was before the move that is pointed at */
/** @typedef {{table: Table, signs: Record<string, Sign>, buttons: Set<string>}} Painter `buttons` are words in the middle */

/** @type {[Seat, Seat]} */
const SEATS = ["first", "second"];

/**
 * Return what draws the board of a game, in the colours of its theme.
 * @param {Game} game
 * @returns {Board}
 */
export function drawnBoard({ name, theme }) {
  const { felt, felt_deep, felt_line, tile, tile_edge, signs = {} } = theme;
  const dark = { felt, "felt-deep": felt_deep, "felt-line": felt_line };
  const colours = [
    ...Object.entries(dark).map(
      ([key, value]) => value && `--${key}: light-dark(${value}, color-mix(in oklab, ${value} 72%, #000));`,
    ),
    tile && `--tile: ${tile};`,
    tile_edge && `--tile-edge: ${tile_edge};`,
    felt && `--tile-gone: color-mix(in oklab, ${felt} 80%, #fff);`,
  ];
  return {
    style: `.felt:has(.board.${name}), .board.${name} { ${colours.filter(Boolean).join(" ")} }`,
    draw: (table) => drawBoard(table, signs),
  };
}

/** @param {Table} table @param {Record<string, Sign>} signs */
function drawBoard(table, signs) {
  if (table.board.middle.some((part) => part.part === "text")) return plainBoard.draw(table, h);
  const board = previewed(table);
  const middle = table.small ? board.middle.filter((part) => part.part !== "row" || !part.is_choice) : board.middle;
  const buttons = new Set(middle.flatMap((part) => cellsOf(part)).flatMap((cell) => cell.words ?? []));
  const painter = { table, signs, buttons };
  const side = (/** @type {Seat} */ seat) => {
    const { note = "", parts = [] } = board.sides[SEATS.indexOf(seat)];
    return table.place(seat, note, ...parts.map((part) => drawPart(painter, part, true)));
  };
  return h(
    "div",
    { class: "spread drawn" },
    side(table.far),
    h(
      "div",
      { class: "middle" },
      cue(table, board, buttons),
      middle.map((part, index) => keyed(drawPart(painter, part, false), index)),
    ),
    side(table.near),
  );
}

/**
 * Return how to choose a move in several words; null where each cell is a whole move.
 * @param {Table} table
 * @param {Laid} board
 * @param {Set<string>} buttons
 */
function cue(table, board, buttons) {
  const { small, legal, picked } = table;
  if (small || !(legal.length || board.cue) || legal.some((move) => buttons.has(move))) return null;
  const cells = [...board.sides.flatMap((side) => side.parts ?? []), ...board.middle].flatMap((part) => cellsOf(part));
  const called = (/** @type {string} */ word) => {
    const cell = cells.find(({ words }) => words?.includes(word));
    return addressed(cell?.label?.split(",")[0] || cell?.text || word, table); // `slot 3, empty` is slot 3
  };
  const text = picked.length
    ? `${picked.map(called).join(" and ")}: what goes with it?`
    : board.cue || "Press two things, in either order.";
  return h("p", { class: "cue", key: "cue" }, text);
}

/**
 * Return the text with names for the players, as the reader is spoken to.
 * @param {string} text
 * @param {Table} table
 */
const addressed = (text, { you, name }) => withNames(text, (seat) => (seat === you ? "You" : name(seat)));

/** @param {Part} part @returns {Cell[]} of rows and grids; a cell of a track is no button */
const cellsOf = (part) => (part.part === "row" ? part.cells : part.part === "grid" ? part.rows.flat() : []);

/**
 * Return the board with what the move that is pointed at, or that was sent, would change on it.
 * @param {Table} table
 * @returns {Laid}
 */
function previewed({ board, preview, pending }) {
  if (!preview?.changes.length) return board;
  const shown = structuredClone(board);
  for (const { at, part, cell } of preview.changes) {
    const last = at.at(-1) ?? 0;
    let place = /** @type {any} */ (shown);
    for (const key of at.slice(0, -1)) place = place[key] ??= [];
    const old = place[last];
    const shrinks = part?.part === "row" && (old?.cells.length ?? 0) > part.cells.length; // something would leave it
    if (part && (pending || !shrinks))
      place[last] = { ...(pending ? part : withoutNewPieces(part, old)), soon: old ?? true };
    else if (cell && (pending || !leaves(old, cell))) {
      const { piece, ...look } = cell;
      place[last] = { ...look, words: old.words, last: old.last, soon: true, ...(pending && { piece }) };
    }
  }
  return shown;
}

/**
 * Return a part in which only those are pieces that were there before: what is only pointed at does not travel yet.
 * @param {any} part
 * @param {any} old
 */
function withoutNewPieces(part, old) {
  const list = part.part === "gauge" ? "portions" : "cells";
  const known = new Set((old?.[list] ?? []).map((/** @type {Cell} */ one) => one.piece));
  const kept = (/** @type {Cell} */ one) => (known.has(one.piece) ? one : { ...one, piece: undefined });
  return { ...part, [list]: part[list].map(kept) };
}

/**
 * Return true if something would leave the cell: while a move is only pointed at, it is still there.
 * @param {Cell} old
 * @param {Cell} cell
 */
const leaves = (old, cell) => cell.state === "gone" || (old.tokens?.length ?? 0) > (cell.tokens?.length ?? 0);

/**
 * Return what is drawn with its place as its key: what stands there before the move and after it is the same element, so
 * that it keeps the focus.
 * @param {Child} drawn
 * @param {number} index
 * @returns {Child}
 */
function keyed(drawn, index) {
  const tree = /** @type {any} */ (drawn);
  return tree && { ...tree, key: `at ${index}` };
}

/** @param {Painter} painter @param {ShownPart} part @param {boolean} inSide @returns {Child} */
function drawPart(painter, part, inSide) {
  switch (part.part) {
    case "row":
      return drawRow(painter, part, inSide);
    case "grid":
      return drawGrid(painter, part);
    case "track":
      return drawTrack(painter, part);
    case "gauge":
      return drawGauge(part);
    default:
      return null;
  }
}

/** @param {Painter} painter @param {Row & {soon?: any}} row @param {boolean} inSide */
function drawRow(painter, { cells, label = "", wrap = [], soon }, inSide) {
  const { table } = painter;
  const wide = wrap[0] ?? 0;
  const narrow = Math.min(wrap.at(-1) || Infinity, evenly(cells.filter(({ state }) => state !== "caption").length));
  const style = { "--narrow": narrow, ...(wide && { "--wide": wide, "--mid": wrap.length > 2 ? wrap[1] : wide }) };
  const worth = new Set(cells.filter((cell) => cell.words).map((cell) => table.worth(cell.words ?? [])));
  const look = `row ${wrap.length ? "wrapped" : ""} ${inSide ? "held" : ""} ${soon ? "soon" : ""}`;
  const shown = table.small ? cells.filter((cell) => cell.state !== "caption" && !isBare(cell)) : cells;
  if (!shown.length) return null;
  return h(
    "div",
    { class: look, style, ...(label && { role: "group", "aria-label": addressed(label, table) }) },
    shown.map((cell, index) =>
      keyed(drawCell(painter, cell, inSide, worth.size === 1 && cells.length > MAX_ALIKE), index),
    ),
  );
}

/** Return true if a cell is nothing but a text. @param {Cell} cell */
const isBare = ({ words = [], owner = null, state, sign, count = null, tokens = [] }) =>
  !(words.length || state || sign || tokens.length) && owner === null && count === null;

const MAX_NARROW = 7; // cells of a line on a phone, where each of them can still be pressed

/** Return how many cells stand in a line on a phone, so that the lines are about the same. @param {number} count */
const evenly = (count) => Math.ceil(count / Math.ceil(count / MAX_NARROW)) || 1;

/** @param {Painter} painter @param {Grid} grid */
function drawGrid(painter, { rows, label = "", turns }) {
  const { table } = painter;
  const turned = turns && table.near === "second";
  const cells = (turned ? [...rows].reverse().map((row) => [...row].reverse()) : rows).flat();
  return h(
    "div",
    {
      class: "grid",
      style: { "--columns": rows[0].length },
      role: "group",
      "aria-label": addressed(label, table),
    },
    cells.map((cell, index) => keyed(drawCell(painter, cell, false, true), index)),
  );
}

/**
 * Return a track: its middle line is full, and it bends away from it on both sides.
 * @param {Painter} painter
 * @param {Track} track
 */
function drawTrack(painter, { cells, label = "", bend = 11 }) {
  const { table } = painter;
  const ordered = table.near === "first" ? cells : [...cells].reverse();
  const across = Math.min(ordered.length, bend);
  const before = (ordered.length - across) / 2; // cells on either side of the middle line
  const lines = Math.ceil(before / across);
  const places = ordered.map((_, index) => {
    const line = Math.floor((index - before) / across);
    const column = index - before - line * across;
    return { row: lines - line + 1, column: (line % 2 ? across - 1 - column : column) + 1 };
  });
  return h(
    "div",
    { class: "track", style: { "--columns": across }, role: "img", "aria-label": addressed(label, table) },
    ordered.map((cell, index) => {
      const { row, column } = places[index];
      const from = places[index - 1];
      const joint = from ? (from.row !== row ? "below" : from.column < column ? "left" : "right") : "start";
      const tree = /** @type {any} */ (drawCell(painter, cell, true, true));
      return { ...tree, props: { ...tree.props, style: { "grid-area": `${row} / ${column}` }, "data-joint": joint } };
    }),
  );
}

/** @param {Gauge & {soon?: any}} gauge */
function drawGauge({ owner, portions, full, is_divided, soon }) {
  const total = portions.reduce((sum, { points }) => sum + points, 0);
  const before = soon?.portions
    ? soon.portions.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.points, 0)
    : total;
  const seat = SEATS[owner];
  if (is_divided) {
    const gained = (soon?.portions ?? portions).flatMap((/** @type {any} */ one) => Array(one.points).fill(one.gained));
    const points = Array.from({ length: full }, (_, index) => {
      const changed = index >= Math.min(before, total) && index < Math.max(before, total);
      const look = `${index < before ? "full" : ""} ${gained[index] ? "gain" : ""} ${changed ? (total < before ? "losing" : "soon") : ""}`;
      return h("i", { class: `point ${look}`, "data-piece": index < before ? `${seat} point ${index}` : undefined });
    });
    return h("div", { class: `battery ${seat}`, "aria-hidden": "true" }, points);
  }
  const drawn = portions.map(({ points, text = "", piece }, index) => {
    const isNew = soon && index >= (soon.portions?.length ?? 0);
    const look = {
      class: `portion ${isNew ? "soon" : ""}`,
      style: { "--worth": points / full },
      key: `portion ${index}`,
    };
    return h("span", { ...look, "data-piece": piece }, points / full >= MIN_TEXT_SHARE && text);
  });
  return h("div", { class: `gauge ${seat}`, "aria-hidden": "true" }, drawn);
}

const MAX_ALIKE = 12; // cells of a row that are marked although all are worth the same
const MIN_TEXT_SHARE = 0.06; // a smaller part of a gauge has no room for a number

/** @param {Painter} painter @param {ShownCell} cell @param {boolean} isThing it is a button only if no other cell is @param {boolean} unmarked */
function drawCell({ table, signs, buttons }, cell, isThing, unmarked) {
  const {
    text = "",
    words = [],
    owner = null,
    state = "",
    tokens = [],
    sign = "",
    count = null,
    last,
    note,
    soon,
  } = cell;
  if (state === "caption") return h("span", { class: `caption ${last ? "just" : ""}` }, addressed(text, table));
  const drawing = signs[sign];
  const shape = drawing?.is_shape ? "shaped" : "";
  const held = owner === null ? "" : `${SEATS[owner]} ${state === "gone" ? "" : "own"}`;
  const bare = isBare(cell) ? "bare" : "";
  const kind = `cell ${state} ${held} ${shape} ${last ? "last" : ""} ${soon ? "soon" : ""} ${drawing && !shape ? "signed" : ""} ${count === null ? "" : "stack"} ${bare}`;
  const here = state === "gone" ? undefined : cell.piece;
  const label = addressed(cell.label || text, table);
  const content = contentOf(table, cell, drawing);
  const isTarget = isThing && words.some((word) => buttons.has(word));
  if (words.length && !(isTarget || (table.small && isThing))) {
    const face = {
      label,
      class: kind,
      piece: here,
      from: cell.origin,
      unmarked,
      turns: cell.state === "gone" ? `${owner}` : "",
    };
    return table.press(words, face, ...content);
  }
  const [word] = words;
  const reached =
    tokens.length === 0 && words.some((one) => table.legal.includes(one)) && table.active ? `reach ${table.mover}` : "";
  const look = {
    class: `${kind} ${reached}`,
    "data-piece": here,
    "data-from": cell.origin,
    key: words[0],
  };
  return h(
    "span",
    { ...look, role: "img", "aria-label": label, ...(note && { title: note }), ...(word && table.target(word)) },
    ...content,
  );
}

/** @param {Table} table @param {ShownCell} cell @param {Sign | undefined} drawing @returns {Child[]} */
function contentOf(
  table,
  { text = "", words = [], owner = null, state = "", wanted = [], tokens = [], count = null, note, via, soon },
  drawing,
) {
  const sign = drawing && signOf(drawing);
  if (count !== null) {
    const below = Array.from({ length: Math.max(0, count - 1) }, () => h("i", { class: "card" }));
    return [below, h("span", { class: `card ${count ? "" : "none"}`, key: "top" }, sign ?? text, count)];
  }
  const token = tokens.map((seat) =>
    h("span", {
      class: `token ${SEATS[seat]}`,
      "data-piece": soon && table.pending === null ? undefined : `token ${seat}`,
      "data-via": via?.join(),
      key: `token ${seat}`,
    }),
  );
  const taken = state === "gone" && owner !== null && table.token(SEATS[owner]);
  const marks =
    wanted.length > 0 &&
    !table.small &&
    h(
      "span",
      { class: "wanted" },
      wanted.map((seat) => table.token(SEATS[seat])),
    );
  const onlyNames = table.small && state === "empty" && words.length > 0 && !words.includes(text); // where to press
  const written = !(onlyNames || tokens.length || (drawing && !drawing.is_shape && !text));
  return [
    sign,
    token,
    taken,
    written && h("span", { class: `text ${text.length > MAX_SIGN_LENGTH ? "word" : ""}` }, text),
    marks,
    note && h("small", { class: "note" }, note),
  ];
}

const MAX_SIGN_LENGTH = 3; // of a text that is a letter or a number

/** @param {Sign} sign */
function signOf({ path, is_shape, facets = [] }) {
  const paths = [h("path", { class: "body", d: path }), facets.map((d) => h("path", { class: "facet", d }))];
  return h("svg", { class: is_shape ? "shape" : "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, paths);
}

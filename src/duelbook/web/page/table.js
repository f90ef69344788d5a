// The table: what a board is given to draw with.

import { h } from "./dom.js";
import { placeOf, tokenOf } from "./players.js";
import { valueMark, valueText } from "./values.js";

/** @import { MoveValue } from "./api-types.js" */
/** @import { Child } from "./dom.js" */
/** @import { BoardInput, Face, Pointed, Table } from "./types.js" */

/**
 * Return the table for a board.
 * @param {BoardInput} input
 * @param {string[]} picked words of moves
 * @param {(words: string) => void} onpick
 * @param {Pointed | null} preview
 * @returns {Table}
 */
export function makeTable(input, picked, onpick, preview) {
  const { position, history, you = null, pending = null, small = false } = input;
  const values = input.solution?.moves ?? {};
  const legal = new Set(position.legal);
  const play = canPlay(input) ? input.play : null;
  const plan = !play && position.mover ? (input.plan ?? null) : null;
  const fitting = (/** @type {string[]} */ words) =>
    position.legal.filter((move) => words.every((one) => holds(move, one)));
  const keys = keysOf(position.legal);
  /** @type {Table} */
  const table = {
    game: input.game,
    board: position.board,
    view: position.view,
    text: position.text,
    options: input.options,
    history,
    mover: position.mover,
    you,
    near: you ?? "first",
    far: you === "second" ? "first" : "second",
    legal: position.legal,
    last: history.at(-1) ?? null,
    pending,
    active: Boolean(play),
    preview,
    small,
    picked,
    name: (seat) => input.names[seat],
    token: tokenOf,
    place: (seat, note, ...children) => placeOf(input, seat, note, children),
    move: (move, face, ...children) => {
      const onclick = play && legal.has(move) ? () => play(move) : plan && (() => plan(move));
      const data = {
        "data-move": move,
        "data-key": keys(move),
        "data-pending": pending === move,
        "data-planned": input.planned === move,
        "data-legal": legal.has(move),
        "aria-describedby": preview?.move === move ? preview.id : undefined,
      };
      return button(small, face, onclick, values[move], { key: move, ...data }, children);
    },
    press: (words, face, ...children) => {
      const whole = words.find((word) => legal.has(word));
      if (whole || !words.some((word) => fitting([word]).length))
        return table.move(whole ?? words[0], face, ...children);
      const own = words.find((word) => picked.includes(word));
      const others = picked.filter((word) => word !== own);
      const word =
        own ??
        words.find((one) => fitting([...picked, one]).length) ??
        words.find((one) => fitting([one]).length) ??
        words[0];
      const moves = fitting([...others, word]);
      const open = moves.length ? moves : fitting([word]);
      const [only] = !own && moves.length === 1 ? moves : [];
      const data = {
        "data-move": only,
        "data-pick": only ? undefined : word,
        "data-key": keys(word),
        "data-pending": pending !== null && holds(pending, word),
        "aria-pressed": only ? undefined : String(own !== undefined),
        "data-legal": open.length > 0,
        "aria-describedby": only && preview?.move === only ? preview.id : undefined,
      };
      const onclick = play && open.length ? (only ? () => play(only) : () => onpick(word)) : null;
      const value = only ? values[only] : face.unmarked ? undefined : bestValue(moves, values);
      return button(small, face, onclick, value, { key: words[0], ...data }, children);
    },
    worth: (words) => {
      const value = bestValue(fitting([...picked, ...words.slice(0, 1)]), values);
      return value ? `${value.value} ${value.own_moves}` : "";
    },
    target: (move) => (play && legal.has(move) ? { "data-target": move, onclick: () => play(move) } : {}),
  };
  return table;
}

/**
 * Return true if the words stand beside each other in the name of the move.
 * @param {string} move
 * @param {string} words
 */
export const holds = (move, words) => ` ${move} `.includes(` ${words} `);

/**
 * Return true if the person at the screen can play a move now.
 * @param {BoardInput} input
 */
export const canPlay = ({ play, pending, position }) => Boolean(play && !pending && position.mover);

/**
 * @param {boolean} small
 * @param {Face} face
 * @param {(() => void) | null} onclick
 * @param {MoveValue | undefined} value
 * @param {Record<string, any>} data
 * @param {Child[]} children
 * @returns {Child}
 */
function button(small, face, onclick, value, data, children) {
  const motion = { "data-piece": face.piece, "data-from": face.from, "data-turns": face.turns };
  const look = { class: `move ${face.class ?? ""}`, style: face.style, ...motion, ...data, key: face.key ?? data.key };
  if (small) return h("span", { ...look, "aria-pressed": null }, ...children);
  return h(
    "button",
    {
      ...look,
      type: "button",
      "aria-label": value ? `${face.label}, ${valueText(value)}` : face.label,
      "aria-disabled": onclick ? undefined : "true",
      "data-value": value?.value,
      onclick,
    },
    ...children,
    value && valueMark(value),
  );
}

const ORDER = { win: 0, draw: 1, loss: 2 };

/**
 * Return the best value among the moves: the soonest win, or the latest loss.
 * @param {string[]} moves
 * @param {Record<string, MoveValue>} values
 * @returns {MoveValue | undefined}
 */
function bestValue(moves, values) {
  const known = moves.map((move) => values[move]).filter((value) => value !== undefined);
  return known.sort((one, two) => ORDER[one.value] - ORDER[two.value] || preference(one) - preference(two))[0];
}

/** @param {MoveValue} value */
function preference({ value, remoteness }) {
  return value === "loss" ? -(remoteness ?? 0) : (remoteness ?? 0);
}

/**
 * Return the function that finds the key for a move or words of one: the last word if that is a letter or a number, or
 * its first letter if no other move has that key.
 * @param {string[]} legal
 */
function keysOf(legal) {
  const last = (/** @type {string} */ name) => (name.split(" ").at(-1) ?? "").toLowerCase();
  const ends = new Set(legal.map(last));
  return (/** @type {string} */ name) => {
    const word = last(name);
    if (/^(?:\p{L}|\d{1,2})$/u.test(word)) return word;
    const letter = [...word][0] ?? "";
    const alike = [...ends].filter((end) => end.startsWith(letter) && end !== word);
    return /^\p{L}$/u.test(letter) && ends.has(word) && !alike.length ? letter : null;
  };
}

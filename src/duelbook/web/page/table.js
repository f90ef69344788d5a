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
 * @param {Record<string, string>} picked
 * @param {(part: string, value: string) => void} onpick
 * @param {Pointed | null} preview
 * @returns {Table}
 */
export function makeTable(input, picked, onpick, preview) {
  const { position, history, you = null, pending = null, small = false } = input;
  const values = input.solution?.moves ?? {};
  const legal = new Set(position.legal);
  const play = canPlay(input) ? input.play : null;
  const plan = !play && position.mover ? (input.plan ?? null) : null;
  return {
    game: input.game,
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
        "data-key": face.shortcut?.toLowerCase() ?? keyOf(move),
        "data-pending": pending === move,
        "data-planned": input.planned === move,
        "data-legal": legal.has(move),
        "aria-describedby": preview?.move === move ? preview.id : undefined,
      };
      return button(small, face, onclick, values[move], { key: move, ...data }, children);
    },
    pick: (part, value, moves, face, ...children) => {
      const open = moves.filter((move) => legal.has(move));
      const data = {
        "data-pick": value,
        "data-key": face.shortcut?.toLowerCase() ?? keyOf(value),
        "aria-pressed": String(picked[part] === value),
        "data-legal": open.length > 0,
      };
      const onclick = play && open.length ? () => onpick(part, value) : null;
      return button(small, face, onclick, bestValue(open, values), { key: `${part} ${value}`, ...data }, children);
    },
    target: (move) => (play && legal.has(move) ? { "data-target": move, onclick: () => play(move) } : {}),
  };
}

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
 * Return the key that stands for a move or a part of one: its name, or the last word of it, if that is a letter or a number.
 * @param {string} name
 */
function keyOf(name) {
  const word = name.split(" ").at(-1) ?? "";
  return /^(?:\p{L}|\d{1,2})$/u.test(word) ? word.toLowerCase() : null;
}

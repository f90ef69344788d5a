// The table: what a board is given to draw with, made from what is to be shown.

import { h } from "./dom.js";
import { markOf, valueWords } from "./marks.js";
import { placeOf } from "./pieces.js";
import { tokenOf } from "./players.js";

/** @typedef {import("./types.js").Shown} Shown */
/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").Face} Face */
/** @typedef {import("./types.js").MoveValue} MoveValue */
/** @typedef {import("./types.js").Child} Child */

/**
 * Answer the table for a board.
 * @param {Shown} shown
 * @param {Record<string, string>} picked
 * @param {(part: string, value: string) => void} onpick
 * @returns {Table}
 */
export function tableOf(shown, picked, onpick) {
  const { position, history, you = null, pending = null, small = false } = shown;
  const values = shown.solution?.moves ?? {};
  const legal = new Set(position.legal);
  const play = pending === null ? shown.play : null;
  return {
    view: position.view,
    text: position.text,
    options: shown.options,
    history,
    mover: position.mover,
    you,
    near: you ?? "first",
    far: you === "second" ? "first" : "second",
    legal: position.legal,
    last: history.at(-1) ?? null,
    pending,
    small,
    picked,
    name: (seat) => shown.names[seat],
    token: tokenOf,
    place: (seat, note, ...children) => placeOf(shown, seat, note, children),
    move: (move, face, ...children) => {
      const can = play && legal.has(move);
      const more = { "data-move": move, "data-pending": pending === move, "data-legal": legal.has(move) };
      return button(small, face, can ? () => play(move) : null, values[move], { key: move, ...more }, children);
    },
    pick: (part, value, moves, face, ...children) => {
      const open = moves.filter((move) => legal.has(move));
      const more = {
        "data-pick": value,
        "aria-pressed": String(picked[part] === value),
        "data-legal": open.length > 0,
      };
      const can = play && open.length ? () => onpick(part, value) : null;
      return button(small, face, can, best(open, values), { key: `${part} ${value}`, ...more }, children);
    },
  };
}

/**
 * @param {boolean} small
 * @param {Face} face
 * @param {(() => void) | null} onclick
 * @param {MoveValue | undefined} value
 * @param {Record<string, any>} more
 * @param {Child[]} children
 * @returns {Child}
 */
function button(small, face, onclick, value, more, children) {
  const look = { class: `move ${face.class ?? ""}`, style: face.style, ...more, key: face.key ?? more.key };
  if (small) return h("span", { ...look, "aria-pressed": null }, ...children);
  return h(
    "button",
    {
      ...look,
      type: "button",
      "aria-label": value ? `${face.label}, ${valueWords(value)}` : face.label,
      "aria-disabled": onclick ? undefined : "true",
      "data-value": value?.value,
      onclick,
    },
    ...children,
    value && markOf(value),
  );
}

const ORDER = { win: 0, draw: 1, loss: 2 };

/**
 * Answer the best value of some moves: the soonest win, or the latest loss.
 * @param {string[]} moves
 * @param {Record<string, MoveValue>} values best first
 * @returns {MoveValue | undefined}
 */
function best(moves, values) {
  const known = moves.map((move) => values[move]).filter((value) => value !== undefined);
  return known.sort((one, two) => ORDER[one.value] - ORDER[two.value] || length(one) - length(two))[0];
}

/** @param {MoveValue} value */
function length(value) {
  const plies = value.remoteness ?? 0;
  return value.value === "loss" ? -plies : plies;
}

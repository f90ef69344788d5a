// The two players: a circle moves first, a diamond second, whatever the colours.

import { h } from "./dom.js";

/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Child} Child */

/** @type {Seat[]} */
export const SEATS = ["first", "second"];

/** @param {Seat} seat @returns {Seat} */
export const other = (seat) => (seat === "first" ? "second" : "first");

/** @param {Seat} seat */
export const tokenOf = (seat) => h("span", { class: `token ${seat}`, "aria-hidden": "true" });

/**
 * A player's plate at the table.
 * @param {Seat} seat
 * @param {string} name
 * @param {{turn: boolean, you: boolean, more?: Child}} about
 */
export function plate(seat, name, { turn, you, more }) {
  return h(
    "div",
    { class: `plate ${seat}`, key: `plate ${seat}`, "data-turn": turn },
    tokenOf(seat),
    h("span", { class: "name" }, name, you && h("span", { class: "you" }, " (you)")),
    h("span", { class: "to-move" }, turn ? (you ? "Your turn" : "To move") : ""),
    more,
  );
}

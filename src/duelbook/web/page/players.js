// The two players: a circle moves first, a diamond second, whatever the colours.

import { h } from "./dom.js";

/** @typedef {import("./types.js").Seat} Seat */

/** @param {Seat} seat */
export const tokenOf = (seat) => h("span", { class: `token ${seat}`, "aria-hidden": "true" });

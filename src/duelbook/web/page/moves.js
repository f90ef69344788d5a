// Moves: the list of moves, and the buttons that step through them.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { tokenOf } from "./players.js";
import { verdictSign } from "./review.js";

/** @import { JudgedMove } from "./api-types.js" */
/** @import { IconName } from "./icons.js" */
/** @import { PlayedBy } from "./types.js" */

const MAX_HALF = 5; // characters of a move for which half of the list is wide enough, with its number and its verdict

/**
 * Return the list of moves in their short notation; their names are read aloud, and shown when pointed at.
 * @param {PlayedBy[]} history
 * @param {string[]} short the short notation of each
 * @param {number} ply the position on the board
 * @param {(ply: number) => void} go
 * @param {JudgedMove[]} judged the verdicts, if there are any
 */
export function moveList(history, short, ply, go, judged) {
  const items = history.map(({ move, seat }, index) => {
    const verdict = judged[index]?.move === move ? verdictSign(judged[index].verdict) : null;
    return h(
      "li",
      { key: String(index) },
      h(
        "button",
        {
          type: "button",
          class: "ply",
          "aria-current": index + 1 === ply ? "step" : undefined,
          "aria-label": `Move ${index + 1}: ${move}${verdict ? `, ${verdict.name}` : ""}`,
          title: verdict ? `${move}: ${verdict.name}` : move,
          onclick: () => go(index + 1),
        },
        h("span", { class: "number" }, index + 1),
        tokenOf(seat),
        h("span", { class: "what" }, short[index] ?? move),
        verdict && h("span", { class: "verdict", "data-verdict": verdict.name }, verdict.sign),
      ),
    );
  });
  const longest = Math.max(0, ...short.map((move) => move.length));
  const long = longest > MAX_HALF ? "long" : "";
  return h(
    "div",
    { class: "log", role: "log", "aria-label": "Moves", tabindex: "0" },
    items.length ? h("ol", { class: long }, items) : h("p", { class: "quiet" }, "No moves yet."),
  );
}

/**
 * Return the buttons that step through the positions.
 * @param {number} ply
 * @param {number} last
 * @param {(ply: number) => void} go
 */
export function stepper(ply, last, go) {
  /** @type {[IconName, string, number][]} */
  const steps = [
    ["first", "First position", 0],
    ["previous", "Previous move", ply - 1],
    ["next", "Next move", ply + 1],
    ["last", "Last position", last],
  ];
  return h(
    "div",
    { class: "stepper", key: "stepper", role: "group", "aria-label": "Step through the game" },
    steps.map(([name, label, to]) =>
      h(
        "button",
        {
          type: "button",
          key: label,
          "aria-label": label,
          "aria-disabled": to < 0 || to > last || to === ply ? "true" : undefined,
          onclick: () => go(Math.max(0, Math.min(last, to))),
        },
        icon(name),
      ),
    ),
  );
}

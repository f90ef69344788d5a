// The list of moves: a log that can be listened to, and a way to any position.

import { h } from "./dom.js";
import { tokenOf } from "./players.js";

/** @typedef {import("./types.js").JudgedMove} JudgedMove */
/** @typedef {import("./types.js").Seat} Seat */

/** @type {Record<string, string>} */
export const SIGNS = { best: "✓", good: "·", forced: "–", mistake: "?", blunder: "??", "lost anyway": "·" };

/**
 * @param {{move: string, seat: Seat}[]} history
 * @param {number} ply the position that is shown
 * @param {(ply: number) => void} go
 * @param {JudgedMove[]} judged verdicts, where there are any
 */
export function moveLog(history, ply, go, judged) {
  const items = history.map(({ move, seat }, index) => {
    const verdict = judged[index]?.move === move ? judged[index].verdict : "";
    return h(
      "li",
      { key: String(index) },
      h(
        "button",
        {
          type: "button",
          class: "ply",
          "aria-current": index + 1 === ply ? "step" : undefined,
          "aria-label": `Move ${index + 1}: ${move}${verdict && `, ${verdict}`}`,
          onclick: () => go(index + 1),
        },
        h("span", { class: "number" }, index + 1),
        tokenOf(seat),
        h("span", { class: "what" }, move),
        verdict && h("span", { class: "verdict", "data-verdict": verdict, title: verdict }, SIGNS[verdict] ?? verdict),
      ),
    );
  });
  return h(
    "div",
    { class: "log", role: "log", "aria-label": "Moves", tabindex: "0" },
    items.length ? h("ol", null, items) : h("p", { class: "quiet" }, "No moves yet."),
  );
}

/**
 * Buttons to step through the positions.
 * @param {number} ply
 * @param {number} last
 * @param {(ply: number) => void} go
 */
export function stepper(ply, last, go) {
  /** @type {[string, string, number][]} */
  const steps = [
    ["⏮", "First position", 0],
    ["◀", "One move back", ply - 1],
    ["▶", "One move on", ply + 1],
    ["⏭", "Last position", last],
  ];
  return h(
    "div",
    { class: "stepper", role: "group", "aria-label": "Step through the game" },
    steps.map(([sign, label, to]) =>
      h(
        "button",
        {
          type: "button",
          key: label,
          "aria-label": label,
          "aria-disabled": to < 0 || to > last || to === ply ? "true" : undefined,
          onclick: () => go(Math.max(0, Math.min(last, to))),
        },
        sign,
      ),
    ),
  );
}

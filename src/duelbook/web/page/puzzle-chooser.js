// The kinds and levels of puzzles that a game has, to choose from.

import { addStyle } from "./board.js";
import { h } from "./dom.js";

/** @import { PuzzleLevels } from "./api-types.js" */

/** @type {Record<string, string>} */
export const KINDS = { any: "Any kind", win: "Find the win", "only-move": "The only move", trap: "Avoid the trap" };

/**
 * @param {string} game
 * @param {PuzzleLevels} found
 */
export function chooser(game, { levels }) {
  const link = (/** @type {string} */ kind, /** @type {number | null} */ level, /** @type {string} */ text) =>
    h(
      "a",
      {
        class: "button",
        href: `/puzzle/${game}?kind=${kind}${level ? `&level=${level}` : ""}`,
        "aria-label": `${KINDS[kind]}, ${text}`,
      },
      text,
    );
  return h(
    "section",
    { class: "panel chooser", key: "chooser" },
    h("h2", null, "Kinds and levels"),
    h("dl", { class: "kinds" }, [
      Object.entries(levels).map(([kind, has]) => [
        h("dt", { key: `${kind} name` }, KINDS[kind]),
        h(
          "dd",
          { key: kind, class: "row" },
          link(kind, null, "Any level"),
          has.map((level) => link(kind, level, `Level ${level}`)),
        ),
      ]),
    ]),
  );
}

addStyle(`
duel-puzzle .kinds { display: grid; grid-template-columns: minmax(7rem, auto) 1fr; gap: var(--space-2) var(--space-4); align-items: center; margin: var(--space-3) 0 0; }
duel-puzzle .kinds dd { margin: 0; flex-wrap: wrap; }
@media (max-width: 30rem) {
  duel-puzzle .kinds { grid-template-columns: minmax(0, 1fr); }
}
`);

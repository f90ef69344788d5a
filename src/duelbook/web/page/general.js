// The general board: any game's state as text, and its legal moves as buttons.

/** @typedef {import("./types.js").Table} Table */

export const style = `
.board .plain-text {
  margin: 0; padding: var(--space-4); overflow-x: auto; text-align: start;
  background: var(--tile); color: var(--ink); border-radius: var(--round);
  font: 500 1rem/1.5 var(--mono); white-space: pre-wrap;
}
.board .plain { display: grid; gap: var(--space-4); }
.board .plain-moves { display: flex; flex-wrap: wrap; align-content: start; gap: var(--space-2); min-height: 8rem; }
.board.small .plain-moves { display: none; }
.board .plain-moves .move { min-width: 4.5rem; padding: 0 var(--space-3); font-weight: 600; }
.board.small .plain-text { font-size: 0.7rem; padding: var(--space-2); }
`;

const MOST = 300; // moves that are offered as buttons; any can be typed

/** @param {Table} table @param {typeof import("./dom.js").h} h */
export function draw(table, h) {
  const moves = table.small ? [] : table.legal.slice(0, MOST);
  return h(
    "div",
    { class: "plain" },
    table.place(table.far, ""),
    h("pre", { class: "plain-text", tabindex: table.small ? null : "0" }, table.text),
    h(
      "div",
      { class: "plain-moves", role: "group", "aria-label": "Legal moves" },
      moves.map((move) => table.move(move, { label: move }, move)),
    ),
    table.place(table.near, ""),
  );
}

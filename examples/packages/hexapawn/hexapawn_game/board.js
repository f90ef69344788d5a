// Hexapawn: a board that is turned for the second player. Click a pawn, then the cell where it goes.

const style = `
.board.hexapawn .grid { --cell: 4rem; display: grid; grid-template-columns: repeat(var(--size), var(--cell)); gap: 0.4rem; justify-content: center; }
.board.hexapawn .grid .move { display: grid; place-items: center; width: var(--cell); height: var(--cell); min-width: 0; min-height: 0; font-size: calc(var(--cell) / 2); }
.board.hexapawn .grid .move[aria-pressed="true"], .board.hexapawn .grid .target { outline: 3px solid var(--on-felt); }
.board.hexapawn.small .grid { --cell: 1.9rem; }
.board.hexapawn.small .place { display: none; }
`;

function draw(table, h) {
  const size = Number(table.options.size);
  const columns = ["a", "b", "c", "d"].slice(0, size);
  const cells = [];
  for (let row = size; row >= 1; row--) cells.push(...columns.map((column) => `${column}${row}`));
  if (table.near === "second") cells.reverse(); // half a turn: their own pawns are at the bottom
  return h(
    "div",
    { class: "spread" },
    table.place(table.far, `${table.view[table.far].length} pawns`),
    h("div", { class: "grid", style: { "--size": size } }, cells.map((cell) => square(table, h, cell))),
    table.place(table.near, `${table.view[table.near].length} pawns`),
  );
}

function square(table, h, cell) {
  const owner = ["first", "second"].find((seat) => table.view[seat].includes(cell));
  const pawn = owner && table.token(owner);
  const label = owner ? `${cell}, a pawn of ${table.name(owner)}` : `${cell}, free`;
  const mark = table.last?.move.endsWith(cell) ? "last" : "";
  const move = `${table.picked.from} ${cell}`; // the name of a move, if this cell is where the picked pawn can go
  if (table.legal.includes(move)) return table.move(move, { label: `Move to ${label}`, class: "target", key: cell }, pawn);
  const moves = table.legal.filter((name) => name.startsWith(`${cell} `));
  return table.pick("from", cell, moves, { label, class: mark, key: cell }, pawn);
}

export default { style, draw };

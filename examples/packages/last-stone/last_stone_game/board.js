// Last Stone: the pile, and a button for each number of stones that can be taken.

const style = `
.board.last-stone .pile { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.5rem; min-height: 6rem; }
.board.last-stone .taken { display: flex; flex-wrap: wrap; gap: 0.3rem; min-height: 1.1rem; }
.board.last-stone .stone { width: 2.2rem; height: 1.7rem; border-radius: 50%; background: var(--tile); box-shadow: 0 2px 4px #0006; }
.board.last-stone .taken .stone { width: 1.3rem; height: 1rem; background: var(--seat); }
.board.last-stone .stone.gone { visibility: hidden; }
.board.last-stone .stone.soon { opacity: 0.45; }
.board.last-stone .steps { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.6rem; }
.board.last-stone .steps .move { min-width: 3.4rem; min-height: 3.4rem; border-radius: 0.5rem; font: 700 1.3rem/1.1 var(--serif); }
.board.last-stone.small .stone { width: 1.1rem; height: 0.85rem; }
`;

/**
 * Return the board. Stones that were taken leave their places empty, so that the board keeps its height.
 * @param {Table} table @param {typeof H} h
 */
function draw(table, h) {
  const { stones } = table.view;
  const left = table.preview?.view.stones ?? stones; // after the move that the player points at
  const all = Array.from({ length: Number(table.options.stones) }, (_, index) => index);
  const steps = Array.from({ length: Number(table.options.most) }, (_, index) => index + 1);
  const label = (step) => (step === 1 ? "Take 1 stone" : `Take ${step} stones`);
  return h(
    "div",
    { class: "spread" },
    table.place(table.far, "", !table.small && taken(table, h, table.far)),
    h(
      "div",
      { class: "pile", role: "img", "aria-label": stones === 1 ? "1 stone is left" : `${stones} stones are left` },
      all.map((index) => h("span", { class: `stone ${state(index, stones, left)}`, ...piece(index < stones, index) })),
    ),
    !table.small &&
      h(
        "div",
        { class: "steps", role: "group", "aria-label": "Take stones" },
        steps.map((step) => table.move(`take ${step}`, { label: label(step) }, step)),
      ),
    table.place(table.near, "", !table.small && taken(table, h, table.near)),
  );
}

const state = (index, stones, left) => (index >= stones ? "gone" : index >= left ? "soon" : "");

/** Return the mark of a stone as a piece: the stone with the same number travels from where it was drawn before. */
const piece = (here, index) => (here ? { "data-piece": `stone ${index}` } : {});

/** Return the stones that a player has taken: the pile gets smaller from its end. */
function taken(table, h, seat) {
  let end = Number(table.options.stones);
  const stones = table.history.flatMap(({ move, seat: taker }) => {
    const count = Number(move.split(" ")[1]);
    end -= count;
    return taker === seat ? Array.from({ length: count }, (_, index) => end + index) : [];
  });
  return h(
    "div",
    { class: "taken", "aria-hidden": "true" },
    stones.map((index) => h("span", { class: "stone", key: String(index), ...piece(true, index) })),
  );
}

/** @type {Board} */
export default { style, draw };

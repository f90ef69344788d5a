// Moves chosen by words on a board, in any order, and the keys that stand for them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./simulated_browser.js";

const { makeTable } = await load("table.js");

/** Return the buttons for words, as what they would do: the move, the words that they pick, and their key. */
function pressing(legal, picked, ...cells) {
  const done = [];
  const position = { legal, mover: "first", board: null, view: {}, text: "" };
  const input = {
    game: "g",
    options: {},
    position,
    history: [],
    names: {},
    play: (move) => done.push(`plays ${move}`),
  };
  const table = makeTable(input, picked, (words) => done.push(`picks ${words}`), null);
  return cells.map((words) => {
    const { props } = table.press(words, { label: "" });
    done.length = 0;
    props.onclick?.();
    return [done[0] ?? "nothing", props["data-key"], props["aria-pressed"]];
  });
}

test("words are picked in any order, and the only move that is left is played", () => {
  const legal = ["E self 1", "E opponent 1", "F self 1"];
  assert.deepEqual(pressing(legal, [], ["E"], ["self 1"], ["F"], ["self 2"]), [
    ["picks E", "e", "false"],
    ["picks self 1", "1", "false"],
    ["plays F self 1", "f", undefined],
    ["nothing", "2", undefined],
  ]);
  assert.deepEqual(pressing(legal, ["E"], ["E"], ["self 1"], ["opponent 1"], ["F"]), [
    ["picks E", "e", "true"],
    ["plays E self 1", "1", undefined],
    ["plays E opponent 1", "1", undefined],
    ["picks F", "f", "false"],
  ]);
});

test("a cell that is a whole move plays it, and one of several moves plays the first that is legal", () => {
  assert.deepEqual(pressing(["2", "3"], [], ["1", "2"], ["3"], ["4"]), [
    ["plays 2", "2", undefined],
    ["plays 3", "3", undefined],
    ["nothing", "4", undefined],
  ]);
});

test("a named move has its first letter as its key, unless another move has that", () => {
  const legal = ["charge 1", "block", "steal", "stop"];
  assert.deepEqual(
    pressing(legal, [], ["charge 1"], ["block"], ["steal"], ["stop"]).map(([, key]) => key),
    ["1", "b", null, null],
  );
});

// The rules of a game in a dialog, with the options in force: the little Markdown that the server sends, and its pictures.

import { findGame, get } from "./api.js";
import { addStyle, loadBoard } from "./board.js";
import { showDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { SEAT_NAMES } from "./text.js";

/** @import { Game, Rules } from "./api-types.js" */
/** @import { Child } from "./dom.js" */
/** @import { Board, BoardInput, Options } from "./types.js" */

addStyle(`
.rules figure { display: grid; gap: var(--space-2); margin: var(--space-1) 0; }
.rules figure .felt { display: grid; width: 100%; max-width: 22rem; padding: var(--space-3); }
.rules figcaption { color: var(--quiet); font-size: 0.9rem; }
`);

/**
 * Show the rules as they are with these options; an option that is not given has the value of the rule book.
 * @param {string} name of the game
 * @param {Options} [options]
 */
export async function showRules(name, options = {}) {
  const game = await findGame(name);
  const [rules, board] = await Promise.all([fetchRules(game, options), loadBoard(game)]);
  await showDialog(`Rules of ${game.title}`, h("div", { class: "rules" }, markdown(rules, board)));
}

/**
 * Options that are drawn are always sent: without them, the rules speak of a start that is not known yet.
 * @param {Game} game
 * @param {Options} options
 * @returns {Promise<Rules>}
 */
function fetchRules(game, options) {
  const search = new URLSearchParams();
  for (const { name, default: usual, drawn } of game.options) {
    const value = options[name];
    if (value !== undefined && (drawn || value !== usual)) search.append("option", `${name}=${value}`);
  }
  return get(`/api/games/${game.name}/rules?${search}`);
}

/**
 * Return headings, paragraphs, lists, code and pictures; the first heading is left out, since the dialog has a title.
 * @param {Rules} rules
 * @param {Board} board
 * @returns {Child[]}
 */
function markdown(rules, board) {
  const blocks = rules.text.replace(/^# .*\n/, "").split(/\n\s*\n/);
  return blocks.filter((block) => block.trim()).map((block) => blockTree(block, rules, board));
}

/** @param {string} raw @param {Rules} rules @param {Board} board @returns {Child} */
function blockTree(raw, rules, board) {
  if (raw.startsWith("    ")) return h("pre", null, raw.replace(/^ {4}/gm, "").trimEnd());
  const block = raw.trim();
  const picture = /^!\[.*\]\((\d+)\)$/.exec(block);
  if (picture) return pictureTree(rules, Number(picture[1]), board);
  if (block.startsWith("## ")) return h("h3", null, block.slice(3));
  if (/^(?:- |\d+\. )/.test(block)) {
    const items = block
      .split(/\n(?=- |\d+\. )/)
      .map((item) => h("li", null, inline(item.replace(/^(?:- |\d+\. )/, ""))));
    return h(block.startsWith("-") ? "ul" : "ol", null, items);
  }
  return h("p", null, inline(block));
}

/** @param {Rules} rules @param {number} number @param {Board} board @returns {Child} */
function pictureTree({ game, options, pictures }, number, board) {
  const { caption, position, history } = pictures[number];
  /** @type {BoardInput} */
  const input = { game, options, position, history, names: SEAT_NAMES, small: true };
  return h(
    "figure",
    { key: `picture ${number}` },
    h("div", { class: "felt", "aria-hidden": "true" }, h("duel-board", { input, board })),
    h("figcaption", null, caption),
  );
}

/** @param {string} text @returns {Child[]} */
function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/).map((part) => {
    if (part.startsWith("`")) return h("code", null, part.slice(1, -1));
    if (part.startsWith("**")) return h("strong", null, part.slice(2, -2));
    return part.startsWith("*") && part.length > 1 ? h("em", null, part.slice(1, -1)) : part;
  });
}

// The rules of a game in a dialog, from the little Markdown that the rules pages use.

import { findGame } from "./api.js";
import { showDialog } from "./dialogs.js";
import { h } from "./dom.js";

/** @import { Child } from "./dom.js" */

/** @param {string} name of the game */
export async function showRules(name) {
  const game = await findGame(name);
  await showDialog(`Rules of ${game.title}`, h("div", { class: "rules" }, markdown(game.rules)));
}

/**
 * Return headings, paragraphs, lists and code; the first heading is left out, since the dialog has a title.
 * @param {string} text
 * @returns {Child[]}
 */
function markdown(text) {
  const blocks = text.replace(/^# .*\n/, "").split(/\n\s*\n/);
  return blocks.filter((block) => block.trim()).map(blockTree);
}

/** @param {string} raw @returns {Child} */
function blockTree(raw) {
  if (raw.startsWith("    ")) return h("pre", null, raw.replace(/^ {4}/gm, "").trimEnd());
  const block = raw.trim();
  if (block.startsWith("## ")) return h("h3", null, block.slice(3));
  if (/^(?:- |\d+\. )/.test(block)) {
    const items = block
      .split(/\n(?=- |\d+\. )/)
      .map((item) => h("li", null, inline(item.replace(/^(?:- |\d+\. )/, ""))));
    return h(block.startsWith("-") ? "ul" : "ol", null, items);
  }
  return h("p", null, inline(block));
}

/** @param {string} text @returns {Child[]} */
function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/).map((part) => {
    if (part.startsWith("`")) return h("code", null, part.slice(1, -1));
    if (part.startsWith("**")) return h("strong", null, part.slice(2, -2));
    return part.startsWith("*") && part.length > 1 ? h("em", null, part.slice(1, -1)) : part;
  });
}

// The few signs of Markdown that the rules pages use, as trees.

import { h } from "./dom.js";

/** @typedef {import("./types.js").Child} Child */

/**
 * Answer the text as headings, paragraphs and lists; the first heading is left out.
 * @param {string} text
 * @returns {Child[]}
 */
export function markdown(text) {
  const blocks = text.replace(/^# .*\n/, "").split(/\n\s*\n/);
  return blocks.filter((block) => block.trim()).map(blockOf);
}

/** @param {string} raw @returns {Child} */
function blockOf(raw) {
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

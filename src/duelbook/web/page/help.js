// Exact help: a switch for values, a hint with its reason, and an honest word about the seats.

import { h } from "./dom.js";
import { WORTH } from "./marks.js";
import { seatWords } from "./values.js";

/**
 * @param {object} about
 * @param {string} about.problem why there are no values
 * @param {import("./types.js").Solution | null} about.start
 * @param {string} about.hinted
 * @param {boolean} about.over
 * @param {() => void} about.onhint
 * @param {boolean} about.values
 * @param {(values: boolean) => void} about.onvalues
 */
export function helpPanel({ problem, start, hinted, over, values, onhint, onvalues }) {
  const toggle = (/** @type {Event} */ event) => onvalues(/** @type {HTMLInputElement} */ (event.target).checked);
  return h(
    "section",
    { key: "help", class: "panel help", "aria-label": "Exact help" },
    h(
      "div",
      { class: "row" },
      h(
        "label",
        { class: "switch" },
        h("input", { type: "checkbox", role: "switch", checked: values, onchange: toggle }),
        "Values",
      ),
      h(
        "button",
        { type: "button", "aria-disabled": over ? "true" : undefined, onclick: over ? null : onhint },
        "Hint",
      ),
    ),
    h("p", { class: "hint" }, hinted),
    values && h("p", { class: "quiet" }, problem || legend()),
    start && h("p", { class: "quiet" }, seatWords(start)),
  );
}

function legend() {
  const signs = Object.values(WORTH).map(({ letter, shape, words }) => `${shape}${letter} ${words}`);
  return `${signs.join(", ")} for who moves; the number counts the moves to the end.`;
}

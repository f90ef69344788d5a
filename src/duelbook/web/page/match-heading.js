// The heading of a match: the game, the score of a series, and the terms. On a phone it is one line that can be opened.

import { h } from "./dom.js";
import { icon } from "./icons.js";

/**
 * @param {object} about
 * @param {string} about.title
 * @param {string} about.series the score, or an empty text
 * @param {string | null} about.terms without the title; null if they stand elsewhere
 * @param {string} about.date for paper; an empty text if it is not known
 * @param {boolean} about.open the terms are shown in full on a phone, too
 * @param {() => void} ontoggle
 */
export function matchHeading({ title, series, terms, date, open }, ontoggle) {
  return h(
    "div",
    { class: "heading in-line", key: "heading", "data-open": open },
    h("h1", null, title),
    h("p", { class: "series" }, series),
    terms && [h("p", { class: "terms quiet", key: "terms" }, terms), toggle(open, ontoggle)],
    date && h("p", { class: "on-paper", key: "date" }, `Played on ${date}`),
  );
}

/** @param {boolean} open @param {() => void} ontoggle */
function toggle(open, ontoggle) {
  const label = { "aria-label": "Show all the terms", "aria-expanded": String(open) };
  const look = { type: "button", class: "plain-button all-terms", key: "all", ...label };
  return h("button", { ...look, onclick: ontoggle }, icon("unfold"));
}

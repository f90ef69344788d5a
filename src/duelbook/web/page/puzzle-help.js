// The steps of help for a puzzle, and its marks: what was tried, as squares that give nothing away.

import { addStyle } from "./board.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";

const LABELS = ["Hint", "Show some moves", "Show the answer"];

/** @type {Record<string, string>} */
const SQUARES = { x: "\u{1f7e5}", h: "\u{1f7e8}", a: "\u2b1b", o: "\u{1f7e9}" }; // red, yellow, black and green: only in texts to share

/** @type {Record<string, string>} */
const MARK_TEXTS = { x: "a wrong move", h: "a hint", a: "the answer was shown", o: "solved" };

/** Return the marks as text to share. @param {string} marks */
export const marksText = (marks) => [...marks].map((mark) => SQUARES[mark] ?? "").join("");

/**
 * Return the marks as squares, drawn by the page: many systems lack the characters.
 * @param {string} marks
 */
export const marksRow = (marks) =>
  h(
    "p",
    { class: "marks", key: "marks", role: "img", "aria-label": `Your tries: ${spokenText(marks)}` },
    [...marks].map((mark, number) => h("span", { key: String(number), "data-mark": mark })),
  );

/** @param {string} marks */
const spokenText = (marks) => [...marks].map((mark) => MARK_TEXTS[mark]).join(", ");

/**
 * Return the steps that are shown, and the button for the next one.
 * @param {string[]} steps
 * @param {() => void} onhelp
 */
export function helpPanel(steps, onhelp) {
  const label = LABELS[Math.min(steps.length, LABELS.length - 1)];
  return h(
    "section",
    { class: "panel help", key: "help", "aria-label": "Help" },
    steps.map((text, number) => h("p", { class: "hint", key: String(number) }, text)),
    h("button", { type: "button", key: "more", onclick: onhelp }, icon("hint"), label),
    !steps.length && h("p", { class: "quiet", key: "note" }, "Help or a wrong move ends the first try."),
  );
}

addStyle(`
duel-puzzle .marks { display: flex; flex-wrap: wrap; gap: var(--space-1); }
duel-puzzle .marks span { width: 1.4rem; height: 1.4rem; border-radius: 0.25rem; border: 1px solid var(--edge); background: var(--win); forced-color-adjust: none; }
duel-puzzle .marks [data-mark="x"] { background: var(--loss); }
duel-puzzle .marks [data-mark="h"] { background: var(--first); }
duel-puzzle .marks [data-mark="a"] { background: var(--ink); }
duel-puzzle .help { display: grid; gap: var(--space-2); justify-items: start; }
`);

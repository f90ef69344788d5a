// The calendar of daily puzzles: a month at a time, with what became of each day.

import { addStyle } from "./board.js";
import { Component, h } from "./dom.js";
import { icon } from "./icons.js";
import { isDone, isFirstTry, puzzleResults } from "./puzzle-results.js";
import { announce } from "./status.js";

/** @import { DayResult } from "./puzzle-results.js" */

const WEEKDAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const DAY_MS = 86_400_000;

class DuelCalendar extends Component {
  static observedAttributes = ["marks"]; // of the day on the screen, which are stored

  /** @type {string | null} */ #month = null; // null is that of the day on the screen

  attributeChangedCallback() {
    this.update();
  }

  render() {
    const today = new Date().toISOString().slice(0, 10);
    const first = this.getAttribute("first") ?? today;
    const shown = this.getAttribute("shown") ?? today;
    const month = this.#month ?? shown.slice(0, 7);
    const go = (/** @type {string} */ to) => () => {
      this.#month = to;
      this.update();
      announce(monthText(to));
    };
    const step = (/** @type {string} */ to, /** @type {"previous" | "next"} */ name) => {
      const possible = to >= first.slice(0, 7) && to <= today.slice(0, 7);
      const props = {
        type: "button",
        "aria-label": `The ${name} month`,
        "aria-disabled": possible ? undefined : "true",
      };
      return h("button", { ...props, key: name, onclick: possible ? go(to) : null }, icon(name));
    };
    return h(
      "section",
      { class: "panel calendar", "aria-labelledby": "calendar-title" },
      h(
        "div",
        { class: "row" },
        step(beside(month, -1), "previous"),
        h("h2", { id: "calendar-title" }, monthText(month)),
        step(beside(month, 1), "next"),
      ),
      monthTable(month, first, today, shown, puzzleResults().days),
      h("p", { class: "quiet" }, "Puzzles of past days leave your streak as it is."),
    );
  }
}

/** Return the month before or after. @param {string} month @param {1 | -1} by */
function beside(month, by) {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** @param {string} month */
const monthText = (month) =>
  new Date(`${month}-01`).toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/**
 * @param {string} month
 * @param {string} firstDay
 * @param {string} today
 * @param {string} shownDay
 * @param {Record<string, DayResult>} days
 */
function monthTable(month, firstDay, today, shownDay, days) {
  const start = Date.parse(`${month}-01`);
  const blanks = (new Date(start).getUTCDay() + 6) % 7;
  const cells = Array.from({ length: 42 }, (_, index) => new Date(start + (index - blanks) * DAY_MS).toISOString());
  const weeks = Array.from({ length: 6 }, (_, week) =>
    cells.slice(7 * week, 7 * week + 7).map((at) => at.slice(0, 10)),
  );
  return h(
    "table",
    null,
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        WEEKDAYS.map((name) => h("th", { key: name, scope: "col" }, name)),
      ),
    ),
    h(
      "tbody",
      null,
      weeks
        .filter((week) => week.some((day) => day.startsWith(month)))
        .map((week) =>
          h(
            "tr",
            { key: week[0] },
            week.map((day) =>
              h(
                "td",
                { key: day },
                day.startsWith(month) && cell(day, day >= firstDay && day <= today, day === shownDay, days[day]),
              ),
            ),
          ),
        ),
    ),
  );
}

/** @param {string} day @param {boolean} played it has a puzzle @param {boolean} shown @param {DayResult} [result] */
function cell(day, played, shown, result) {
  const number = Number(day.slice(8));
  if (!played) return h("span", { class: "quiet" }, number);
  const state = !result
    ? "not tried"
    : !isDone(result)
      ? "begun"
      : isFirstTry(result)
        ? "first try"
        : result.marks.endsWith("o")
          ? "solved"
          : "answer shown";
  return h(
    "a",
    {
      href: `/puzzle/daily?day=${day}`,
      "data-state": state,
      "aria-current": shown ? "date" : undefined,
      "aria-label": `${day}, ${state}`,
    },
    number,
  );
}

addStyle(`
duel-calendar .calendar { display: grid; gap: var(--space-3); justify-items: start; }
duel-calendar .calendar h2 { min-width: 11rem; text-align: center; }
duel-calendar .calendar table { border-collapse: separate; border-spacing: 2px; }
duel-calendar .calendar th { color: var(--quiet); font-size: 0.85rem; font-weight: 500; }
duel-calendar .calendar td { padding: 0; text-align: center; }
duel-calendar .calendar td > * { display: grid; place-items: center; min-width: var(--target); min-height: var(--target); border-radius: var(--round); color: var(--text); text-decoration: none; font-variant-numeric: tabular-nums; }
duel-calendar .calendar td > span { color: var(--quiet); }
duel-calendar .calendar a { border: 1px solid var(--edge); }
duel-calendar .calendar a:hover { border-color: var(--accent); }
duel-calendar .calendar a[data-state="first try"] { background: var(--win); color: #fff; }
duel-calendar .calendar a[data-state="solved"] { background: var(--draw); color: #fff; }
@media (forced-colors: active) {
  duel-calendar .calendar a[data-state="first try"] { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  duel-calendar .calendar a[data-state="solved"] { border-style: double; border-width: 4px; }
}
duel-calendar .calendar a[data-state="answer shown"] { background: var(--loss); color: #fff; }
duel-calendar .calendar a[aria-current] { outline: 3px solid var(--accent); outline-offset: -3px; }
@media (max-width: 30rem) {
  duel-calendar .calendar { padding-inline: var(--space-1); justify-items: center; }
  duel-calendar .calendar table { border-spacing: 1px; }
}
`);

customElements.define("duel-calendar", DuelCalendar);

// The calendar of daily puzzles: a month at a time, with what became of each day.

import { h } from "./dom.js";
import { isDone, isFirstTry, puzzleResults } from "./puzzle-results.js";

/** @import { Child } from "./dom.js" */
/** @import { DayResult } from "./puzzle-results.js" */

const WEEKDAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const DAY_MS = 86_400_000;

/**
 * Return the months that have puzzles, the latest first; the month of the day on the screen is open.
 * @param {string} firstDay
 * @param {string} shownDay
 * @returns {Child}
 */
export function calendar(firstDay, shownDay) {
  const today = new Date().toISOString().slice(0, 10);
  const { days } = puzzleResults();
  const months = [];
  for (let month = today.slice(0, 7); month >= firstDay.slice(0, 7); month = before(month)) months.push(month);
  return h(
    "section",
    { class: "panel calendar", key: "calendar" },
    h("h2", null, "Past days"),
    months.map((month) =>
      h(
        "details",
        { key: month, class: "options", open: month === shownDay.slice(0, 7) },
        h("summary", null, monthText(month)),
        monthTable(month, firstDay, today, shownDay, days),
      ),
    ),
  );
}

/** @param {string} month */
const before = (month) => new Date(Date.parse(`${month}-01`) - DAY_MS).toISOString().slice(0, 7);

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

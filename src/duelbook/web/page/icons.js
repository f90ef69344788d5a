// Icons, drawn here: characters such as arrows and stars are missing from the fonts of many systems.

import { h } from "./dom.js";

/** @import { Tree } from "./dom.js" */

/** @typedef {keyof typeof PATHS} IconName */

/** The lines of each icon, in a square of 24 units. A path that begins with `!` is filled. */
const PATHS = {
  // Stepping
  first: ["M6 5v14", "!M19 5.5v13L9.5 12Z"],
  previous: ["!M17 5v14L6 12Z"],
  next: ["!M7 5v14l11-7Z"],
  last: ["M18 5v14", "!M5 5.5v13l9.5-6.5Z"],
  up: ["M5 11l7-7 7 7", "M12 4v16"],
  down: ["M5 13l7 7 7-7", "M12 20V4"],
  open: ["M9 5l7 7-7 7"],
  unfold: ["M5 9l7 7 7-7"],
  // Playing
  play: ["!M7 4.5v15l12-7.5Z"],
  undo: ["M8 4 3 9l5 5", "M3 9h11a6 6 0 0 1 0 12h-4"],
  rematch: ["M20 5v5h-5", "M4 19v-5h5", "M5 10a7.5 7.5 0 0 1 13-3l2 3", "M19 14a7.5 7.5 0 0 1-13 3l-2-3"],
  resign: ["M6 21V4", "!M6 4h12l-3 4 3 4H6Z"],
  hint: ["M9 17a6.5 6.5 0 1 1 6 0v2H9Z", "M10 22h4"],
  thinking: [
    "!M5 10.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6Z",
    "!M12 10.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6Z",
    "!M19 10.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6Z",
  ],
  clock: ["M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18Z", "M12 7v5l3.5 2"],
  // Values and verdicts
  win: ["!M12 4 21 20H3Z"],
  draw: ["!M5 5h14v14H5Z"],
  loss: ["!M12 20 3 4h18Z"],
  endless: [
    "M12 12C9.5 8 8 7.5 6.5 7.5a4.5 4.5 0 0 0 0 9C8 16.5 9.5 16 12 12s4-4.5 5.5-4.5a4.5 4.5 0 0 1 0 9C16 16.5 14.5 16 12 12Z",
  ],
  check: ["M4 12.5 9.5 18 20 6.5"],
  // People, sharing and files
  share: ["M12 15V3", "M7.5 7 12 3l4.5 4", "M5 12v9h14v-9"],
  link: [
    "M10 14a4.5 4.5 0 0 0 6.4 0l3.3-3.3a4.5 4.5 0 0 0-6.4-6.4L12 5.6",
    "M14 10a4.5 4.5 0 0 0-6.4 0l-3.3 3.3a4.5 4.5 0 0 0 6.4 6.4L12 18.4",
  ],
  download: ["M12 3v12", "M7.5 11 12 15l4.5-4", "M5 16v5h14v-5"],
  qr: ["M4 4h6v6H4Z", "M14 4h6v6h-6Z", "M4 14h6v6H4Z", "M14 14h2.5v2.5", "M20 14v6", "M14 20h3"],
  // Studying
  rules: ["M12 6c-2-2-5-2.5-9-2.5V18c4 0 7 .5 9 2.5 2-2 5-2.5 9-2.5V3.5c-4 0-7 .5-9 2.5Z", "M12 6v14.5"],
  learn: ["M12 4 1.5 9.5 12 15l10.5-5.5Z", "M6 12v5c2 2 4 2.5 6 2.5s4-.5 6-2.5v-5"],
  review: ["M3 20h18", "M4 15l5-6 4 4 7-9"],
  analyse: ["M10.5 3.5a7 7 0 1 1 0 14 7 7 0 0 1 0-14Z", "M15.5 15.5 21 21"],
  puzzle: ["M4 9h4a2.5 2.5 0 1 1 4.5 0H16v4a2.5 2.5 0 1 1 0 4.5V21H4Z"],
  watch: ["M2 12c2.5-4.5 6-7 10-7s7.5 2.5 10 7c-2.5 4.5-6 7-10 7S4.5 16.5 2 12Z", "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z"],
  calendar: ["M4 6h16v15H4Z", "M4 11h16", "M8.5 3v5", "M15.5 3v5"],
  // The page
  settings: [
    "M4 7h9",
    "M19 7h1",
    "M16 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5Z",
    "M4 17h1",
    "M11 17h9",
    "M8 14.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5Z",
  ],
  more: [
    "!M12 3.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6Z",
    "!M12 10.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6Z",
    "!M12 17.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6Z",
  ],
  offline: ["M3 9a13 13 0 0 1 18 0", "M6.5 13a8 8 0 0 1 11 0", "M12 18v.010", "M4 3l16 18"],
};

/**
 * Return an icon as large as the text around it. Without a label it is only there for the eye.
 * @param {IconName} name
 * @param {string} [label] what it means, if no text beside it says so
 * @returns {Tree}
 */
export function icon(name, label) {
  const meaning = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  const lines = { fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round" };
  return h(
    "svg",
    {
      "data-icon": name,
      viewBox: "0 0 24 24",
      width: "1.2em",
      height: "1.2em",
      ...lines,
      "stroke-linejoin": "round",
      ...meaning,
    },
    PATHS[name].map((path) =>
      path.startsWith("!") ? h("path", { d: path.slice(1), fill: "currentColor" }) : h("path", { d: path }),
    ),
  );
}

// The progress line: what the server does for a request that takes a while, and how far it is.

import { announce } from "./status.js";

/** @import { StudyProgress } from "./api-types.js" */

const SHOW_MS = 1000; // what takes less shows nothing
const ANNOUNCE_MS = 15000; // between two texts that are read aloud
const MEGABYTE = 1e6;
const SHOWN_MEMORY_SHARE = 0.01; // less of the memory hardly counts, and is left out

const line = document.getElementById("progress");
/** @type {Set<{text: string}>} */
const waits = new Set(); // requests that take a while
let announced = -Infinity;
let screen = new AbortController();

/** Return the signal that the person has left the screen, so that nobody waits for its studies any more. */
export const screenLeft = () => screen.signal;

/** Give up the studies of the screen: another one is shown. */
export function leaveScreen() {
  waits.clear();
  draw();
  screen.abort();
  screen = new AbortController();
}

/**
 * Show the line while the work goes on, if it takes longer than a moment.
 * @template T
 * @param {(report: (progress: StudyProgress) => void) => Promise<T>} work
 * @param {string} [doing] what the server does, as long as the work does not report how far it is
 * @returns {Promise<T>}
 */
export async function withProgress(work, doing) {
  const own = { text: doing ?? "Waiting for the server …" };
  const show = () => {
    waits.add(own);
    draw();
  };
  const timer = setTimeout(() => {
    show();
    if (doing) tell(doing);
  }, SHOW_MS);
  try {
    return await work((progress) => {
      own.text = progressText(progress);
      show();
      tell(own.text);
    });
  } finally {
    clearTimeout(timer);
    waits.delete(own);
    draw();
  }
}

function draw() {
  const [latest] = [...waits].slice(-1);
  if (line) line.textContent = latest?.text ?? "";
}

/**
 * Have the text read aloud, now and then: a line that changes every second would drown out everything else.
 * @param {string} text
 */
function tell(text) {
  if (performance.now() < announced + ANNOUNCE_MS) return;
  announced = performance.now();
  announce(text);
}

/** @type {Partial<Record<StudyProgress["stage"], string>>} */
const STAGES = {
  queued: "The server is busy. You are in its queue …",
  compiling: "The server prepares its solver …",
  preparing: "The server prepares its solver …",
  estimating: "The server estimates the size of the game …",
  waiting: "The server is already solving this game …",
};

/** @param {StudyProgress} progress */
function progressText({ stage, states, valued, memory_bytes, budget_bytes }) {
  if (!states) return STAGES[stage] ?? "The server is working on it …";
  const found =
    stage === "analysing" ? `${number(valued)} of ${number(states)} states valued` : `${number(states)} states found`;
  const counts = memory_bytes >= MEGABYTE && memory_bytes >= SHOWN_MEMORY_SHARE * budget_bytes;
  const memory = counts ? `, ${number(memory_bytes / MEGABYTE)} of ${number(budget_bytes / MEGABYTE)} MB` : "";
  return `Solving the game: ${found}${memory} …`;
}

/** @param {number} count */
const number = (count) => Math.round(count).toLocaleString("en");

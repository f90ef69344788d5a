// The scroll position of every entry of the browser's history, so that Back leads to where one was.

const KEY = "duelbook-scroll"; // in the storage of the tab
const INPUTS = ["wheel", "touchstart", "keydown", "pointerdown"]; // a person who scrolls is left alone

/** @type {Record<string, number>} by entry */
const positions = read();
let entry = entryOf(history.state);
const [opened] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
if (opened?.type === "navigate") delete positions[entry]; // an address that is opened anew begins at its top

history.scrollRestoration = "manual"; // the browser would scroll before the screen is drawn
addEventListener("pagehide", () => {
  keepScroll();
  try {
    sessionStorage.setItem(KEY, JSON.stringify(positions));
  } catch {
    // storage may be full or forbidden; the page then opens at its top
  }
});

/** @returns {Record<string, number>} */
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {unknown} state @returns {string} */
function entryOf(state) {
  return state instanceof Object && "entry" in state ? String(state.entry) : "start";
}

/** Keep the position of the entry that is left. */
export function keepScroll() {
  positions[entry] = scrollY;
  entry = entryOf(history.state);
}

/**
 * Add an entry to the history.
 * @param {string} path
 */
export function newEntry(path) {
  keepScroll();
  entry = crypto.getRandomValues(new Uint32Array(1))[0].toString(36);
  history.pushState({ entry }, "", path);
}

/** Scroll to where the entry was left, as soon as the screen is long enough. */
export function restoreScroll() {
  const top = positions[entry] ?? 0;
  scrollTo(0, top);
  if (scrollY >= top - 1) return;
  const stop = new AbortController();
  const growing = new ResizeObserver(() => {
    scrollTo(0, top);
    if (scrollY >= top - 1) stop.abort();
  });
  stop.signal.addEventListener("abort", () => growing.disconnect());
  for (const input of [...INPUTS, "popstate"]) addEventListener(input, () => stop.abort(), { signal: stop.signal });
  growing.observe(document.body);
}

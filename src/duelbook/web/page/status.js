// The status line: one polite live region, in the page from the start, read aloud by screen readers.

const SHOWN_MS = 6000;
const PROBLEM_SHOWN_MS = 20_000; // it may come while the person looks elsewhere
const region = document.getElementById("status");
let hiding = 0;

/**
 * Show a sentence for some seconds, and have it read aloud.
 * @param {string} text
 * @param {number} [shownMs]
 */
export function notify(text, shownMs = SHOWN_MS) {
  announce(text);
  region?.classList.add("fresh");
  clearTimeout(hiding);
  hiding = window.setTimeout(() => region?.classList.remove("fresh"), shownMs);
}

/**
 * Have a sentence read aloud that is already shown elsewhere on the screen.
 * @param {string} text
 */
export function announce(text) {
  if (!region) return;
  region.classList.remove("fresh");
  region.textContent = text;
}

/** End what is shown: another screen is. */
export function clearStatus() {
  clearTimeout(hiding);
  announce("");
}

/**
 * Do the work; if it fails, show the error.
 * @param {() => Promise<unknown>} work
 */
export async function attempt(work) {
  try {
    await work();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (text) notify(text, PROBLEM_SHOWN_MS); // there is none if nobody waits for the work any more
  }
}

// The status line: one polite live region, in the page from the start, read aloud by screen readers.

const SHOWN_MS = 6000;
const region = document.getElementById("status");
let hiding = 0;

/**
 * Show a sentence for a few seconds, and have it read aloud.
 * @param {string} text
 */
export function notify(text) {
  announce(text);
  region?.classList.add("fresh");
  clearTimeout(hiding);
  hiding = window.setTimeout(() => region?.classList.remove("fresh"), SHOWN_MS);
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

/**
 * Do the work; if it fails, show the error.
 * @param {() => Promise<unknown>} work
 */
export async function attempt(work) {
  try {
    await work();
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error));
  }
}

// What is said to everybody, also to those who listen instead of looking: one polite region, there from the start.

const region = document.getElementById("status");
let fading = 0;

/**
 * Say a sentence.
 * @param {string} text
 */
export function say(text) {
  if (!region) return;
  region.textContent = text;
  region.classList.add("fresh");
  clearTimeout(fading);
  fading = window.setTimeout(() => region.classList.remove("fresh"), 6000);
}

/**
 * Do something; what goes wrong is said.
 * @param {() => Promise<unknown>} work
 */
export async function trying(work) {
  try {
    await work();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
}

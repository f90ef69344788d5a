// What is said to everybody, also to those who listen instead of looking: one polite region, there from the start.

const region = document.getElementById("status");
let fading = 0;

/**
 * Say a sentence to those who look and to those who listen.
 * @param {string} text
 */
export function say(text) {
  tell(text);
  region?.classList.add("fresh");
  clearTimeout(fading);
  fading = window.setTimeout(() => region?.classList.remove("fresh"), 6000);
}

/**
 * Say a sentence to those who listen; others see it somewhere else.
 * @param {string} text
 */
export function tell(text) {
  if (!region) return;
  region.classList.remove("fresh");
  region.textContent = text;
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

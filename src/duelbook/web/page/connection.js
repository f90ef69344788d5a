// The connection to the server: a line that says when it cannot be reached and goes away by itself, and the service
// worker, with which the page opens at once.

import { announce } from "./status.js";

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 8000;
const KEEP_AFTER_MS = 4000;
const SENTENCE = "The server cannot be reached. Trying again …";

const line = document.getElementById("unreachable");
/** @type {Promise<void> | null} */
let waiting = null; // until the server can be reached again
let tryNow = () => {};

/**
 * Say that the server cannot be reached, and wait until it can.
 * @returns {Promise<void>}
 */
export function reachable() {
  waiting ??= untilReachable().finally(() => {
    waiting = null;
    line?.replaceChildren();
  });
  return waiting;
}

async function untilReachable() {
  const again = Object.assign(document.createElement("button"), { type: "button", textContent: "Try now" });
  again.addEventListener("click", () => tryNow());
  line?.replaceChildren(SENTENCE, again);
  announce(SENTENCE);
  for (let delay = FIRST_RETRY_MS; ; delay = Math.min(MAX_RETRY_MS, delay * 2)) {
    await pause(delay);
    if (await answers()) return;
  }
}

async function answers() {
  try {
    return (await fetch("/healthz", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

/** Wait, but no longer than until the person asks or the device has a network again. @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => {
    tryNow = () => resolve(undefined);
    addEventListener("online", tryNow, { once: true });
    setTimeout(tryNow, milliseconds);
  });
}

/**
 * Keep the page's files in this browser, some seconds later, so that nothing that is waited for loads more slowly. A
 * browser that cannot or will not keep them loads them as before.
 */
export function keepFiles() {
  setTimeout(() => void navigator.serviceWorker?.register("/service-worker.js").catch(() => {}), KEEP_AFTER_MS);
}

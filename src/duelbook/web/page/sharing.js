// Giving something to somebody else: by the system's own way where it has one, else by the clipboard.

import { dialog } from "./dialogs.js";
import { h } from "./dom.js";
import { say } from "./status.js";

/**
 * Share a text, which may be an address.
 * @param {string} title
 * @param {string} text
 */
export async function share(title, text) {
  if (matchMedia("(pointer: coarse)").matches && typeof navigator.share === "function") {
    try {
      await navigator.share({ title, text });
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  await copy(text);
}

/**
 * Copy a text, or show it where it may not be copied.
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say("Copied.");
  } catch {
    await dialog("Copy this", h("p", { class: "to-copy" }, text));
  }
}

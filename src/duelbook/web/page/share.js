// Share a text: with the system's share sheet on phones, elsewhere through the clipboard.

import { showDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { notify } from "./status.js";

/**
 * Share a text, which may be an address.
 * @param {string} text
 */
export async function share(text) {
  if (matchMedia("(pointer: coarse)").matches && typeof navigator.share === "function") {
    try {
      await navigator.share({ title: "Duelbook", text });
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  await copy(text);
}

/**
 * Copy a text; if the browser forbids that, show it in a dialog.
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    notify("Copied to the clipboard.");
  } catch {
    await showDialog("Copy this text", h("p", { class: "to-copy" }, text));
  }
}

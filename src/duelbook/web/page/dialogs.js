// Dialogs: the browser's own, made when they are needed.

import { gameOf } from "./api.js";
import { draw, h } from "./dom.js";
import { markdown } from "./markdown.js";

/**
 * Show a dialog and answer how it was closed.
 * @param {string} title
 * @param {import("./types.js").Child} content
 * @param {Record<string, string>} [buttons] the answer of each, and its text
 * @returns {Promise<string>}
 */
export function dialog(title, content, buttons = { close: "Close" }) {
  const element = document.createElement("dialog");
  const close = (/** @type {string} */ answer) => element.close(answer);
  draw(
    element,
    h("h2", { id: "dialog-title" }, title),
    h("div", { class: "dialog-content" }, content),
    h(
      "div",
      { class: "row end" },
      Object.entries(buttons).map(([answer, text], index, all) =>
        h(
          "button",
          { type: "button", class: index === all.length - 1 ? "main" : "", onclick: () => close(answer) },
          text,
        ),
      ),
    ),
  );
  element.setAttribute("aria-labelledby", "dialog-title");
  element.addEventListener("click", (event) => {
    if (event.target === element) close(""); // beside it
  });
  document.body.append(element);
  element.showModal();
  return new Promise((resolve) => {
    element.addEventListener("close", () => {
      element.remove();
      resolve(element.returnValue);
    });
  });
}

/**
 * Ask before something that cannot be taken back.
 * @param {string} title
 * @param {string} text
 * @param {string} yes
 */
export async function sure(title, text, yes) {
  return (await dialog(title, h("p", null, text), { no: "Cancel", yes })) === "yes";
}

/**
 * Show the rules of a game.
 * @param {string} name
 */
export async function showRules(name) {
  const game = await gameOf(name);
  await dialog(`Rules of ${game.title}`, h("div", { class: "rules" }, markdown(game.rules)));
}

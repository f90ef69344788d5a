// Modal dialogs: `<dialog>` elements, created when needed and removed when closed.

import { draw, h } from "./dom.js";

/** @import { Child } from "./dom.js" */

/**
 * Show a dialog and return the name of the button that closed it.
 * @param {string} title
 * @param {Child} content
 * @param {Record<string, string>} [buttons] the text of each button, by name
 * @returns {Promise<string>}
 */
export function showDialog(title, content, buttons = { close: "Close" }) {
  const element = document.createElement("dialog");
  draw(
    element,
    h("h2", { id: "dialog-title" }, title),
    h("div", { class: "dialog-content" }, content),
    h(
      "div",
      { class: "row end" },
      Object.entries(buttons).map(([name, text], index, all) =>
        h(
          "button",
          { type: "button", class: index === all.length - 1 ? "main" : "", onclick: () => element.close(name) },
          text,
        ),
      ),
    ),
  );
  element.setAttribute("aria-labelledby", "dialog-title");
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close(""); // a click on the backdrop
  });
  document.body.append(element);
  element.showModal();
  element.scrollTop = 0; // the focus is on a button at the end
  return new Promise((resolve) => {
    element.addEventListener("close", () => {
      element.remove();
      resolve(element.returnValue);
    });
  });
}

/**
 * Ask before something that cannot be undone; return true if the answer is yes.
 * @param {string} title
 * @param {string} text
 * @param {string} yes
 */
export async function confirmed(title, text, yes) {
  return (await showDialog(title, h("p", null, text), { no: "Cancel", yes })) === "yes";
}

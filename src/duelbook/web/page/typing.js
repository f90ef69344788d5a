// The box for typing a move: for those who would rather write than point.

import { h } from "./dom.js";

/**
 * @param {(move: string) => Promise<void>} play answers when the move is made or refused
 */
export function typingBox(play) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("move"));
    const typed = field.value.trim();
    if (typed) void play(typed).then(() => form.reset());
  };
  const plain = { autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: "60" };
  return h(
    "form",
    { class: "typing", key: "typing", onsubmit: submit },
    h("label", { for: "typed-move" }, "Type a move"),
    h("input", { id: "typed-move", name: "move", ...plain }),
    h("button", { type: "submit" }, "Play it"),
  );
}

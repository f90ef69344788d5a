// Settings of this browser: the name, the colours, the boards, and who may watch.

import { dialog } from "./dialogs.js";
import { h } from "./dom.js";
import { colour, go } from "./main.js";
import { prefs, remember } from "./prefs.js";

const SCHEMES = { auto: "As the system", light: "Light", dark: "Dark" };

/** Show the settings. */
export async function settings() {
  const plain = prefs.plain;
  await dialog("Settings", fields(), { close: "Done" });
  if (plain !== prefs.plain) go(location.href, { replace: true });
}

function fields() {
  /** @param {Partial<import("./prefs.js").Prefs>} changes */
  const keep = (changes) => {
    remember(changes);
    colour();
  };
  const value = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).value;
  const checked = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).checked;
  return [
    h(
      "div",
      { class: "field" },
      h("label", { for: "set-name" }, "Your name"),
      h("input", {
        id: "set-name",
        value: prefs.name,
        maxlength: "40",
        autocomplete: "nickname",
        onchange: (/** @type {Event} */ event) => keep({ name: value(event).trim() }),
      }),
    ),
    h(
      "div",
      { class: "field" },
      h("label", { for: "set-scheme" }, "Colours"),
      h(
        "select",
        { id: "set-scheme", onchange: (/** @type {Event} */ event) => keep({ scheme: value(event) }) },
        Object.entries(SCHEMES).map(([name, text]) =>
          h("option", { value: name, selected: name === prefs.scheme }, text),
        ),
      ),
    ),
    h(
      "label",
      { class: "switch" },
      h("input", {
        type: "checkbox",
        role: "switch",
        checked: prefs.plain,
        onchange: (/** @type {Event} */ event) => keep({ plain: checked(event) }),
      }),
      "Plain boards: text and move names",
    ),
    h(
      "label",
      { class: "switch" },
      h("input", {
        type: "checkbox",
        role: "switch",
        checked: prefs.public,
        onchange: (/** @type {Event} */ event) => keep({ public: checked(event) }),
      }),
      "Others may watch the matches I start",
    ),
  ];
}

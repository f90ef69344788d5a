// The settings dialog: name, colours, pace, sounds, plain boards, keys that play, pre-moves, and whether others may watch.

import { showDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { applyColours, go } from "./main.js";
import { allowNotifications } from "./notifications.js";
import { PACES } from "./pace.js";
import { prefs, remember } from "./prefs.js";
import { notify } from "./status.js";

/** @import { Prefs } from "./prefs.js" */

const SCHEMES = { auto: "Same as the system", light: "Light", dark: "Dark" };

/** Show the dialog; a change of boards draws the screen again. */
export async function showSettings() {
  const plain = prefs.plain;
  await showDialog("Settings", fields(), { close: "Done" });
  if (plain !== prefs.plain) go(location.href, { replace: true });
}

/**
 * Switch notifications on, if the browser allows it, or off.
 * @param {HTMLInputElement} box
 */
async function setNotify(box) {
  const wanted = box.checked;
  const allowed = wanted && (await allowNotifications());
  remember({ notify: allowed });
  box.checked = allowed;
  if (wanted && !allowed)
    notify("Your browser does not allow notifications from this site. Allow them in its settings.");
}

function fields() {
  /** @param {Partial<Prefs>} changes */
  const change = (changes) => {
    remember(changes);
    applyColours();
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
        maxlength: "32",
        autocomplete: "nickname",
        onchange: (/** @type {Event} */ event) => change({ name: value(event).trim() }),
      }),
    ),
    h(
      "div",
      { class: "field" },
      h("label", { for: "set-scheme" }, "Colours"),
      h(
        "select",
        { id: "set-scheme", onchange: (/** @type {Event} */ event) => change({ scheme: value(event) }) },
        Object.entries(SCHEMES).map(([name, text]) =>
          h("option", { value: name, selected: name === prefs.scheme }, text),
        ),
      ),
    ),
    h(
      "div",
      { class: "field" },
      h("label", { for: "set-pace" }, "The computer replies"),
      h(
        "select",
        { id: "set-pace", onchange: (/** @type {Event} */ event) => change({ pace: value(event) }) },
        Object.entries(PACES).map(([name, { text }]) =>
          h("option", { value: name, selected: name === prefs.pace }, text),
        ),
      ),
    ),
    h(
      "label",
      { class: "switch" },
      h("input", {
        type: "checkbox",
        role: "switch",
        checked: prefs.sound,
        onchange: (/** @type {Event} */ event) => change({ sound: checked(event) }),
      }),
      "Sounds for moves and results",
    ),
    h(
      "label",
      { class: "switch" },
      h("input", {
        type: "checkbox",
        role: "switch",
        checked: prefs.plain,
        onchange: (/** @type {Event} */ event) => change({ plain: checked(event) }),
      }),
      "Plain boards: text and buttons",
    ),
    h(
      "label",
      { class: "switch" },
      h("input", {
        type: "checkbox",
        role: "switch",
        checked: prefs.keys,
        onchange: (/** @type {Event} */ event) => change({ keys: checked(event) }),
      }),
      "Letter and number keys play moves",
    ),
    h(
      "label",
      { class: "switch" },
      h("input", {
        type: "checkbox",
        role: "switch",
        checked: prefs.premoves,
        onchange: (/** @type {Event} */ event) => change({ premoves: checked(event) }),
      }),
      "Pre-moves: choose your next move during the opponent's turn",
    ),
    h(
      "label",
      { class: "switch" },
      h("input", {
        type: "checkbox",
        role: "switch",
        checked: prefs.public,
        onchange: (/** @type {Event} */ event) => change({ public: checked(event) }),
      }),
      "Let others watch the matches I start",
    ),
    h(
      "label",
      { class: "switch" },
      h("input", {
        type: "checkbox",
        role: "switch",
        checked: prefs.notify,
        onchange: (/** @type {Event} */ event) => void setNotify(/** @type {HTMLInputElement} */ (event.target)),
      }),
      "Notify me when it is my turn and I look elsewhere",
    ),
  ];
}

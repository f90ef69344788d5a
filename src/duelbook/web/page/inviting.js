// Inviting a friend, and being invited.

import { h } from "./dom.js";
import { prefs, remember } from "./prefs.js";
import { copy, share } from "./sharing.js";
import { trying } from "./status.js";
import { choiceField, choiceOf } from "./wishes.js";
import { titled } from "./words.js";

/** @typedef {import("./types.js").Match} Match */
/** @typedef {import("./types.js").Game} Game */

/**
 * What the one sees who made the match: the link to give away.
 * @param {Match} match
 */
export function invitation(match) {
  const address = `${location.origin}/match/${match.id}`;
  const text = `Play ${titled(match.game)} with me: ${address}`;
  return h(
    "section",
    { class: "panel invite", key: "invite" },
    h("h2", null, "Invite a friend"),
    h("p", null, "Send this link. Whoever opens it first may take the other seat; the match begins then."),
    h("input", { class: "link", readonly: true, value: address, "aria-label": "Link to the match", onfocus: select }),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "main", onclick: () => void trying(() => copy(address)) }, "Copy link"),
      "share" in navigator &&
        h("button", { type: "button", onclick: () => void trying(() => share("Duelbook", text)) }, "Share …"),
    ),
  );
}

/** @param {Event} event */
function select(event) {
  /** @type {HTMLInputElement} */ (event.target).select();
}

/**
 * What a friend sees: who invites them to what, and a way in.
 * @param {Match} match
 * @param {Game} game
 * @param {(who: {name?: string, choice?: string}) => void} join
 * @param {() => void} changed
 */
export function joining(match, game, join, changed) {
  const host = Object.entries(match.seats).find(([, who]) => who === "human")?.[0] ?? "first";
  const name = match.names[/** @type {import("./types.js").Seat} */ (host)];
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const choice = match.choices ? { choice: choiceOf(game) } : {};
    join({ ...(prefs.name && { name: prefs.name }), ...choice });
  };
  const rename = (/** @type {Event} */ event) => {
    remember({ name: /** @type {HTMLInputElement} */ (event.target).value.trim() });
    changed();
  };
  return h(
    "form",
    { class: "panel invite", key: "join", onsubmit: submit },
    h("h2", null, `${name} invites you to ${game.title}`),
    h("p", null, `${game.aim[0].toUpperCase()}${game.aim.slice(1)}`),
    h(
      "div",
      { class: "field" },
      h("label", { for: "name" }, "Your name"),
      h("input", { id: "name", value: prefs.name, maxlength: "40", autocomplete: "nickname", onchange: rename }),
    ),
    match.choices && choiceField(game, match.choices.valid, changed),
    h("button", { type: "submit", class: "main" }, `Play ${host === "first" ? "second" : "first"}`),
  );
}

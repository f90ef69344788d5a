// The invitation to a match: the link for the player who made it, and the form for the friend who opens it.

import { h } from "./dom.js";
import { choiceField, choiceOf, rememberChoice } from "./new-match.js";
import { prefs, remember } from "./prefs.js";
import { showRules } from "./rules.js";
import { copy, share } from "./share.js";
import { attempt } from "./status.js";
import { matchTerms, titledTerms } from "./terms.js";
import { sentence } from "./text.js";

/** @import { Game, Match, Seat } from "./api-types.js" */
/** @import { MatchStore } from "./match-store.js" */

const OPEN_TEXT =
  "The next visitor of the lobby can take it. It is listed for as long as you stay on this page. You can also send this link.";
const WATCHED_TEXT =
  "While it is played, everybody can watch it from the lobby. The settings can change that for your next matches.";

/**
 * Return the panel with the link to send, its QR code, and the offer to everybody.
 * @param {MatchStore} store
 * @param {Match} match
 * @param {Game} game
 */
export function invitation(store, match, game) {
  const address = `${location.origin}/match/${match.id}`;
  const text = `Play with me: ${matchTerms(game, match, null)}. ${address}`;
  const offer = (/** @type {Event} */ event) => {
    const { checked } = /** @type {HTMLInputElement} */ (event.target);
    void attempt(() => store.offer(checked));
  };
  return h(
    "section",
    { class: "panel invite", key: "invite" },
    h("h2", null, match.open ? "Your open challenge" : "Invite a friend"),
    h(
      "p",
      null,
      match.open ? OPEN_TEXT : "Send this link to a friend. The match starts when somebody opens the link and joins.",
    ),
    h("input", {
      class: "link",
      readonly: true,
      value: address,
      "aria-label": "Link to the match",
      onfocus: selectText,
    }),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "main", onclick: () => void attempt(() => copy(address)) }, "Copy link"),
      "share" in navigator &&
        h("button", { type: "button", onclick: () => void attempt(() => share(text)) }, "Share …"),
    ),
    h(
      "details",
      { class: "qr" },
      h("summary", null, "QR code for a phone"),
      h("img", {
        src: `${store.path}/qr`,
        alt: "QR code of the link to the match",
        width: "240",
        height: "240",
        loading: "lazy",
      }),
    ),
    h(
      "label",
      { class: "switch" },
      h("input", { type: "checkbox", role: "switch", checked: match.open, onchange: offer }),
      "Offer it to everybody in the lobby",
    ),
    match.public && h("p", { class: "quiet" }, WATCHED_TEXT),
  );
}

/** @param {Event} event */
function selectText(event) {
  /** @type {HTMLInputElement} */ (event.target).select();
}

/**
 * Return the form that takes the free seat.
 * @param {Match} match
 * @param {Game} game
 * @param {(who: {name?: string, choice?: string}) => void} join
 * @param {() => void} onchange
 */
export function joinForm(match, game, join, onchange) {
  const host = Object.entries(match.seats).find(([, who]) => who === "human")?.[0] ?? "first";
  const name = match.names[/** @type {Seat} */ (host)];
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const choice = match.choices ? { choice: choiceOf(game) } : {};
    join({ ...(prefs.name && { name: prefs.name }), ...choice });
  };
  const rename = (/** @type {Event} */ event) => {
    remember({ name: /** @type {HTMLInputElement} */ (event.target).value.trim() });
    onchange();
  };
  return h(
    "form",
    { class: "panel invite", key: "join", onsubmit: submit },
    h("h2", null, `${name} invites you to play ${game.title}`),
    h("p", { class: "terms" }, titledTerms(game, match, null)),
    h("p", null, sentence(game.aim)),
    h(
      "div",
      { class: "field" },
      h("label", { for: "name" }, "Your name"),
      h("input", { id: "name", value: prefs.name, maxlength: "32", autocomplete: "nickname", onchange: rename }),
    ),
    match.choices &&
      choiceField(game, match.choices.valid, prefs.choices[game.name] ?? "", (chosen) => {
        rememberChoice(game, chosen);
        onchange();
      }),
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "main" }, `Join and move ${host === "first" ? "second" : "first"}`),
      h("button", { type: "button", onclick: () => void attempt(() => showRules(game.name, match.options)) }, "Rules"),
    ),
  );
}

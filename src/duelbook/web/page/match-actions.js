// What a player can do in a match, and anybody after it: buttons for everything but moves.

import { query } from "./api.js";
import { confirmed } from "./dialogs.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { showRules } from "./rules.js";
import { share } from "./share.js";
import { attempt } from "./status.js";

/** @import { Game, Line, Match } from "./api-types.js" */
/** @import { IconName } from "./icons.js" */
/** @import { MatchStore } from "./match-store.js" */

/**
 * @param {MatchStore} store
 * @param {Match} match as far as it is shown
 * @param {Game} game
 * @param {Line} line
 */
export function matchActions(store, match, game, line) {
  const own = match.status === "playing" ? store.seat : null;
  return h(
    "div",
    { class: "actions", key: "actions" },
    own && button("undo", "Take back", () => store.act("undo"), !match.actions[own].includes("undo")),
    own &&
      canGiveTime(match) &&
      button("clock", "Give 15 seconds", () => store.act("give"), !match.actions[own].includes("give")),
    own && button("resign", "Resign", () => resign(store)),
    match.status === "over" && [
      h(
        "a",
        { class: "button", key: "analyse", href: `/analysis/${match.game}${query(game, line.options, line.moves)}` },
        icon("analyse"),
        "Analyse",
      ),
      h(
        "a",
        { class: "button", key: "record", href: `${store.path}/record`, download: "" },
        icon("download"),
        "Download record",
      ),
      h(
        "a",
        { class: "button", key: "picture", href: `/pictures/matches/${store.id}.png`, download: "" },
        icon("download"),
        "Save picture",
      ),
    ],
    button("rules", "Rules (?)", () => showRules(match.game, match.options)),
    button("link", "Copy link", () => share(`${location.origin}/match/${store.id}`)),
  );
}

/** @param {Match} match */
function canGiveTime(match) {
  return match.clocks !== null && match.seats.first === "human" && match.seats.second === "human";
}

/** @param {MatchStore} store */
async function resign(store) {
  if (await confirmed("Resign?", "The match ends and your opponent wins.", "Resign")) await store.act("resign");
}

/**
 * @param {IconName} sign
 * @param {string} text
 * @param {() => Promise<unknown>} work
 * @param {boolean} [disabled]
 */
function button(sign, text, work, disabled = false) {
  const props = { type: "button", key: text, "aria-disabled": disabled ? "true" : undefined };
  return h("button", { ...props, onclick: disabled ? null : () => void attempt(work) }, icon(sign), text);
}

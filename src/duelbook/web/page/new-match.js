// A new match: what the player has chosen before, in words, and the request that creates the match.

import { newKey, post } from "./api.js";
import { h } from "./dom.js";
import { go } from "./main.js";
import { prefs, remember } from "./prefs.js";
import { presetOf } from "./terms.js";

/** @import { Agent, Catalogue, Game, NewMatch, Seated } from "./api-types.js" */
/** @import { Prefs } from "./prefs.js" */
/** @import { Options } from "./types.js" */

/** @type {Record<string, string>} by seconds */
export const TIME_LIMITS = {
  "": "No clock",
  10: "10 seconds per move",
  30: "30 seconds per move",
  60: "1 minute per move",
  300: "5 minutes per move",
};
export const TIME_KEY = "time limit"; // stored beside the options; no option has a space in its name

/** @type {Record<string, string>} */
export const SEATS = { first: "First", second: "Second", random: "Random" };

/** @type {Record<number, string>} by the number of games, with the seats swapped after each */
export const SERIES = { 1: "One game", 2: "Best of two", 4: "Best of four", 6: "Best of six" };

const MAX_LISTED = 60; // more than that is typed

const PREPARING = "The server prepares your opponent. It may have to solve the game first …";
const SEAT_TEXTS = /** @type {Record<string, string>} */ ({
  first: "you move first",
  second: "you move second",
  random: "random seat",
});

let pending = { request: "", key: "" }; // sent again with the same key, it creates no second match

/**
 * Create a match with the player's choices, and go to it.
 * @param {Game} game
 * @param {Agent | null} opponent null for a friend
 * @param {{open?: boolean}} [more] an open match is offered to everybody
 */
export async function startMatch(game, opponent, more = {}) {
  const wanted = { ...matchRequest(game, opponent?.name ?? "friend"), ...more };
  const text = JSON.stringify(wanted);
  if (pending.request !== text) pending = { request: text, key: newKey() };
  /** @type {Seated} */
  const seated = await post("/api/matches", { ...wanted, key: pending.key }, opponent?.level ? PREPARING : undefined);
  pending = { request: "", key: "" };
  const { rememberMatch } = await import("./played-games.js");
  await rememberMatch(seated.match, seated.seat);
  go(`/match/${seated.id}`);
}

/** @param {Game} game @param {string} opponent @returns {NewMatch} */
function matchRequest(game, opponent) {
  const limit = Number(prefs.options[game.name]?.[TIME_KEY] ?? 0);
  const { seat, bestOf } = setupOf(game);
  return {
    game: game.name,
    opponent,
    seat: /** @type {NewMatch["seat"]} */ (seat),
    options: storedOptions(game),
    public: prefs.public,
    ...(prefs.name && { name: prefs.name }),
    ...(limit && { time_limit: limit }),
    ...(bestOf > 1 && { best_of: /** @type {NewMatch["best_of"]} */ (bestOf) }),
    ...(game.choice && { choice: choiceOf(game) }),
  };
}

/**
 * Return the options that the player has chosen for a game, without the clock; before that, those that are suggested.
 * @param {Game} game
 * @returns {Options}
 */
export function storedOptions(game) {
  const stored = prefs.options[game.name] ?? game.presets.find((preset) => preset.suggested)?.options ?? {};
  const known = game.options.filter((option) => option.name in stored && option.name !== game.choice?.option);
  return Object.fromEntries(known.map((option) => [option.name, stored[option.name]]));
}

/**
 * Return the level, the seat and the number of games that were chosen for a game. For one without choices of its own,
 * the level is the one that was chosen last in any game.
 * @param {Game} game
 */
export function setupOf({ name }) {
  /** @type {Partial<Prefs["setups"][string]>} */
  const own = prefs.setups[name] ?? {};
  const { level, seat, bestOf } = prefs;
  return { level: own.level ?? level, seat: own.seat ?? seat, bestOf: own.bestOf ?? bestOf };
}

/**
 * Return the computer opponent that was chosen, or else the level in the middle. The name has the number of an agent
 * that takes one: `search:6`.
 * @param {Catalogue} catalogue
 * @param {Game} game
 * @returns {Agent}
 */
export function chosenOpponent({ agents }, game) {
  const [kind, number] = setupOf(game).level.split(":");
  const chosen = agents.find((agent) => agent.name === kind);
  const levels = agents.filter((agent) => agent.level);
  const agent = chosen ?? levels[Math.floor((levels.length - 1) / 2)];
  return chosen?.parameter && number ? { ...agent, name: `${agent.name}:${number}` } : agent;
}

/**
 * Return what a press on Play starts, in a few words: "medium · you move first · fair · 30 seconds per move".
 * @param {Game} game
 * @param {Agent} opponent
 */
export function choiceText(game, opponent) {
  const preset = presetOf(game, storedOptions(game));
  const { seat, bestOf } = setupOf(game);
  const limit = prefs.options[game.name]?.[TIME_KEY];
  const parts = [
    opponent.name,
    SEAT_TEXTS[seat] ?? SEAT_TEXTS.first,
    preset === game.presets[0] ? "" : (preset?.title.toLowerCase() ?? "your own rules"),
    limit && TIME_LIMITS[limit]?.toLowerCase(),
    bestOf > 1 && SERIES[bestOf]?.toLowerCase(),
  ];
  return parts.filter(Boolean).join(" · ");
}

/**
 * Return the player's choice before the start, or a random one.
 * @param {Game} game
 */
export function choiceOf(game) {
  const valid = game.choice?.valid ?? [];
  return prefs.choices[game.name] || valid[Math.floor(Math.random() * valid.length)];
}

/**
 * Return the field for the choice before the start, or null if the game has none.
 * @param {Game} game
 * @param {string[]} valid what can be chosen; empty if that is too much for a list
 * @param {string} chosen empty for a random one
 * @param {(chosen: string) => void} onchange
 * @param {string} [problem] what is wrong with the choice
 */
export function choiceField(game, valid, chosen, onchange, problem) {
  if (!game.choice) return null;
  const id = `choice-${game.name}`;
  const props = {
    id,
    "aria-invalid": problem ? "true" : undefined,
    "aria-describedby": problem ? `${id}-problem` : undefined,
    oninput: (/** @type {Event} */ event) => onchange(/** @type {HTMLInputElement} */ (event.target).value.trim()),
  };
  return h(
    "div",
    { class: "field", key: id },
    h("label", { for: id }, `Your ${game.choice.what}`),
    valid.length && valid.length <= MAX_LISTED
      ? h(
          "select",
          props,
          h("option", { value: "", selected: !chosen }, "Random"),
          valid.map((name) => h("option", { value: name, selected: chosen === name }, name)),
        )
      : h("input", { ...props, value: chosen, maxlength: "40", autocomplete: "off", placeholder: "Random" }),
    problem && h("small", { id: `${id}-problem`, class: "problem" }, problem),
  );
}

/**
 * Remember the choice before the start of a game.
 * @param {Game} game
 * @param {string} chosen
 */
export const rememberChoice = (game, chosen) => remember({ choices: { ...prefs.choices, [game.name]: chosen } });

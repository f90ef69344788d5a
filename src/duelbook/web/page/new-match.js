// A new match: the options of a game, the choice before the start, and the request that creates the match.

import { post } from "./api.js";
import { h } from "./dom.js";
import { go } from "./main.js";
import { prefs, remember } from "./prefs.js";
import { presetOf } from "./terms.js";
import { sentence } from "./text.js";

/** @import { Agent, Game, NewMatch, Option, Seated } from "./api-types.js" */
/** @import { Options } from "./types.js" */

/** @type {Record<string, string>} by seconds */
const TIME_LIMITS = {
  "": "No clock",
  10: "10 seconds per move",
  30: "30 seconds per move",
  60: "1 minute per move",
  300: "5 minutes per move",
};
const DRAWN = "Drawn for each match unless it is given.";
const PREPARING = "The server prepares your opponent. It may have to solve the game first …";
const TIME_KEY = "time limit"; // stored beside the options; no option has a space in its name

/**
 * Create a match with the player's preferences, and go to it.
 * @param {Game} game
 * @param {Agent | null} agent the opponent, or null for a friend
 * @param {{open?: boolean}} [more] an open match is offered to everybody
 */
export async function startMatch(game, agent, more = {}) {
  /** @type {Seated} */
  const seated = await post(
    "/api/matches",
    { ...matchRequest(game, agent?.name ?? "friend"), ...more },
    agent?.level ? PREPARING : undefined,
  );
  const { rememberMatch } = await import("./played-games.js");
  await rememberMatch(seated.match, seated.seat);
  go(`/match/${seated.id}`);
}

/** @param {Game} game @param {string} opponent @returns {NewMatch} */
function matchRequest(game, opponent) {
  const limit = Number(prefs.options[game.name]?.[TIME_KEY] ?? 0);
  return {
    game: game.name,
    opponent,
    seat: /** @type {NewMatch["seat"]} */ (prefs.seat),
    options: storedOptions(game),
    public: prefs.public,
    ...(prefs.name && { name: prefs.name }),
    ...(limit && { time_limit: limit }),
    ...(prefs.bestOf > 1 && { best_of: /** @type {NewMatch["best_of"]} */ (prefs.bestOf) }),
    ...(game.choice && { choice: choiceOf(game) }),
  };
}

/** @param {Game} game @returns {Options} */
function storedOptions(game) {
  const stored = prefs.options[game.name] ?? {};
  const known = game.options.filter((option) => option.name in stored && option.name !== game.choice?.option);
  return Object.fromEntries(known.map((option) => [option.name, stored[option.name]]));
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
 * @param {string[] | undefined} valid the match's own list, if there is a match
 * @param {() => void} onchange
 */
export function choiceField(game, valid, onchange) {
  if (!game.choice) return null;
  const names = valid ?? (Object.keys(storedOptions(game)).length ? null : game.choice.valid);
  const id = `choice-${game.name}`;
  const props = {
    id,
    onchange: (/** @type {Event} */ event) => {
      const value = /** @type {HTMLInputElement} */ (event.target).value;
      remember({ choices: { ...prefs.choices, [game.name]: value } });
      onchange();
    },
  };
  const chosen = prefs.choices[game.name] ?? "";
  return h(
    "div",
    { class: "field", key: id },
    h("label", { for: id }, `Your ${game.choice.what}`),
    names
      ? h(
          "select",
          props,
          h("option", { value: "", selected: !chosen }, "Random"),
          names.map((name) => h("option", { value: name, selected: chosen === name }, name)),
        )
      : h("input", { ...props, value: chosen, maxlength: "40", autocomplete: "off" }),
  );
}

/**
 * Return the panel with a game's options and its clock.
 * @param {Game} game
 * @param {() => void} onchange
 */
export function optionsPanel(game, onchange) {
  const stored = prefs.options[game.name] ?? {};
  const store = (/** @type {Options} */ options) => {
    remember({ options: { ...prefs.options, [game.name]: options } });
    onchange();
  };
  const change = (/** @type {string} */ name, /** @type {string | number | undefined} */ value) => {
    const { [name]: _, ...others } = stored;
    store(value === undefined || value === "" ? others : { ...others, [name]: value });
  };
  const options = game.options.filter((option) => option.name !== game.choice?.option);
  const preset = presetOf(game, stored);
  const time = stored[TIME_KEY];
  const changed = Object.keys(stored).length;
  const named = preset && !time && Object.keys(preset.options).length ? preset.title : null;
  const state = named ?? (changed ? `${changed} changed` : null);
  return h(
    "details",
    { class: "options" },
    h("summary", null, state ? `Options (${state})` : "Options"),
    presetField(game, stored, (options) => store({ ...options, ...(time && { [TIME_KEY]: time }) })),
    options.map((option) => optionField(game, option, stored[option.name], (value) => change(option.name, value))),
    h(
      "div",
      { class: "field", key: "time" },
      h("label", { for: `time-${game.name}` }, "Clock"),
      h(
        "select",
        {
          id: `time-${game.name}`,
          onchange: (/** @type {Event} */ event) =>
            change(TIME_KEY, /** @type {HTMLSelectElement} */ (event.target).value),
        },
        Object.entries(TIME_LIMITS).map(([value, text]) =>
          h("option", { value, selected: String(stored[TIME_KEY] ?? "") === value }, text),
        ),
      ),
    ),
    bestOfField(game, onchange),
    h("button", { type: "button", class: "plain-button", onclick: () => store({}) }, "Reset to the rule book"),
  );
}

/** @type {Record<number, string>} by the number of games */
const SERIES = { 1: "One game", 2: "Best of two", 4: "Best of four", 6: "Best of six" };

/**
 * Return the field for the number of games, which is kept for all games.
 * @param {Game} game
 * @param {() => void} onchange
 */
export function bestOfField(game, onchange) {
  const id = `best-of-${game.name}`;
  const change = (/** @type {Event} */ event) => {
    remember({ bestOf: Number(/** @type {HTMLSelectElement} */ (event.target).value) });
    onchange();
  };
  return h(
    "div",
    { class: "field", key: "best-of" },
    h("label", { for: id }, "Games"),
    h(
      "select",
      { id, onchange: change, "aria-describedby": `${id}-about` },
      Object.entries(SERIES).map(([value, text]) =>
        h("option", { value, selected: Number(value) === prefs.bestOf }, text),
      ),
    ),
    h("small", { id: `${id}-about` }, "The seats are swapped after each game."),
  );
}

/**
 * Return the field that sets all options to those of a preset, or null if the rule book's is the only one.
 * @param {Game} game
 * @param {Options} options
 * @param {(options: Options) => void} onchange
 */
export function presetField(game, options, onchange) {
  if (game.presets.length === 1) return null;
  const id = `${game.name}-preset`;
  const current = presetOf(game, options);
  const change = (/** @type {Event} */ event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    onchange({ ...game.presets.find((preset) => preset.name === value)?.options });
  };
  return h(
    "div",
    { class: "field", key: "preset" },
    h("label", { for: id }, "preset"),
    h(
      "select",
      { id, onchange: change, "aria-describedby": `${id}-about` },
      !current && h("option", { value: "", selected: true, disabled: true }, "Your own"),
      game.presets.map(({ name, title }) => h("option", { value: name, selected: name === current?.name }, title)),
    ),
    h("small", { id: `${id}-about` }, current?.about ?? "These rules are your own."),
  );
}

/**
 * Return the field of an option.
 * @param {Game} game
 * @param {Option} option
 * @param {string | number | undefined} value
 * @param {(value: string | number | undefined) => void} onchange called with undefined for the default
 */
export function optionField(game, option, value, onchange) {
  const id = `${game.name}-${option.name}`;
  const change = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    const entered = option.type === "whole number" && field.value !== "" ? Number(field.value) : field.value;
    onchange(entered === "" || (entered === option.default && !option.drawn) ? undefined : entered);
  };
  const current = value ?? (option.drawn ? "" : option.default);
  return h(
    "div",
    { class: "field", key: option.name },
    h("label", { for: id }, option.name.replaceAll("_", " ")),
    option.values
      ? h(
          "select",
          { id, onchange: change },
          option.values.map((one) => h("option", { value: one, selected: one === current }, one)),
        )
      : h("input", {
          id,
          type: option.type === "whole number" ? "number" : "text",
          min: option.minimum ?? undefined,
          max: option.maximum ?? undefined,
          value: String(current),
          placeholder: option.drawn ? "drawn" : undefined,
          onchange: change,
          "aria-describedby": `${id}-about`,
        }),
    h("small", { id: `${id}-about` }, sentence(option.about), option.drawn && ` ${DRAWN}`),
  );
}

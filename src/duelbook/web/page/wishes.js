// What somebody wishes for before a match: the options of the game, what they choose, and how they sit.

import { h } from "./dom.js";
import { prefs, remember } from "./prefs.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Option} Option */

/** @type {Record<string, string>} */
const TIMES = {
  "": "No clock",
  10: "10 seconds a move",
  30: "30 seconds a move",
  60: "1 minute a move",
  300: "5 minutes a move",
};
const TIME = "time limit"; // kept beside the options; no option has a space in its name

/** @param {Game} game @returns {Record<string, string | number>} */
export function optionsOf(game) {
  const kept = prefs.options[game.name] ?? {};
  const known = game.options.filter((option) => option.name in kept && option.name !== game.choice?.option);
  return Object.fromEntries(known.map((option) => [option.name, kept[option.name]]));
}

/** @param {Game} game @param {string} opponent */
export function wishFor(game, opponent) {
  const limit = Number(prefs.options[game.name]?.[TIME] ?? 0);
  return {
    game: game.name,
    opponent,
    seat: prefs.seat,
    options: optionsOf(game),
    public: prefs.public,
    ...(prefs.name && { name: prefs.name }),
    ...(limit && { time_limit: limit }),
    ...(game.choice && { choice: choiceOf(game) }),
  };
}

/** @param {Game} game */
export function choiceOf(game) {
  const valid = game.choice?.valid ?? [];
  return prefs.choices[game.name] || valid[Math.floor(Math.random() * valid.length)];
}

/**
 * A field for what each player chooses before the start; nothing where there is nothing to choose.
 * @param {Game} game
 * @param {string[] | undefined} valid those of the match, where there is one
 * @param {() => void} changed
 */
export function choiceField(game, valid, changed) {
  if (!game.choice) return null;
  const names = valid ?? (Object.keys(optionsOf(game)).length ? null : game.choice.valid);
  const id = `choice-${game.name}`;
  const props = {
    id,
    onchange: (/** @type {Event} */ event) => {
      const value = /** @type {HTMLInputElement} */ (event.target).value;
      remember({ choices: { ...prefs.choices, [game.name]: value } });
      changed();
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
          h("option", { value: "", selected: !chosen }, "Any"),
          names.map((name) => h("option", { value: name, selected: chosen === name }, name)),
        )
      : h("input", { ...props, value: chosen, maxlength: "40", autocomplete: "off" }),
  );
}

/**
 * The panel of a game's options.
 * @param {Game} game
 * @param {() => void} changed
 */
export function optionsPanel(game, changed) {
  const kept = prefs.options[game.name] ?? {};
  const keep = (/** @type {string} */ name, /** @type {string | number | undefined} */ value) => {
    const { [name]: _, ...others } = kept;
    const options = value === undefined || value === "" ? others : { ...others, [name]: value };
    remember({ options: { ...prefs.options, [game.name]: options } });
    changed();
  };
  const forget = () => {
    remember({ options: { ...prefs.options, [game.name]: {} } });
    changed();
  };
  const fields = game.options.filter((option) => option.name !== game.choice?.option);
  const number = Object.keys(kept).length;
  return h(
    "details",
    { class: "options" },
    h("summary", null, number ? `Options (${number} changed)` : "Options"),
    fields.map((option) => optionField(game, option, kept[option.name], (value) => keep(option.name, value))),
    h(
      "div",
      { class: "field", key: "time" },
      h("label", { for: `time-${game.name}` }, "Clock"),
      h(
        "select",
        {
          id: `time-${game.name}`,
          onchange: (/** @type {Event} */ event) => keep(TIME, /** @type {HTMLSelectElement} */ (event.target).value),
        },
        Object.entries(TIMES).map(([value, text]) =>
          h("option", { value, selected: String(kept[TIME] ?? "") === value }, text),
        ),
      ),
    ),
    h("button", { type: "button", class: "plain-button", onclick: forget }, "As in the book"),
  );
}

/**
 * @param {Game} game
 * @param {Option} option
 * @param {string | number | undefined} value
 * @param {(value: string | number | undefined) => void} keep
 */
export function optionField(game, option, value, keep) {
  const id = `${game.name}-${option.name}`;
  const change = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    const given = option.type === "whole number" && field.value !== "" ? Number(field.value) : field.value;
    keep(given === option.default || given === "" ? undefined : given);
  };
  const now = value ?? option.default;
  return h(
    "div",
    { class: "field", key: option.name },
    h("label", { for: id }, option.name.replaceAll("_", " ")),
    option.values
      ? h(
          "select",
          { id, onchange: change },
          option.values.map((one) => h("option", { value: one, selected: one === now }, one)),
        )
      : h("input", {
          id,
          type: option.type === "whole number" ? "number" : "text",
          min: option.minimum ?? undefined,
          max: option.maximum ?? undefined,
          value: String(now),
          onchange: change,
          "aria-describedby": `${id}-about`,
        }),
    h("small", { id: `${id}-about` }, option.about),
  );
}

// The rules of a match as a form: the presets first, the options behind "Custom", and what is true of the chosen rules.

import { get, query } from "./api.js";
import { h } from "./dom.js";
import { plainValue, presetOf } from "./terms.js";
import { plural, sentence } from "./text.js";

/** @import { Game, Measured, Option, OptionProblem, Solution, Variant } from "./api-types.js" */
/** @import { Options } from "./types.js" */

const DRAWN = "Drawn for each match unless you set it.";
const CUSTOM = "custom";
const CUSTOM_ABOUT = "Set every option yourself.";
const CHECK_DELAY_MS = 250; // after the last change
const UNKNOWN = "Nobody has measured these rules yet.";

/**
 * Return what is wrong with the value of an option as far as its range tells, or an empty text.
 * @param {Option} option
 * @param {string | number | undefined} value undefined for the default
 */
export function rangeProblem(option, value) {
  if (value === undefined || option.type !== "whole number") return "";
  const { minimum, maximum } = option;
  const range = minimum !== null && maximum !== null ? ` from ${minimum} to ${maximum}` : "";
  const number = typeof value === "number" ? value : Number.NaN;
  const fits = Number.isInteger(number) && number >= (minimum ?? -Infinity) && number <= (maximum ?? Infinity);
  return fits ? "" : `Enter a whole number${range}.`;
}

/**
 * Return what is wrong with each option that is outside its range.
 * @param {Game} game
 * @param {Options} options
 * @returns {OptionProblem[]}
 */
export function rangeProblems(game, options) {
  return game.options.flatMap((option) => {
    const detail = rangeProblem(option, options[option.name]);
    return detail ? [{ option: option.name, detail }] : [];
  });
}

/** What the server says about the options that were asked about last. */
export class VariantCheck {
  /** @type {Variant | null} */ found = null;
  /** @type {string | null} */ bestPlay = null; // null until somebody asks for it
  #address = "";
  #timer = 0;
  #onchange;

  /** @param {() => void} onchange */
  constructor(onchange) {
    this.#onchange = onchange;
  }

  /**
   * Ask the server about these options, a moment after the last change.
   * @param {Game} game
   * @param {Options} options
   * @param {string} choice the choice before the start, if there is one
   */
  ask(game, options, choice) {
    const search = new URLSearchParams(query(game, options, []));
    if (choice) search.set("choice", choice);
    const address = `/api/games/${game.name}/variant?${search}`;
    if (address === this.#address) return;
    this.#address = address;
    this.found = null;
    this.bestPlay = null;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#fetch(address), CHECK_DELAY_MS);
  }

  /** @param {string} address */
  async #fetch(address) {
    try {
      const found = await get(address);
      if (address !== this.#address) return;
      this.found = found;
      this.#onchange();
    } catch {
      // the server checks the options again when the match is created
    }
  }

  /**
   * Have the server find out who wins with best play.
   * @param {Game} game
   * @param {Options} options
   */
  async solve(game, options) {
    const address = this.#address;
    const say = (/** @type {string} */ text) => {
      if (address !== this.#address) return;
      this.bestPlay = text;
      this.#onchange();
    };
    say("Working it out …");
    try {
      say(bestPlayText(await get(`/api/solve/${game.name}${query(game, options, [])}`)));
    } catch (error) {
      say(error instanceof Error ? error.message : "");
    }
  }
}

/** @param {Solution} solution */
function bestPlayText({ winner, winner_moves, remoteness }) {
  if (winner !== "none") return `With best play, the ${winner} player wins in ${plural(winner_moves ?? 0, "move")}.`;
  return remoteness === null ? "With best play, nobody ever wins." : "With best play, the game is a draw.";
}

/** @typedef {{value: string, title: string, about: string}} Choice */

/**
 * Return choices side by side, and a line about the one that is chosen.
 * @param {string} name of the group of radio buttons
 * @param {Choice[]} choices
 * @param {string | undefined} chosen
 * @param {(value: string) => void} onchoose
 */
export function choiceRow(name, choices, chosen, onchoose) {
  const about = choices.find(({ value }) => value === chosen)?.about;
  const aboutId = `${name}-about-${choices[0]?.value}`;
  return [
    h(
      "div",
      { class: "choices", key: `${aboutId} row` },
      choices.map(({ value, title }) => {
        const id = `${name}-${value}`;
        const checked = value === chosen;
        return h(
          "div",
          { class: "choice", key: id },
          h("input", {
            type: "radio",
            ...{ id, name, value, checked },
            onchange: () => onchoose(value),
            "aria-describedby": checked ? aboutId : undefined,
          }),
          h("label", { for: id }, title),
        );
      }),
    ),
    about !== undefined && h("p", { class: "choice-about", id: aboutId, key: aboutId }, about),
  ];
}

/**
 * Return the form: presets, and the options if none of the presets is chosen.
 * @param {object} about
 * @param {Game} about.game
 * @param {Options} about.options those that differ from the rule book
 * @param {Option[]} [about.fields] the options behind "Custom"; by default all but what players choose for themselves
 * @param {boolean} about.custom the options are shown even if a preset has them
 * @param {VariantCheck} about.check
 * @param {(options: Options, custom: boolean) => void} about.onchange
 */
export function rulesForm({ game, options, fields, custom, check, onchange }) {
  const preset = custom ? undefined : presetOf(game, options);
  const shown = fields ?? game.options.filter((option) => option.name !== game.choice?.option);
  const change = (/** @type {string} */ name, /** @type {string | number | undefined} */ value) => {
    const { [name]: _, ...others } = options;
    onchange(value === undefined ? others : { ...others, [name]: value }, true);
  };
  const wrong = rangeProblems(game, options);
  const problems = wrong.length || !check.found?.problem ? wrong : [check.found.problem];
  const presets = game.presets.map(({ name, title, about }) => ({ value: name, title, about }));
  const own = shown.length > 0 ? [{ value: CUSTOM, title: "Custom", about: CUSTOM_ABOUT }] : [];
  const choose = (/** @type {string} */ value) => {
    const found = game.presets.find(({ name }) => name === value);
    onchange(found ? { ...found.options } : options, !found);
  };
  return [
    choiceRow("preset", [...presets, ...own], preset?.name ?? CUSTOM, choose),
    !preset &&
      h(
        "div",
        { class: "option-fields", key: "options" },
        shown.map((option) =>
          optionField(game, option, options[option.name], (value) => change(option.name, value), problems),
        ),
      ),
    !problems.length &&
      truth(game, options, preset ? preset.measured : (check.found?.measured ?? null), check, !!preset),
  ];
}

/**
 * Return what is true of the rules: what the lab has measured, or else an offer to work out who wins.
 * @param {Game} game
 * @param {Options} options
 * @param {Measured | null} measured
 * @param {VariantCheck} check
 * @param {boolean} known nothing more will come from the server
 */
function truth(game, options, measured, check, known) {
  if (measured) return h("p", { class: "truth", key: "truth" }, measured.sentences.join(" "));
  if (!known && !check.found) return h("p", { class: "truth", key: "truth" }, "…");
  const random = game.options.some((option) => option.drawn && !(option.name in options));
  return h(
    "p",
    { class: "truth", key: "truth" },
    UNKNOWN,
    " ",
    check.bestPlay ??
      (!random &&
        h(
          "button",
          { type: "button", class: "plain-button", onclick: () => void check.solve(game, options) },
          "Who wins with best play?",
        )),
  );
}

/**
 * Return the field of an option.
 * @param {Game} game
 * @param {Option} option
 * @param {string | number | undefined} value
 * @param {(value: string | number | undefined) => void} onchange called with undefined for the default
 * @param {OptionProblem[]} problems of this option and others
 */
function optionField(game, option, value, onchange, problems) {
  const id = `${game.name}-${option.name}`;
  const change = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    const whole = option.type === "whole number" && /^-?\d{1,9}$/.test(field.value.trim());
    const entered = whole ? Number(field.value) : field.value;
    const isDefault = entered === option.default && !option.drawn;
    onchange(isDefault || (entered === "" && option.type !== "whole number") ? undefined : entered);
  };
  const current = value ?? (option.drawn ? "" : option.default);
  const wrong = problems.find((problem) => problem.option === option.name)?.detail ?? "";
  const props = {
    id,
    oninput: change,
    "aria-describedby": wrong ? `${id}-problem ${id}-about` : `${id}-about`,
    "aria-invalid": wrong ? "true" : undefined,
  };
  return h(
    "div",
    { class: "field", key: option.name },
    h("label", { for: id }, option.name.replaceAll("_", " ")),
    option.values
      ? h(
          "select",
          props,
          option.values.map((one) => h("option", { value: one, selected: one === current }, plainValue(one))),
        )
      : h("input", {
          ...props,
          inputmode: option.type === "whole number" ? "numeric" : undefined,
          value: String(current),
          maxlength: option.type === "whole number" ? "9" : "1000",
          autocomplete: "off",
          placeholder: option.drawn ? "Drawn" : undefined,
        }),
    wrong && h("small", { id: `${id}-problem`, class: "problem", key: "problem" }, wrong),
    h("small", { id: `${id}-about`, key: "about" }, aboutText(option), option.drawn && ` ${DRAWN}`),
  );
}

/** Return what an option means, with its values in plain words. @param {Option} option */
const aboutText = ({ about, values }) =>
  (values ?? []).reduce((text, value) => text.replaceAll(value, plainValue(value)), sentence(about));

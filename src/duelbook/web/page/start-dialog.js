// The dialog that starts a match: opponent, rules, seat, clock and what to choose before the start.

import { catalogue } from "./api.js";
import { showDialog } from "./dialogs.js";
import { Component, h } from "./dom.js";
import {
  choiceField,
  chosenOpponent,
  SEATS,
  SERIES,
  setupOf,
  startMatch,
  storedOptions,
  TIME_KEY,
  TIME_LIMITS,
} from "./new-match.js";
import { prefs, remember } from "./prefs.js";
import { choiceRow, rangeProblems, rulesForm, VariantCheck } from "./rule-options.js";
import { attempt } from "./status.js";
import { sentence } from "./text.js";

/** @import { Agent, Catalogue, Game, OptionProblem } from "./api-types.js" */
/** @import { Options } from "./types.js" */

const FRIEND = "friend";
const ANYBODY = "anybody";
const ANYBODY_ABOUT = "Your challenge is shown in the lobby. The next visitor can take it.";
const FRIEND_ABOUT = "You get a link to send. The match starts when somebody opens it.";

/** Return why the match cannot start. @param {OptionProblem[]} problems */
const reasonText = (problems) => (problems.length ? `Cannot start yet. ${problems.map(problemText).join(" ")}` : "");

/** @param {OptionProblem} problem */
const problemText = ({ option, detail }) =>
  detail.startsWith("Enter ") && option
    ? `${sentence(option.replaceAll("_", " ").toLowerCase()).replace(".", ":")} ${detail.slice(0, 1).toLowerCase()}${detail.slice(1)}`
    : sentence(detail);

/** @type {Record<string, string>} what the button says, by the opponent */
const START = { [FRIEND]: "Create the link", [ANYBODY]: "Offer the match" };

/**
 * Show the dialog for a game.
 * @param {Game} game
 */
export async function showStartDialog(game) {
  const found = await catalogue();
  await showDialog(`Play ${game.title}`, h("duel-start", { game, catalogue: found }), {});
}

class DuelStart extends Component {
  /** @type {Game} */ game = /** @type {any} */ (null);
  /** @type {Catalogue} */ catalogue = /** @type {any} */ (null);
  #check = new VariantCheck(() => this.update());
  #opponent = "";
  #number = ""; // of an agent that takes one
  #seat = "";
  #bestOf = 1;
  #time = "";
  #choice = "";
  /** @type {string[] | null} */ #valid = null; // what can be chosen, as far as the server has said
  #custom = false;
  /** @type {Options} */ #options = {};

  connectedCallback() {
    [this.#opponent, this.#number = ""] = chosenOpponent(this.catalogue, this.game).name.split(":");
    ({ seat: this.#seat, bestOf: this.#bestOf } = setupOf(this.game));
    this.#time = String(prefs.options[this.game.name]?.[TIME_KEY] ?? "");
    this.#choice = prefs.choices[this.game.name] ?? "";
    this.#options = storedOptions(this.game);
    super.connectedCallback();
  }

  /** @returns {OptionProblem[]} what keeps the match from being started */
  #problems() {
    const wrong = rangeProblems(this.game, this.#options);
    const others = [wrong.length ? null : this.#check.found?.problem, this.#numberProblem()];
    return [...wrong, ...others.filter((problem) => !!problem)];
  }

  /** @returns {OptionProblem | null} */
  #numberProblem() {
    const parameter = this.#agent?.parameter;
    if (!parameter || !this.#number) return null;
    const right = /^\d{1,7}$/.test(this.#number) && Number(this.#number) >= 1 && Number(this.#number) <= parameter.most;
    return right ? null : { option: parameter.name, detail: `Enter a whole number from 1 to ${parameter.most}.` };
  }

  /** @returns {Agent | undefined} */
  get #agent() {
    return this.catalogue.agents.find((agent) => agent.name === this.#opponent);
  }

  render() {
    const { game } = this;
    if (!rangeProblems(game, this.#options).length) this.#check.ask(game, this.#options, this.#choice);
    const problems = this.#problems();
    return h(
      "form",
      { class: "start", onsubmit: (/** @type {Event} */ event) => this.#submit(event) },
      this.#opponents(),
      h(
        "fieldset",
        { key: "rules" },
        h("legend", null, "Rules"),
        rulesForm({
          game,
          options: this.#options,
          custom: this.#custom,
          check: this.#check,
          onchange: (options, custom) => {
            this.#options = options;
            this.#custom = custom;
            this.update();
          },
        }),
      ),
      h(
        "div",
        { class: "start-fields", key: "fields" },
        this.#seatField(),
        this.#clockField(),
        this.#gamesField(),
        this.#choiceField(problems),
      ),
      h(
        "div",
        { class: "start-end", key: "end" },
        h("p", { id: "start-problem", class: "problem" }, reasonText(problems)),
        h("button", { type: "button", onclick: () => this.closest("dialog")?.close() }, "Cancel"),
        h(
          "button",
          {
            type: "submit",
            class: "main",
            "aria-disabled": problems.length ? "true" : undefined,
            "aria-describedby": "start-problem",
          },
          START[this.#opponent] ?? "Play",
        ),
      ),
    );
  }

  #opponents() {
    const { agents } = this.catalogue;
    const choice = (/** @type {Agent} */ { name, about }) => ({ value: name, title: name, about: sentence(about) });
    const others = agents.filter((agent) => !agent.level);
    const choose = (/** @type {string} */ value) => this.#choose(value);
    const people = [
      { value: FRIEND, title: "A friend", about: FRIEND_ABOUT },
      { value: ANYBODY, title: "Anybody", about: ANYBODY_ABOUT },
    ];
    return h(
      "fieldset",
      { key: "opponents" },
      h("legend", null, "Opponent"),
      choiceRow("opponent", [...agents.filter((agent) => agent.level).map(choice), ...people], this.#opponent, choose),
      others.length > 0 &&
        h(
          "details",
          {
            class: "options",
            key: "advanced",
            ...(others.some((agent) => agent.name === this.#opponent) && { open: true }), // else it stays as it is
          },
          h("summary", null, "Advanced: programs"),
          choiceRow("opponent", others.map(choice), this.#opponent, choose),
          this.#agent && this.#numberField(this.#agent),
        ),
    );
  }

  /** @param {string} opponent */
  #choose(opponent) {
    this.#opponent = opponent;
    this.#number = "";
    this.update();
  }

  /** @param {Agent} agent */
  #numberField({ parameter }) {
    if (!parameter) return null;
    const problem = this.#numberProblem();
    return h(
      "div",
      { class: "field", key: "number" },
      h("label", { for: "start-number" }, parameter.name.toLowerCase()),
      h("input", {
        id: "start-number",
        inputmode: "numeric",
        maxlength: "7",
        autocomplete: "off",
        value: this.#number,
        placeholder: String(parameter.default),
        "aria-invalid": problem ? "true" : undefined,
        oninput: (/** @type {Event} */ event) => {
          this.#number = /** @type {HTMLInputElement} */ (event.target).value.trim();
          this.update();
        },
      }),
      h("small", problem ? { class: "problem" } : null, problem?.detail ?? `From 1 to ${parameter.most}.`),
    );
  }

  #seatField() {
    return h(
      "fieldset",
      { class: "segments", key: "seat" },
      h("legend", null, "You move"),
      Object.entries(SEATS).map(([value, text]) =>
        h(
          "label",
          { key: value },
          h("input", {
            type: "radio",
            name: "seat",
            value,
            checked: value === this.#seat,
            onchange: () => {
              this.#seat = value;
              this.update();
            },
          }),
          h("span", null, text),
        ),
      ),
    );
  }

  #clockField() {
    return select("start-clock", "Clock", TIME_LIMITS, this.#time, (value) => {
      this.#time = value;
      this.update();
    });
  }

  #gamesField() {
    return select(
      "start-games",
      "Games",
      SERIES,
      String(this.#bestOf),
      (value) => {
        this.#bestOf = Number(value);
        this.update();
      },
      this.#bestOf > 1 ? "The seats are swapped after each game." : "",
    );
  }

  /** @param {OptionProblem[]} problems */
  #choiceField(problems) {
    const { choice } = this.game;
    if (!choice) return null;
    const wrong = problems.find(({ option }) => option === choice.option)?.detail;
    const { found } = this.#check;
    if (found && (!found.problem || found.problem.option === choice.option)) this.#valid = found.choices;
    return choiceField(
      this.game,
      this.#valid ?? choice.valid,
      this.#choice,
      (value) => {
        this.#choice = value;
        this.update();
      },
      wrong,
    );
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    if (this.#problems().length) {
      this.querySelector("[aria-invalid]")?.scrollIntoView({ block: "center" });
      /** @type {HTMLElement | null} */ (this.querySelector("[aria-invalid]"))?.focus();
      return;
    }
    const { game } = this;
    const agent = this.#agent;
    const name = agent?.parameter && this.#number ? `${agent.name}:${this.#number}` : (agent?.name ?? "");
    remember({
      ...(agent && { level: name }),
      setups: {
        ...prefs.setups,
        [game.name]: { level: name || setupOf(game).level, seat: this.#seat, bestOf: this.#bestOf },
      },
      options: {
        ...prefs.options,
        [game.name]: { ...this.#options, ...(this.#time && { [TIME_KEY]: Number(this.#time) }) },
      },
      choices: { ...prefs.choices, [game.name]: this.#choice },
    });
    this.closest("dialog")?.close();
    void attempt(() =>
      startMatch(game, agent ? { ...agent, name } : null, this.#opponent === ANYBODY ? { open: true } : {}),
    );
  }
}

/**
 * Return a field to choose one of several texts.
 * @param {string} id
 * @param {string} label
 * @param {Record<string, string>} texts by value
 * @param {string} chosen
 * @param {(value: string) => void} onchange
 * @param {string} [about]
 */
function select(id, label, texts, chosen, onchange, about) {
  const change = (/** @type {Event} */ event) => onchange(/** @type {HTMLSelectElement} */ (event.target).value);
  return h(
    "div",
    { class: "field", key: id },
    h("label", { for: id }, label),
    h(
      "select",
      { id, onchange: change },
      Object.entries(texts).map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
    ),
    about && h("small", null, about),
  );
}

customElements.define("duel-start", DuelStart);

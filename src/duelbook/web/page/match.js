// The screen of a match: for its players, for who is invited, and for spectators.

import { get, insist, post, query } from "./api.js";
import { clock, presence } from "./beside.js";
import { showRules, sure } from "./dialogs.js";
import { h, Part } from "./dom.js";
import { invitation, joining } from "./inviting.js";
import "./line.js";
import { go } from "./main.js";
import { MatchStore } from "./match-store.js";
import { share } from "./sharing.js";
import { note } from "./starting.js";
import { tell, trying } from "./status.js";
import { plural, shareText, standing } from "./words.js";

/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Review} Review */

class DuelMatch extends Part {
  /** @type {MatchStore} */ #store = new MatchStore("");
  /** @type {Review | null} */ #review = null;
  #judged = false; // whether the review has been asked for
  /** @type {import("./types.js").Match | null} */ #before = null;
  #problem = "";
  #ticking = 0;

  connectedCallback() {
    super.connectedCallback();
    this.#store = new MatchStore(this.getAttribute("name") ?? "");
    this.#store.addEventListener("change", () => this.#changed());
    this.#store.open().catch((error) => {
      this.#problem = error.message;
      this.update();
    });
    this.#ticking = window.setInterval(() => this.#store.match?.clocks && this.update(), 250);
  }

  disconnectedCallback() {
    this.#store.close();
    clearInterval(this.#ticking);
  }

  #changed() {
    const { match, seat } = this.#store;
    const before = this.#before;
    this.#before = match;
    if (match && seat) note(match, seat);
    if (match && before && match.version !== before.version) tell(this.#news(before, match));
    if (match?.status === "over" && !this.#judged) void this.#judge();
    if (match && this.#store.game)
      document.title = `${this.#store.mine ? "● " : ""}${this.#store.game.title} · Duelbook`;
    this.update();
  }

  /**
   * Say what has happened, for who listens.
   * @param {import("./types.js").Match} before
   * @param {import("./types.js").Match} now
   */
  #news(before, now) {
    const { seat, line } = this.#store;
    const fresh = now.moves.slice(before.moves.length).map((move, index) => {
      const mover = line?.positions[before.moves.length + index]?.mover;
      return mover && mover !== seat ? `${now.names[mover]}: ${move}.` : "";
    });
    const back =
      now.moves.length < before.moves.length
        ? `${plural(before.moves.length - now.moves.length, "move")} taken back.`
        : "";
    const asked = now.undo && now.undo !== before.undo ? `${now.names[now.undo]} asks to take the last move back.` : "";
    return [back, ...fresh, asked, standing(now, seat)].filter(Boolean).join(" ");
  }

  async #judge() {
    this.#judged = true;
    try {
      this.#review = await insist(
        () => get(`${this.#store.path}/review`),
        () => this.isConnected,
      );
    } catch {
      this.#review = null; // a game too large to be solved has no review
    }
    this.update();
  }

  render() {
    const { match, game, line } = this.#store;
    if (this.#problem)
      return [
        h("h1", null, "No match"),
        h("p", { class: "notice" }, this.#problem),
        h("p", null, h("a", { href: "/" }, "To the games")),
      ];
    if (!match || !game || !line)
      return h("p", { class: "notice" }, this.#store.connected ? "Reading the match …" : LOST);
    const heading = h(
      "div",
      { class: "heading", key: "heading" },
      h("h1", null, game.title),
      h("p", { class: match.status === "over" ? "lead result" : "lead" }, standing(match, this.#store.seat)),
    );
    if (match.status === "waiting") return [heading, this.#notice(), this.#waiting()];
    return [heading, this.#notice(), h("duel-line", { key: "line", setting: this.#setting() })];
  }

  #notice() {
    return h(
      "div",
      { class: "connection", key: "connection", "data-lost": !this.#store.connected },
      this.#store.connected ? "" : LOST,
    );
  }

  #waiting() {
    const { match, game, seat, sure: known } = this.#store;
    if (!match || !game) return null;
    const preview = !match.choices && h("duel-line", { key: "line", setting: this.#setting() });
    if (Object.values(match.seats).includes("reserved"))
      return [h("p", { class: "notice", key: "again" }, AGAIN), preview];
    if (seat) return [invitation(match), preview];
    if (!known) return null;
    return joining(
      match,
      game,
      (who) => void trying(() => this.#store.join(who)),
      () => this.update(),
    );
  }

  /** @returns {import("./line.js").Setting} */
  #setting() {
    const store = this.#store;
    const match = /** @type {import("./types.js").Match} */ (store.match);
    const over = match.status === "over";
    const ply = new URLSearchParams(location.search).get("ply");
    return {
      game: /** @type {import("./types.js").Game} */ (store.game),
      line: /** @type {import("./types.js").Line} */ (store.line),
      names: match.names,
      you: store.seat,
      live:
        store.seat && match.status === "playing"
          ? { play: (move) => store.play(move), pending: store.pending, mine: store.mine }
          : null,
      branching: over,
      help: over || (store.alone && store.seat !== null),
      review: this.#review,
      ply: ply !== null && /^\d{1,6}$/.test(ply) ? Number(ply) : undefined,
      moved: (at, line, branch) => this.#moved(at, line.moves.length, branch),
      beside: (seat) => [presence(store, seat), clock(store, seat)],
      above: this.#asked(),
      below: this.#actions(),
    };
  }

  /**
   * Let the address lead to the position that is shown.
   * @param {number} at
   * @param {number} last
   * @param {boolean} branch
   */
  #moved(at, last, branch) {
    if (branch) return;
    history.replaceState(null, "", at === last ? location.pathname : `${location.pathname}?ply=${at}`);
  }

  #asked() {
    const { match, seat } = this.#store;
    if (!match?.undo || !seat) return null;
    if (match.undo === seat) return h("p", { class: "ask" }, "You have asked to take your last move back.");
    const answer = (/** @type {boolean} */ agree) => () => void trying(() => this.#store.undo(agree));
    return h(
      "div",
      { class: "ask row" },
      h("p", null, `${match.names[match.undo]} asks to take the last move back.`),
      h("button", { type: "button", onclick: answer(true) }, "Agree"),
      h("button", { type: "button", onclick: answer(false) }, "Decline"),
    );
  }

  #actions() {
    const store = this.#store;
    const match = /** @type {import("./types.js").Match} */ (store.match);
    const address = `${location.origin}/match/${store.id}`;
    const rules = button("Rules (?)", () => showRules(match.game));
    const link = button("Copy link", () => share("Duelbook", address));
    if (match.status !== "over") {
      const own = store.seat &&
        match.status === "playing" && [
          button("Take back", () => store.undo(), !match.moves.length || match.clocks !== null),
          button("Resign", () => this.#resign()),
        ];
      return h("div", { class: "actions", key: "actions" }, own, rules, link);
    }
    const rematch =
      store.seat &&
      match.rematch !== store.id &&
      button(this.#rematchText(match), () => this.#rematch(), false, "main");
    return h(
      "div",
      { class: "actions", key: "actions" },
      rematch,
      (store.seat || store.sure) && // before, nobody knows whose result it is
        button("Share the result", () => share("Duelbook", shareText(match, store.seat, this.#review, address))),
      h("a", { class: "button", href: `/analysis/${match.game}${this.#analysis()}` }, "Analyse"),
      h("a", { class: "button", href: `${store.path}/record`, download: "" }, "Download record"),
      rules,
      link,
    );
  }

  #analysis() {
    const { line, game } = this.#store;
    return line && game ? query(game, line.options, line.moves) : "";
  }

  /** @param {import("./types.js").Match} match */
  #rematchText(match) {
    return match.rematch ? "Join the rematch" : "Rematch";
  }

  async #resign() {
    if (await sure("Resign?", "The match ends, and your opponent wins.", "Resign")) await this.#store.resign();
  }

  async #rematch() {
    const seated = await post(`${this.#store.path}/rematch`);
    note(seated.match, seated.seat);
    go(`/match/${seated.id}`);
  }
}

const AGAIN = "The rematch begins as soon as both players are here.";
const LOST = "The connection is lost. Trying to reach the server …";

/**
 * @param {string} text
 * @param {() => Promise<unknown>} work
 * @param {boolean} [idle]
 * @param {string} [look]
 */
function button(text, work, idle = false, look = "") {
  const props = { type: "button", key: text, class: look, "aria-disabled": idle ? "true" : undefined };
  return h("button", { ...props, onclick: idle ? null : () => void trying(work) }, text);
}

customElements.define("duel-match", DuelMatch);

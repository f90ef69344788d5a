// The screen of a match: for its players, for an invited friend, and for spectators.

import { absenceNote } from "./absence.js";
import { get, post, query, retry } from "./api.js";
import { confirmed } from "./dialogs.js";
import { Component, h } from "./dom.js";
import { invitation, joinForm } from "./invitation.js";
import { go } from "./main.js";
import { MatchStore } from "./match-store.js";
import { notifyInBackground } from "./notifications.js";
import { rememberMatch } from "./played-games.js";
import { showRules } from "./rules.js";
import { nextGameText, seriesText } from "./series.js";
import { share } from "./share.js";
import { announce, attempt } from "./status.js";
import { matchTerms } from "./terms.js";
import { clockText, plural, resultText, standingText } from "./text.js";
import "./viewer.js";

/** @import { Game, Line, Match, Review, Seat, Seated } from "./api-types.js" */
/** @import { Child } from "./dom.js" */
/** @import { ViewerInput } from "./types.js" */

const CLOCK_TICK_MS = 250;
const LOW_SECONDS = 10; // a clock below this is highlighted
const REMATCH = "The rematch starts as soon as both players have joined.";
const DISCONNECTED = "Connection lost. Reconnecting …";

class DuelMatch extends Component {
  /** @type {MatchStore} */ #store = new MatchStore("");
  /** @type {Review | null} */ #review = null;
  #reviewRequested = false;
  /** @type {Match | null} */ #previous = null;
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
    this.#ticking = window.setInterval(() => this.#store.isTicking && this.update(), CLOCK_TICK_MS);
  }

  disconnectedCallback() {
    this.#store.close();
    clearInterval(this.#ticking);
  }

  #changed() {
    const { match, seat } = this.#store;
    const previous = this.#previous;
    this.#previous = match;
    if (match && seat) void rememberMatch(match, seat);
    if (match && previous && match.version !== previous.version) announce(this.#newsText(previous, match));
    if (match && previous) this.#notify(previous, match);
    if (match?.status === "over" && !this.#reviewRequested) void this.#loadReview();
    if (match && this.#store.game)
      document.title = `${this.#store.yourTurn ? "Your turn: " : ""}${this.#store.game.title} · Duelbook`;
    this.update();
  }

  /**
   * Tell a player who looks elsewhere that it is their turn, or that they were warned.
   * @param {Match} before
   * @param {Match} now
   */
  #notify(before, now) {
    const { seat, yourTurn, game, line } = this.#store;
    if (!seat || !game || now.version === before.version) return;
    const wasTheirTurn = before.status === "playing" && before.mover === seat && before.ply === now.ply;
    if (yourTurn && !wasTheirTurn)
      notifyInBackground(`Your turn in ${game.title}`, standingText(now, seat, line), now.id);
  }

  /**
   * Return what has changed, for screen readers.
   * @param {Match} before
   * @param {Match} now
   */
  #newsText(before, now) {
    const { seat, line } = this.#store;
    const played = now.moves.slice(before.moves.length).map((move, index) => {
      const mover = line?.positions[before.moves.length + index]?.mover;
      return mover && mover !== seat ? `${now.names[mover]}: ${move}.` : "";
    });
    const undone = before.moves.length - now.moves.length;
    const back = undone > 0 ? `${plural(undone, "move")} taken back.` : "";
    const asked = now.undo && now.undo !== before.undo ? `${now.names[now.undo]} asks to take back the last move.` : "";
    return [back, ...played, asked, standingText(now, seat, line)].filter(Boolean).join(" ");
  }

  async #loadReview() {
    this.#reviewRequested = true;
    try {
      this.#review = await retry(
        () => get(`${this.#store.path}/review`),
        () => this.isConnected,
      );
    } catch {
      this.#review = null; // a game too large to solve has no review
    }
    this.update();
  }

  render() {
    const { match, game, line } = this.#store;
    if (this.#problem)
      return [
        h("h1", null, "This match cannot be shown"),
        h("p", { class: "notice" }, this.#problem),
        h("p", null, h("a", { href: "/" }, "Back to the games")),
      ];
    if (!match || !game || !line)
      return h("p", { class: "notice" }, this.#store.connected ? "Loading the match …" : DISCONNECTED);
    const heading = h(
      "div",
      { class: "heading", key: "heading" },
      h("h1", null, game.title),
      h("p", { class: match.status === "over" ? "lead result" : "lead" }, standingText(match, this.#store.seat, line)),
      h("p", { class: "series" }, seriesText(match)),
      (match.status !== "waiting" || this.#store.seat) && // the form of a guest states them
        h("p", { class: "terms quiet" }, matchTerms(game, match, this.#store.seat)),
    );
    const viewer = h("duel-viewer", { key: "viewer", input: this.#viewerInput(match, game, line) });
    if (match.status === "waiting") return [heading, this.#connection(), this.#waiting(match, game, viewer)];
    return [heading, this.#connection(), viewer];
  }

  #connection() {
    return h(
      "div",
      { class: "connection", key: "connection", "data-lost": !this.#store.connected },
      this.#store.connected ? "" : DISCONNECTED,
    );
  }

  /** @param {Match} match @param {Game} game @param {Child} viewer */
  #waiting(match, game, viewer) {
    const { seat, seatConfirmed } = this.#store;
    const preview = !match.choices && viewer;
    if (Object.values(match.seats).includes("reserved"))
      return [h("p", { class: "notice", key: "rematch" }, REMATCH), preview];
    if (seat) return [invitation(this.#store, match, game), preview];
    if (!seatConfirmed) return null;
    return joinForm(
      match,
      game,
      (who) => void attempt(() => this.#store.join(who)),
      () => this.update(),
    );
  }

  /** @param {Match} match @param {Game} game @param {Line} line @returns {ViewerInput} */
  #viewerInput(match, game, line) {
    const store = this.#store;
    const over = match.status === "over";
    const ply = new URLSearchParams(location.search).get("ply");
    return {
      game,
      line,
      names: match.names,
      you: store.seat,
      live:
        store.seat && match.status === "playing"
          ? { play: (move) => store.play(move), pending: store.pending, yourTurn: store.yourTurn }
          : null,
      branching: over,
      help: over || (store.againstComputer && store.seat !== null),
      review: this.#review,
      ply: ply !== null && /^\d{1,6}$/.test(ply) ? Number(ply) : undefined,
      onmove: (at, shown, branch) => setAddress(at, shown.moves.length, branch),
      beside: (seat) => [absence(store, seat), clock(store, seat)],
      above: [absenceNote(store), this.#undoRequest(match)],
      below: this.#actions(match, game, line),
    };
  }

  /** @param {Match} match */
  #undoRequest(match) {
    const { seat } = this.#store;
    if (!match.undo || !seat) return null;
    if (match.undo === seat) return h("p", { class: "ask" }, "You have asked to take back your last move.");
    const answer = (/** @type {boolean} */ agree) => () => void attempt(() => this.#store.undo(agree));
    return h(
      "div",
      { class: "ask row" },
      h("p", null, `${match.names[match.undo]} asks to take back the last move.`),
      h("button", { type: "button", onclick: answer(true) }, "Agree"),
      h("button", { type: "button", onclick: answer(false) }, "Decline"),
    );
  }

  /** @param {Match} match @param {Game} game @param {Line} line */
  #actions(match, game, line) {
    const store = this.#store;
    const address = `${location.origin}/match/${store.id}`;
    const rules = button("Rules (?)", () => showRules(match.game, match.options));
    const link = button("Copy link", () => share(address));
    if (match.status !== "over") {
      const own = store.seat &&
        match.status === "playing" && [
          button("Take back", () => store.undo(), !match.moves.length || match.clocks !== null),
          button("Resign", () => this.#resign()),
        ];
      return h("div", { class: "actions", key: "actions" }, own, rules, link);
    }
    const rematch =
      store.seat && match.rematch !== store.id && button(nextGameText(match), () => this.#rematch(), false, "main");
    return h(
      "div",
      { class: "actions", key: "actions" },
      rematch,
      (store.seat || store.seatConfirmed) && // before that it is not known whose result it is
        button("Share result", () => share(resultText(match, line, store.seat, this.#review, address))),
      h("a", { class: "button", href: `/analysis/${match.game}${query(game, line.options, line.moves)}` }, "Analyse"),
      h("a", { class: "button", href: `${store.path}/record`, download: "" }, "Download record"),
      h("a", { class: "button", href: `/pictures/matches/${store.id}.png`, download: "" }, "Save picture"),
      rules,
      link,
    );
  }

  async #resign() {
    if (await confirmed("Resign?", "The match ends and your opponent wins.", "Resign")) await this.#store.resign();
  }

  async #rematch() {
    /** @type {Seated} */
    const seated = await post(`${this.#store.path}/rematch`);
    await rememberMatch(seated.match, seated.seat);
    go(`/match/${seated.id}`);
  }
}

/**
 * Make the address lead to the position on the board.
 * @param {number} at
 * @param {number} last
 * @param {boolean} branch
 */
function setAddress(at, last, branch) {
  if (branch) return;
  history.replaceState(null, "", at === last ? location.pathname : `${location.pathname}?ply=${at}`);
}

/** @param {MatchStore} store @param {Seat} seat */
function clock(store, seat) {
  const { match } = store;
  if (!match?.clocks) return null;
  const left = match.mover === seat ? (store.secondsLeft ?? match.clocks.limit) : match.clocks.limit;
  const low = match.mover === seat && left < LOW_SECONDS;
  return h("span", { class: "clock", role: "timer", "aria-label": "Time left", "data-low": low }, clockText(left));
}

/** @param {MatchStore} store @param {Seat} seat */
function absence(store, seat) {
  const away = store.match?.status === "playing" && seat !== store.seat && store.connected && !store.present[seat];
  return away ? h("span", { class: "away" }, "away") : null;
}

/**
 * @param {string} text
 * @param {() => Promise<unknown>} work
 * @param {boolean} [disabled]
 * @param {string} [look]
 */
function button(text, work, disabled = false, look = "") {
  const props = { type: "button", key: text, class: look, "aria-disabled": disabled ? "true" : undefined };
  return h("button", { ...props, onclick: disabled ? null : () => void attempt(work) }, text);
}

customElements.define("duel-match", DuelMatch);

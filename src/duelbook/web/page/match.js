// The screen of a match: for its players, for an invited friend, and for spectators.

import { absenceNote } from "./absence.js";
import { catalogue, get, post, retry } from "./api.js";
import { Component, h } from "./dom.js";
import { endingPanel, headline } from "./ending.js";
import { invitation, joinForm } from "./invitation.js";
import { go, replaceAddress } from "./main.js";
import { matchActions } from "./match-actions.js";
import { DISCONNECTED, matchBar } from "./match-bar.js";
import { matchHeading } from "./match-heading.js";
import { matchNews, otherSeat, PresenceNews } from "./match-news.js";
import { besidePlayer, isAgent } from "./match-places.js";
import { MatchStore } from "./match-store.js";
import { notifyInBackground } from "./notifications.js";
import { lineUpTo, matchAt, Pace, prefersCalm } from "./pace.js";
import { knownGame, rememberHelp, rememberMatch, seatIn } from "./played-games.js";
import { prefs } from "./prefs.js";
import { seriesText } from "./series.js";
import { share } from "./share.js";
import { announce, attempt, notify } from "./status.js";
import { titledTerms } from "./terms.js";
import { resultText, standingText } from "./text.js";
import "./viewer.js";

/** @import { Agent, Game, Line, Match, Review, Seat, Seated } from "./api-types.js" */
/** @import { Child } from "./dom.js" */
/** @import { Tone } from "./sound.js" */
/** @import { ViewerInput } from "./types.js" */
/** @import { DuelViewer } from "./viewer.js" */

const CLOCK_TICK_MS = 250;
const PRESS_MS = 400; // a click this soon after a press belongs to it

class DuelMatch extends Component {
  /** @type {MatchStore} */ #store = new MatchStore("");
  #pace = new Pace(() => this.#changed());
  /** @type {{match: Match, line: Line} | null} */ #shown = null; // as far as it is shown
  /** @type {Review | null} */ #review = null;
  #reviewRequested = false;
  /** @type {Agent[]} */ #agents = [];
  #presence = new PresenceNews(announce);
  #wasConnected = true;
  #celebrate = false;
  #rematching = false; // this browser asks for the rematch just now
  #inRematch = false; // it has its seat there already
  #date = ""; // of the match, if this browser knows it
  #termsOpen = false; // on a phone
  #problem = "";
  #ticking = 0;
  #skippedAt = -Infinity; // when a press ended the pause before a reply
  /** @type {string | null} */ #planned = null; // the move for one's next turn

  connectedCallback() {
    super.connectedCallback();
    this.#store = new MatchStore(this.getAttribute("name") ?? "");
    this.#store.addEventListener("change", () => this.#changed());
    this.#store.open().catch((error) => {
      this.#problem = error.message;
      this.update();
    });
    this.#ticking = window.setInterval(() => this.#store.isTicking && this.update(), CLOCK_TICK_MS);
    this.addEventListener("pointerdown", (event) => this.#skip(event));
    this.addEventListener("click", (event) => this.#ignore(event), { capture: true });
  }

  disconnectedCallback() {
    this.#store.close();
    this.#pace.stop();
    this.#presence.stop();
    clearInterval(this.#ticking);
  }

  /** Show the reply that waits, if the board is pressed. @param {PointerEvent} event */
  #skip(event) {
    if (!this.#isBehind || prefs.premoves || !(event.target instanceof Element && event.target.closest("duel-board")))
      return;
    this.#skippedAt = event.timeStamp;
    this.#pace.skip();
  }

  /** Play nothing by a press that was made before the reply could be seen. @param {MouseEvent} event */
  #ignore(event) {
    if (event.timeStamp - this.#skippedAt < PRESS_MS) event.stopPropagation();
  }

  /** True if the match has gone on further than what is shown. */
  get #isBehind() {
    return this.#shown !== null && this.#shown.match.ply !== this.#store.match?.ply;
  }

  #changed() {
    const store = this.#store;
    const { match, line, seat } = store;
    this.#tellConnection();
    if (!match || !line || !store.game) {
      this.update();
      return;
    }
    if (seat) void rememberMatch(match, seat);
    const before = this.#shown?.match;
    const ply = this.#pace.follow(line, (mover) => match.clocks === null && isAgent(match, mover));
    this.#shown = { match: matchAt(match, line, ply), line: lineUpTo(line, ply) };
    if (match.rematch && match.rematch !== before?.rematch) void this.#findRematch(match.rematch);
    if (before) this.#tell(before, this.#shown.match, this.#shown.line);
    if (before) this.#notify(before, this.#shown.match, this.#shown.line);
    if (match.status === "playing") this.#presence.follow(match, seat, store.connected ? store.present : null);
    if (match.status === "over" && !this.#reviewRequested) void this.#loadReview();
    this.#playPlanned(match);
    document.title = `${this.#yourTurn ? "Your turn: " : ""}${store.game.title} · Duelbook`;
    this.update();
  }

  get #yourTurn() {
    return this.#store.yourTurn && !this.#isBehind;
  }

  #tellConnection() {
    const { connected } = this.#store;
    if (connected === this.#wasConnected) return;
    this.#wasConnected = connected;
    if (connected) notify("Connected again.");
    else announce(DISCONNECTED);
  }

  /**
   * Tell a player who looks elsewhere that it is their turn, or that they were warned.
   * @param {Match} before
   * @param {Match} now
   * @param {Line} line
   */
  #notify(before, now, line) {
    const { seat, game } = this.#store;
    if (!seat || !game || (now.version === before.version && now.ply === before.ply)) return;
    const wasTheirTurn = before.status === "playing" && before.mover === seat && before.ply === now.ply;
    if (this.#yourTurn && !wasTheirTurn)
      notifyInBackground(`Your turn in ${game.title}`, standingText(now, seat, line), now.id);
  }

  /**
   * Tell what has changed, by word and by sound.
   * @param {Match} before
   * @param {Match} now
   * @param {Line} line
   */
  #tell(before, now, line) {
    if (now.version === before.version && now.ply === before.ply && now.status === before.status) return;
    if (isOnlyClock(before, now)) return;
    const { seat } = this.#store;
    const asked = this.#rematching ? { ...before, rematch: now.rematch } : before; // one's own offer is no news
    const { text, important } = matchNews(asked, now, seat, line);
    if (important) notify(text);
    else announce(text);
    const ended = now.status === "over" && before.status === "playing";
    const { mood } = headline(now, seat);
    if (ended) this.#celebrate = mood === "won" && !prefersCalm();
    if (ended && mood !== "other") void sound(mood);
    else if (now.ply > before.ply) void sound(line.positions[now.ply - 1].mover === seat ? "own" : "other");
  }

  /** @param {string} rematch */
  async #findRematch(rematch) {
    this.#inRematch = (await seatIn(rematch)) !== null;
    this.update();
  }

  async #loadReview() {
    this.#reviewRequested = true;
    void knownGame(this.#store.id).then((game) => {
      this.#date = game ? new Date(game.started).toLocaleDateString("en", { dateStyle: "long" }) : "";
      this.update();
    });
    void catalogue().then(({ agents }) => {
      this.#agents = agents;
      this.update();
    });
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
    const { game, seat } = this.#store;
    if (this.#problem)
      return [
        h("h1", null, "This match cannot be shown"),
        h("p", { class: "notice" }, this.#problem),
        h("p", null, h("a", { href: "/" }, "Back to the games")),
      ];
    if (!this.#shown || !game)
      return h("p", { class: "notice" }, this.#store.connected ? "Loading the match …" : DISCONNECTED);
    const { match, line } = this.#shown;
    const waiting = match.status === "waiting";
    const terms = !waiting || seat ? titledTerms(game, match, seat) : null; // the form of a guest states them
    const about = { title: game.title, series: seriesText(match), terms, date: this.#date, open: this.#termsOpen };
    const heading = matchHeading(about, () => {
      this.#termsOpen = !this.#termsOpen;
      this.update();
    });
    const viewer = h("duel-viewer", { key: "viewer", input: this.#viewerInput(match, game, line, waiting) });
    return waiting ? [heading, this.#bar(match, line), this.#waiting(match, game, viewer)] : [heading, viewer];
  }

  /** @param {Match} match @param {Line} line */
  #bar(match, line) {
    const store = this.#store;
    return matchBar({
      match,
      line,
      seat: store.seat,
      connected: store.connected,
      pending: store.pending,
      planned: this.#planned,
      celebrate: this.#celebrate,
      inRematch: this.#inRematch,
      onundo: (agree) => void attempt(() => store.act(agree ? "agree" : "decline")),
      onrematch: () => void attempt(() => this.#rematch()),
    });
  }

  /** @param {Match} match @param {Game} game @param {Child} viewer */
  #waiting(match, game, viewer) {
    const { seat, seatConfirmed } = this.#store;
    const preview = !match.choices && viewer;
    if (Object.values(match.seats).includes("reserved"))
      return [h("p", { class: "notice", key: "rematch" }, rematchText(match, seat)), preview];
    if (seat) return [invitation(this.#store, match, game), preview];
    if (!seatConfirmed) return null;
    return joinForm(
      match,
      game,
      (who) => void attempt(() => this.#store.join(who)),
      () => this.update(),
    );
  }

  /** @param {Match} match @param {Game} game @param {Line} line @param {boolean} waiting @returns {ViewerInput} */
  #viewerInput(match, game, line, waiting) {
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
          ? {
              play: (move) => this.#play(move),
              pending: store.pending,
              yourTurn: this.#yourTurn,
              plan: prefs.premoves && !this.#yourTurn ? (move) => this.#plan(move) : null,
              planned: this.#planned,
            }
          : null,
      following: match.status === "playing",
      branching: over,
      help: over || (store.againstComputer && store.seat !== null),
      helpPath: !over && match.clocks && store.seat ? store.path : null,
      onhelp: () => void rememberHelp(match.id),
      review: over ? this.#review : null,
      ply: ply !== null && /^\d{1,6}$/.test(ply) ? Number(ply) : undefined,
      onmove: (at, shown, branch) => setAddress(at, shown.moves.length, branch),
      beside: (seat) => besidePlayer(store, match, seat),
      above: waiting ? null : [this.#bar(match, line), absenceNote(store)],
      caption: over && h("p", { class: "lead result", key: "result" }, standingText(match, store.seat, line)),
      beforeMoves: over ? this.#ending(match, line) : matchActions(store, match, game, line),
      below: over && matchActions(store, match, game, line),
    };
  }

  /** @param {string} move */
  async #play(move) {
    if (this.#isBehind) this.#pace.skip();
    await this.#store.play(move);
  }

  /** Choose a move for one's next turn, or drop it again. @param {string} move */
  #plan(move) {
    this.#planned = this.#planned === move ? null : move;
    announce(this.#planned ? `Your next move: ${move}.` : "You have no next move chosen.");
    this.#changed();
  }

  /** Play the chosen move at once when it is one's turn; one that the rules forbid by then is dropped. @param {Match} match */
  #playPlanned(match) {
    const move = this.#planned;
    if (move === null || (match.status === "playing" && !this.#store.yourTurn)) return;
    this.#planned = null;
    if (match.status !== "playing") return;
    if (match.legal.includes(move)) void attempt(() => this.#play(move));
    else {
      if (this.#isBehind) this.#pace.skip(); // the reply shows why
      notify(`Your chosen move ${move} is not possible now.`);
    }
  }

  /** @param {Match} match @param {Line} line */
  #ending(match, line) {
    const { seat, seatConfirmed, id } = this.#store;
    const review = this.#review;
    const viewer = () => /** @type {DuelViewer | null} */ (this.querySelector("duel-viewer"));
    return endingPanel({
      match,
      seat,
      review,
      agents: this.#agents,
      ontry: (ply) => {
        viewer()?.goTo(ply);
        notify("Press another move on the board to see what would have happened.");
      },
      onreview: () => /** @type {HTMLElement | null} */ (this.querySelector(".review"))?.focus(),
      onshare:
        seat || seatConfirmed // before that it is not known whose result it is
          ? () => share(resultText(match, line, seat, review, `${location.origin}/match/${id}`))
          : null,
    });
  }

  async #rematch() {
    this.#rematching = true;
    /** @type {Seated} */
    const seated = await post(`${this.#store.path}/rematch`);
    await rememberMatch(seated.match, seated.seat);
    go(`/match/${seated.id}`);
  }
}

/**
 * Return true if nothing but the time differs: a clock was stopped, or runs again.
 * @param {Match} before @param {Match} now
 */
function isOnlyClock(before, now) {
  const untimed = { version: 0, clocks: null };
  return JSON.stringify({ ...before, ...untimed }) === JSON.stringify({ ...now, ...untimed });
}

/** @param {Match} match @param {Seat | null} seat */
const rematchText = (match, seat) =>
  seat
    ? `The rematch starts as soon as ${match.names[otherSeat(seat)]} has joined.`
    : "The rematch starts as soon as both players have joined.";

/**
 * Play a sound, if the player wants any.
 * @param {Tone} tone
 */
async function sound(tone) {
  if (!prefs.sound || prefersCalm()) return;
  const { playTone } = await import("./sound.js");
  playTone(tone);
}

/**
 * Make the address lead to the position on the board.
 * @param {number} at
 * @param {number} last
 * @param {boolean} branch
 */
function setAddress(at, last, branch) {
  if (branch) return;
  replaceAddress(at === last ? location.pathname : `${location.pathname}?ply=${at}`);
}

customElements.define("duel-match", DuelMatch);

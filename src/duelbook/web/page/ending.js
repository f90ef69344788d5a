// The ending of a match: the result as the reader sees it, the turning point, what to do next, and a small celebration.

import { post } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { go } from "./main.js";
import { otherSeat } from "./match-news.js";
import { rememberMatch } from "./played-games.js";
import { prefs } from "./prefs.js";
import { attempt } from "./status.js";

/** @import { Agent, Match, NewMatch, Review, Seat, Seated, TurningPoint } from "./api-types.js" */

/** @typedef {"won" | "lost" | "drawn" | "other"} Mood */

/**
 * Return the result from the reader's point of view.
 * @param {Match} match that is over
 * @param {Seat | null} seat of the reader; null for spectators
 * @returns {{text: string, mood: Mood}}
 */
export function headline({ outcome, names }, seat) {
  if (outcome === "draw") return { text: "Draw", mood: "drawn" };
  if (outcome === "none") return { text: "No result", mood: "other" };
  if (!seat) return { text: `${names[outcome]} won`, mood: "other" };
  return outcome === seat ? { text: "You won", mood: "won" } : { text: "You lost", mood: "lost" };
}

const CONFETTI = 18; // pieces
const SPREAD_DEGREES = 150;

/** Return pieces of paper that fly over the bar once; they are hidden from people who prefer reduced motion. */
export function confetti() {
  const pieces = Array.from({ length: CONFETTI }, (_, index) => {
    const angle = ((index + 0.5) / CONFETTI - 0.5) * SPREAD_DEGREES;
    const style = { "--angle": `${angle}deg`, "--far": `${3 + ((index * 7) % 5)}rem`, "--turn": `${index * 97}deg` };
    return h("i", { class: index % 2 ? "first" : "second", style });
  });
  return h("div", { class: "confetti", "aria-hidden": "true" }, pieces);
}

/** @type {Record<TurningPoint["before"], string>} */
const GIVEN = { win: "gave the win away", draw: "gave the draw away", loss: "gave the game away" };

/**
 * Return the panel with the turning point, the next opponents, the review, and the text to share.
 * @param {object} about
 * @param {Match} about.match
 * @param {Seat | null} about.seat
 * @param {Review | null} about.review
 * @param {Agent[]} about.agents
 * @param {(ply: number) => void} about.ontry called with the position before the turning point
 * @param {() => void} about.onreview
 * @param {(() => Promise<void>) | null} about.onshare null if it is not known whose result it is
 */
export function endingPanel({ match, seat, review, agents, ontry, onreview, onshare }) {
  const point = review?.turning_point;
  return h(
    "section",
    { class: "panel ending", key: "ending", "aria-label": "After the game" },
    point && turningPoint(match, seat, point, ontry),
    h(
      "div",
      { class: "row" },
      seat && nextOpponents(match, seat, agents).map((next) => opponentButton(match, seat, next)),
      review && h("button", { type: "button", key: "review", onclick: onreview }, icon("review"), "Review"),
      onshare &&
        h(
          "button",
          { type: "button", key: "share", onclick: () => void attempt(onshare) },
          icon("share"),
          "Share result",
        ),
    ),
  );
}

/** @param {Match} match @param {Seat | null} seat @param {TurningPoint} point @param {(ply: number) => void} ontry */
function turningPoint(match, seat, { ply, player, move, before }, ontry) {
  const whose = player === seat ? "Your" : `${match.names[player]}'s`;
  return h(
    "div",
    { class: "turning-point", key: "turning-point" },
    h("p", null, `${whose} move ${ply}, ${move}, ${GIVEN[before]}.`),
    h("button", { type: "button", onclick: () => ontry(ply - 1) }, icon("analyse"), "Try it from there"),
  );
}

/** @typedef {{agent: Agent, stronger: boolean}} NextOpponent */

/**
 * Return the levels next to that of the computer, the one that suits the result first; none for another opponent.
 * @param {Match} match
 * @param {Seat} seat
 * @param {Agent[]} agents
 * @returns {NextOpponent[]}
 */
function nextOpponents({ seats, outcome }, seat, agents) {
  const levels = agents.filter((agent) => agent.level);
  const at = levels.findIndex((agent) => agent.name === seats[otherSeat(seat)]);
  if (at < 0) return [];
  const up = levels.slice(at + 1, at + 2).map((agent) => ({ agent, stronger: true }));
  const down = levels.slice(Math.max(0, at - 1), at).map((agent) => ({ agent, stronger: false }));
  return outcome === seat ? [...up, ...down] : [...down, ...up];
}

/** @param {Match} match @param {Seat} seat @param {NextOpponent} next */
function opponentButton(match, seat, { agent, stronger }) {
  const play = async () => {
    /** @type {Seated} */
    const seated = await post(
      "/api/matches",
      againRequest(match, seat, agent.name),
      "The server prepares your opponent …",
    );
    await rememberMatch(seated.match, seated.seat);
    go(`/match/${seated.id}`);
  };
  return h(
    "button",
    { type: "button", key: agent.name, onclick: () => void attempt(play) },
    icon(stronger ? "up" : "down"),
    `${stronger ? "Stronger" : "Easier"}: ${agent.name}`,
  );
}

/**
 * Return the request for the same match against another opponent.
 * @param {Match} match @param {Seat} seat @param {string} opponent
 * @returns {NewMatch}
 */
function againRequest({ game, options, clocks, public: listed }, seat, opponent) {
  return {
    ...{ game, options, seat, opponent, public: listed },
    ...(prefs.name && { name: prefs.name }),
    ...(clocks && { time_limit: clocks.limit }),
  };
}

// What has changed in a match since the view before, in words: to be read aloud, and shown if it may be missed.

import { plural, standingText } from "./text.js";

/** @import { Line, Match, Seat } from "./api-types.js" */

/** @param {Seat} seat @returns {Seat} */
export const otherSeat = (seat) => (seat === "first" ? "second" : "first");

/**
 * Return what has changed, and whether it is worth more than reading it aloud.
 * @param {Match} before
 * @param {Match} now
 * @param {Seat | null} seat of the reader
 * @param {Line | null} line the moves so far
 * @returns {{text: string, important: boolean}}
 */
export function matchNews(before, now, seat, line) {
  const undone = before.moves.length - now.moves.length;
  const back = undone > 0 ? `${plural(undone, "move")} taken back.` : "";
  const important = [
    back,
    joined(before, now, seat),
    now.version !== before.version && now.last ? now.last.told : "",
    voided(before, now, seat),
    rematch(before, now, seat),
  ];
  const played = now.moves.slice(before.moves.length).map((move, index) => {
    const mover = line?.positions[before.moves.length + index]?.mover;
    return mover && mover !== seat ? `${now.names[mover]}: ${move}.` : "";
  });
  const asked = now.undo && now.undo !== before.undo ? `${now.names[now.undo]} asks to take back their last move.` : "";
  const parts = [...important, ...played, asked, standingText(now, seat, line)];
  return { text: parts.filter(Boolean).join(" "), important: important.some(Boolean) };
}

/** @param {Match} before @param {Match} now @param {Seat | null} seat */
function joined(before, now, seat) {
  if (before.status !== "waiting" || now.status === "waiting") return "";
  return seat ? `${now.names[otherSeat(seat)]} has joined. The match starts.` : "The match starts.";
}

/**
 * Return that a request to take back a move has ended because another move was played.
 * @param {Match} before @param {Match} now @param {Seat | null} seat
 */
function voided(before, now, seat) {
  if (!before.undo || now.undo || now.status !== "playing" || now.moves.length <= before.moves.length) return "";
  return `${before.undo === seat ? "Your" : "The"} request to take back a move has ended: another move was played.`;
}

/** @param {Match} before @param {Match} now @param {Seat | null} seat */
function rematch(before, now, seat) {
  if (now.rematch === before.rematch || !now.rematch) return "";
  return seat ? `${now.names[otherSeat(seat)]} offers a rematch.` : "There is a rematch. You can watch it.";
}

const AWAY_MS = 3000; // a page that is only loaded again is back sooner

/** Tells when the opponent has left, and when they are back. */
export class PresenceNews {
  #timer = 0;
  #told = false; // that they are away

  /** @param {(text: string) => void} tell */
  constructor(tell) {
    this.tell = tell;
  }

  /**
   * @param {Match} match
   * @param {Seat | null} seat
   * @param {Record<Seat, boolean> | null} present null while it is not known
   */
  follow(match, seat, present) {
    if (!seat || !present) return;
    const other = otherSeat(seat);
    const name = match.names[other];
    if (present[other]) {
      this.stop();
      if (this.#told) this.tell(`${name} is back.`);
      this.#told = false;
    } else if (!this.#timer && !this.#told) {
      this.#timer = window.setTimeout(() => {
        this.stop();
        this.#told = true;
        this.tell(`${name} is away.`);
      }, AWAY_MS);
    }
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }
}

// What a board needs to be played on: pointing, previews, keys and motion. Loaded with the first board that is no picture.

import { BoardKeys } from "./board-keys.js";
import { Motion } from "./motion.js";
import { Pointing } from "./pointing.js";
import { Previews } from "./previews.js";

export class BoardPlay {
  /**
   * @param {HTMLElement} board
   * @param {() => void} onchange called when the board shall be drawn again
   */
  constructor(board, onchange) {
    this.previews = new Previews(onchange);
    this.pointing = new Pointing(board, onchange);
    this.keys = new BoardKeys(board);
    this.motion = new Motion(board);
  }
}

// What the modules hand to each other, for the type checker and for readers. There is no code here.

/** @typedef {"first" | "second"} Seat */
/** @typedef {"win" | "draw" | "loss"} Worth */

/**
 * One position of a line of moves, as the server sends it.
 * @typedef {object} Position
 * @property {number} ply
 * @property {Seat | null} mover nobody once the game is decided
 * @property {"none" | "draw" | Seat} outcome
 * @property {string[]} legal
 * @property {string} text
 * @property {any} view the state by seat; each game has its own
 */

/**
 * @typedef {object} Line
 * @property {string} game
 * @property {Record<string, string | number>} options
 * @property {string[]} moves
 * @property {Position[]} positions
 */

/**
 * What everybody may see of a match.
 * @typedef {object} Match
 * @property {string} id
 * @property {string} game
 * @property {Record<string, string | number>} options
 * @property {number} version
 * @property {"waiting" | "playing" | "over"} status
 * @property {number} ply
 * @property {Seat | null} mover
 * @property {"none" | "draw" | Seat} outcome
 * @property {string} reason
 * @property {string | null} result
 * @property {boolean} public
 * @property {string[]} moves
 * @property {string[]} legal
 * @property {Record<Seat, string>} names
 * @property {Record<Seat, string>} seats `human`, `free`, `reserved`, or the name of an agent
 * @property {{what: string, valid: string[], made: Record<Seat, boolean>} | null} choices
 * @property {{limit: number, left: number | null, used: Record<Seat, number>} | null} clocks
 * @property {Seat | null} undo
 * @property {string | null} rematch
 * @property {string} text
 * @property {any} view
 */

/** @typedef {{value: Worth, remoteness: number | null}} MoveValue the value for who moves; plies left after it */

/**
 * What is known of a position.
 * @typedef {object} Solution
 * @property {Worth} value
 * @property {"first" | "second" | "none"} winner
 * @property {number | null} remoteness
 * @property {Record<string, MoveValue>} moves best first
 * @property {{move: string, why: string} | null} hint
 */

/**
 * @typedef {object} JudgedMove
 * @property {Seat} player
 * @property {string} move
 * @property {string} verdict
 * @property {Worth} before
 * @property {Worth} after
 * @property {number | null} remoteness
 * @property {string} best
 * @property {number} regret
 * @property {boolean} mattered
 */

/**
 * @typedef {object} Review
 * @property {string} game
 * @property {Worth[]} values of every position, for the first player
 * @property {JudgedMove[]} moves
 * @property {{name: string, seat: Seat, accuracy: number | null, regret: number | null}[]} players
 */

/** @typedef {{name: string, type: "whole number" | "two values" | "one of", default: string | number, about: string, minimum: number | null, maximum: number | null, values: string[] | null}} Option */
/** @typedef {{name: string, title: string, aim: string, options: Option[], choice: {what: string, option: string, valid: string[]} | null, rules: string, board: boolean}} Game */
/** @typedef {{name: string, about: string, level: boolean}} Agent */
/** @typedef {{games: Game[], agents: Agent[]}} Catalogue */

/** @typedef {import("./dom.js").Child} Child */

/**
 * What a board may know and use. A board has no rules in it: what is legal comes from the server.
 * @typedef {object} Table
 * @property {any} view the state, as the game's `view` writes it: what belongs to a seat is a pair, first player first
 * @property {string} text the state as plain text
 * @property {Record<string, string | number>} options
 * @property {{move: string, seat: Seat}[]} history the moves that led here
 * @property {Seat | null} mover
 * @property {Seat | null} you the seat that looks at the board; none for spectators and pictures
 * @property {Seat} near the seat drawn nearest to the person who looks: your own, or the first
 * @property {Seat} far the other one
 * @property {string[]} legal
 * @property {{move: string, seat: Seat} | null} last the move that led here
 * @property {string | null} pending a move that has been sent and not been answered yet
 * @property {boolean} small a picture on a card: nothing in it can be pressed, words are left out
 * @property {(seat: Seat) => string} name what a player is called
 * @property {(seat: Seat) => Child} token a player's token: a circle for the first, a diamond for the second
 * @property {(seat: Seat, note: string, ...children: Child[]) => Child} place a player's place: who they are, whose turn,
 *   a note such as the total, and what they have; in a picture without the words
 * @property {Record<string, string>} picked what was picked of a move that takes several steps; forgotten with the next
 * @property {(move: string, face: Face, ...children: Child[]) => Child} move a button that plays the move
 * @property {(part: string, value: string, moves: string[], face: Face, ...children: Child[]) => Child} pick a button
 *   that picks a part of a move, for one of these moves; it is marked with the best of them
 */

/**
 * How a move's button looks and what it is called.
 * @typedef {object} Face
 * @property {string} label the name for who cannot see it, with its state: "Crystal 8, taken by Red"
 * @property {string} [class]
 * @property {string} [key]
 * @property {Record<string, string | number>} [style] CSS variables
 */

/**
 * The board of one game: `board.js` in the game's folder has it as its default export.
 * @typedef {object} Board
 * @property {string} style the board's CSS, every rule under the class of the board
 * @property {(table: Table, h: typeof import("./dom.js").h) => Child} draw the board as a tree, after every change
 */

/**
 * What a board shows and what can be done at it.
 * @typedef {object} Shown
 * @property {string} game
 * @property {Record<string, string | number>} options
 * @property {Position} position
 * @property {{move: string, seat: Seat}[]} history
 * @property {Record<Seat, string>} names
 * @property {Seat | null} [you]
 * @property {string | null} [pending]
 * @property {boolean} [small]
 * @property {Solution | null} [solution] values to mark the moves with
 * @property {(seat: Seat) => Child} [beside] what else stands beside a player's name
 * @property {((move: string) => void) | null} [play] nothing can be pressed without it
 */

export {};

// What the modules hand to each other, for the type checker and for readers. There is no code here.
// What the server sends is in `api-types.js`.

/** @import { Game, Line, Position, Review, Seat, Solution } from "./api-types.js" */
/** @import { Child, h } from "./dom.js" */

/** @typedef {Record<string, string | number>} Options the options of a game, by name */

/** @typedef {{move: string, seat: Seat}} PlayedBy a move and the player who made it */

/**
 * What a board may know and use. A board has no rules in it: what is legal comes from the server.
 * @typedef {object} Table
 * @property {string} game its name
 * @property {any} view the state, as the game's `view` writes it; what belongs to a seat is a pair, first player first
 * @property {string} text the state as plain text
 * @property {Options} options
 * @property {PlayedBy[]} history the moves that led here
 * @property {Seat | null} mover
 * @property {Seat | null} you the seat of the person at the screen; null for spectators and pictures
 * @property {Seat} near the seat drawn nearest to the person at the screen: their own, or the first
 * @property {Seat} far the other seat
 * @property {string[]} legal
 * @property {PlayedBy | null} last the move that led here
 * @property {string | null} pending a move that was sent but not yet confirmed
 * @property {boolean} active the person at the screen can play a move now; if not, nothing may look as if they could
 * @property {Pointed | null} preview the move that the person points at, and what it would lead to
 * @property {boolean} small a picture on a card: nothing in it can be pressed, and words are left out
 * @property {(seat: Seat) => string} name a player's name
 * @property {(seat: Seat) => Child} token a player's token: a circle for the first, a diamond for the second
 * @property {(seat: Seat, note: string, ...children: Child[]) => Child} place a player's place: the name, whose turn it
 *   is, a note such as the total, and what they have; in a picture without the words
 * @property {import("./api-types.js").Board} board what lies on the table
 * @property {string[]} picked the words picked so far of a move; cleared when the position changes
 * @property {(move: string, face: Face, ...children: Child[]) => Child} move a button that plays the move
 * @property {(words: string[], face: Face, ...children: Child[]) => Child} press a button that picks the first of these
 *   words that can be part of a move, or plays the move that is complete by it; it is marked with the best of its moves
 * @property {(words: string[]) => string} worth the best value of the moves that have the words; empty if it is not known
 * @property {(move: string) => Record<string, any>} target what makes any other element a place to press for a move that
 *   has a button, too: attributes for `h`; none if the move cannot be played now
 */

/**
 * How the button of a move looks and what it is called.
 * @typedef {object} Face
 * @property {string} label the name for screen readers, with its state: "Crystal 8, taken by Red"
 * @property {string} [class]
 * @property {string} [key]
 * @property {Record<string, string | number>} [style] CSS variables
 * @property {boolean} [unmarked] a button that picks words has no value
 * @property {string} [piece] its identity as a piece that moves (`motion.js`)
 * @property {string} [from] the piece that it comes from when it is new
 * @property {string} [turns] what its face shows: the piece turns when this changes
 */

/**
 * A move that a person points at, and what it would lead to.
 * @typedef {object} Pointed
 * @property {string} move
 * @property {any} view the state after it, as the game's `view` writes it
 * @property {string} text the state after it as plain text
 * @property {import("./api-types.js").BoardChange[]} changes what would lie elsewhere
 * @property {string} id of the element with the words
 */

/**
 * What draws the board of a game: the page's own, or the default export of `board.js` in the game's folder.
 * @typedef {object} Board
 * @property {string} style the board's CSS, every rule under the class of the board
 * @property {(table: Table, make: typeof h) => Child} draw return the board as a tree; called after every change
 */

/**
 * A position to show on a board, and what can be done there.
 * @typedef {object} BoardInput
 * @property {string} game
 * @property {Options} options
 * @property {Position} position
 * @property {PlayedBy[]} history
 * @property {Record<Seat, string>} names
 * @property {Seat | null} [you]
 * @property {string | null} [pending]
 * @property {boolean} [small]
 * @property {Solution | null} [solution] values to mark the moves with
 * @property {(seat: Seat) => Child} [beside] what else to show beside a player's name
 * @property {((move: string) => void) | null} [play] without it nothing can be pressed
 * @property {((move: string) => void) | null} [plan] chooses a move for the person's next turn
 * @property {string | null} [planned] the move that is chosen for it
 * @property {boolean} [still] the position is only shown, so that it is nobody's turn
 * @property {boolean} [secret] it is a task: what a move would decide is not told beforehand
 */

/**
 * How a player plays on in a match.
 * @typedef {object} Live
 * @property {(move: string) => Promise<void>} play
 * @property {string | null} pending
 * @property {boolean} yourTurn
 * @property {((move: string) => void) | null} [plan] chooses a move during the opponent's turn
 * @property {string | null} [planned]
 */

/**
 * A line of moves to show in the viewer, and what can be done there.
 * @typedef {object} ViewerInput
 * @property {Game} game
 * @property {Line} line
 * @property {Record<Seat, string>} names
 * @property {Seat | null} you
 * @property {Live | null} live how to play on at the end of the line; null for spectators
 * @property {boolean} [following] the game is being played, so that an earlier position is not the game
 * @property {boolean} branching other moves may be tried from any position
 * @property {string} [backText] of the button that ends trying other moves
 * @property {boolean} [free] there is no game to come back to: moves that are tried replace the line
 * @property {boolean} help values and hints are offered
 * @property {string | null} [helpPath] the match that help is asked of, so that its clock stands still meanwhile
 * @property {() => void} [onhelp] called when help is shown to a player during the game
 * @property {boolean} [puzzle] values would give the answer away, so they are hidden at first
 * @property {Review | null} [review]
 * @property {number} [ply] the position to begin with
 * @property {(ply: number, line: Line, branch: boolean) => void} [onmove] called when another position is shown
 * @property {(seat: Seat) => Child} [beside] what else to show beside a player's name
 * @property {Child} [above] what stays in view above the board
 * @property {Child} [caption] what stands right above the board and scrolls away with it
 * @property {Child} [beforeMoves] what comes first beside the board, or below it on a phone
 * @property {Child} [below] what comes last
 */

export {};

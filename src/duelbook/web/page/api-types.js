// The JSON that the service sends and takes. There is no code here.
// Generated from src/duelbook/web/schemas by `make docs`; do not edit.

/** @typedef {"first" | "second"} Seat */
/** @typedef {"first" | "second" | "draw" | "none"} Outcome */
/** @typedef {"rules" | "resignation" | "time" | "forfeit" | "absence" | "ply limit" | "unfinished"} Reason */
/** @typedef {"win" | "draw" | "loss"} Worth */

/**
 * The time that a player gave the opponent for a turn, besides the limit.
 * @typedef {object} GiftDocument
 * @property {number} move the number of the move of that turn, from 1
 * @property {number} seconds
 */

/**
 * What a program said about a move of its own.
 * @typedef {object} NoteDocument
 * @property {number} move the number of the move, from 1
 * @property {number} [evaluation] from -1, the player loses, to 1, the player wins
 * @property {number} [depth] how many moves the player looked ahead
 * @property {string} [text]
 */

/**
 * Player 1 or Player 2 of a record.
 * @typedef {object} PlayerDocument
 * @property {string} name
 * @property {string} agent `human`, or the agent that plays
 * @property {Seat} seat
 */

/**
 * A played game, finished or not.
 * @typedef {object} RecordDocument
 * @property {"duelbook-record"} format
 * @property {1} version
 * @property {string} game
 * @property {Record<string, number | string>} options all options of the game
 * @property {string} [dictionary] hash of the word list, if the game uses one
 * @property {PlayerDocument[]} players Player 1 and Player 2
 * @property {number | null} seed
 * @property {number | null} time_limit
 * @property {string[]} moves
 * @property {Outcome} result
 * @property {Reason} reason
 * @property {string | null} started ISO 8601 time
 * @property {string | null} ended ISO 8601 time
 * @property {number[]} seconds what each move took; empty if not measured
 * @property {number} [opening] how many of the first moves were drawn, not chosen
 * @property {NoteDocument[]} [notes] what programs said about their moves
 * @property {GiftDocument[]} [given] the turns for which the opponent gave time
 */

/**
 * Something on a board that would be another one: a part, or a cell.
 * @typedef {object} BoardChange
 * @property {(string | number)[]} at
 * @property {Row | Grid | Track | Gauge | Text | null} [part]
 * @property {Cell | null} [cell]
 */

/**
 * All that can be looked at or pressed.
 * @typedef {object} Cell
 * @property {string} [text]
 * @property {string[]} [words]
 * @property {number | null} [owner]
 * @property {number[]} [wanted]
 * @property {number[]} [tokens]
 * @property {"" | "empty" | "gone" | "lost" | "out" | "warn" | "vain" | "caption"} [state]
 * @property {string} [note]
 * @property {string} [label]
 * @property {string} [sign]
 * @property {number | null} [count]
 * @property {boolean} [last]
 * @property {string} [piece]
 * @property {string} [origin]
 * @property {string[]} [via]
 */

/**
 * Cells side by side: a hand, a pool, slots, or what can be chosen.
 * @typedef {object} Row
 * @property {"row"} part
 * @property {Cell[]} cells
 * @property {string} [label]
 * @property {number[]} [wrap]
 * @property {boolean} [is_choice]
 */

/**
 * Rows of cells of the same size, the far player's first.
 * @typedef {object} Grid
 * @property {"grid"} part
 * @property {Cell[][]} rows
 * @property {string} [label]
 * @property {boolean} [turns]
 */

/**
 * Cells one after the other, from the first player's end on. It is turned for the second player.
 * @typedef {object} Track
 * @property {"track"} part
 * @property {Cell[]} cells
 * @property {string} [label]
 * @property {number} [bend]
 */

/**
 * Points of a gauge that belong together.
 * @typedef {object} Portion
 * @property {number} points
 * @property {string} [text]
 * @property {boolean} [gained]
 * @property {string} [piece]
 * @property {string} [origin]
 */

/**
 * Points on the way to a goal.
 * @typedef {object} Gauge
 * @property {"gauge"} part
 * @property {number} owner
 * @property {Portion[]} portions
 * @property {number} full
 * @property {boolean} [is_divided]
 */

/**
 * Text as it is, in characters of the same width. It may name the first and the second player.
 * @typedef {object} Text
 * @property {"text"} part
 * @property {string} text
 */

/**
 * What a player has.
 * @typedef {object} PlayerSide
 * @property {string} [note]
 * @property {Part[]} [parts]
 */

/**
 * What lies on the table. A text on it may name the first and the second player.
 * @typedef {object} Board
 * @property {[PlayerSide, PlayerSide]} sides
 * @property {Part[]} middle
 * @property {string} [cue]
 */

/**
 * A drawing on a cell: the path of an SVG, in a square of 24 by 24, and a character for terminals.
 * @typedef {object} Sign
 * @property {string} path
 * @property {string} [character]
 * @property {boolean} [is_shape]
 * @property {string[]} [facets]
 */

/**
 * The look of a game. The page shows the same colours darker in its dark scheme.
 * @typedef {object} Theme
 * @property {string} [felt]
 * @property {string} [felt_deep]
 * @property {string} [felt_line]
 * @property {string} [tile]
 * @property {string} [tile_edge]
 * @property {Record<string, Sign>} [signs]
 */

/**
 * A match to create.
 * @typedef {object} NewMatch
 * @property {string} game
 * @property {string} opponent `friend`, or an agent such as `perfect` or `mcts:500`
 * @property {"first" | "second" | "random"} [seat] yours; the first player begins
 * @property {Record<string, number | string>} [options] rule options; `preset` stands for those of a preset of the game
 * @property {string | null} [name]
 * @property {number | null} [time_limit] seconds for each turn
 * @property {string | null} [choice] your choice before the start, as in Alpha Chase
 * @property {boolean} [public] list the match while it is being played
 * @property {1 | 2 | 4 | 6} [best_of] games, with the seats swapped after each
 * @property {boolean} [open] offer the other seat to everybody, as an open challenge
 * @property {string | null} [key] random and secret; the same key gets the same match again, or its progress
 */

/**
 * A player who takes the free seat.
 * @typedef {object} Join
 * @property {string | null} [name]
 * @property {string | null} [choice] your choice before the start, as in Alpha Chase
 * @property {string | null} [key] random and secret; the same key gets the same seat again
 * @property {boolean} [challenge] only if it is an open challenge whose maker is present
 */

/**
 * What a player does in a match.
 * @typedef {object} Action
 * @property {"play" | "undo" | "agree" | "decline" | "give" | "resign" | "claim"} action `play` makes a move; `undo` asks to take your last move back; `agree` lets the opponent who asks for it take their move back; `decline` does not, or withdraws your own request; `give` gives the opponent 15 seconds more for their turn, up to 60; `resign` gives the match up; `claim` warns an absent opponent, and wins the match when they have not come back in time
 * @property {number | null} [ply] the action counts only at this ply; `play` needs it
 * @property {string | null} [move] only for `play`, which needs it
 * @property {string | null} [key] only for `play`: random, new for every intended move
 */

/**
 * Whether the free seat of a match is offered to everybody.
 * @typedef {object} SeatOffer
 * @property {boolean} [open]
 */

/**
 * An empty object.
 * @typedef {object} Nothing
 */

/**
 * A choice that players make before the start. What they chose is secret until then.
 * @typedef {object} Choices
 * @property {string} what
 * @property {string[]} valid
 * @property {Record<Seat, boolean>} made
 */

/**
 * The clocks of a match with a time limit, in seconds.
 * @typedef {object} Clocks
 * @property {number} limit for each turn
 * @property {number | null} left of the current turn; null unless the match is being played
 * @property {number} stopped until the clock runs again, at most; 0 unless it waits for help
 * @property {Record<Seat, number>} used
 * @property {GiftDocument[]} given by the opponent, besides the limit, for a turn; by turns
 */

/**
 * What a player has done besides moving.
 * @typedef {object} LastAction
 * @property {"play" | "undo" | "agree" | "decline" | "give" | "resign" | "claim"} action
 * @property {Seat} by
 * @property {string} told that as a sentence; empty if the view shows it anyway
 */

/**
 * A player waits for the absent opponent, whose turn it is.
 * @typedef {object} Claim
 * @property {Seat} by who can claim the win if the opponent does not come back
 * @property {number} left seconds until then
 */

/**
 * The series that a match is a game of. The points of single games add up through their rematches.
 * @typedef {object} Series
 * @property {number} best_of games in the series
 * @property {number} game the number of this game, from 1
 * @property {Record<Seat, number>} points by the seats of this game, which counts once it is over
 * @property {boolean} decided the series is over: what follows is a rematch
 */

/**
 * The public view of a match.
 * @typedef {object} Match
 * @property {string} id
 * @property {string} game
 * @property {Record<string, number | string>} options
 * @property {number} version rises with every change
 * @property {"waiting" | "playing" | "over"} status
 * @property {number} ply
 * @property {Seat | null} mover
 * @property {Outcome} outcome
 * @property {Reason} reason
 * @property {string | null} result who won and why, as a sentence; null until the match is over
 * @property {string[]} moves
 * @property {string | null} short the last move in short notation; null before the first move
 * @property {string[]} legal
 * @property {Record<Seat, string>} names
 * @property {Record<Seat, string>} seats `human`, `free`, `reserved`, or the name of an agent
 * @property {boolean} public
 * @property {boolean} open an open challenge: everybody may take the free seat
 * @property {Series} series
 * @property {Choices | null} choices
 * @property {Clocks | null} clocks
 * @property {Record<Seat, ("play" | "undo" | "agree" | "decline" | "give" | "resign" | "claim")[]>} actions what each player may do now
 * @property {Seat | null} undo the player who asks to take a move back
 * @property {LastAction | null} last what made this version, if it was no move
 * @property {Claim | null} claim
 * @property {string | null} rematch the id of the match that follows this one
 * @property {string} text the state as plain text
 * @property {any} view the state as data; each game has its own fields
 * @property {Board} board what lies on the table; nothing until both players have chosen
 */

/**
 * A match in the list of matches that are being played.
 * @typedef {object} ListedMatch
 * @property {string} id
 * @property {string} game
 * @property {number} ply
 * @property {Record<Seat, string>} names
 * @property {Record<Seat, string>} seats
 * @property {Seat} mover
 * @property {Record<string, number | string>} options
 * @property {number | null} time_limit
 * @property {Series} series
 */

/**
 * Public matches that are being played by players who are present, the most recently changed first.
 * @typedef {object} ListedMatches
 * @property {ListedMatch[]} matches
 */

/**
 * An open challenge.
 * @typedef {object} Challenge
 * @property {string} id
 * @property {string} game
 * @property {string} name who waits for an opponent
 * @property {Seat} seat the free one
 * @property {Record<string, number | string>} options
 * @property {number | null} time_limit
 * @property {number} best_of
 * @property {boolean} choose who takes it has to send a `choice`
 */

/**
 * Open challenges whose makers are present, the newest first.
 * @typedef {object} ChallengeList
 * @property {Challenge[]} challenges
 */

/**
 * A seat and its token. Keep the token: it is not shown again.
 * @typedef {object} Seated
 * @property {string} id
 * @property {Seat} seat
 * @property {string} token empty in a rematch that was asked for with a cookie: a cookie has it
 * @property {Match} match
 */

/**
 * The secret of a seat: whoever has it can play there.
 * @typedef {object} SeatToken
 * @property {string} id of the match
 * @property {string} token
 */

/**
 * A seat as a file that the page opens in another browser.
 * @typedef {object} SeatFile
 * @property {"duelbook-browser"} [format]
 * @property {1} [version]
 * @property {string[]} [games] empty: the file has only the seat
 * @property {SeatToken[]} seats
 */

/**
 * The moves from a ply on.
 * @typedef {object} Moves
 * @property {number} ply
 * @property {number} version
 * @property {number} since
 * @property {string[]} moves
 */

/**
 * Why a request failed (RFC 9457).
 * @typedef {object} ProblemDocument
 * @property {string} type
 * @property {string} title
 * @property {number} status
 * @property {string} code
 * @property {string} detail a sentence for a person
 * @property {number} [ply] the current ply of the match
 * @property {string[]} [legal] the legal moves
 * @property {string} [what] what has to be chosen before the start
 * @property {string[]} [valid] the valid choices
 */

/**
 * What the move leads to if both players play their best.
 * @typedef {object} Result
 * @property {"result"} kind
 * @property {Seat} player
 * @property {string[]} after moves from the position at hand to the one that this is about
 * @property {string} move
 * @property {Worth} value
 * @property {number | null} own_moves moves of that player until the end, with this one; null in a draw without end
 * @property {boolean} at_once the move ends the game
 * @property {boolean} again the same player moves again
 * @property {number} keeping legal moves with this value
 * @property {number} lasting legal moves with this value after which the game lasts as long
 * @property {number} legal legal moves
 */

/**
 * What a search thinks of the move in a game that is too large to be solved.
 * @typedef {object} Estimate
 * @property {"estimate"} kind
 * @property {Seat} player
 * @property {string[]} after moves from the position at hand to the one that this is about
 * @property {string} move
 * @property {number} score the expected share of the points, from 0 to 1
 * @property {Worth | null} proven what the search has proven, if anything
 * @property {boolean} at_once the move ends the game
 */

/**
 * No other move has this value.
 * @typedef {object} OnlyMove
 * @property {"only move"} kind
 * @property {Seat} player
 * @property {string[]} after moves from the position at hand to the one that this is about
 * @property {string} move
 * @property {Worth} others the best value of the other moves
 */

/**
 * How the opponent wins with their next move after other moves.
 * @typedef {object} Threat
 * @property {"threat"} kind
 * @property {Seat} player
 * @property {string[]} after moves from the position at hand to the one that this is about
 * @property {string} move
 * @property {string[]} winning after each of those moves one of these wins; empty if many do
 * @property {number} losing other moves after which the opponent wins at once
 * @property {number} others other legal moves
 * @property {boolean} stopped the opponent cannot win at once after this move
 */

/**
 * How the opponent wins after another move, where this one holds the draw.
 * @typedef {object} Mistake
 * @property {"mistake"} kind
 * @property {Seat} player
 * @property {string[]} after moves from the position at hand to the one that this is about
 * @property {string} move
 * @property {string} other the move that loses the soonest
 * @property {string} reply with which the opponent wins, now or later
 * @property {number} reply_moves moves of the opponent until the end, with the reply
 */

/**
 * The opponent has to answer a threat: after every other reply the player wins at once.
 * @typedef {object} Forcing
 * @property {"forcing"} kind
 * @property {Seat} player
 * @property {string[]} after moves from the position at hand to the one that this is about
 * @property {string} move
 * @property {string[]} winning after every other reply one of these wins at once
 * @property {string[]} replies the replies that stop it
 * @property {string | null} then the best move after the only such reply
 */

/**
 * Whatever the opponent replies, one of a few moves wins.
 * @typedef {object} AnyReply
 * @property {"any reply"} kind
 * @property {Seat} player
 * @property {string[]} after moves from the position at hand to the one that this is about
 * @property {string} move
 * @property {string[]} winning
 * @property {boolean} at_once with that move; if not, it keeps the win
 */

/**
 * The best move after each reply of the opponent; there are few.
 * @typedef {object} EachReply
 * @property {"each reply"} kind
 * @property {Seat} player
 * @property {string[]} after moves from the position at hand to the one that this is about
 * @property {string} move
 * @property {Record<string, string>} answers by reply
 * @property {boolean} at_once each of them wins at once
 */

/**
 * How play goes on with best moves, beginning with this one; cut to what a person can follow.
 * @typedef {object} BestLine
 * @property {"line"} kind
 * @property {Seat} player
 * @property {string[]} after moves from the position at hand to the one that this is about
 * @property {string} move
 * @property {string[]} moves
 * @property {Seat[]} players who makes each of them
 * @property {Seat | null} winner who wins with the last move; null if the line stops before
 */

/**
 * Every move loses, but after this one few replies win for the opponent.
 * @typedef {object} Trap
 * @property {"trap"} kind
 * @property {Seat} player
 * @property {string[]} after moves from the position at hand to the one that this is about
 * @property {string} move
 * @property {string[]} winning the replies that win; empty if there are many
 * @property {number} count replies that win
 * @property {number} replies legal replies
 */

/**
 * What the move does, in words of the game that follow the name of the move.
 * @typedef {object} Effect
 * @property {"effect"} kind
 * @property {Seat} player
 * @property {string[]} after moves from the position at hand to the one that this is about
 * @property {string} move
 * @property {string} text
 */

/**
 * The last move of a game that gave something away.
 * @typedef {object} TurningPoint
 * @property {number} ply the number of the move, from 1
 * @property {Seat} player
 * @property {string} move
 * @property {Worth} before of the position before the move, for the player
 * @property {Worth} after of the position after the move, for the same player
 */

/**
 * The exact value of a move for the player who makes it.
 * @typedef {object} MoveValue
 * @property {Worth} value
 * @property {number | null} remoteness plies until the end; null in a draw without end
 * @property {number | null} own_moves moves of that player until the end, with this one; null in a draw without end
 */

/**
 * Help in three steps: a nudge, the move to play, and why.
 * @typedef {object} Hint
 * @property {string} nudge what to look for; it does not name the move
 * @property {string} move
 * @property {string} why
 * @property {Fact[]} facts what is proven about the move; the text says no more
 */

/**
 * The exact value of a position and of every move in it, and what it took to solve the game.
 * @typedef {object} PositionReport
 * @property {string} game
 * @property {Record<string, number | string>} options
 * @property {string[]} after the moves from the start
 * @property {number} states
 * @property {"classes" | "states"} counted
 * @property {Worth} value for the player to move
 * @property {"first" | "second" | "none"} winner
 * @property {number | null} remoteness plies until the end; null in a draw without end
 * @property {number | null} winner_moves moves of the winner until the end; null without a winner
 * @property {Record<string, MoveValue>} moves best first
 * @property {Hint | null} hint null once the game is over
 * @property {number} seconds
 * @property {number} megabytes
 */

/**
 * A position with a question about it. The answer comes only with an attempt.
 * @typedef {object} Puzzle
 * @property {string} game
 * @property {Record<string, number | string>} options
 * @property {"win" | "only-move" | "trap"} kind the only move that wins, the only one that does not lose, or a trap
 * @property {string} task what is asked, as a sentence
 * @property {number} level
 * @property {number} plies to look ahead, both players' moves counted: to the win, or to the loss
 * @property {number} own_moves of the player until the end of the game; 0 if it is endless
 * @property {number} right_moves how many moves are right
 * @property {string[]} moves that led to the position
 * @property {Seat} mover
 * @property {string[]} legal
 * @property {string} text
 * @property {any} view
 * @property {boolean} [right] only with an attempt
 * @property {string} [answer] only with an attempt
 * @property {string} [why] only with an attempt: why the right move is right
 * @property {string} [why_not] only with a wrong attempt: why it is wrong
 * @property {string} [trap] only with an attempt at a trap: the move that tempts
 * @property {Fact[]} [facts] only with an attempt: what is proven
 * @property {string[]} [refutation] only with an attempt: the replies that show why a move is wrong
 * @property {Seat} [replier] only with an attempt: who makes the first reply
 */

/**
 * A move of a match, judged by exact values, or by a search if the game is too large to be solved.
 * @typedef {object} JudgedMove
 * @property {Seat} player
 * @property {string} move
 * @property {string} verdict
 * @property {Worth | null} before of the position, for the player; null if it is not known
 * @property {Worth | null} after of the position after the move, for the same player
 * @property {number | null} remoteness plies until the end; null in a draw without end
 * @property {number} score of the position after the move, for the player: 0 to 1
 * @property {string} best
 * @property {number | null} regret what the move gave away: 0 to 2; null if it is not known
 * @property {boolean} mattered some legal move would not have kept the value
 * @property {string | null} why why it was a mistake, or a trap that worked; null for other moves
 * @property {Fact[]} facts what is proven about it; the text says no more
 * @property {string | null} note what the program that played it said about it; null if nothing
 */

/**
 * A player's game in numbers; null if there was nothing to measure.
 * @typedef {object} PlayerSummary
 * @property {string} name
 * @property {Seat} seat
 * @property {number | null} accuracy
 * @property {number | null} regret
 * @property {number | null} first_blunder
 */

/**
 * A match, judged move by move.
 * @typedef {object} Review
 * @property {string} game
 * @property {Outcome} result
 * @property {Reason} reason
 * @property {boolean} exact by exact values; if not, everything is an estimate by a search
 * @property {Worth[]} values of every position, for the first player; none if not exact
 * @property {number[]} scores of every position, for the first player: 1 wins, 0 loses
 * @property {TurningPoint | null} turning_point null if no move is known to be a mistake
 * @property {string} decided what decided the game, as a sentence; empty if not exact
 * @property {JudgedMove[]} moves
 * @property {PlayerSummary[]} players
 */

/**
 * The position of a match in which a player wants help.
 * @typedef {object} HelpRequest
 * @property {number} ply
 */

/**
 * An option of a game.
 * @typedef {object} Option
 * @property {string} name
 * @property {"whole number" | "two values" | "list" | "one of"} type
 * @property {number | string} default
 * @property {string} about
 * @property {number | null} minimum
 * @property {number | null} maximum
 * @property {string[] | null} values
 * @property {boolean} drawn whether it is drawn for each match unless it is given
 */

/**
 * What the lab has measured about the rules of a game.
 * @typedef {object} Measured
 * @property {number} first_score of the first seat between equal players; 0.5 is fair
 * @property {string[]} sentences who has the edge, how long games last, best play, positions
 */

/**
 * Options of a game under a name.
 * @typedef {object} Preset
 * @property {string} name
 * @property {string} title
 * @property {string} about
 * @property {Record<string, number | string>} options
 * @property {boolean} suggested whether who has not chosen should begin with it
 * @property {Measured | null} measured null if the preset was not measured
 */

/**
 * A choice that each player makes before the start.
 * @typedef {object} Choice
 * @property {string} what
 * @property {string} option
 * @property {string[]} valid
 */

/**
 * A game.
 * @typedef {object} Game
 * @property {string} name
 * @property {string} title
 * @property {string} aim
 * @property {Option[]} options
 * @property {Preset[]} presets
 * @property {Choice | null} choice
 * @property {boolean} board whether the page has code for its board, which draws `view`
 * @property {Theme} theme how its board looks
 * @property {boolean} lesson whether the game has a lesson of its own; if not, a general one is made
 */

/**
 * The number that an agent takes after its name.
 * @typedef {object} Parameter
 * @property {string} name
 * @property {number} default
 * @property {number} most
 */

/**
 * An agent to play against.
 * @typedef {object} Agent
 * @property {string} name
 * @property {string} about
 * @property {boolean} level whether it is one of the levels of play
 * @property {number | null} rating of a level, as measured in the games of Duelbook; medium has 1500
 * @property {Parameter | null} parameter
 */

/**
 * The games and the agents.
 * @typedef {object} Catalogue
 * @property {Game[]} games
 * @property {Agent[]} agents
 */

/**
 * Why a match cannot be played with these options.
 * @typedef {object} OptionProblem
 * @property {string | null} option the option that is wrong, if one alone is
 * @property {string} detail a sentence for a person
 */

/**
 * A game with options: whether it can be played, and what is known about it.
 * @typedef {object} Variant
 * @property {OptionProblem | null} problem
 * @property {Measured | null} measured null if these rules were not measured
 * @property {string[]} choices what a player can choose before the start, unless it is too many
 */

/**
 * A position on a line of moves.
 * @typedef {object} Position
 * @property {number} ply
 * @property {Seat | null} mover null once the game is decided
 * @property {Outcome} outcome
 * @property {string[]} legal
 * @property {string} text the state as plain text
 * @property {any} view the state as data; each game has its own fields
 * @property {Board} board what lies on the table
 */

/**
 * A line of moves with the position before the first move and after every move.
 * @typedef {object} Line
 * @property {string} game
 * @property {Record<string, number | string>} options
 * @property {string[]} moves
 * @property {string[]} short the moves in short notation
 * @property {Position[]} positions
 */

/**
 * What a move would do.
 * @typedef {object} MovePreview
 * @property {string} words to the player to move: You would have 8 of 15.
 * @property {string} result what it would decide; empty if the game goes on or nobody can know yet
 * @property {boolean} warning whether it costs something that the player may not expect
 * @property {string} text the state after it as plain text
 * @property {any} view the state after it as data
 * @property {BoardChange[]} changes what would lie elsewhere on the board
 */

/**
 * What the legal moves of a position would do, by name; of more than 64 moves the first 64.
 * @typedef {object} Previews
 * @property {Record<string, MovePreview>} moves
 */

/**
 * The legal move that a typed text means.
 * @typedef {object} TypedMove
 * @property {string} move
 */

/**
 * The demonstration games of the day; one that takes long to play is missing at first.
 * @typedef {object} Demonstrations
 * @property {Line[]} lines
 */

/**
 * The move to play in a position, for any game.
 * @typedef {object} Advice
 * @property {boolean} exact by exact values; if not, the game is too large and it is an estimate
 * @property {Hint | null} hint null once the game is over
 */

/**
 * The exact value of a position and of every move in it, and the move to play.
 * @typedef {object} Solution
 * @property {string} game
 * @property {Record<string, number | string>} options
 * @property {string[]} after the moves from the start
 * @property {number} states
 * @property {"classes" | "states"} counted
 * @property {Worth} value for the player to move
 * @property {"first" | "second" | "none"} winner
 * @property {number | null} remoteness plies until the end; null in a draw without end
 * @property {number | null} winner_moves moves of the winner until the end; null without a winner
 * @property {Record<string, MoveValue>} moves best first
 * @property {Hint | null} hint null once the game is over
 * @property {number} seconds
 * @property {number} megabytes
 */

/**
 * A puzzle that its seed finds again.
 * @typedef {object} SeededPuzzle
 * @property {string} game
 * @property {Record<string, number | string>} options
 * @property {"win" | "only-move" | "trap"} kind the only move that wins, the only one that does not lose, or a trap
 * @property {string} task what is asked, as a sentence
 * @property {number} level
 * @property {number} plies to look ahead, both players' moves counted: to the win, or to the loss
 * @property {number} own_moves of the player until the end of the game; 0 if it is endless
 * @property {number} right_moves how many moves are right
 * @property {string[]} moves that led to the position
 * @property {Seat} mover
 * @property {string[]} legal
 * @property {string} text
 * @property {any} view
 * @property {boolean} [right] only with an attempt
 * @property {string} [answer] only with an attempt
 * @property {string} [why] only with an attempt: why the right move is right
 * @property {string} [why_not] only with a wrong attempt: why it is wrong
 * @property {string} [trap] only with an attempt at a trap: the move that tempts
 * @property {Fact[]} [facts] only with an attempt: what is proven
 * @property {string[]} [refutation] only with an attempt: the replies that show why a move is wrong
 * @property {Seat} [replier] only with an attempt: who makes the first reply
 * @property {string} seed
 */

/**
 * The puzzle of a day.
 * @typedef {object} DailyPuzzle
 * @property {string} game
 * @property {Record<string, number | string>} options
 * @property {"win" | "only-move" | "trap"} kind the only move that wins, the only one that does not lose, or a trap
 * @property {string} task what is asked, as a sentence
 * @property {number} level
 * @property {number} plies to look ahead, both players' moves counted: to the win, or to the loss
 * @property {number} own_moves of the player until the end of the game; 0 if it is endless
 * @property {number} right_moves how many moves are right
 * @property {string[]} moves that led to the position
 * @property {Seat} mover
 * @property {string[]} legal
 * @property {string} text
 * @property {any} view
 * @property {boolean} [right] only with an attempt
 * @property {string} [answer] only with an attempt
 * @property {string} [why] only with an attempt: why the right move is right
 * @property {string} [why_not] only with a wrong attempt: why it is wrong
 * @property {string} [trap] only with an attempt at a trap: the move that tempts
 * @property {Fact[]} [facts] only with an attempt: what is proven
 * @property {string[]} [refutation] only with an attempt: the replies that show why a move is wrong
 * @property {Seat} [replier] only with an attempt: who makes the first reply
 * @property {string} day
 * @property {string} first_day the first day that has a puzzle
 */

/**
 * The kinds of puzzles that a game has, and the levels of each.
 * @typedef {object} PuzzleLevels
 * @property {string} game
 * @property {Record<"win" | "only-move" | "trap", number[]>} levels
 */

/**
 * A record that was sent: the players, the moves, the result, and the review.
 * @typedef {object} RecordReview
 * @property {string} game
 * @property {Record<string, number | string>} options
 * @property {number | null} time_limit
 * @property {Record<Seat, string>} names
 * @property {Record<Seat, string>} seats
 * @property {string[]} moves
 * @property {Outcome} outcome
 * @property {Reason} reason
 * @property {string | null} result
 * @property {Review} review
 */

/**
 * How far a study is that takes a while. The same request gets its progress again, and in the end the result.
 * @typedef {object} StudyProgress
 * @property {"queued" | "working" | "compiling" | "waiting" | "preparing" | "estimating" | "exploring" | "analysing" | "saving"} stage queued until a worker is free, then what it does; waiting is for another worker's solution
 * @property {number} states found so far in a game that is being solved
 * @property {number} valued how many of them have a known value
 * @property {number} passes over the states so far
 * @property {number} memory_bytes that the solver uses
 * @property {number} budget_bytes that it may use; a game that needs more is too large
 * @property {string} url where to ask again, with the same method and body
 */

/**
 * Whether the service is alive, or ready.
 * @typedef {object} ServiceStatus
 * @property {"alive" | "ready"} status
 */

/**
 * A move and the player who made it.
 * @typedef {object} PlayedBy
 * @property {string} move
 * @property {Seat} seat
 */

/**
 * A position and the moves that led to it.
 * @typedef {object} Snapshot
 * @property {PlayedBy[]} history
 * @property {Position} position
 */

/**
 * A picture of the board in the rules.
 * @typedef {object} RulesPicture
 * @property {PlayedBy[]} history
 * @property {Position} position
 * @property {string} caption
 */

/**
 * The rules of a game with the options in force.
 * @typedef {object} Rules
 * @property {string} game
 * @property {Record<string, number | string>} options
 * @property {string} text as Markdown; `![caption](0)` is the first of the pictures
 * @property {RulesPicture[]} pictures
 */

/**
 * A step of a lesson: a position with a task for the player to move.
 * @typedef {object} LessonStep
 * @property {string} title
 * @property {string} task
 * @property {Record<string, number | string>} options
 * @property {Snapshot} start
 */

/**
 * The lesson of a game: small positions, each with a task that shows one rule.
 * @typedef {object} Lesson
 * @property {string} game
 * @property {boolean} general the game has no lesson of its own; this one was found by search
 * @property {LessonStep[]} steps
 */

/**
 * What follows when a move is tried in a step of a lesson.
 * @typedef {object} LessonAnswer
 * @property {boolean} right
 * @property {string} text why
 * @property {Snapshot[]} shown after the move, and after each move that follows
 */

/**
 * What follows when a move is tried: the text, and the names of the moves after it.
 * @typedef {object} KnownAnswer
 * @property {boolean} right
 * @property {string} text
 * @property {string[]} following
 */

/**
 * A lesson with what follows after every legal move of each step, as a worker sends it to the service.
 * @typedef {object} AnsweredLesson
 * @property {Lesson} lesson
 * @property {Record<string, KnownAnswer>[]} answers
 * @property {string} problem what is wrong with the game's own lesson, if something is
 */

/**
 * Do something in the match, as over HTTP.
 * @typedef {object} ActionMessage
 * @property {"action"} type
 * @property {"play" | "undo" | "agree" | "decline" | "give" | "resign" | "claim"} action `play` makes a move; `undo` asks to take your last move back; `agree` lets the opponent who asks for it take their move back; `decline` does not, or withdraws your own request; `give` gives the opponent 15 seconds more for their turn, up to 60; `resign` gives the match up; `claim` warns an absent opponent, and wins the match when they have not come back in time
 * @property {number | null} [ply] the action counts only at this ply; `play` needs it
 * @property {string | null} [move] only for `play`, which needs it
 * @property {string | null} [key] only for `play`: random, new for every intended move
 * @property {string | null} [id] comes back in the answer
 */

/**
 * Ask for the view of the match.
 * @typedef {object} ViewRequest
 * @property {"view"} type
 * @property {string | null} [id] comes back in the answer
 */

/**
 * Ask for the current ply.
 * @typedef {object} PingMessage
 * @property {"ping"} type
 * @property {string | null} [id] comes back in the answer
 */

/**
 * The view of the match: at once on connecting, and after every change.
 * @typedef {object} ViewMessage
 * @property {"view"} type
 * @property {number} version
 * @property {number} ply
 * @property {Seat | null} [seat] yours, or null; only in the first message
 * @property {Record<Seat, boolean>} [present] only in the first message
 * @property {Match} match
 */

/**
 * Which players have a socket open; an agent is always present.
 * @typedef {object} PresenceMessage
 * @property {"presence"} type
 * @property {Record<Seat, boolean>} present
 */

/**
 * The answer to a message that was carried out.
 * @typedef {object} AcceptedMessage
 * @property {"accepted"} type
 * @property {string} [id]
 * @property {number} [ply]
 * @property {number} [version]
 * @property {Match} [match] if the view was asked for
 */

/**
 * The answer to a message that failed: a problem, and the current ply of the match.
 * @typedef {object} ErrorMessage
 * @property {"error"} type
 * @property {string} [id]
 * @property {number} [ply]
 * @property {number} [version]
 * @property {number} status
 * @property {string} code
 * @property {string} detail
 * @property {string[]} [legal]
 * @property {string} [what]
 * @property {string[]} [valid]
 */

/** @typedef {Row | Grid | Track | Gauge | Text} Part */
/** @typedef {Result | Estimate | OnlyMove | Threat | Mistake | Forcing | AnyReply | EachReply | BestLine | Trap | Effect} Fact */
/** @typedef {ActionMessage | ViewRequest | PingMessage} ClientMessage */
/** @typedef {ViewMessage | PresenceMessage | AcceptedMessage | ErrorMessage} ServiceMessage */

export {};

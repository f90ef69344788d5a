"""The board of Alpha Chase: the alphabet between the players, and their words, which fill up as they take letters."""

from string import ascii_uppercase

from duelbook.board import Board, Cell, PlayerSide, Position, Row, Theme
from duelbook.game import SEAT_NAMES, Player, by_seat
from duelbook.games.alpha_chase.rules import AlphaChase, State, each_letter

THEME = Theme(felt="#5a4632", felt_deep="#4a3827", felt_line="#7c6348", tile="#f6e3bd", tile_edge="#c9a56b")


def board(at: Position) -> Board:
    """Return the board of a position."""
    game: AlphaChase = at.game
    state: State = at.state
    taken = by_seat(state.mover, state.mine, state.theirs)
    takers = {letter: seat for seat in (0, 1) for letter in each_letter(taken[seat])}
    sides = [side(at, seat, game.words[seat], takers) for seat in (0, 1)]
    alphabet = [tile(at, letter, takers.get(letter), game.words) for letter in ascii_uppercase]
    return Board((sides[0], sides[1]), [Row(alphabet, label="The alphabet", wrap=(13, 9, 7))])


def side(at: Position, seat: Player, word: str, takers: dict[str, Player]) -> PlayerSide:
    """Return a player's word, and the other letters that they have."""
    own = [letter for letter, taker in takers.items() if taker == seat]
    slots = Row([slot(at, letter, seat, takers.get(letter)) for letter in word], label=f"The word {word}")
    others = [Cell(text=letter, piece=f"letter {letter}") for letter in own if letter not in word]
    caption = Cell(text="Other letters:" if others else "No other letters", state="caption")
    return PlayerSide(
        f"{sum(letter in own for letter in word)} of {len(word)}",
        [slots, Row([caption, *others], label="Other letters")],
    )


def slot(at: Position, letter: str, seat: Player, taker: Player | None) -> Cell:
    """Return a letter of a player's word: taken by the player, lost to the opponent, or still open."""
    last = at.is_last(letter)
    if taker is None:
        return Cell(text=letter, words=(letter,), state="empty", label=f"{letter}, needed")
    if taker != seat:
        return Cell(text=letter, state="lost", label=f"{letter}, lost", last=last)
    return Cell(text=letter, owner=seat, label=f"{letter}, taken", last=last, piece=f"letter {letter}")


def tile(at: Position, letter: str, taker: Player | None, words: tuple[str, str]) -> Cell:
    """Return a letter of the alphabet: free, with those whose word has it, or taken."""
    if taker is not None:
        last = at.is_last(letter)
        label = f"{letter}, {'just ' if last else ''}taken by the {SEAT_NAMES[taker]} player"
        return Cell(text=letter, words=(letter,), owner=taker, state="gone", label=label, last=last)
    wanted = tuple(seat for seat in (0, 1) if letter in words[seat])
    label = ", ".join([letter, *(f"in the {SEAT_NAMES[seat]} player's word" for seat in wanted)])
    return Cell(text=letter, words=(letter,), wanted=wanted, label=label, piece=f"letter {letter}")

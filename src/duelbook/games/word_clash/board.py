"""The board of Word Clash: slots for each player, and the letters. A slot and a letter are pressed in either order."""

from string import ascii_uppercase

from duelbook.board import Board, Cell, PlayerSide, Position, Row, Theme
from duelbook.game import SEAT_NAMES, Player, by_seat
from duelbook.games.word_clash.rules import BOARDS, State, WordClash

THEME = Theme(felt="#27405f", felt_deep="#1e334d", felt_line="#45638a", tile="#fbfaf4", tile_edge="#c5cedb")
MAX_SLOTS_IN_A_LINE = 6  # on a phone; more of them take two lines


def board(at: Position) -> Board:
    """Return the board of a position."""
    sides = [side(at, seat) for seat in (0, 1)]
    keys = [Cell(text=letter, words=(letter,), piece=f"key {letter}") for letter in ascii_uppercase]
    letters = Row(keys, label="Letters", wrap=(13, 9, 7), is_choice=True)
    return Board((sides[0], sides[1]), [letters], cue="Pick a slot and a letter.")


def side(at: Position, seat: Player) -> PlayerSide:
    """Return a player's slots, and how many of them are full."""
    game: WordClash = at.game
    state: State = at.state
    slots = game.letters_of(by_seat(state.mover, state.mine, state.theirs)[seat])
    cells = [slot(at, seat, number, letter) for number, letter in enumerate(slots, 1)]
    label = f"The {SEAT_NAMES[seat]} player's board"
    wrap = (8, 4) if len(slots) > MAX_SLOTS_IN_A_LINE else (len(slots),)
    return PlayerSide(f"{sum(map(bool, slots))} of {len(slots)}", [Row(cells, label=label, wrap=wrap)])


def slot(at: Position, seat: Player, number: int, letter: str) -> Cell:
    """Return a slot with its letter, or empty with its number."""
    state: State = at.state
    place = f"{BOARDS[seat != state.mover]} {number}"  # as the mover's moves name it
    label = f"the {SEAT_NAMES[seat]} player's slot {number}"
    if not letter:
        return Cell(text=str(number), words=(place,), state="empty", label=f"{label}, empty")
    last = is_last(at, seat, number)
    label = f"{label}, {'just filled with' if last else 'holds'} {letter}"
    piece = f"{seat} {number} {letter}"
    return Cell(text=letter, owner=seat, label=label, last=last, piece=piece, origin=f"key {letter}")


def is_last(at: Position, seat: Player, number: int) -> bool:
    """Return True if the last move filled this slot."""
    if not at.last:
        return False
    _, board_name, slot_number = at.last.move.split(" ")
    return slot_number == str(number) and (board_name == BOARDS[0]) == (at.last.seat == seat)

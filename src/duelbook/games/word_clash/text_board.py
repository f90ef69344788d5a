"""Word Clash on the full screen: a board of slots for each player, and the letters between them."""

from string import ascii_uppercase

from duelbook import text_board
from duelbook.game import Player
from duelbook.games.word_clash.rules import BOARDS, State, WordClash
from duelbook.text_board import SEAT_LOOKS, Look, Piece, Row

COLUMNS, WIDE_COLUMNS = 9, 13
WIDE = 78  # characters that the wide rows take


class TextBoard(text_board.TextBoard[WordClash, State]):
    """The board of Word Clash. A letter is pressed first, and then a slot."""

    def note(self, seat: Player) -> str:
        board = self.view["boards"][seat]
        return f"{sum(map(bool, board))} of {len(board)}"

    def step_note(self) -> str:
        return "Press a digit for that slot, twice for the other board's, then Enter. Backspace: another letter."

    def side(self, seat: Player) -> list[Row]:
        board = self.view["boards"][seat]
        return [Row([self.slot(seat, letter, str(number)) for number, letter in enumerate(board, 1)], tall=True)]

    def slot(self, seat: Player, letter: str, number: str) -> Piece:
        """Return a slot with its letter, or empty with its number. It can be pressed once a letter is chosen."""
        if letter:
            return Piece(f" {letter} ", SEAT_LOOKS[seat], last=self.is_last(seat, number))
        board = BOARDS[seat != self.mover]
        given = " ".join(self.answers).split()  # a letter, and perhaps a board
        answer = number if given[1:] == [board] else f"{board} {number}"
        if given and f"{' '.join(given)} {answer}" in self.legal:
            return Piece(number, Look.TILE, answer)
        return Piece(f" {number} ", Look.EMPTY)

    def is_last(self, seat: Player, number: str) -> bool:
        """Return True if the last move filled this slot."""
        if not self.last:
            return False
        _, board, slot = self.last.move.split(" ")
        return slot == number and (board == BOARDS[0]) == (self.last.seat == seat)

    def middle(self) -> list[Row]:
        columns = WIDE_COLUMNS if self.width >= WIDE else COLUMNS
        return self.wrapped([self.letter(letter) for letter in ascii_uppercase], columns)

    def letter(self, letter: str) -> Piece:
        """Return a letter to choose, or the one that is chosen."""
        if self.answers:
            is_chosen = self.answers[0].upper() == letter
            return Piece(f" {letter} ", SEAT_LOOKS[self.mover or 0]) if is_chosen else Piece(letter, Look.GONE)
        return self.tile(letter, letter) if self.choices else Piece(letter, Look.GONE if self.over else Look.TILE)

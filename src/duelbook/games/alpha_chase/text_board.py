"""Alpha Chase on the full screen: the alphabet between the players, and their words, which fill up with letters."""

from string import ascii_uppercase

from duelbook import text_board
from duelbook.game import Player
from duelbook.games.alpha_chase.rules import AlphaChase, State
from duelbook.text_board import MIN_TILE_WIDTH, SEAT_LOOKS, SEAT_TEXTS, TOKENS, Look, Piece, Row

COLUMNS, WIDE_COLUMNS = 9, 13
WIDE = 78  # characters that the wide rows take


class TextBoard(text_board.TextBoard[AlphaChase, State]):
    """The board of Alpha Chase."""

    def note(self, seat: Player) -> str:
        word = self.view["words"][seat]
        return f"{sum(self.taker(letter) == seat for letter in word)} of {len(word)}"

    def taker(self, letter: str) -> Player | None:
        """Return who took the letter."""
        return next((seat for seat in (0, 1) if letter in self.view["letters"][seat]), None)

    def side(self, seat: Player) -> list[Row]:
        word = self.view["words"][seat]
        others = " ".join(letter for letter in self.view["letters"][seat] if letter not in word)
        rest = [Piece(f"others: {others}", Look.QUIET)] if others else []
        return [Row([*(self.slot(seat, letter) for letter in word), *rest])]

    def slot(self, seat: Player, letter: str) -> Piece:
        """Return a letter of a player's word: taken by the player, lost to the opponent, or still open."""
        taker = self.taker(letter)
        if taker == seat:
            return Piece(f" {letter} ", SEAT_LOOKS[seat], last=self.is_last(letter))
        return Piece(f" {letter} " if taker is None else f"✗{letter} ", Look.EMPTY if taker is None else Look.QUIET)

    def is_last(self, letter: str) -> bool:
        return self.last is not None and self.last.move == letter

    def middle(self) -> list[Row]:
        columns = WIDE_COLUMNS if self.width >= WIDE else COLUMNS
        return self.wrapped([self.letter(letter) for letter in ascii_uppercase], columns)

    def letter(self, letter: str) -> Piece:
        """Return a letter of the alphabet: free, with the tokens of those whose word has it, or taken."""
        taker = self.taker(letter)
        if taker is not None:
            return Piece(
                f"{TOKENS[taker]}{letter}".center(MIN_TILE_WIDTH), SEAT_TEXTS[taker], last=self.is_last(letter)
            )
        wanted = "".join(token for seat, token in enumerate(TOKENS) if letter in self.view["words"][seat])
        return self.tile(f"{letter}{wanted}".center(3), letter)

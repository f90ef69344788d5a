"""Crystal Capture on the full screen: the crystals between the players, and a bar for each of them."""

from functools import partial

from duelbook import text_board
from duelbook.game import PASS, Player
from duelbook.games.crystal_capture.rules import CrystalCapture, State
from duelbook.text_board import MIN_TILE_WIDTH, SEAT_LOOKS, SEAT_TEXTS, TOKENS, Look, Piece, Row

MAX_ROW_CRYSTALS = 10


class TextBoard(text_board.TextBoard[CrystalCapture, State]):
    """The board of Crystal Capture."""

    def note(self, seat: Player) -> str:
        return f"{self.view['totals'][seat]} of {self.view['goal']}"

    def side(self, seat: Player) -> list[Row]:
        """Return the bar: a part for each crystal that the player has captured, and the points that are missing."""
        total, goal = self.view["totals"][seat], self.view["goal"]
        captured = [int(move) for player, move in self.history if player == seat and move != PASS]
        if sum(captured) != total:  # only the position is known
            captured = [total] if total else []
        parts = [(crystal, SEAT_LOOKS[seat], partial(_part, crystal)) for crystal in captured]
        return [self.bar([*parts, (goal - total, Look.EMPTY, lambda columns: "·" * columns)])]

    def middle(self) -> list[Row]:
        pieces = [self.crystal(number) for number in range(1, self.game.crystals + 1)]
        if PASS in self.legal:
            pieces.append(self.tile(PASS, PASS))
        return self.wrapped(pieces, MAX_ROW_CRYSTALS)

    def crystal(self, number: int) -> Piece:
        """Return a crystal of the pool, or who has captured it."""
        if number in self.view["pool"]:
            return self.tile(str(number), str(number))
        taker = next((player for player, move in self.history if move == str(number)), None)
        if taker is None:
            return Piece("·".center(MIN_TILE_WIDTH), Look.QUIET)
        is_last = self.last is not None and self.last.move == str(number)
        return Piece(f"{TOKENS[taker]}{number}".center(MIN_TILE_WIDTH), SEAT_TEXTS[taker], last=is_last)


def _part(crystal: int, columns: int) -> str:
    """Return a crystal in a bar, with a line after it; only the line where there is no room for its number."""
    return f"{str(crystal).center(columns - 1)}│" if columns > len(str(crystal)) else "│" * columns

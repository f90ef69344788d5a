"""Flag Chase on the full screen: the track from one player's end to the other's, with the flag in the middle."""

from duelbook import text_board
from duelbook.game import Player
from duelbook.games.flag_chase.rules import FlagChase, State
from duelbook.text_board import SEAT_LOOKS, TOKENS, Look, Piece, Row

ROW_CELLS = 11  # an odd number keeps the flag in the middle
FLAG = "⚑"


class TextBoard(text_board.TextBoard[FlagChase, State]):
    """The board of Flag Chase."""

    def note(self, seat: Player) -> str:
        left = abs(self.view["flag"] - self.view["tokens"][seat])
        return f"{left} to go" if left else "on the flag"

    def middle(self) -> list[Row]:
        cells = [self.cell(number) for number in range(1, self.view["cells"] + 1)]
        if len(cells) > ROW_CELLS:
            cells += [Piece(" " * 5)] * (-len(cells) % ROW_CELLS)  # so that the last row stands below the others
        track = [Row(cells[at : at + ROW_CELLS], gap=0, tall=True) for at in range(0, len(cells), ROW_CELLS)]
        steps = [self.tile(str(step), str(step)) for step in range(1, self.game.stride + 1)]
        return [*track, Row([]), Row([*steps, Piece("cells forward", Look.QUIET)], tall=True)]

    def cell(self, number: int) -> Piece:
        """Return a cell: a player's token, the flag, or its number; one that can be reached is marked.

        Cells are counted from Player 1's end, as the game's texts count them.
        """
        place = self.view["cells"] + 1 - number if self.player_1 else number  # counted from the first player's end
        flag = FLAG if place == self.view["flag"] else ""
        here = [seat for seat in (0, 1) if self.view["tokens"][seat] == place]
        if here:
            is_last = self.last is not None and self.last.seat == here[0]
            return Piece(f"{TOKENS[here[0]]}{flag}".center(5), SEAT_LOOKS[here[0]], last=is_last)
        if self.mover is None or place not in self.view["reach"]:
            return Piece(f"{flag or number}".center(5), Look.EMPTY)
        step = self.legal[self.view["reach"].index(place)]
        return Piece(f"›{flag or number}‹".center(5), Look.CELL, step if step in self.choices else "")

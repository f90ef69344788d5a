"""Charge on the full screen: a battery and an open hand for each player, and the cards that can be played."""

from duelbook import text_board
from duelbook.game import Player
from duelbook.games.charge.rules import Charge, State
from duelbook.text_board import SEAT_LOOKS, Look, Piece, Row

CARDS = {"Charge": "charges", "Block": "blocks", "Steal": "steals"}  # and the field of a side that counts them


class TextBoard(text_board.TextBoard[Charge, State]):
    """The board of Charge."""

    def note(self, seat: Player) -> str:
        return f"{self.view['sides'][seat]['points']} of {self.view['goal']}"

    def side(self, seat: Player) -> list[Row]:
        side = self.view["sides"][seat]
        hand = "   ".join(f"{card} ×{side[field]}" for card, field in CARDS.items())
        return [self.battery(seat), Row([Piece(hand), *self.played(seat)], gap=3)]

    def battery(self, seat: Player) -> Row:
        """Return a battery with a cell for each point; what the last move gained is marked."""
        points, goal = self.view["sides"][seat]["points"], self.view["goal"]
        gain = self.view["gain"] if self.last and self.last.seat == seat else 0
        return self.bar(
            [
                (points - gain, SEAT_LOOKS[seat], lambda columns: " " * columns),
                (gain, SEAT_LOOKS[seat], lambda columns: "+" * columns),
                (goal - points, Look.EMPTY, lambda columns: "·" * columns),
            ]
        )

    def played(self, seat: Player) -> list[Piece]:
        """Return the card that a player has just played and what it gained, or that they are blocked."""
        if self.last and self.last.seat == seat:
            gained = ""
            if self.last.move.startswith("charge"):
                gained = f" (+{self.view['gain']})" if self.view["gain"] else " (no gain)"
            return [Piece(f"played {self.last.move}{gained}", last=True)]
        return [Piece("blocked", Look.STRONG)] if seat == self.mover and self.view["blocked"] else []

    def middle(self) -> list[Row]:
        charges = [self.tile(str(amount), f"charge {amount}") for amount in range(1, self.game.biggest_charge + 1)]
        others = [self.tile(card, card) for card in ("block", "steal", "refresh")]
        return [Row([Piece("charge", Look.QUIET), *charges], tall=True), Row(others, tall=True)]

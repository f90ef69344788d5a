"""Charge as a picture: a battery and a hand for each player, and the cards between them."""

from duelbook import pictures
from duelbook.game import Player
from duelbook.games.charge.rules import Charge, State
from duelbook.pictures.colours import FELT, INK, ON_FELT, ON_FELT_QUIET, SEATS, TILE
from duelbook.pictures.parts import WIDTH, big, outline, ringed, tile
from duelbook.pictures.svg import Drawing, Look, column, label, path, rect, row

INSIDE = WIDTH - 40
SIGNS = {  # as in board.js, 24 by 24
    "charge": "M13 1 4 13.5h6L8.5 23 19 9.5h-6.5Z",
    "block": "M12 1 21 4v8c0 5-4 9-9 11-5-2-9-6-9-11V4Z",
    "steal": "M2 9h11V4l9 8-9 8v-5H2Z",
    "refresh": "M12 3a9 9 0 0 1 8.5 6H23l-4.5 6L14 9h3a6 6 0 1 0 .6 6h3.2A9 9 0 1 1 12 3Z",
}
CARDS = {"charge": "charges", "block": "blocks", "steal": "steals"}  # and the field of a side that counts them
MAX_ROW_CARDS = 5


class Picture(pictures.Picture[Charge, State]):
    """The picture of a position in Charge."""

    def note(self, seat: Player) -> str:
        return f"{self.view['sides'][seat]['points']} of {self.view['goal']}"

    def side(self, seat: Player) -> Drawing:
        side = self.view["sides"][seat]
        gain = 0 if seat == self.mover else self.view["gain"]
        stacks = row([stack(card, side[field]) for card, field in CARDS.items()], 26)
        played = self.played(seat)
        hand = stacks.markup + (played.at(INSIDE - played.width, 0) if played else "")
        return column([battery(side["points"], gain, self.view["goal"], SEATS[seat]), Drawing(INSIDE, 46, hand)], 10)

    def played(self, seat: Player) -> Drawing | None:
        """Return the card that a player has just played and what it gained, or the shield that blocks them."""
        if not self.last or self.last.seat != seat:
            if seat != self.mover or not self.view["blocked"]:
                return None
            shield = Drawing(34, 46, sign("block", 0, 8, 30, ON_FELT))
            return row([shield, Drawing(74, 46, label("Blocked", 74, 23, 18, ON_FELT, "end"))], 6)
        card, _, amount = self.last.move.partition(" ")
        face = sign(card, 5 if amount else 8, 15 if amount else 14, 16 if amount else 18, INK)
        face += label(amount, 26, 23, 16, INK) if amount else ""
        shown = ringed(Drawing(34, 46, rect(0.5, 0.5, 33, 45, 5, SEATS[seat], stroke=INK) + face), 9)
        if not amount:
            return shown
        gained = f"+{self.view['gain']}" if self.view["gain"] else "no gain"
        return row([Drawing(80, 46, label(gained, 80, 23, 18, ON_FELT, "end")), shown, Drawing(4, 1, "")], 12)

    def middle(self) -> Drawing:
        charges = [self.card("charge", amount) for amount in range(1, self.game.biggest_charge + 1)]
        fans = [row(charges[start : start + MAX_ROW_CARDS], 10) for start in range(0, len(charges), MAX_ROW_CARDS)]
        return column([*fans, row([self.card(card) for card in ("block", "steal", "refresh")], 10)], 12)

    def card(self, card: str, amount: int = 0) -> Drawing:
        """Return a card that can be played, or its outline."""
        move = f"{card} {amount}" if amount else card
        legal = move in self.legal
        width, height, ink = 104.0, 68.0, INK if legal else ON_FELT
        face = sign(card, width / 2 - 12, 10, 24, ink)
        if amount:
            face += big(str(amount), width, height + 32, 22, ink)
        else:
            face += label(card.capitalize(), width / 2, 51, 15, ink)
        return tile(width, height, face) if legal else outline(width, height, face)


def sign(card: str, x: float, y: float, size: float, fill: str) -> str:
    """Return the sign of a card."""
    return path(SIGNS[card], fill, transform=f"translate({x:g} {y:g}) scale({size / 24:.4g})")


def battery(points: int, gain: int, goal: int, colour: str) -> Drawing:
    """Return a battery with a cell for each point; what the last move gained is striped."""
    width, height = INSIDE - 12, 34.0
    look: Look = {"stroke": ON_FELT, "stroke_width": 2.5}
    shell = rect(1.25, 1.25, width - 2.5, height - 2.5, 9, **look)
    pole = rect(width + 1, height * 0.27, 8, height * 0.46, 3, ON_FELT)
    gaps = [4 if (cell + 1) % 5 == 0 and cell < goal - 1 else 1.5 for cell in range(goal)]
    each, left, cells = (width - 12 - sum(gaps)) / goal, 6.0, []
    for cell in range(goal):
        fill = FELT if cell >= points else colour
        cells.append(rect(left, 6, each, height - 12, 2.5, fill))
        if points - gain <= cell < points:
            cells.append(
                rect(left + 1, 7, each - 2, height - 14, 2, stroke=INK, stroke_width=2, stroke_dasharray="4 3")
            )
        left += each + gaps[cell]
    return Drawing(INSIDE, height, shell + pole + "".join(cells))


def stack(card: str, count: int) -> Drawing:
    """Return the cards of one kind in a hand."""
    width, height = 46.0, 46.0
    if not count:
        return outline(width, height, sign(card, 6, 14, 18, ON_FELT_QUIET) + label("0", 34, 23, 18, ON_FELT), radius=5)
    step = 6.0 if count <= MAX_ROW_CARDS else 3.0
    cards = [rect(step * index + 0.5, 0.5, width - 1, height - 1, 5, TILE, stroke=INK) for index in range(count)]
    left = step * (count - 1)
    face = sign(card, left + 6, 14, 18, INK) + label(str(count), left + 34, 23, 18, INK)
    return Drawing(left + width, height, "".join(cards) + face)

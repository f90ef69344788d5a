"""Word Clash as a picture: a board of slots for each player, and the letters between them."""

from string import ascii_uppercase

from duelbook import pictures
from duelbook.game import Player
from duelbook.games.word_clash.rules import State, WordClash
from duelbook.pictures.colours import FELT, INK, ON_FELT, ON_FELT_QUIET, SEATS, TILE
from duelbook.pictures.parts import big, outline, ringed, tile
from duelbook.pictures.svg import Drawing, Look, grid, label, rect, row

COLUMNS = 9
KEY_WIDTH, KEY_HEIGHT = 58.0, 46.0
SLOT_WIDTH, SLOT_HEIGHT = 60.0, 54.0


class Picture(pictures.Picture[WordClash, State]):
    """The picture of a position in Word Clash."""

    def note(self, seat: Player) -> str:
        board = self.view["boards"][seat]
        return f"{sum(map(bool, board))} of {len(board)}"

    def side(self, seat: Player) -> Drawing:
        board = self.view["boards"][seat]
        return row([self.slot(seat, letter, number) for number, letter in enumerate(board, 1)], 6)

    def slot(self, seat: Player, letter: str, number: int) -> Drawing:
        """Return a slot with its letter, or empty with its number."""
        width, height = SLOT_WIDTH, SLOT_HEIGHT
        if not letter:
            dashes: Look = {"stroke": ON_FELT_QUIET, "stroke_width": 2, "stroke_dasharray": "6 4"}
            ground = rect(1, 1, width - 2, height - 2, 7, FELT, **dashes)
            return Drawing(width, height, ground + label(str(number), width / 2, height / 2, 15, ON_FELT))
        ground = rect(1, 1, width - 2, height - 2, 7, TILE, stroke=SEATS[seat], stroke_width=2.5)
        filled = Drawing(width, height, ground + big(letter, width, height, 27))
        return ringed(filled, 11) if self.just_filled(seat, number) else filled

    def just_filled(self, seat: Player, number: int) -> bool:
        """Return True if the last move filled this slot."""
        if not self.last:
            return False
        _, board, slot = self.last.move.split(" ")
        return slot == str(number) and (board == "self") == (self.last.seat == seat)

    def middle(self) -> Drawing:
        open_letters = {move.partition(" ")[0] for move in self.legal}
        return grid((key(letter, letter in open_letters) for letter in ascii_uppercase), COLUMNS, 9)


def key(letter: str, legal: bool) -> Drawing:
    """Return a letter that can be placed, or its outline."""
    face = big(letter, KEY_WIDTH, KEY_HEIGHT, 24, INK if legal else ON_FELT)
    return tile(KEY_WIDTH, KEY_HEIGHT, face) if legal else outline(KEY_WIDTH, KEY_HEIGHT, face)

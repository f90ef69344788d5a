"""Alpha Chase as a picture: the alphabet between the players, and their words, which fill up as they take letters."""

from string import ascii_uppercase

from duelbook import pictures
from duelbook.game import Player
from duelbook.games.alpha_chase.rules import AlphaChase, State
from duelbook.pictures.colours import INK, ON_FELT, ON_FELT_QUIET, SEATS
from duelbook.pictures.parts import big, outline, ringed, tile, token
from duelbook.pictures.svg import SERIF, Drawing, element, grid, label, rect, row

COLUMNS = 9
TILE_WIDTH, TILE_HEIGHT = 58.0, 46.0
SLOT_WIDTH, SLOT_HEIGHT = 42.0, 48.0


class Picture(pictures.Picture[AlphaChase, State]):
    """The picture of a position in Alpha Chase."""

    def note(self, seat: Player) -> str:
        word = self.view["words"][seat]
        return f"{sum(self.taker(letter) == seat for letter in word)} of {len(word)}"

    def taker(self, letter: str) -> Player | None:
        """Return who took the letter."""
        return next((seat for seat in (0, 1) if letter in self.view["letters"][seat]), None)

    def side(self, seat: Player) -> Drawing:
        return row([self.slot(seat, letter) for letter in self.view["words"][seat]], 6)

    def slot(self, seat: Player, letter: str) -> Drawing:
        """Return a letter of a player's word: taken by the player, lost to the opponent, or still open."""
        taker, width, height = self.taker(letter), SLOT_WIDTH, SLOT_HEIGHT
        if taker == seat:
            ground = rect(1, 1, width - 2, height - 2, 7, SEATS[seat], stroke=INK, stroke_width=2)
            return Drawing(width, height, ground + big(letter, width, height, 25))
        face = big(letter, width, height, 25, ON_FELT_QUIET)
        if taker is not None:
            face += element("path", d=f"M9 {height / 2:g}H{width - 9:g}", stroke=ON_FELT_QUIET, stroke_width=2.5)
        return outline(width, height, face, radius=7)

    def middle(self) -> Drawing:
        return grid((self.letter(letter) for letter in ascii_uppercase), COLUMNS, 9)

    def letter(self, letter: str) -> Drawing:
        """Return a letter of the alphabet: free, with the tokens of those whose word has it, or taken."""
        taker, width, height = self.taker(letter), TILE_WIDTH, TILE_HEIGHT
        if taker is not None:
            mark = token(taker, 38).at(width / 2 - 19, height / 2 - 19)
            shown = outline(width, height, mark + label(letter, width / 2, height / 2, 17, INK, family=SERIF))
            return ringed(shown) if self.last and self.last.move == letter else shown
        owners = [seat for seat in (0, 1) if letter in self.view["words"][seat]]
        wanted = "".join(token(seat, 12).at(5, height - 17 - 13 * place) for place, seat in enumerate(owners))
        if self.over:
            return outline(width, height, big(letter, width, height, 23, ON_FELT) + wanted)
        return tile(width, height, big(letter, width, height, 23) + wanted)

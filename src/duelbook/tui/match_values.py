"""The values in a match while they are shown: of the moves, and of every position so far as a line."""

from collections.abc import Sequence

from rich.text import Text

from duelbook.game import Move
from duelbook.play.position_values import EVEN, LOSS, WIN, PositionValues, Worth, worth_text

MAX_POINTS = 40  # of the line
STEPS = "▁▂▃▄▅▆▇█"  # of an estimated score
POINTS = {WIN: "▀", EVEN: "━", LOSS: "▄"}  # for the first player: above, in the middle, below


class MatchValues:
    """What is known of the values of one match."""

    def __init__(self) -> None:
        self._now: PositionValues | None = None  # of the position in which a person is asked
        self._worths: dict[int, Worth] = {}  # of positions, by the number of moves before

    def take(self, found: PositionValues) -> None:
        """Keep what was found."""
        self._now = found
        self._worths |= {ply: worth for ply, worth in enumerate(found.worths) if worth}

    def begin_turn(self) -> None:
        """Forget the values of the moves, which are other ones now."""
        self._now = None

    def take_back_to(self, ply: int) -> None:
        """Forget the positions after this ply."""
        self._now = None
        self._worths = {number: worth for number, worth in self._worths.items() if number <= ply}

    @property
    def marks(self) -> dict[Move, str]:
        """The values of the legal moves."""
        return self._now.marks if self._now else {}

    @property
    def text(self) -> str:
        """All moves by their values."""
        return self._now.text if self._now else ""

    def line(self, plies: int, colours: tuple[str, str], names: tuple[str, str]) -> Text:
        """Return the value of every position as a line, and that of the last in words; all by seat."""
        worths = [self._worths.get(ply) for ply in range(plies + 1)]
        return Text.assemble("Value ", _points(worths[-MAX_POINTS:], colours), f"  {worth_text(worths[-1], names)}")


def _points(worths: Sequence[Worth | None], colours: tuple[str, str]) -> Text:
    """Return a point for each position: high where the first player wins, low where the second does."""
    line = Text()
    for worth in worths:
        if worth is None:
            line.append("·")
        elif worth.is_exact:
            line.append(POINTS[worth.score], {WIN: colours[0], LOSS: colours[1]}.get(worth.score, ""))
        else:
            line.append(STEPS[min(7, int(8 * worth.score))], colours[worth.score < EVEN])
    return line

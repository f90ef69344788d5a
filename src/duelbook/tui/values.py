"""The values of the positions of a match as a line, from its start on."""

from collections.abc import Sequence

from rich.text import Text

from duelbook.play.position_values import EVEN, LOSS, WIN, Worth

STEPS = "▁▂▃▄▅▆▇█"  # of an estimated score
POINTS = {WIN: "▀", EVEN: "━", LOSS: "▄"}  # for the first player: above, in the middle, below


def value_line(worths: Sequence[Worth | None], colours: tuple[str, str], at: int | None = None) -> Text:
    """Return a point for each position: high where the first player wins, low where the second does.

    `at` is the position that is marked.
    """
    line = Text()
    for number, worth in enumerate(worths):
        if worth is None:
            point, colour = "·", ""
        elif worth.is_exact:
            point, colour = POINTS[worth.score], {WIN: colours[0], LOSS: colours[1]}.get(worth.score, "")
        else:
            point, colour = STEPS[min(7, int(8 * worth.score))], colours[worth.score < EVEN]
        line.append(point, f"{colour} {'reverse' if number == at else ''}".strip())
    return line

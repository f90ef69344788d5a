"""The card that other sites show for a link: a board or the sign of Duelbook, a title, and a few words."""

from collections.abc import Sequence

from duelbook.board.colours import INK, PAGE, QUIET
from duelbook.board.parts import brand
from duelbook.board.svg import SERIF, Drawing, label, rect, row, wrap

WIDTH, HEIGHT = 1200.0, 630.0
MARGIN = 40.0
BOARD_WIDTH = 660.0
TITLE_SIZE, TEXT_SIZE, BRAND_SIZE = 54.0, 28.0, 34.0
MAX_TITLE_LINES, MAX_TEXT_LINES = 4, 6
SMALL_BOARD_HEIGHT = 270.0


def card(title: str, text: str, boards: Sequence[Drawing] = ()) -> Drawing:
    """Return the card: one board beside the words, several below them, or none."""
    ground = rect(0, 0, WIDTH, HEIGHT, 0, PAGE) + rect(0, HEIGHT - 12, WIDTH, 12, 0, "#21493e")
    if len(boards) != 1:
        return Drawing(WIDTH, HEIGHT, ground + _wide(title, text, boards))
    [board] = boards
    height = HEIGHT - 12 - 2 * MARGIN
    scale = min(BOARD_WIDTH / board.width, height / board.height)
    left, top = WIDTH - MARGIN - board.width * scale, MARGIN + (height - board.height * scale) / 2
    room = left - 2 * MARGIN
    return Drawing(WIDTH, HEIGHT, ground + board.at(left, top, scale) + _words(title, text, room))


def _words(title: str, text: str, width: float) -> str:
    """Return the words beside a board."""
    title_lines = wrap(title, width, TITLE_SIZE, MAX_TITLE_LINES)
    text_lines = wrap(text, width, TEXT_SIZE, MAX_TEXT_LINES)
    tall = len(title_lines) * TITLE_SIZE * 1.2 + 24 + len(text_lines) * TEXT_SIZE * 1.4
    top = max(MARGIN + 70, (HEIGHT - tall) / 2)
    parts = [_brand(MARGIN, MARGIN)]
    parts += [
        label(line, MARGIN, top + (index + 0.5) * TITLE_SIZE * 1.2, TITLE_SIZE, INK, "start", SERIF)
        for index, line in enumerate(title_lines)
    ]
    top += len(title_lines) * TITLE_SIZE * 1.2 + 24
    parts += [
        label(line, MARGIN, top + (index + 0.5) * TEXT_SIZE * 1.4, TEXT_SIZE, QUIET, "start")
        for index, line in enumerate(text_lines)
    ]
    return "".join(parts)


def _wide(title: str, text: str, boards: Sequence[Drawing]) -> str:
    """Return the words above a row of small boards, or alone."""
    scales = [min(SMALL_BOARD_HEIGHT / board.height, 350 / board.width) for board in boards]
    small = [Drawing(b.width * s, b.height * s, b.at(0, 0, s)) for b, s in zip(boards, scales, strict=True)]
    shown = row(small, 24)
    top = 150.0 if boards else 250.0
    title_lines = wrap(title, WIDTH - 2 * MARGIN, TITLE_SIZE, 2)
    parts = [_brand(MARGIN, MARGIN)]
    parts += [
        label(line, WIDTH / 2, top + index * TITLE_SIZE * 1.2, TITLE_SIZE, INK, family=SERIF)
        for index, line in enumerate(title_lines)
    ]
    top += len(title_lines) * TITLE_SIZE * 1.2
    parts += [
        label(line, WIDTH / 2, top + index * TEXT_SIZE * 1.4, TEXT_SIZE, QUIET)
        for index, line in enumerate(wrap(text, WIDTH - 4 * MARGIN, TEXT_SIZE, 3))
    ]
    if boards:
        parts.append(shown.at((WIDTH - shown.width) / 2, HEIGHT - 12 - MARGIN - shown.height))
    return "".join(parts)


def _brand(x: float, y: float) -> str:
    sign = brand(BRAND_SIZE + 8).at(x, y)
    return sign + label("Duelbook", x + BRAND_SIZE + 20, y + (BRAND_SIZE + 8) / 2, BRAND_SIZE, INK, "start", SERIF)

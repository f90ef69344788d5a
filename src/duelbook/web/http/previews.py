"""The title and the text that other sites show for a link, and that stand on its picture."""

from typing import NamedTuple
from urllib.parse import urlencode

from duelbook.games import GAMES, aim, title
from duelbook.text import plural, sanitize, sentence
from duelbook.web.http.page_files import ABOUT, LinkPreview
from duelbook.web.http.requests import ApiRequest
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.match.shown import shown_result

MAX_MOVES_CHARACTERS = 80  # of the moves that a text names
HOME_PICTURE = "/pictures/home.png"


class Words(NamedTuple):
    """A title and a text."""

    title: str
    text: str


HOME = Words("Duelbook", ABOUT)
HOME_CARD = Words("Two players, no luck, nothing hidden", ABOUT)  # beside the name
NOT_FOUND = Words("Not found · Duelbook", "There is nothing at this address.")
DAILY_PUZZLE = Words("Puzzle of the day", "Can you find the right move? Everybody gets the same puzzle today.")


def preview(request: ApiRequest, words: Words, picture: str = HOME_PICTURE, *, private: bool = False) -> LinkPreview:
    """Return the preview of the requested address. Its host has been checked, its scheme is that of a trusted proxy."""
    origin = f"{request.url.scheme}://{request.headers['host']}"
    query = f"?{request.url.query}" if request.url.query else ""
    return LinkPreview(
        sanitize(words.title), sanitize(words.text), f"{origin}{request.url.path}{query}", f"{origin}{picture}", private
    )


def match_words(served: ServedMatch, ply: int | None = None) -> Words:
    """Return the words for a match: no more than everybody sees who opens the link."""
    game, names = title(served.row.game), (served.name(0), served.name(1))
    if not served.begun:
        host = next((served.name(seat) for seat in (0, 1) if served.seats[seat].is_taken), "A friend")
        return Words(f"{host} invites you to {game}", f"{_aim(served.row.game)} Open the link to play.")
    match = served.match
    against = f"{names[0]} against {names[1]}"
    if ply is not None and ply < len(match.moves):
        return Words(against, f"{game}, after {plural(ply, 'move')}.")
    if match.over:
        seating = served.seating()
        result = shown_result(match.game, seating, match.state, match.moves, match.outcome, match.reason)
        return Words(against, f"{game}. {result or ''}".strip())
    return Words(against, f"{game}, move {len(match.moves) + 1}. Watch the match.")


def lesson_words(game: str) -> Words:
    """Return the words for the lesson of a game."""
    return Words(f"Learn {title(game)} in a minute", _aim(game))


def puzzle_words(game: str) -> Words:
    """Return the words for a puzzle of a game."""
    return Words(f"A puzzle of {title(game)}", "Can you find the right move?")


def position_words(game: str, moves: list[str]) -> Words:
    """Return the words for a position on the analysis board."""
    listed = ", ".join(moves)
    shown = listed if len(listed) <= MAX_MOVES_CHARACTERS else plural(len(moves), "move")
    return Words(f"{title(game)}: analysis", f"The position after {shown}." if moves else _aim(game))


def match_picture(match: str, ply: int) -> str:
    """Return the address of the picture of a match after so many moves."""
    return f"/pictures/matches/{match}.png?{urlencode({'ply': ply})}"


def game_picture(game: str) -> str:
    """Return the address of the picture of a game."""
    return f"/pictures/games/{game}.png"


def is_game(name: str) -> bool:
    """Return True if there is a game of this name."""
    return name in GAMES


def _aim(game: str) -> str:
    return sentence(aim(game))

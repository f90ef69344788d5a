"""Demonstrations: a short game of each kind, another one every day, for pages that show how it is played."""

from typing import Any

from duelbook.agents import make_built_in
from duelbook.game import HasOffensiveMoves
from duelbook.games import make
from duelbook.match import Match
from duelbook.web.match.positions import line_of

PLAYER = "casual"  # makes mistakes, so that there is something to see
GAMES_TRIED = 24
MOST_PLIES = 24


def demonstrate(game: str, day: str) -> dict[str, Any]:
    """Answer the longest of some games that end in time, as a line with its positions."""
    played = max((_played(game, f"{day} {number}") for number in range(GAMES_TRIED)), key=_length)
    names = [played.game.move_name(state, move) for state, move in zip(played.states, played.moves, strict=False)]
    return line_of(played.game, names)


def _length(match: Match) -> tuple[bool, int]:
    return match.over, len(match.moves)


def _played(game: str, seed: str) -> Match:
    """Answer a game of two computers, up to the end, the limit, or a word that had better not be shown (WC-4)."""
    match = Match(make(game))
    player = make_built_in(PLAYER, f"{game} {seed}")
    while not match.over and len(match.moves) < MOST_PLIES:
        move = player.choose(match)
        if isinstance(match.game, HasOffensiveMoves) and match.game.offends(match.state, move):
            break
        match.play(move)
    return match

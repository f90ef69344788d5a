"""Duelbook: five two-player strategy games, exactly as their rule books say."""

from duelbook.errors import RefusedError
from duelbook.game import Game, IllegalMoveError, Move, Outcome, Player, parse_move, perft
from duelbook.games import GAMES, make

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "Game",
    "IllegalMoveError",
    "Move",
    "Outcome",
    "Player",
    "RefusedError",
    "make",
    "parse_move",
    "perft",
]

"""Curious: a game whose module asks for all games while it is loaded."""

from dataclasses import dataclass

from duelbook import GAMES
from tests.support.toy.rules import Staircase

SEEN = list(GAMES)


@dataclass(frozen=True)
class Curious(Staircase):
    """The rules."""

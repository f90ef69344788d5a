"""The command line with the sixth game: its one line in the registry, and nothing else."""

from duelbook import GAMES
from duelbook.__main__ import run
from tests.toy.rules import Staircase

GAMES["staircase"] = Staircase

run()

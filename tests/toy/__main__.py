"""The command line with the sixth game: its one line in the registry, and nothing else."""

from duelbook import GAMES
from duelbook.cli import main
from tests.toy.rules import Staircase

GAMES["staircase"] = Staircase

main()

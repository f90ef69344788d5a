"""The command line with the sixth game: its one line in the registry, here and in the process that thinks."""

from duelbook import GAMES
from duelbook.__main__ import run
from duelbook.web.engine import pool as thinking
from tests.support.toy.rules import Staircase

GAMES["staircase"] = Staircase
thinking.PROGRAM = "tests.support.toy.engine_worker"

run()

"""The command line with the sixth game: its one line in the registry, here and in the worker process."""

from duelbook import GAMES
from duelbook.__main__ import run
from duelbook.web.engine import supervisor
from tests.support.toy.rules import Staircase

GAMES["staircase"] = Staircase
supervisor.WORKER_MODULE = "tests.support.toy.engine_worker"

run()

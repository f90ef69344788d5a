"""The worker process of the service, with the sixth game."""

from duelbook import GAMES
from duelbook.web.engine.worker import main
from tests.support.toy.rules import Staircase

GAMES["staircase"] = Staircase

if __name__ == "__main__":
    main()

"""The process that thinks for the service, with the sixth game."""

from duelbook import GAMES
from duelbook.web.thinker import main
from tests.toy.rules import Staircase

GAMES["staircase"] = Staircase

if __name__ == "__main__":
    main()

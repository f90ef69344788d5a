"""The trained networks as an agent: `DUELBOOK_AGENTS=alphazero=examples.alphazero.agent:AlphaZero`.

`alphazero` plays the move that the network prefers, without a search; it needs numpy only. `alphazero:64` searches with
64 simulations (extra `fast`).
"""

import random
from functools import cache
from typing import ClassVar

from duelbook import Move, ReadOnlyMatch, make
from duelbook.agents import NumberParameter, StoppedError
from duelbook.extras import require_extra
from duelbook.game import AnyGame
from duelbook.games import label
from examples.alphazero.network import TRAINED, Network, as_rows

MAX_SIMULATIONS = 10_000


class AlphaZero:
    """Plays by a network that learned from self-play, and searches if you give a number.

    The same position gives the same move, whatever the seed.
    """

    parameter: ClassVar[NumberParameter] = NumberParameter("SIMULATIONS", 0, MAX_SIMULATIONS)

    def __init__(self, rng: random.Random, simulations: int = 0) -> None:
        if simulations:
            require_extra("fast")
        self._simulations = simulations

    def choose(self, match: ReadOnlyMatch) -> Move:
        network, rows = trained(match.game), as_rows([match.state])
        if self._simulations:
            from examples.alphazero.search import search  # loads numba

            return int(search(network, rows, self._simulations).moves[0])
        scores, _ = network.evaluate(rows)
        return max(match.game.legal_moves(match.state), key=lambda move: scores[0, move])

    def close(self) -> None:
        pass


@cache
def trained(game: AnyGame) -> Network:
    """Return the network of the game. If there is none, raise StoppedError, by which nobody loses."""
    name = label(game)
    path = TRAINED / f"{name}.npz"
    if not path.exists():
        names = ", ".join(sorted(file.stem for file in TRAINED.glob("*.npz")))
        raise StoppedError(f"alphazero has no network for {name}. It has one for: {names}.")
    if game != make(name):
        raise StoppedError(f"alphazero has learned {name} with the options of the rule book only.")
    return Network.load(game, path)

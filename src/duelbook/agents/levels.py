"""The levels, beginner to expert: how far each of them sees ahead."""

from typing import NamedTuple


class Level(NamedTuple):
    """How well a level sees a forced result, by how many turns of either player it is away."""

    about: str
    sure_turns: int  # results that are not further away are always seen: 1 is a win in one, 2 the opponent's after it
    half_turns: float  # beyond that, half as many results are seen with every so many turns
    candidates: int  # of the moves that it does not see through, so many are compared by random games
    search_games: int  # simulated for one move in a game that is too large to be solved
    sets_traps: bool = False  # once it sees that every move loses

    def chance(self, turns: int) -> float:
        """Return the probability that the level sees a result that is so many turns away."""
        return float(0.5 ** (max(0, turns - self.sure_turns) / self.half_turns))


LEVELS = {
    "beginner": Level("overlooks most things, often even a win in one", 0, 0.8, 1, 10),
    "easy": Level("sees most wins in one, and little beyond", 0, 1.4, 2, 25),
    "medium": Level("sees every win in one, and most of your threats", 1, 1.6, 3, 60),
    "hard": Level("sees every win in one and every threat, and sets traps", 2, 2.0, 4, 130, sets_traps=True),
    "expert": Level("sees every win in two and much that lies deeper, and sets traps", 3, 3.0, 6, 300, sets_traps=True),
}
RATINGS = {  # by the mean steps between levels that `benchmarks.levels` measured (docs/study.md); medium is 1500
    "beginner": 1294,
    "easy": 1425,
    "medium": 1500,
    "hard": 1590,
    "expert": 1674,
    "perfect": 1792,
}
OLDER_NAMES = {"novice": "beginner", "casual": "easy", "club": "medium"}  # of levels; read, but never shown

"""The levels, beginner to expert: how far each of them sees ahead."""

from typing import NamedTuple


class Level(NamedTuple):
    """How well a level sees a forced result, by how many turns of either player it is away."""

    about: str
    sure_turns: float  # results that are not further away are always seen: 1 is a win in one, 2 the opponent's after it
    half_turns: float  # of results this much further away, half are seen; of those twice as far, a third; and so on
    candidates: int  # of the moves that it does not see through, so many are compared by random games
    search_games: int  # simulated for one move in a game that is too large to be solved
    sets_traps: bool = False  # once it sees that every move loses

    def chance(self, turns: int) -> float:
        """Return the probability that the level sees a result that is so many turns away."""
        return self.half_turns / (self.half_turns + max(0, turns - self.sure_turns))


LEVELS = {
    "beginner": Level("overlooks most things, often even a win in one", 0.4, 0.3, 1, 10),
    "easy": Level("sees most wins in one, and little beyond", 0.75, 0.3, 2, 25),
    "medium": Level("sees every win in one, and about half of your threats", 1, 1, 3, 60),
    "hard": Level("sees every win in one and every threat, and sets traps", 2, 2, 4, 130, sets_traps=True),
    "expert": Level("sees every threat and much that lies deeper, and sets traps", 2, 9, 6, 300, sets_traps=True),
}
RATINGS = {  # by the mean steps between levels that `benchmarks.levels` measured (docs/study.md); medium is 1500
    "beginner": 1289,
    "easy": 1390,
    "medium": 1500,
    "hard": 1604,
    "expert": 1723,
    "perfect": 1834,
}

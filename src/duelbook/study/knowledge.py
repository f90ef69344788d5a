"""What is known about the positions of a game: by its solution, or else by looking at its rules."""

from collections.abc import Callable
from typing import Any

from duelbook.game import AnyGame, Move, Outcome, Player, inoffensive_moves, offered_moves, won_by
from duelbook.solve import Solution, Value

MAX_COMMON = 3  # moves of which one wins in every case; more are no plan
MAX_COMMON_KEEPING = 2  # moves of which one keeps the win in every case
MAX_CANDIDATES = 12  # moves of one position that are looked at
MAX_STATES_FOR_THREE = 40  # in more positions only one or two moves are looked for: three take long


class Knowledge:
    """What is known about the positions of one game. Offensive moves come only if no others do."""

    def __init__(self, game: AnyGame, solution: Solution | None) -> None:
        self.game = game
        self.solution = solution

    @property
    def exact(self) -> Solution:
        """The solution, for what cannot be known without it."""
        assert self.solution, "only the rules are known"
        return self.solution

    def over(self, state: Any) -> bool:
        """Return True if the game is decided."""
        return self.game.outcome(state) != Outcome.UNDECIDED

    def winning(self, state: Any, player: Player) -> list[Move]:
        """Return the moves with which the player, if it is their turn, wins at once."""
        if self.over(state) or self.game.mover(state) != player:
            return []
        if self.solution and (self.solution.value(state), self.solution.remoteness(state)) != (Value.WIN, 1):
            return []
        found = [move for move in self.game.legal_moves(state) if self.wins(state, move)]
        return offered_moves(self.game, state, found) if found else []

    def wins(self, state: Any, move: Move) -> bool:
        """Return True if the player to move wins at once with this legal move."""
        return self.game.outcome(self.game.play(state, move)) == won_by(self.game.mover(state))

    def keeping(self, state: Any) -> list[Move]:
        """Return the moves that keep a win, the quickest first."""
        found = [one.move for one in self.exact.moves(state) if one.value is Value.WIN]
        return offered_moves(self.game, state, found) if found else []

    def keeps(self, state: Any, move: Move) -> bool:
        """Return True if the player to move still wins after this legal move."""
        following = self.game.play(state, move)
        same = self.game.mover(following) == self.game.mover(state)
        return self.exact.value(following) is (Value.WIN if same else Value.LOSS)

    def best(self, state: Any) -> Move:
        """Return the best move; of the longest defences in a lost position, the best trap."""
        game, solution = self.game, self.exact
        offered = set(offered_moves(game, state))
        scored = [one for one in solution.moves(state) if one.move in offered]
        best = scored[0]
        if best.value is not Value.LOSS:
            return best.move

        def share_that_wins(move: Move) -> float:
            """Return the share of the opponent's replies that win."""
            following = game.play(state, move)
            mine = self.over(following) or game.mover(following) == game.mover(state)
            return 1.0 if mine else solution.winning_share(following)

        return min((one.move for one in scored if one.remoteness == best.remoteness), key=share_that_wins)

    def common_winning(self, states: list[Any]) -> list[str]:
        """Return the fewest moves of which one wins at once in each state; none if it takes more than a few."""
        mover = self.game.mover
        return self._common(states, lambda state: self.winning(state, mover(state)), self.wins, MAX_COMMON)

    def common_keeping(self, states: list[Any]) -> list[str]:
        """Return the fewest moves of which one keeps the win in each state; none if it takes more than a few."""
        return self._common(states, self.keeping, self.keeps, MAX_COMMON_KEEPING)

    def _common(
        self,
        states: list[Any],
        candidates: Callable[[Any], list[Move]],
        works: Callable[[Any, Move], bool],
        most: int,
    ) -> list[str]:
        """Return the names of the moves. They are compared by name: that is what a person reads."""
        legal: dict[int, dict[str, Move]] = {}
        order: dict[str, Move] = {}

        def works_by_name(number: int, name: str) -> bool:
            if number not in legal:
                state = states[number]
                known = inoffensive_moves(self.game, state, self.game.legal_moves(state))
                legal[number] = {self.game.move_name(state, move): move for move in known}
            move = legal[number].get(name)
            return move is not None and works(states[number], move)

        def cover(numbers: list[int], size: int) -> list[str]:
            state = states[numbers[0]]  # one of its moves has to be among them
            for move in inoffensive_moves(self.game, state, candidates(state))[:MAX_CANDIDATES]:
                name = self.game.move_name(state, move)
                order[name] = move
                rest = [number for number in numbers if not works_by_name(number, name)]
                if not rest:
                    return [name]
                found = cover(rest, size - 1) if size > 1 else []
                if found:
                    return [name, *found]
            return []

        for size in range(1, (most if len(states) <= MAX_STATES_FOR_THREE else min(most, 2)) + 1):
            found = cover([*range(len(states))], size)
            if found:
                return sorted(found, key=lambda name: order[name])
        return []

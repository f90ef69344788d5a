"""Games that break the contract, one in each way. Each is Last Stone with one thing that is wrong."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, cast

from duelbook.game import Move, Outcome, Player, each_bit, won_by
from duelbook.options import Drawn
from tests.support.games.last_stone import LastStone, State
from tests.support.games.numbered_stones import NumberedStones


def variant(name: str, **methods: Callable[..., Any]) -> type[LastStone]:
    """Return Last Stone with these methods instead of its own."""
    made: Any = type(name, (LastStone,), {"__module__": __name__, **methods})
    return cast(type[LastStone], dataclass(frozen=True)(made))


def lowest(count: int) -> Iterator[Move]:
    return each_bit((1 << count) - 1)


NoMoves = variant(  # nobody can move with two stones left
    "NoMoves", legal_moves=lambda self, state: lowest(min(self.most, state.stones) if state.stones != 2 else 0)
)
MovesAfterTheEnd = variant("MovesAfterTheEnd", legal_moves=lambda self, state: lowest(self.most))
UnknownMoves = variant("UnknownMoves", legal_moves=lambda self, state: lowest(min(self.most + 1, state.stones)))
DescendingMoves = variant(
    "DescendingMoves", legal_moves=lambda self, state: iter(range(min(self.most, state.stones) - 1, -1, -1))
)
WrongCount = variant(  # it counts more moves than there are stones
    "WrongCount", count_legal=lambda self, state: self.most, nth_legal=lambda self, state, n: n
)
WrongPlace = variant(  # it counts the places of its moves from 1
    "WrongPlace",
    count_legal=lambda self, state: min(self.most, state.stones),
    nth_legal=lambda self, state, n: n - 1,
)
ShuffledStart = variant("ShuffledStart", initial=lambda self: State(0, random.randint(1, 10**9)))
TooManyStones = variant("TooManyStones", initial=lambda self: State(0, self.stones + 1))  # its range says otherwise
Carousel = variant(  # it never ends, and comes back to the same states
    "Carousel", play=lambda self, state, move: State(1 - state.mover, (state.stones + move) % self.stones + 1)
)
Growing = variant(  # it never ends, and never comes back to the same state
    "Growing", play=lambda self, state, move: State(1 - state.mover, state.stones + move + 1)
)
PlainOutcome = variant("PlainOutcome", outcome=lambda self, state: 3 if state.stones else 1 - state.mover)
SameNames = variant("SameNames", move_name=lambda self, state, move: "take some")
UnreadableNames = variant("UnreadableNames", move_name=lambda self, state, move: f"take  {move + 1}")
InexactView = variant("InexactView", view=lambda self, state: {"stones": state.stones + 2**60})
WrongTwins = variant(  # it takes states for equal that do not play alike
    "WrongTwins", canonical=lambda self, state: State(state.mover, (state.stones + 1) // 2 * 2)
)


@dataclass(frozen=True)
class ThreePlayers(LastStone):
    def play(self, state: State, move: Move) -> State:
        return State((state.mover + 1) % 3, state.stones - move - 1)


@dataclass(frozen=True)
class Dice(LastStone):
    def play(self, state: State, move: Move) -> State:
        return State(1 - state.mover, max(0, state.stones - move - random.randint(1, 6)))


@dataclass(frozen=True)
class UnseededDraw(LastStone):
    deal: Annotated[int, Drawn(lambda game, rng: random.randrange(10**6)), "the deal"] = 0


@dataclass(frozen=True)
class DrawnMoves(LastStone):
    most: Annotated[int, Drawn(lambda game, rng: rng.randint(4, 9)), "stones that a player can take"] = 3


@dataclass(frozen=True)
class DrawnLength(LastStone):
    row: Annotated[tuple[int, ...], Drawn(lambda game, rng: (1,) * rng.randint(4, 9)), "some numbers"] = ()


@dataclass(frozen=True)
class FaultyDeal(LastStone):
    """Nobody can move with two stones left, but only with some of the deals that are drawn."""

    deal: Annotated[int, Drawn(lambda game, rng: rng.randint(1, 6)), "the deal"] = 0

    def legal_moves(self, state: State) -> Iterator[Move]:
        return each_bit((1 << min(self.most, state.stones)) - 1 if state.stones != 2 or self.deal != 5 else 0)


@dataclass(frozen=True)
class RaisingPlay(LastStone):
    def play(self, state: State, move: Move) -> State:
        return State(1 - state.mover, state.stones - move - 1 // (state.stones - 5))


@dataclass(frozen=True)
class RaisingText(LastStone):
    def render(self, state: State) -> str:
        return f"Stones: {['many'][self.stones - state.stones]}"


@dataclass(frozen=True)
class RaisingWhenMany(LastStone):
    """Its rules fail only with fifty stones, so that the check of the default game finds nothing."""

    def play(self, state: State, move: Move) -> State:
        return State(1 - state.mover, state.stones - (1, 2, 3)[move + 3 * (self.stones == 50)])


@dataclass(frozen=True)
class ChangingOptions(LastStone):
    """The stones that are written as text are not those that are read."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "stones", self.stones + 1)


@dataclass(frozen=True)
class WordlessOptions(LastStone):
    share: float = 0.5


@dataclass
class ChangeableOptions:
    """Its options are not frozen, so that the game cannot be a key."""

    stones: int = 12


class ListState(NamedTuple):
    mover: Player
    heaps: list[int]


@dataclass(frozen=True)
class ListStates(LastStone):
    def initial(self) -> Any:
        return ListState(0, [self.stones])

    def legal_moves(self, state: Any) -> Iterator[Move]:
        return each_bit((1 << min(self.most, state.heaps[0])) - 1)

    def play(self, state: Any, move: Move) -> Any:
        return ListState(1 - state.mover, [state.heaps[0] - move - 1])

    def outcome(self, state: Any) -> Outcome:
        return super().outcome(State(state.mover, state.heaps[0]))

    def render(self, state: Any) -> str:
        return f"Stones: {state.heaps[0]}"


@dataclass(frozen=True)
class WideSteps(LastStone):
    """Its states are small, but its rules count beyond 64 bits on the way."""

    def play(self, state: State, move: Move) -> State:
        return State(1 - state.mover, state.stones - (((move + 1) << 80) >> 80))


@dataclass(frozen=True)
class Rare(LastStone):
    """It breaks the contract only at the end of games in which nearly all moves take one stone."""

    stones: int = 12
    unknown_move: int = 0  # 1 offers a move that does not exist, 0 offers no move

    def initial(self) -> State:
        return State(0, self.stones + 1000)

    def legal_moves(self, state: State) -> Iterator[Move]:
        left = state.stones % 1000
        mask = (1 << min(self.most, left)) - 1
        if state.stones > 1000 and left < 3:
            mask = 8 if self.unknown_move else 0
        return each_bit(mask)

    def play(self, state: State, move: Move) -> State:
        base = 1000 if state.stones > 1000 and (move == 0 or state.stones % 1000 == 7) else 0
        return State(1 - state.mover, base + state.stones % 1000 - move - 1)

    def outcome(self, state: State) -> Outcome:
        return Outcome.UNDECIDED if state.stones % 1000 else won_by(1 - state.mover)


@dataclass(frozen=True)
class Uncompiled(LastStone):
    """Sound rules that numba cannot compile."""

    def play(self, state: State, move: Move) -> State:
        return State(1 - state.mover, int(str(state.stones - move - 1)))


@dataclass(frozen=True)
class Heavy(LastStone):
    """Sound rules with numbers that are too wide to be compiled."""

    def initial(self) -> State:
        return State(0, self.stones << 70)

    def legal_moves(self, state: State) -> Iterator[Move]:
        return each_bit((1 << min(self.most, state.stones >> 70)) - 1)

    def play(self, state: State, move: Move) -> State:
        return State(1 - state.mover, state.stones - ((move + 1) << 70))


@dataclass(frozen=True)
class MixedClasses(NumberedStones):
    """It gives two classes of states the same number."""

    def class_of(self, state: State, table: Sequence[int]) -> State:
        return State(0, table[state.stones] // 2)


@dataclass(frozen=True)
class WrongProfiles(NumberedStones):
    """All its states have one profile."""

    def profile_of(self, state: State, table: Sequence[int]) -> State:
        return State(0, 0)


@dataclass(frozen=True)
class WideClasses(NumberedStones):
    """The number of a class takes more than 64 bits on the way, so compiled code finds another one."""

    def class_of(self, state: State, table: Sequence[int]) -> State:
        return State(0, (table[state.stones] << 62) % 1_000_003)

"""Drop Four in which a board and its mirror image are one state, and so are both seats."""

from dataclasses import dataclass

from tests.support.games.drop_four import DropFour, State


@dataclass(frozen=True)
class MirroredFour(DropFour):
    def canonical(self, state: State) -> State:
        mine = mirrored(state.mine, self.columns, self.rows + 1)
        theirs = mirrored(state.theirs, self.columns, self.rows + 1)
        if mine < state.mine or (mine == state.mine and theirs < state.theirs):
            return State(0, mine, theirs)
        return State(0, state.mine, state.theirs)


def mirrored(discs: int, columns: int, height: int) -> int:
    found = 0
    for column in range(columns):
        found |= (discs >> (column * height) & ((1 << height) - 1)) << ((columns - 1 - column) * height)
    return found

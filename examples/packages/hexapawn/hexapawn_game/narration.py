"""What Hexapawn says during a match."""

from duelbook import narration

from hexapawn_game.rules import Hexapawn, State


class Narration(narration.Narration[Hexapawn, State]):
    """The texts of Hexapawn; all others are the general ones."""

    def why(self, state: State, answer: str) -> str:
        return "Type the cell of a pawn and the cell where it goes, such as a1 a2."

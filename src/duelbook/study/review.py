"""A review: every move of a game judged against exact values."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from duelbook.board import history_of, position_svg
from duelbook.game import SEAT_NAMES, AnyGame, Player, offered_moves
from duelbook.records.record import replay
from duelbook.solve import ScoredMove, Value, solved
from duelbook.tables import Row, data_frame, html_picture, html_table, paragraph, side_by_side


class Verdict(StrEnum):
    """The verdict on a move, as reviews in JSON spell it."""

    OPENING = "opening"  # drawn before the players took over, so not a decision
    FORCED = "forced"  # the only legal move, so not a decision
    BEST = "best"  # keeps the value, with the quickest win or the longest defence
    GOOD = "good"  # keeps the value, but there was a better way
    MISTAKE = "mistake"  # turns a win into a draw, or a draw into a loss
    BLUNDER = "blunder"  # turns a win into a loss
    ALREADY_LOST = "lost anyway"  # every move loses, and this one sooner than necessary

    @property
    def label(self) -> str:
        """The verdict in words for players."""
        return {Verdict.ALREADY_LOST: "already lost", Verdict.OPENING: "drawn as the opening"}.get(self, self.value)


NO_DECISIONS = (Verdict.OPENING, Verdict.FORCED)
MAX_SHOWN_MISTAKES = 6
MISTAKE_WIDTH = 280  # pixels of a board


class JudgedMove(NamedTuple):
    """One move: who made it, what it was worth to them, and what would have been best."""

    player: Player
    name: str
    verdict: Verdict
    before: Value  # of the position, for the player
    after: Value  # of the position after the move, for the same player
    remoteness: int | None  # plies from there to the end
    own_moves: int | None  # that the player makes until the end, beginning with this one
    best: str
    mattered: bool  # some legal move would not have kept the value

    @property
    def regret(self) -> int:
        """What the player gave away: 0 to 2, where a win is 1, a draw 0 and a loss -1. Nothing in an opening."""
        return 0 if self.verdict is Verdict.OPENING else self.before - self.after


class Summary(NamedTuple):
    """One player's game in numbers; None if there was nothing to measure."""

    accuracy: float | None  # the share of moves that kept the value, among the decisions that mattered
    regret: float | None  # the mean regret of all decisions
    first_blunder: int | None  # the number of the move, from 1


class Review(NamedTuple):
    """The verdict on every move of a game, and the value of every position in it."""

    game: AnyGame
    moves: tuple[JudgedMove, ...]
    values: tuple[Value, ...]  # of every position, for the first player

    def decisions(self, player: Player) -> list[JudgedMove]:
        """Return the player's moves for which there was a choice."""
        return [move for move in self.moves if move.player == player and move.verdict not in NO_DECISIONS]

    def summary(self, player: Player) -> Summary:
        """Return the player's game in numbers."""
        decisions = self.decisions(player)
        kept = [move.regret == 0 for move in decisions if move.mattered]
        blunders = (
            number
            for number, move in enumerate(self.moves, 1)
            if move.player == player and move.verdict is Verdict.BLUNDER
        )
        return Summary(_mean(kept), _mean([move.regret for move in decisions]), next(blunders, None))

    def rows(self) -> list[Row]:
        """Return a row for each move: who made it, the verdict, the best move, and the values for that player."""
        return [
            {
                "ply": ply,
                "seat": SEAT_NAMES[move.player],
                "move": move.name,
                "verdict": move.verdict.label,
                "best": move.best,
                "before": move.before.name.lower(),
                "after": move.after.name.lower(),
                "regret": move.regret,
            }
            for ply, move in enumerate(self.moves, 1)
        ]

    def table(self) -> Any:
        """Return the moves as a table (see `duelbook.tables.data_frame`)."""
        return data_frame(self.rows())

    def _repr_html_(self) -> str:
        """Return the moves, and the position before every mistake, for notebooks."""
        return side_by_side(html_table(self.rows()), *map(self._mistake, self._mistakes()[:MAX_SHOWN_MISTAKES]))

    def _mistakes(self) -> list[int]:
        return [ply for ply, move in enumerate(self.moves) if move.verdict in (Verdict.MISTAKE, Verdict.BLUNDER)]

    def _mistake(self, ply: int) -> str:
        played, before = self.moves[ply], tuple(move.name for move in self.moves[:ply])
        state, history = history_of(self.game, [move for move, _ in replay(self.game, before)])
        about = f"{ply + 1}. {played.name} is a {played.verdict.label}; best is {played.best}."
        return paragraph(about) + html_picture(position_svg(self.game, state, history), about, MISTAKE_WIDTH)


def review_game(game: AnyGame, names: tuple[str, ...], opening: int = 0) -> Review:
    """Return the verdict on every move of a game, given the names of its moves. The first `opening` ones were drawn."""
    solution, state = solved(game), game.initial()
    judged: list[JudgedMove] = []
    values = [_for_first(game.mover(state), solution.value(state))]
    for name, (move, following) in zip(names, replay(game, names), strict=True):
        scored, offered = solution.moves(state), set(offered_moves(game, state))
        played = next(candidate for candidate in scored if candidate.move == move)
        judged.append(
            JudgedMove(
                player=game.mover(state),
                name=name,
                verdict=Verdict.OPENING if len(judged) < opening else judge_move(scored, played),
                before=scored[0].value,
                after=played.value,
                remoteness=played.remoteness,
                own_moves=solution.own_moves(state, move),
                best=game.move_name(state, next(one.move for one in scored if one.move in offered)),
                mattered=scored[-1].value != scored[0].value,
            )
        )
        state = following
        values.append(_for_first(game.mover(state), solution.value(state)))
    return Review(game, tuple(judged), tuple(values))


def judge_move(scored: Sequence[ScoredMove], played: ScoredMove) -> Verdict:
    """Return the verdict on a move, given all legal moves, best first."""
    best = scored[0]
    if len(scored) == 1:
        return Verdict.FORCED
    if played.value == best.value and played.remoteness == best.remoteness:
        return Verdict.BEST
    if played.value == best.value:
        return Verdict.ALREADY_LOST if best.value is Value.LOSS else Verdict.GOOD
    return Verdict.BLUNDER if best.value - played.value == 2 else Verdict.MISTAKE


def _for_first(mover: Player, value: Value) -> Value:
    return Value(-value) if mover else value


def _mean(numbers: Sequence[int]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None

"""Reasons: why a move is right, found with exact values and the rules. Of all that is true, the most telling is chosen.

In a game that is too large to be solved, only what the rules prove in a few moves is said.
"""

from collections.abc import Sequence
from typing import Any

from duelbook.agents.estimate import EstimatedMove
from duelbook.game import SEAT_NAMES, AnyGame, Move, Outcome, Player, inoffensive_moves, won_by
from duelbook.narration import Seating, Voice, narration_for
from duelbook.solve import ScoredMove, Solution, Value
from duelbook.study.facts import (
    AnyFact,
    AnyReply,
    BestLine,
    EachReply,
    Effect,
    Estimate,
    Forcing,
    Mistake,
    OnlyMove,
    Result,
    Threat,
    Trap,
    ValueName,
)
from duelbook.study.knowledge import MAX_COMMON, Knowledge

MAX_LINE_MOVES = 3  # of a line of best play, with the move that it begins with
MAX_TURN_MOVES = 4  # of a line in which the player moves several times in a row
MAX_STOPPING = 2  # replies that stop a threat; more are not forced
MAX_LISTED_REPLIES = 3  # whose answers are listed one by one
MAX_TRAP_SHARE = 1 / 3  # of the replies may win, or it is no trap
MAX_UNSOLVED_MOVES = 30  # legal moves in a game that is not solved; with more, looking three moves ahead takes long

VALUE_NAMES: dict[Value, ValueName] = {Value.WIN: "win", Value.DRAW: "draw", Value.LOSS: "loss"}


class Reasons:
    """The reasons for moves of one game. Without a solution they are what the rules prove."""

    def __init__(self, game: AnyGame, solution: Solution | None) -> None:
        self._game = game
        self._known = Knowledge(game, solution)
        self.narration = narration_for(game, Seating())

    def best(self, state: Any, voice: Voice) -> list[AnyFact]:
        """Return what the best move that the computer may suggest leads to, and why."""
        return self.facts(state, self._known.best(state), voice)

    def facts(self, state: Any, move: Move, voice: Voice) -> list[AnyFact]:
        """Return what a good move leads to, and why."""
        return _MoveReasons(self._known, state, move).facts(self.effect(state, move, voice))

    def refutation(self, state: Any, move: Move, voice: Voice, played: Move | None = None) -> list[AnyFact]:
        """Return what best play after a move leads to: nothing if the game is over, or if nothing is proven.

        If the move that was `played` next is as good as any, it is that one.
        """
        game, following = self._game, self._game.play(state, move)
        if self._known.over(following):
            return []
        after = [game.move_name(state, move)]
        voice = voice if game.mover(following) == game.mover(state) else voice.turned()
        if self._known.solution:
            scored = self._known.exact.moves(following)
            as_good = (one.move for one in scored if one[1:] == scored[0][1:])
            best = played if played is not None and played in as_good else self._known.best(following)
            reasons = _MoveReasons(self._known, following, best, after)
            return reasons.facts(self.effect(following, best, voice), defends=False)
        winning = inoffensive_moves(game, following, self._known.winning(following, 1 - game.mover(state)))
        return _MoveReasons(self._known, following, winning[0], after).proven_win() if winning else []

    def effect(self, state: Any, move: Move, voice: Voice) -> str:
        """Return what the move does, in the words of the game; an empty text if the game has none."""
        return self.narration.explain(state, move, voice)

    def trap(self, state: Any, move: Move) -> Trap | None:
        """Return how few replies win for the opponent after a move in a lost position, if they are few."""
        return _MoveReasons(self._known, state, move).trap()

    def estimated_facts(self, state: Any, estimate: EstimatedMove, voice: Voice) -> list[AnyFact]:
        """Return the estimate of the move that a search prefers, and what the rules prove about it."""
        reasons = _MoveReasons(self._known, state, estimate.move)
        return reasons.estimated_facts(estimate, self.effect(state, estimate.move, voice))


class _MoveReasons:
    """The reasons for one move, given the moves that lead to its position from the one at hand."""

    def __init__(self, known: Knowledge, state: Any, move: Move, after: Sequence[str] = ()) -> None:
        self._known = known
        self._game = known.game
        self._state, self._move = state, move
        self._following = known.game.play(state, move)
        self._mover: Player = known.game.mover(state)
        self._over = known.over(self._following)
        self._again = not self._over and known.game.mover(self._following) == self._mover
        self._about: dict[str, Any] = {
            "player": SEAT_NAMES[self._mover],
            "after": list(after),
            "move": known.game.move_name(state, move),
        }

    def facts(self, effect: str, *, defends: bool = True) -> list[AnyFact]:
        """Return what the move leads to, what it does, and the reason. A refutation is no defence against a threat."""
        scored = self._known.exact.moves(self._state)
        made = next(one for one in scored if one.move == self._move)
        others = [one for one in scored if one.move != self._move]
        keeping = sum(one.value == made.value for one in scored)
        result = Result(
            **self._about,
            value=VALUE_NAMES[made.value],
            own_moves=self._known.exact.own_moves(self._state, self._move),
            at_once=self._over,
            again=self._again,
            keeping=keeping,
            lasting=sum(one[1:] == made[1:] for one in scored),
            legal=len(scored),
        )
        only = [OnlyMove(**self._about, others=VALUE_NAMES[others[0].value])] if keeping == 1 and others else []
        reason = self._reason(made, others, defends=defends)
        return [result, *self._effect(effect), *only, *([reason] if reason else [])]

    def _effect(self, text: str) -> list[Effect]:
        return [Effect(**self._about, text=text)] if text else []

    def _reason(self, made: ScoredMove, others: list[ScoredMove], *, defends: bool) -> AnyFact | None:
        """Return the most telling reason for the move."""
        soon = [one.move for one in others if one.value is Value.LOSS and one.remoteness == 1]
        threat = self._threat(soon, len(others)) if defends else None
        always = threat if threat and threat.losing == threat.others else None
        if made.value is Value.LOSS:
            return always if always and not always.stopped else self.trap() or self._line()
        if made.value is Value.DRAW and defends:
            return always or self._mistake(others)
        if self._over or made.value is Value.DRAW:
            return always
        if self._again:
            return self._line()
        ending = [self._known.over(state) for _, state in self._replies()]
        if any(ending):
            return threat or (None if all(ending) else self._line())
        return self._two_ways() or self._forced() or threat or self._plan() or self._line()

    def estimated_facts(self, estimate: EstimatedMove, effect: str) -> list[AnyFact]:
        """Return the estimate, what the move does, and the reason if the rules prove one."""
        proven: ValueName | None = None
        if estimate.outcome == Outcome.DRAW:
            proven = "draw"
        elif estimate.outcome != Outcome.UNDECIDED:
            proven = "win" if estimate.outcome == won_by(self._mover) else "loss"
        result = Estimate(**self._about, score=round(estimate.score, 3), proven=proven, at_once=self._over)
        reason = self._proven_reason()
        return [result, *self._effect(effect), *([reason] if reason else [])]

    def _proven_reason(self) -> AnyFact | None:
        others = [move for move in self._game.legal_moves(self._state) if move != self._move]
        if len(others) >= MAX_UNSOLVED_MOVES:
            return None
        threat = self._threat(others, len(others))
        if self._over or (threat and not threat.stopped):
            return threat if threat and threat.losing == threat.others else None
        if self._again or any(self._known.over(state) for _, state in self._replies()):
            return threat
        return self._two_ways() or self._forced() or threat

    def proven_win(self) -> list[AnyFact]:
        """Return the facts about a move that wins at once, without a solution."""
        return [Estimate(**self._about, score=1.0, proven="win", at_once=True)]

    # What the opponent can do

    def _threat(self, moves: list[Move], others: int) -> Threat | None:
        """Return how the opponent wins at once after some of these moves, if they do after most other moves."""
        opponent = 1 - self._mover
        states = [self._game.play(self._state, move) for move in moves]
        losing = [state for state in states if self._known.winning(state, opponent)]
        if 2 * len(losing) <= others:
            return None
        stopped = not self._known.winning(self._following, opponent)
        winning = self._known.common_winning(losing if stopped else [*losing, self._following])
        return Threat(**self._about, winning=winning, losing=len(losing), others=others, stopped=stopped)

    def _mistake(self, others: list[ScoredMove]) -> Mistake | None:
        """Return how the opponent wins after the move that loses the soonest, if there is one to which they reply."""
        game, losing = self._game, [one.move for one in reversed(others) if one.value is Value.LOSS]
        for move in inoffensive_moves(game, self._state, losing):
            state = game.play(self._state, move)
            if not self._known.over(state) and game.mover(state) != self._mover:
                return Mistake(
                    **self._about,
                    other=game.move_name(self._state, move),
                    reply=self._best_name(state),
                    reply_moves=self._known.exact.own_moves(state, self._known.best(state)) or 0,
                )
        return None

    def trap(self) -> Trap | None:
        """Return how few replies win for the opponent, if they are few."""
        game, state = self._game, self._following
        if self._over or self._again:
            return None
        replies = self._known.exact.moves(state)
        winning = [one.move for one in replies if one.value is Value.WIN]
        if not winning or len(winning) > MAX_TRAP_SHARE * len(replies):
            return None
        named = inoffensive_moves(game, state, sorted(winning))
        shown = [game.move_name(state, move) for move in named] if len(named) == len(winning) <= MAX_COMMON else []
        return Trap(**self._about, winning=shown, count=len(winning), replies=len(replies))

    # What the player does after a reply; no reply ends the game

    def _two_ways(self) -> AnyReply | None:
        """Return the few moves of which one wins at once after each reply."""
        states = [state for _, state in self._replies()]
        if len(states) == 1 or not all(self._known.winning(state, self._mover) for state in states):
            return None
        winning = self._known.common_winning(states)
        if not winning or (len(winning) > 2 and len(states) <= MAX_LISTED_REPLIES):
            return None  # the answer to each reply says more
        return AnyReply(**self._about, winning=winning, at_once=True)

    def _forced(self) -> Forcing | EachReply | None:
        """Return the threat that the opponent has to answer, and the few replies that do; or their only reply."""
        replies = self._replies()
        if len(replies) == 1:
            return self._each_reply()
        lost = [state for _, state in replies if self._known.winning(state, self._mover)]
        stopping = [(reply, state) for reply, state in replies if not self._known.winning(state, self._mover)]
        if not lost or not 0 < len(stopping) <= MAX_STOPPING:
            return None
        winning = self._known.common_winning(lost)
        if not winning:
            return None
        [(_, after), *more] = stopping
        known = self._known.solution and not more and self._game.mover(after) == self._mover
        return Forcing(
            **self._about,
            winning=winning,
            replies=[self._game.move_name(self._following, reply) for reply, _ in stopping],
            then=self._best_name(after) if known else None,
        )

    def _plan(self) -> AnyReply | EachReply | None:
        """Return how the player keeps the win after every reply."""
        states = [state for _, state in self._replies()]
        if any(self._game.mover(state) != self._mover for state in states):
            return None
        if len(states) <= MAX_LISTED_REPLIES:
            return self._each_reply()
        keeping = self._known.common_keeping(states)
        return AnyReply(**self._about, winning=keeping, at_once=False) if keeping else None

    def _each_reply(self) -> EachReply | None:
        """Return the answer to each reply."""
        replies = self._replies()
        if not self._known.solution or any(self._game.mover(state) != self._mover for _, state in replies):
            return None
        return EachReply(
            **self._about,
            answers={self._game.move_name(self._following, reply): self._best_name(state) for reply, state in replies},
            at_once=all(self._known.winning(state, self._mover) for _, state in replies),
        )

    def _line(self) -> BestLine | None:
        """Return how best play goes on: to the player's next turn, or to the end of a turn of several moves.

        In a lost position the opponent's reply is enough.
        """
        game, state = self._game, self._following
        moves, players = [self._about["move"]], [self._about["player"]]
        most = MAX_TURN_MOVES if self._again else MAX_LINE_MOVES
        if self._known.exact.value(self._state) is Value.LOSS:
            most -= 1
        while not self._known.over(state) and len(moves) < most:
            if self._again and game.mover(state) != self._mover:
                break
            moves.append(self._best_name(state))
            players.append(SEAT_NAMES[game.mover(state)])
            state = game.play(state, self._known.best(state))
        if len(moves) == 1:
            return None
        outcome = game.outcome(state)
        winner = SEAT_NAMES[outcome] if outcome in (Outcome.FIRST_WINS, Outcome.SECOND_WINS) else None
        return BestLine(**self._about, moves=moves, players=players, winner=winner)

    def _replies(self) -> list[tuple[Move, Any]]:
        """Return the opponent's replies with the states after them."""
        return [(reply, self._game.play(self._following, reply)) for reply in self._game.legal_moves(self._following)]

    def _best_name(self, state: Any) -> str:
        return self._game.move_name(state, self._known.best(state))

"""Every decision of a run as a table in Parquet: the position, the move, what it was worth, and how long it took."""

import json
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

from msgspec import UNSET

from duelbook.arena.judgement import judge_forfeit
from duelbook.arena.manifest import write_manifest
from duelbook.arena.plan import MatchPlan
from duelbook.arena.results import MatchResult, ResultsFolder
from duelbook.errors import RefusedError
from duelbook.extras import require_extra
from duelbook.game import SEAT_NAMES, AnyGame, Outcome, won_by
from duelbook.records.record import replay
from duelbook.solve import Value
from duelbook.study.review import JudgedMove, review_game

DECISIONS = "decisions.parquet"
BATCH_ROWS = 20_000  # that are in memory at the same time
EXACT_COLUMNS = ("best", "value_before", "value_after", "regret", "mattered", "remoteness")  # need exact values


class Decision(NamedTuple):
    """A move for which an agent had a choice, after the opening. Values are 1 for a win, 0 for a draw, -1 for a loss.

    What needs exact values is None in a game that is too large to be solved. A turn in which the agent forfeited the
    match is a decision without a move, and loses. Its regret is 0 if the decision did not matter.
    """

    match: int  # the number of the match, from 0
    name: str  # the match in other files of the run
    game: str
    options: str  # all options of the game as JSON, also what was drawn for the match
    agent: str
    opponent: str
    seat: str
    ply: int  # the number of the move in the match, from 1
    state: str  # the position as JSON, by the names of its fields
    legal: int  # how many moves were legal
    move: str | None
    forfeit: str | None  # the kind, if there was no move
    best: str | None  # the best move
    value_before: int | None  # of the position, for the agent
    value_after: int | None  # of the position after the move, for the agent
    regret: int | None  # what the move gave away: 0 to 2
    mattered: bool | None  # some legal move would have given value away
    remoteness: int | None  # plies from the position after the move to the end
    seconds: float | None  # of the move
    evaluation: float | None  # what a program said that it expects, from -1 to 1
    depth: int | None  # what a program said how far it looked ahead
    points: float | None  # of the agent in the match: 1, 0.5 or 0; None if it stopped at the ply limit


def decisions(plan: MatchPlan, result: MatchResult) -> Iterator[Decision]:
    """Yield the decisions of a match. Exact values are looked up if the match was judged by them."""
    fixture, record = plan.fixture(result.number), result.record
    game, players = fixture.game, plan.players(fixture)
    opening = 0 if record.opening is UNSET else record.opening
    names = tuple(record.moves)
    judged: Sequence[JudgedMove | None] = [None] * len(names)
    if result.judged:
        judged = review_game(game, names, opening).moves
    seconds = [iter(result.first), iter(result.second)]
    notes = {} if record.notes is UNSET else {note.move: note for note in record.notes}

    def decision(ply: int, state: Any, legal: int, **rest: Any) -> Decision:
        seat, note = game.mover(state), notes.get(ply)
        return Decision(
            match=result.number,
            name=fixture.name,
            game=plan.games[fixture.entry],
            options=json.dumps(record.options, separators=(",", ":")),
            agent=players[seat ^ fixture.first],
            opponent=players[1 - (seat ^ fixture.first)],
            seat=SEAT_NAMES[seat],
            ply=ply,
            state=_state_text(state),
            legal=legal,
            evaluation=None if note is None or note.evaluation is UNSET else note.evaluation,
            depth=None if note is None or note.depth is UNSET else note.depth,
            points=_points(result.outcome, seat),
            **rest,
        )

    following = game.initial()
    for ply, (name, (_, after)) in enumerate(zip(names, replay(game, names), strict=True), 1):
        state, following = following, after
        if ply <= opening:
            continue
        legal, took = _number_of_moves(game, state), next(seconds[game.mover(state)], 0.0)
        if legal > 1:
            verdict = judged[ply - 1]
            yield decision(ply, state, legal, move=name, forfeit=None, seconds=took, **_judgement(verdict))
    legal = _number_of_moves(game, following) if result.forfeit else 0
    if result.forfeit and legal > 1:
        judgement = _judgement(None) | (_loss(game, following) if result.judged else {})
        kind = str(result.forfeit.kind)
        yield decision(len(names) + 1, following, legal, move=None, forfeit=kind, seconds=None, **judgement)


def _number_of_moves(game: AnyGame, state: Any) -> int:
    return sum(1 for _ in game.legal_moves(state))


def _judgement(verdict: JudgedMove | None) -> dict[str, Any]:
    """Return the columns that need exact values: None if there are no such values."""
    if verdict is None:
        return dict.fromkeys(EXACT_COLUMNS)
    return {
        "best": verdict.best,
        "value_before": int(verdict.before),
        "value_after": int(verdict.after),
        "regret": verdict.regret,
        "mattered": verdict.mattered,
        "remoteness": verdict.remoteness,
    }


def _loss(game: AnyGame, state: Any) -> dict[str, Any]:
    """Return the columns that need exact values, of a turn in which the match was forfeited."""
    turn = judge_forfeit(game, state)
    return {
        "best": turn.best,
        "value_before": int(turn.before),
        "value_after": int(Value.LOSS),
        "regret": turn.regret,
        "mattered": turn.mattered,
    }


def _state_text(state: Any) -> str:
    fields = getattr(state, "_fields", None)
    return json.dumps(dict(zip(fields, state, strict=True)) if fields else state, separators=(",", ":"))


def _points(outcome: Outcome, seat: int) -> float | None:
    if outcome is Outcome.UNDECIDED:
        return None
    return 0.5 if outcome is Outcome.DRAW else float(outcome == won_by(seat))


def write_decisions(results: ResultsFolder, path: Path, report: Callable[[int], None] = lambda count: None) -> int:
    """Write every decision of the finished matches to a Parquet file, and return how many there are.

    `report` gets the number of matches that are done. The file is complete or, after an error, not there.
    """
    require_extra("lab")
    from pyarrow import Table, bool_, float64, int64, parquet, schema, string

    types = {int: int64(), float: float64(), str: string(), bool: bool_()}
    hints = {name: (get_args(hint) or (hint,))[0] for name, hint in get_type_hints(Decision).items()}
    columns = schema([(name, types[kind]) for name, kind in hints.items()])
    columns = columns.with_metadata({"duelbook": write_manifest(results.plan)})
    rows, count = _all(results, report), 0
    temporary = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with parquet.ParquetWriter(temporary, columns) as writer:
            while batch := [row._asdict() for row in islice(rows, BATCH_ROWS)]:
                writer.write_table(Table.from_pylist(batch, columns))
                count += len(batch)
        os.replace(temporary, path)
    except OSError as error:
        raise RefusedError(f"Cannot write to '{path}': {error.strerror}.") from error
    finally:
        temporary.unlink(missing_ok=True)
    return count


def _all(results: ResultsFolder, report: Callable[[int], None]) -> Iterator[Decision]:
    for done, result in enumerate(results, 1):
        yield from decisions(results.plan, result)
        report(done)

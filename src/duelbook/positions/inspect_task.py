"""The position benchmark as a task of Inspect AI (extra `inspect`): `inspect eval duelbook/positions -T path=DIR`.

The prompts are those of the dataset, replies are read as `duelbook eval` reads them, and the metrics are its scores.
"""

from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, mean, metric, scorer, stderr
from inspect_ai.solver import TaskState, generate
from msgspec import to_builtins

from duelbook.agents.llm.prompt import read_move
from duelbook.documents import convert
from duelbook.errors import RefusedError
from duelbook.positions.dataset import load_positions
from duelbook.positions.evaluation import drawn
from duelbook.positions.position import Position
from duelbook.positions.scores import LEGAL, Reply

ROLES = {"system": ChatMessageSystem, "user": ChatMessageUser}


@task
def positions(path: str = "positions", split: str | None = None, number: int | None = None, seed: int = 0) -> Task:
    """Ask for the move in each position of a dataset, or in a number of them that are drawn from all cells alike."""
    found = load_positions(path, split)
    chosen = found if number is None else drawn(found, number, seed)
    return Task(dataset=MemoryDataset(list(map(_sample, chosen)), name="positions"), solver=generate(), scorer=move())


def _sample(position: Position) -> Sample:
    messages: list[ChatMessage] = [ROLES[one.role](content=one.content) for one in position.prompt]
    row: dict[str, Any] = to_builtins(position)
    return Sample(messages, target=position.good, id=position.id, metadata=row | {"prompt": []})


@metric
def accuracy_score() -> Metric:
    """Return the accuracy on the scale where chance is 0 and perfect play is 1."""

    def measure(scores: list[SampleScore]) -> float:
        right, chance = _sums(scores, "chance_accuracy")
        return (right - chance) / (len(scores) - chance)

    return measure


@metric
def regret_score() -> Metric:
    """Return the regret on the scale where chance is 0 and perfect play is 1."""

    def measure(scores: list[SampleScore]) -> float:
        regret, chance = _sums(scores, "chance_regret")
        return 1 - regret / chance

    return measure


def _sums(scores: list[SampleScore], chance: str) -> tuple[float, float]:
    known = [one.sample_metadata or {} for one in scores]
    return sum(one.score.as_float() for one in scores), sum(float(one[chance]) for one in known)


@scorer(
    metrics={
        "right": [mean(), stderr(cluster="cluster"), accuracy_score()],
        "regret": [mean(), stderr(cluster="cluster"), regret_score()],
        "legal": [mean(), stderr(cluster="cluster")],
    }
)
def move() -> Scorer:
    """Score the move that a reply names by its exact value."""

    async def score(state: TaskState, target: Target) -> Score:
        position = convert(state.metadata, Position)
        match = position.played()
        try:
            found = read_move(state.output.completion, match, show_legal=True)
            reply = Reply(position, match.game.move_name(match.state, found), LEGAL)
            why = ""
        except RefusedError as error:
            reply, why = Reply(position, None, "illegal"), str(error)
        values = {"right": int(reply.is_right), "regret": reply.regret, "legal": int(reply.move is not None)}
        return Score(value=values, answer=reply.move, explanation=why or None, metadata={"outcome": reply.outcome})

    return score

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

from duelbook.agents.llm.reading import ModelReply as ModelReply
from duelbook.agents.llm.reading import read_reply
from duelbook.agents.llm.settings import read_reading
from duelbook.documents import convert
from duelbook.positions.dataset import load_positions
from duelbook.positions.plan import drawn
from duelbook.positions.position import DatasetPosition
from duelbook.positions.scores import LEGAL, Reply

ROLES = {"system": ChatMessageSystem, "user": ChatMessageUser}


@task
def positions(
    path: str = "positions",
    split: str | None = None,
    number: int | None = None,
    seed: int = 0,
    reading: str = "tolerant",
) -> Task:
    """Ask for the move in each position of a dataset, or in a number of them that are drawn from all cells alike.

    `reading` is the rule by which moves are read from replies, `tolerant` or `strict` (docs/agents.md).
    """
    found = load_positions(path, split)
    chosen = found if number is None else drawn(found, number, seed)
    samples = MemoryDataset(list(map(_sample, chosen)), name="positions")
    return Task(dataset=samples, solver=generate(), scorer=move(reading))


def _sample(position: DatasetPosition) -> Sample:
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
def move(reading: str = "tolerant") -> Scorer:
    """Score the move that a reply names by its exact value."""
    rule = read_reading(reading)

    async def score(state: TaskState, target: Target) -> Score:
        position = convert(state.metadata, DatasetPosition)
        match = position.played()
        said = ModelReply(state.output.completion, str(state.output.stop_reason))
        verdict = read_reply(said, match.game, match.state, rule)
        name = None if verdict.move is None else match.game.move_name(match.state, verdict.move)
        reply = Reply(position, name, LEGAL if verdict.fault is None else str(verdict.fault))
        values = {"right": int(reply.is_right), "regret": reply.regret, "legal": int(name is not None)}
        return Score(value=values, answer=name, explanation=verdict.why or None, metadata={"outcome": reply.outcome})

    return score

"""Language models as the tests need them: seated at a desk that leads to an endpoint of the tests."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from duelbook.agents.forfeit import Forfeit
from duelbook.agents.llm import Desk, Model, read_llm_settings
from duelbook.match import MatchView
from tests.agents.endpoint import Behaviour, Endpoint, endpoint, last_legal

Entries = Callable[[], list[dict[str, Any]]]


@contextmanager
def model(
    monkeypatch: pytest.MonkeyPatch, log: Path, behave: Behaviour = last_legal, **settings: object
) -> Iterator[tuple[Model, Endpoint, Entries]]:
    """Answer a model behind an endpoint that behaves so, the endpoint, and what reads the log."""
    with endpoint(behave) as serving:
        for name, value in serving.environment(**settings).items():
            monkeypatch.setenv(name, value)
        desk = Desk(read_llm_settings(), log)
        agent = Model(random.Random(1), "small-model")
        agent.sit_at(desk, "match 1")
        try:
            yield agent, serving, lambda: entries(log)
        finally:
            desk.close()


def entries(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def forfeits(agent: Model, match: MatchView) -> tuple[str, str]:
    """Answer how the model forfeits its move, which it has to."""
    with pytest.raises(Forfeit) as caught:
        agent.choose(match)
    return caught.value.kind, str(caught.value)

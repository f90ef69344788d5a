"""The OpenAPI document describes the service: Schemathesis sends what it allows, and what it does not."""

from collections import Counter
from collections.abc import Callable
from itertools import cycle
from typing import Any, get_args

import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.core.result import Ok

from duelbook import make
from duelbook.game import move_names
from duelbook.play.actions import ActionName
from tests.support.service.harness import Player, RunningServer
from tests.support.service.raw import Log
from tests.web.conftest import Start
from tests.web.http.test_records import RECORD

Operation = APIOperation[Any, Any, Any, Any]
AnyCase = Case[Any]

EXAMPLES = 6
ACTIONS = cycle(get_args(ActionName))
CONFIG = {"checks": {"negative_data_rejection": {"expected-statuses": ["4xx"]}}}
LEFT_OUT = [
    schemathesis.checks.positive_data_acceptance,  # a move may be legal in one position only
    schemathesis.checks.not_a_server_error,  # checked below: a study may be stopped with 503
]


@pytest.fixture(scope="module")
def quick(serve: Start) -> RunningServer:
    """A server that stops a study before a request of these tests times out."""
    return serve(study_seconds=15, claim_seconds=1)


def waiting(server: RunningServer) -> Player:
    return server.new_match()


def playing(server: RunningServer) -> Player:
    first, second = server.new_pair()
    for ply, move in enumerate(["5", "2", "3"]):  # the second player has a move to take back, and is to move
        (first, second)[ply % 2].play(ply, move)
    return second


def ended(server: RunningServer) -> Player:
    player = server.new_pair()[0]
    player.act("resign")
    return player


def answers(
    server: RunningServer, mode: GenerationMode, prepare: Callable[[AnyCase, Player], None]
) -> dict[str, Counter[int]]:
    """Send the requests that the mode generates for every operation. Return how often each status code came."""
    config = schemathesis.Config.from_dict(CONFIG)
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json", config=config)
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    return {operation.label: ask(operation, server, mode, prepare) for operation in operations}


def ask(
    operation: Operation, server: RunningServer, mode: GenerationMode, prepare: Callable[[AnyCase, Player], None]
) -> Counter[int]:
    """Send the requests that the mode generates, and check every answer against the document."""
    codes = Counter[int]()

    @seed(4)
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(operation.as_strategy(generation_mode=mode), st.sampled_from([waiting, playing, ended]))
    def one(case: AnyCase, stage: Callable[[RunningServer], Player]) -> None:
        prepare(case, stage(server))
        answer = case.call(timeout=30)
        codes[answer.status_code] += 1
        case.validate_response(answer, excluded_checks=LEFT_OUT)
        assert answer.status_code < 500 or (answer.status_code == 503 and "studies" in (operation.tags or [])), (
            answer.text
        )

    try:
        one()
    except Unsatisfiable:
        assert mode == GenerationMode.NEGATIVE  # there is nothing that can be invalid
    return codes


def seated(case: AnyCase, player: Player, deserted: Player) -> None:
    """Turn the case into a request that can succeed: of a player in an existing match, or with a legal move."""
    if case.operation.path.endswith("/actions"):
        action = next(ACTIONS)
        player = deserted if action == "claim" else player
        case.body = {"action": action, **({"ply": 3, "move": "1"} if action == "play" else {})}
    if case.operation.path.endswith(("/hint", "/solution")):
        player = player.server.new_match(opponent="random", seat="first")
        case.body = {"ply": 0}
    if "match" in case.path_parameters:
        case.path_parameters["match"] = player.match
        case.headers["Authorization"] = f"Bearer {player.token}"
    if case.operation.path == "/api/review":
        case.body = RECORD
    if case.operation.path == "/api/typed-moves/{game}":
        case.query = {"typed": first_move(case.path_parameters["game"])}
    if case.operation.path == "/api/games/{game}/lesson/answer":
        lesson = player.server.http.get(f"/api/games/{case.path_parameters['game']}/lesson").json()
        case.query = {"step": 1, "try": lesson["steps"][0]["start"]["position"]["legal"][0]}
    if isinstance(case.body, dict) and "opponent" in case.body:
        case.body["opponent"] = "greedy"
        case.body.pop("options", None)


def first_move(name: str) -> str:
    game = make(name)
    return next(iter(move_names(game, game.initial())))


def test_requests_that_the_document_allows_are_answered_as_documented(quick: RunningServer) -> None:
    log = Log(quick)
    deserted = quick.new_pair()[1]  # its opponent is away
    counted = answers(quick, GenerationMode.POSITIVE, lambda case, player: seated(case, player, deserted))
    assert len(counted) >= 17
    for operation, codes in counted.items():
        assert codes.keys() & {200, 201, 202}, (operation, codes)  # 202: a study that is not ready
    log.check()


def test_requests_that_the_document_does_not_allow_are_refused_as_documented(quick: RunningServer) -> None:
    log = Log(quick)

    def leave(case: AnyCase, player: Player) -> None:
        case.headers["Authorization"] = f"Bearer {player.token}"

    counted = answers(quick, GenerationMode.NEGATIVE, leave)
    assert sum(code >= 400 for codes in counted.values() for code in codes) > len(counted)
    log.check()


def test_every_refusal_in_the_document_is_a_problem(quick: RunningServer) -> None:
    document: dict[str, Any] = quick.http.get("/api/openapi.json").json()
    for operations in document["paths"].values():
        for operation in operations.values():
            refusals = {status: one for status, one in operation["responses"].items() if status >= "400"}
            assert {"400", "421", "429", "431", "503"} <= refusals.keys()
            for refusal in refusals.values():
                schema = refusal["content"]["application/problem+json"]["schema"]["$ref"].rpartition("/")[2]
                assert document["components"]["schemas"][schema]["required"], operation["summary"]
            assert ("401" in refusals) == ("security" in operation)

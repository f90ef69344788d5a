"""The registry of agents: names, parameters, and which agents are exact or external."""

import pytest

from duelbook import RefusedError
from duelbook.agents import (
    AGENTS,
    agent_names,
    built_in_agents,
    check_reachable,
    is_exact,
    is_external,
    make_agent,
    make_built_in,
    trust_option,
    turn_seed,
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "deep",
            "Unknown agent 'deep'. Agents: beginner, easy, medium, hard, expert, perfect, random, greedy, "
            "search:DEPTH, mcts:ROLLOUTS, llm:MODEL, process:COMMAND",
        ),
        ("nope", "Unknown agent 'nope'. Agents: beginner"),
        ("greedy:3", "Unknown agent 'greedy:3'"),
        ("search:0", "Agent 'search:0': DEPTH must be a whole number from 1 to 12"),
        ("search:x", "Agent 'search:x': DEPTH must be a whole number from 1 to 12"),
        ("mcts:-1", "Agent 'mcts:-1': ROLLOUTS must be a whole number from 1 to 1000000"),
        ("search:", "Agent 'search:': DEPTH must be a whole number from 1 to 12"),
        ("llm:", "Agent 'llm:': MODEL is missing, as in 'llm:small-model'"),
        ("process", "Agent 'process': COMMAND is missing, as in 'process:./player.sh'"),
    ],
)
def test_an_unknown_agent_is_refused_with_the_list_of_agents(text: str, message: str) -> None:
    with pytest.raises(RefusedError) as refused:
        make_agent(text)
    assert str(refused.value).startswith(message)


def test_exact_agents_are_known_from_the_registry() -> None:
    exact = {name for name in agent_names() if is_exact(name)}
    assert exact == {"beginner", "easy", "medium", "hard", "expert", "perfect"}
    assert not is_exact("deep")


def test_external_agents_are_listed_with_the_others() -> None:
    assert agent_names()[-2:] == ["llm:MODEL", "process:COMMAND"]
    assert set(AGENTS) - set(built_in_agents()) == {"llm", "process"}
    assert [is_external(text) for text in ("llm:x", "process:x", "process", "greedy", "search:3", "deep")] == [
        *[True] * 3,
        *[False] * 3,
    ]


@pytest.mark.parametrize("text", ["process:touch x", "process", "llm:small-model"])
def test_built_in_agents_include_no_external_one(text: str) -> None:
    with pytest.raises(RefusedError) as refused:
        make_built_in(text)
    assert str(refused.value).startswith(f"Agent '{text}' is not available here. Agents: beginner, easy, ")
    assert "llm" not in str(refused.value).partition("Agents")[2]


def test_agents_without_an_endpoint_are_always_reachable() -> None:
    check_reachable(["greedy", "process:ls"])


def test_a_command_for_a_file_with_external_agents_needs_trust() -> None:
    assert trust_option(["greedy", "llm:x"]) == " --trust"
    assert trust_option(["greedy", "perfect"]) == ""


def test_a_level_keeps_its_seed_for_a_whole_match_and_others_get_a_new_one_each_turn() -> None:
    assert [turn_seed("medium", 7, ply) for ply in (0, 5)] == ["7", "7"]
    assert [turn_seed("random", 7, ply) for ply in (0, 5)] == ["7 0", "7 5"]

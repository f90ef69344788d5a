"""The agents that need no solver."""

import pytest

from duelbook import GAMES, Outcome, RefusedError, make
from duelbook.agents import AGENTS, make_agent
from duelbook.game import move_names
from duelbook.match import Match
from duelbook.words import denied


def play_out(name: str, one: str, two: str, seed: int) -> Match:
    match = Match(make(name), ply_limit=300)
    agents = (make_agent(one, f"{seed} 1"), make_agent(two, f"{seed} 2"))
    while not match.over:
        match.play(agents[match.mover].choose(match))
    return match


def choices(match: Match, agent: str, tries: int = 60) -> set[str]:
    """Answer what the agent chooses with different seeds."""
    return {match.game.move_name(match.state, make_agent(agent, seed).choose(match)) for seed in range(tries)}


def after(name: str, *moves: str) -> Match:
    match = Match(make(name))
    for move in moves:
        match.play(move)
    return match


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_plays_every_game_to_its_end_from_both_seats(name: str, agent: str) -> None:
    for seed in range(5):
        assert play_out(name, agent, "random", seed).over
        assert play_out(name, "random", agent, seed).over


@pytest.mark.parametrize("agent", AGENTS)
def test_the_same_seed_gives_the_same_play(agent: str) -> None:
    games = [play_out("charge", agent, agent, seed).moves for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_random_plays_every_legal_move() -> None:
    match = after("charge")
    assert choices(match, "random") == set(move_names(match.game, match.state))


def test_greedy_wins_at_once_when_it_can() -> None:
    assert choices(after("crystal-capture", "8", "1"), "greedy") == {"7"}
    assert choices(after("flag-chase"), "greedy") == {"2"}


def test_greedy_avoids_what_loses_at_once() -> None:
    """The opponent has 8 and needs the 7; taking it is the only way."""
    assert choices(after("crystal-capture", "1", "8"), "greedy") == {"7"}


@pytest.mark.parametrize("name", ["word-clash", "crystal-capture", "charge", "flag-chase"])
def test_greedy_beats_random_where_one_move_ahead_matters(name: str) -> None:
    """In Alpha Chase it hardly does: most games are decided by the count."""
    wins = sum(play_out(name, "greedy", "random", seed).outcome == Outcome.FIRST_WINS for seed in range(40))
    wins += sum(play_out(name, "random", "greedy", seed).outcome == Outcome.SECOND_WINS for seed in range(40))
    assert wins > 50


@pytest.mark.parametrize("agent", AGENTS)
def test_no_agent_spells_a_slur(agent: str) -> None:
    slur = min(word for word in denied() if len(word) == 5)
    moves = [f"{letter} self {position}" for position, letter in enumerate(slur, 1)]
    match = after("word-clash", *(move for own in moves[:4] for move in (own, own)))  # on both boards
    assert moves[4] in move_names(match.game, match.state)
    assert moves[4] not in choices(match, agent, 2000 if agent == "random" else 60)


def test_an_unknown_agent_is_refused_with_those_there_are() -> None:
    with pytest.raises(RefusedError, match="unknown agent 'deep'; valid: random, greedy"):
        make_agent("deep")

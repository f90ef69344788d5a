"""The built-in agents."""

import pytest

from duelbook import GAMES, make
from duelbook.agents import make_agent
from duelbook.agents.levels import LEVELS
from duelbook.game import move_names
from duelbook.match import Match
from duelbook.solve import Value, solved
from duelbook.words import denied
from tests.support.playing import match_after


def play_out(name: str, one: str, two: str, seed: int) -> Match:
    match = Match(make(name), ply_limit=300)
    agents = (make_agent(one, f"{seed} 1"), make_agent(two, f"{seed} 2"))
    while not match.over:
        match.play(agents[match.mover].choose(match))
    return match


def choices(match: Match, agent: str, tries: int = 60) -> set[str]:
    """Return the moves that the agent chooses with different seeds."""
    return {match.game.move_name(match.state, make_agent(agent, seed).choose(match)) for seed in range(tries)}


QUICK = ["random", "greedy", "search:2", "mcts:20", "perfect"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("agent", QUICK)
def test_an_agent_plays_every_game_to_its_end_from_both_seats(name: str, agent: str) -> None:
    for seed in range(3):
        assert play_out(name, agent, "random", seed).over
        assert play_out(name, "random", agent, seed).over


@pytest.mark.parametrize("agent", ["random", "greedy", "search:2", "mcts:20", *LEVELS])
def test_the_same_seed_gives_the_same_play(agent: str) -> None:
    games = [play_out("alpha-chase" if agent in LEVELS else "charge", agent, agent, seed).moves for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_random_plays_every_legal_move() -> None:
    match = match_after("charge")
    assert choices(match, "random") == set(move_names(match.game, match.state))


@pytest.mark.parametrize(
    ("agent", "name", "moves", "chosen"),
    [
        ("greedy", "crystal-capture", ["8", "1"], "7"),  # wins at once
        ("greedy", "flag-chase", [], "2"),
        ("greedy", "crystal-capture", ["1", "8"], "7"),  # which the opponent, who has 8, needs
        ("search:5", "crystal-capture", [], "6"),  # with which the first player wins in five plies
        ("search:4", "crystal-capture", ["8", "1"], "7"),  # the sooner win
        ("search:6", "crystal-capture", ["8"], "7"),  # the later loss
        ("mcts:300", "crystal-capture", ["8", "1"], "7"),
        ("mcts:100", "flag-chase", [], "2"),
        ("perfect", "crystal-capture", [], "6"),  # the quickest win
        ("perfect", "flag-chase", [], "2"),
        ("perfect", "crystal-capture", ["6"], "9"),  # after other moves few replies win, but one of them at once
        ("perfect", "crystal-capture", ["7"], "8"),
        ("perfect", "crystal-capture", ["8"], "7"),
    ],
)
def test_the_only_move_that_an_agent_chooses(agent: str, name: str, moves: list[str], chosen: str) -> None:
    assert choices(match_after(name, *moves), agent, 5 if agent.startswith("mcts") else 20) == {chosen}


def test_search_does_not_find_a_win_beyond_its_depth() -> None:
    assert len(choices(match_after("crystal-capture"), "search:1")) > 5


@pytest.mark.parametrize("agent", QUICK)
def test_no_agent_spells_an_offensive_word(agent: str) -> None:
    """Even if nothing else wins: here every other move loses."""
    assert "VOMIT" in denied()
    match = Match(make("word-clash", finishing="own-only"))
    for position, letter in enumerate("VOMI", 1):
        match.play(f"{letter} self {position}")
        match.play(f"Q self {position}")
    assert solved(match.game).value(match.state) is Value.WIN
    assert "T self 5" in move_names(match.game, match.state)
    chosen = choices(match, agent, 300 if agent == "random" else 20)
    assert chosen
    assert "T self 5" not in chosen


class TestPerfect:
    @pytest.mark.parametrize(
        "moves", [("charge 2",), ("charge 5", "block", "block"), ("charge 4", "charge 5", "steal")]
    )
    def test_in_a_lost_position_it_leaves_the_fewest_winning_replies_then_lasts_longest(
        self, moves: tuple[str, ...]
    ) -> None:
        match = match_after("charge", *moves)
        solution = solved(match.game)

        def trap(move: int) -> tuple[float, int]:
            state = match.game.play(match.state, move)
            replies = solution.moves(state)
            winning = sum(reply.value is Value.WIN for reply in replies) / len(replies)
            return winning, -(solution.remoteness(state) or 0)

        legal = list(match.game.legal_moves(match.state))
        hardest = {match.game.move_name(match.state, move) for move in legal if trap(move) == min(map(trap, legal))}
        assert choices(match, "perfect", 20) == hardest

    @pytest.mark.parametrize("name", GAMES)
    @pytest.mark.parametrize("opponent", ["random", "greedy"])
    def test_it_never_gives_value_away(self, name: str, opponent: str) -> None:
        solution = solved(make(name))
        for seed in range(6):
            match = Match(make(name), ply_limit=300)
            agents = (make_agent("perfect", seed), make_agent(opponent, seed))
            while not match.over:
                seat = (match.mover + seed) % 2
                best = solution.moves(match.state)[0].value
                move = agents[seat].choose(match)
                if seat == 0:
                    chosen = next(scored for scored in solution.moves(match.state) if scored.move == move)
                    assert chosen.value == best
                match.play(move)

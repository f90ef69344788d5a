"""The built-in agents."""

import pytest

from duelbook import GAMES, Outcome, make
from duelbook.agents import make_agent
from duelbook.game import move_names
from duelbook.match import Match
from duelbook.solve import Value, solved
from duelbook.words import denied


def play_out(name: str, one: str, two: str, seed: int) -> Match:
    match = Match(make(name), ply_limit=300)
    agents = (make_agent(one, f"{seed} 1"), make_agent(two, f"{seed} 2"))
    while not match.over:
        match.play(agents[match.mover].choose(match))
    return match


def choices(match: Match, agent: str, tries: int = 60) -> set[str]:
    """Return the moves that the agent chooses with different seeds."""
    return {match.game.move_name(match.state, make_agent(agent, seed).choose(match)) for seed in range(tries)}


def after(name: str, *moves: str) -> Match:
    match = Match(make(name))
    for move in moves:
        match.play(move)
    return match


QUICK = ["random", "greedy", "search:2", "mcts:20", "perfect"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("agent", QUICK)
def test_an_agent_plays_every_game_to_its_end_from_both_seats(name: str, agent: str) -> None:
    for seed in range(3):
        assert play_out(name, agent, "random", seed).over
        assert play_out(name, "random", agent, seed).over


@pytest.mark.parametrize("agent", ["random", "greedy", "search:2", "mcts:20"])
def test_the_same_seed_gives_the_same_play(agent: str) -> None:
    games = [play_out("charge", agent, agent, seed).moves for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_random_plays_every_legal_move() -> None:
    match = after("charge")
    assert choices(match, "random") == set(move_names(match.game, match.state))


def test_greedy_wins_at_once_if_it_can() -> None:
    assert choices(after("crystal-capture", "8", "1"), "greedy") == {"7"}
    assert choices(after("flag-chase"), "greedy") == {"2"}


def test_greedy_avoids_losing_at_once() -> None:
    """The opponent has 8 and needs the 7, so the 7 must be taken."""
    assert choices(after("crystal-capture", "1", "8"), "greedy") == {"7"}


@pytest.mark.parametrize("name", ["crystal-capture", "charge"])
def test_greedy_beats_random_where_one_move_ahead_matters(name: str) -> None:
    """In these games it often does."""
    wins = sum(play_out(name, "greedy", "random", seed).outcome == Outcome.FIRST_WINS for seed in range(40))
    wins += sum(play_out(name, "random", "greedy", seed).outcome == Outcome.SECOND_WINS for seed in range(40))
    assert wins > 50


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


def test_search_finds_a_win_within_its_depth_only() -> None:
    """The first player of Crystal Capture wins in five plies."""
    assert choices(after("crystal-capture"), "search:5", 20) == {"6"}
    assert len(choices(after("crystal-capture"), "search:1", 60)) > 5


def test_search_prefers_the_sooner_win_and_the_later_loss() -> None:
    assert choices(after("crystal-capture", "8", "1"), "search:4", 10) == {"7"}
    assert choices(after("crystal-capture", "8"), "search:6", 10) == {"7"}


def test_monte_carlo_finds_a_win_at_once() -> None:
    assert choices(after("crystal-capture", "8", "1"), "mcts:300", 5) == {"7"}
    assert choices(after("flag-chase"), "mcts:100", 5) == {"2"}


class TestPerfect:
    def test_it_takes_the_quickest_win(self) -> None:
        assert choices(after("crystal-capture"), "perfect", 10) == {"6"}
        assert choices(after("flag-chase"), "perfect", 10) == {"2"}

    @pytest.mark.parametrize(
        "moves", [("charge 2",), ("charge 5", "block", "block"), ("charge 4", "charge 5", "steal")]
    )
    def test_in_a_lost_position_it_leaves_the_fewest_winning_replies_then_lasts_longest(
        self, moves: tuple[str, ...]
    ) -> None:
        match = after("charge", *moves)
        solution = solved(match.game)

        def trap(move: int) -> tuple[float, int]:
            state = match.game.play(match.state, move)
            replies = solution.moves(state)
            winning = sum(reply.value is Value.WIN for reply in replies) / len(replies)
            return winning, -(solution.remoteness(state) or 0)

        legal = list(match.game.legal_moves(match.state))
        hardest = {match.game.move_name(match.state, move) for move in legal if trap(move) == min(map(trap, legal))}
        assert choices(match, "perfect", 20) == hardest

    @pytest.mark.parametrize(("first", "only"), [("6", "9"), ("7", "8"), ("8", "7")])
    def test_no_trap_leaves_a_win_in_one_that_could_be_put_off(self, first: str, only: str) -> None:
        """After all other moves few replies win, but one of them at once, which nobody overlooks."""
        assert choices(after("crystal-capture", first), "perfect", 20) == {only}

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

"""A game that is too large to be solved is good company: everything plays and helps, and says what it knows."""

import json
import random
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook import Match, Outcome, make
from duelbook.agents import make_agent
from duelbook.agents.estimate import estimate_moves
from duelbook.agents.levels import LEVELS
from duelbook.arena import play_match
from duelbook.game import AnyGame, parse_move
from duelbook.solve import TooLargeError, remember_too_large, solve, try_solve
from duelbook.study import audit_by_play, estimated_review
from duelbook.study.audit import audit_game
from duelbook.study.audit_by_play import audit_any_game
from duelbook.study.estimated_review import EstimatedVerdict, estimate_review
from duelbook.study.hints import hint
from duelbook.terminal.audit import audit_json, audit_page
from tests.support.games.drop_four import DropFour
from tests.support.games.pits import Pits
from tests.support.keyboard import lines, run
from tests.support.playing import match_after, played

SMALL = DropFour(4, 3, 3)  # small enough to check what the search says; the tests treat it as too large
THREAT = ("column 1", "column 7", "column 1", "column 7", "column 1")  # the first player has three above each other


@pytest.fixture(autouse=True)
def too_large(monkeypatch: pytest.MonkeyPatch, use_games: Callable[[str], None]) -> None:
    use_games("tests.support.games.drop_four:DropFour")
    monkeypatch.setattr("duelbook.solve.cache._too_large", OrderedDict())
    for game in (DropFour(), SMALL):
        remember_too_large(game)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays(level: str) -> None:
    assert make_agent(level, "seed").choose(Match(DropFour())) in range(7)


@pytest.mark.parametrize("level", ["medium", "hard", "expert"])
def test_no_level_above_easy_misses_a_win_in_one(level: str) -> None:
    match = match_after(DropFour(), *THREAT, "column 7")
    assert {match.game.move_name(match.state, make_agent(level, seed).choose(match)) for seed in range(5)} == {
        "column 1"
    }
    assert len({make_agent("beginner", seed).choose(match) for seed in range(20)}) > 1


def test_a_higher_level_searches_better() -> None:
    wins = 0
    for seed in range(10):
        wins += play_match(SMALL, ("hard", "beginner"), seed=seed).record.outcome == Outcome.FIRST_WINS
        wins += play_match(SMALL, ("beginner", "hard"), seed=seed).record.outcome == Outcome.SECOND_WINS
    assert wins > 13


def test_the_same_seed_gives_the_same_estimates() -> None:
    one, two = (estimate_moves(DropFour(), DropFour().initial(), random.Random(3), games=60) for _ in range(2))
    assert one == two


def test_the_search_sees_a_threat() -> None:
    game = DropFour()
    estimates = estimate_moves(game, played(game, *THREAT), random.Random(1))
    assert estimates[0].move == parse_move(game, played(game, *THREAT), "column 1")
    assert {estimate.outcome for estimate in estimates[1:]} == {Outcome.FIRST_WINS}
    assert {estimate.score for estimate in estimates[1:]} == {0}


@pytest.mark.parametrize("game", [SMALL, Pits(6)])
def test_what_the_search_proves_is_true(game: AnyGame) -> None:
    solution, state, rng, proofs = solve(game), game.initial(), random.Random(4), 0
    while game.outcome(state) == Outcome.UNDECIDED:
        exact = {scored.move: scored for scored in solution.moves(state)}
        for estimate in estimate_moves(game, state, rng, games=300):
            if estimate.outcome != Outcome.UNDECIDED:
                proofs += 1
                assert (exact[estimate.move].value + 1) / 2 == estimate.score
        state = game.play(state, rng.choice(list(game.legal_moves(state))))
    assert proofs > 5


def test_a_search_stops_when_its_time_is_up() -> None:
    estimates = estimate_moves(DropFour(), DropFour().initial(), random.Random(1), games=10**9, seconds=0.01)
    assert len(estimates) == 7


ESTIMATE = "an estimate, since this game is not solved: it scores about "


@pytest.mark.parametrize(
    ("moves", "best", "why", "nudge"),
    [
        ((), "", ESTIMATE, ""),
        ((*THREAT, "column 7"), "column 1", "wins at once.", "You can win at once."),
        (
            ("column 3", "column 3", "column 4", "column 4", "column 5"),  # both ends are open
            "",
            "every move loses, as a search to the end shows. "
            "Whatever you play, your opponent wins at once with column 2 or column 6.",
            "Whatever you play, your opponent can win at once. You can only hope that they miss it.",
        ),
        (
            THREAT,  # what the rules prove comes first
            "column 1",
            f"otherwise your opponent plays column 1 and wins at once. The rest is {ESTIMATE}",
            "Look at what your opponent threatens. ",
        ),
    ],
)
def test_a_hint_says_what_is_proven_and_what_is_an_estimate(
    moves: tuple[str, ...], best: str, why: str, nudge: str
) -> None:
    found = hint(DropFour(), played(DropFour(), *moves))
    assert found
    assert best in ("", found.move)
    assert found.why.startswith(why)
    assert found.nudge.startswith(nudge)


def test_a_hint_does_not_say_which_move_holds_out_longest_if_only_a_search_knows_that_all_lose() -> None:
    game = make("crystal-capture")
    remember_too_large(game)
    found = hint(game, played(game, "1", "5"))  # 6 loses one turn later than the move that the search prefers
    assert found
    assert (found.nudge, found.why) == (
        "Every move loses against best play.",
        "every move loses, as a search to the end shows.",
    )


def test_a_review_is_an_estimate_without_mistakes_and_blunders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimated_review, "POSITION_GAMES", 50)
    review = estimate_review(DropFour(), (*THREAT, "column 2", "column 1"))
    assert [move.player for move in review.moves] == [0, 1, 0, 1, 0, 1, 0]
    assert review.moves[5].verdict is EstimatedVerdict.DOUBTFUL
    assert (review.moves[5].best, review.moves[5].score) == ("column 1", 0)
    assert review.moves[6].verdict is EstimatedVerdict.PREFERRED
    assert review.scores[-1] == 1
    assert not {str(verdict) for verdict in EstimatedVerdict} & {"mistake", "blunder", "best"}


def test_the_terminal_plays_hints_and_reviews(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimated_review, "POSITION_GAMES", 20)
    file = str(tmp_path / "game.json")
    done = run(
        ["play", "drop-four", "--p2", "medium", "--seed", "1", "--record", file, "--show-values"],
        lines("hint", "hint", "hint", "column 1", "resign"),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("This game is not solved: levels play by search, and values are estim")
    assert "Estimates of the score:\nabout " in done.stdout
    assert ": an estimate, since this game is not solved: it scores about " in done.stdout
    assert "estimates by a search" in run(["review", file]).stdout
    review = json.loads(run(["review", file, "--json"]).stdout)
    assert (review["exact"], review["values"], len(review["scores"])) == (False, [], 3)
    assert review["moves"][0]["regret"] is None


@pytest.mark.parametrize(
    "command", [["solve", "drop-four"], ["puzzle", "drop-four"], ["play", "drop-four", "--p2", "perfect"]]
)
def test_what_needs_exact_values_says_in_one_sentence_why_there_are_none(command: list[str]) -> None:
    done = run(command)
    assert done.returncode == 2
    assert done.stderr == (
        "duelbook: This game is too large to be solved. "
        "Try smaller options, or allow more memory with --memory or DUELBOOK_SOLVE_MEGABYTES=N.\n"
    )


@pytest.mark.slow
def test_the_audit_measures_by_play_if_the_memory_is_too_small_for_more_than_a_known_solution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    from duelbook.solve import play_graph, termination

    for counted in ("RANDOM_GAMES", "DUEL_GAMES"):
        monkeypatch.setattr(audit_by_play, counted, 2)
    assert try_solve(make("charge"))
    monkeypatch.setenv("DUELBOOK_SOLVE_MEGABYTES", "1")
    play_graph._explored.cache_clear()
    termination._explored.cache_clear()
    with pytest.raises(TooLargeError, match=r"^This game is too large to be solved\. It needs more than 1 MB"):
        audit_game("charge")
    assert audit_any_game("charge").measured_by == "play"  # type: ignore[union-attr]


def test_the_audit_measures_by_play_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_by_play, "RANDOM_GAMES", 20)
    monkeypatch.setattr(audit_by_play, "DUEL_GAMES", 2)
    found = audit_any_game(make(SMALL))
    page = audit_page([found])
    assert "This game is too large to be solved here. What follows is measured by play, and proves nothing." in page
    assert "Who wins under perfect play is not known." in page
    (document,) = audit_json([found])
    assert document["measured_by"] == "play"
    assert 0 <= document["draws"]["low"] <= document["draws"]["rate"] <= document["draws"]["high"] <= 1
    assert len(document["duels"]) == 6

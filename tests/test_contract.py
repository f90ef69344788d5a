"""Rules that break the contract of games are refused, with the reason and the moves that show it."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook import GAMES, Match, make
from duelbook.arena.match import play_match
from duelbook.contract import BrokenRulesError, random_positions, verify
from duelbook.game import AnyGame
from duelbook.records import Person, save_record
from duelbook.testing import check_game
from tests.support.games import broken
from tests.support.games.drop_four import DropFour
from tests.support.games.grid import Grid
from tests.support.games.last_stone import LastStone
from tests.support.games.pits import Pits
from tests.support.keyboard import run
from tests.testing.test_conformance import FOUND

GUARDED = ("players", "deterministic", "moves", "outcomes", "states")  # what the solver and the compiler rely on
BROKEN = {rules: reason for rules, (check, reason) in FOUND.items() if check in GUARDED}


@pytest.mark.parametrize("rules", BROKEN, ids=lambda rules: rules.__name__)
def test_broken_rules_are_refused_with_the_reason_and_the_shortest_line_of_moves_that_the_check_finds(
    rules: type[AnyGame],
) -> None:
    random.seed(1)  # for the game with dice
    with pytest.raises(BrokenRulesError) as refused:
        verify(rules())
    random.seed(1)
    failure = check_game(rules(), skip=("options", "compiled"))[0]
    assert refused.value.moves == failure.moves
    assert refused.value.reason == failure.reason or rules is broken.Dice
    assert refused.value.reason.startswith(BROKEN[rules])
    assert str(refused.value).startswith(f"The rules of {rules.__name__}(stones=12")
    assert ("broken.py:" in refused.value.reason) == (rules is broken.RaisingPlay)
    if failure.moves is not None:
        where = f"After: {', '.join(failure.moves)}." if failure.moves else "In the initial state."
        assert str(refused.value).endswith(where)


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (broken.ChangeableOptions, "its options must be hashable"),
        (broken.Growing, r"A game neither ended nor came back to an earlier state within 10,000 moves\.$"),
    ],
)
def test_rules_that_fail_as_a_whole_are_refused_with_the_reason(rules: type[AnyGame], reason: str) -> None:
    with pytest.raises(BrokenRulesError, match=reason):
        verify(rules())


@pytest.mark.parametrize("game", [make(name) for name in GAMES] + [LastStone(), Pits(), DropFour(), Grid()], ids=repr)
def test_sound_rules_are_accepted(game: AnyGame) -> None:
    verify(game)


def test_the_line_of_a_position_leads_to_it() -> None:
    game = Pits()
    for position in random_positions(game, random.Random(1), 3, 10):
        state = game.initial()
        for move in position.moves:
            state = game.play(state, move)
        assert state == position.state


ENDLESS = "duelbook: The rules of Growing(stones=12, most=3) are broken: A game neither ended nor came back to an "


@pytest.mark.parametrize(
    "command",
    [
        *("solve growing", "audit growing", "puzzle growing", "play growing", "play growing --p1 medium --p2 expert"),
        *("match --games growing --p1 greedy --p2 medium", "match --games growing --p1 mcts --p2 random"),
        "tournament --games growing --agents random,greedy --backend serial --out {out}",
        "eval --agent greedy --games growing --out {out}",
        *("review {record}", "play --resume {record}", "play --resume {record} --p2 medium"),
    ],
)
def test_every_command_refuses_a_game_that_never_ends_in_one_sentence(
    command: str, tmp_path: Path, use_games: Callable[[str], None]
) -> None:
    use_games("tests.support.games.broken:Growing")
    match, people = Match(broken.Growing()), (Person("Ann"), Person("Bob"))
    match.play("take 1")
    save_record(match.record(people, 0), tmp_path / "game.json")
    done = run([word.format(out=tmp_path / "out", record=tmp_path / "game.json") for word in command.split()])
    assert done.stderr.startswith(ENDLESS), done
    assert (done.stderr.count("\n"), done.returncode) == (1, 2)


def test_no_agent_forfeits_because_of_broken_rules() -> None:
    with pytest.raises(BrokenRulesError, match="play raises ZeroDivisionError"):
        play_match(broken.RaisingPlay(), ("random", "random"))

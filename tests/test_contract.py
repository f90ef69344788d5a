"""Rules that break the contract of games are refused, with the reason and the moves that show it."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

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

BROKEN: dict[Any, str] = {
    broken.ThreePlayers: "mover is 2, but there are exactly two players, 0 and 1. After: take",
    broken.Dice: "does not always lead to the same state. Rules must be deterministic",
    broken.ShuffledStart: "initial differs when asked twice. Rules must be deterministic",
    broken.NoMoves: "No move is legal, but the game is undecided.",
    broken.MovesAfterTheEnd: r"The game is decided, but there are legal moves: \[0, 1, 2\]. After: take",
    broken.UnknownMoves: "legal_moves has the move 3; moves are whole numbers from 0 to 2 .* In the initial state.",
    broken.DescendingMoves: r"legal_moves are not in ascending order: \[2, 1, 0\]. In the initial state.",
    broken.PlainOutcome: "outcome is 3; it must be a member of Outcome",
    broken.RaisingPlay: r"play raises ZeroDivisionError: .*broken.py:\d+\). After: take",
    broken.ListStates: r"The state holds \[12\], a list; only whole numbers and tuples of them are allowed.",
    broken.ChangeableOptions: "its options must be hashable",
    broken.Growing: r"A game neither ended nor came back to an earlier state within 10,000 moves\.$",
}


@pytest.mark.parametrize("rules", BROKEN, ids=lambda rules: rules.__name__)
def test_broken_rules_are_refused_with_the_reason_and_a_line_of_moves(rules: type[AnyGame]) -> None:
    with pytest.raises(BrokenRulesError, match=BROKEN[rules]) as refused:
        verify(rules())
    assert str(refused.value).startswith(f"The rules of {rules.__name__}(stones=12")


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


@pytest.mark.parametrize("rules", [*BROKEN][:-2], ids=lambda rules: rules.__name__)
def test_a_refusal_names_the_same_shortest_line_as_the_check(rules: type[AnyGame]) -> None:
    random.seed(1)  # for the game with dice
    with pytest.raises(BrokenRulesError) as refused:
        verify(rules())
    random.seed(1)
    failure = check_game(rules(), skip=("options", "compiled"))[0]
    assert refused.value.moves == failure.moves
    assert refused.value.reason == failure.reason or rules is broken.Dice


ENDLESS = "duelbook: The rules of Growing(stones=12, most=3) are broken: A game neither ended nor came back to an "


@pytest.mark.parametrize(
    "command",
    [
        *("solve growing", "audit growing", "puzzle growing", "play growing", "play growing --p1 club --p2 expert"),
        *("match --games growing --p1 greedy --p2 club", "match --games growing --p1 mcts --p2 random"),
        "tournament --games growing --agents random,greedy --backend serial --out {out}",
        "eval --agent greedy --games growing --out {out}",
        *("review {record}", "play --resume {record}", "play --resume {record} --p2 club"),
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


@pytest.mark.parametrize("name", ["no-moves", "three-players", "raising-play"])
def test_nobody_is_asked_to_play_a_broken_game(name: str, use_games: Callable[[str], None]) -> None:
    rules = "".join(map(str.capitalize, name.split("-")))
    use_games(f"tests.support.games.broken:{rules}")
    done = run(["play", name, "--p1", "random", "--p2", "random"])
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr.startswith(f"duelbook: The rules of {rules}(stones=12, most=3) are broken: ")


def test_no_agent_forfeits_because_of_broken_rules() -> None:
    with pytest.raises(BrokenRulesError, match="play raises ZeroDivisionError"):
        play_match(broken.RaisingPlay(), ("random", "random"))

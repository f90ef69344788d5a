"""Games in hand: an object does wherever a name does, also if its class was typed in and no file holds its source."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import duelbook
from duelbook import RefusedError
from duelbook.game import AnyGame
from duelbook.game_folder import game_folder
from duelbook.games import aim, label, make, rules_text
from duelbook.lab import lab
from duelbook.narration import Narration, Seating, narration_for
from duelbook.options import write_options
from duelbook.positions import load_positions, make_dataset, plan_positions, run_positions
from duelbook.study import position_report

TYPED = '''
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from duelbook.game import Move, Outcome, Player, won_by


class State(NamedTuple):
    mover: int
    floors: int


def left(height: int, floors: int) -> int:
    return height - floors


@dataclass(frozen=True)
class TallTower:
    """Build one or two floors in turn; the player who builds the last one wins."""

    height: int = 7

    @property
    def num_moves(self) -> int:
        return 2

    def initial(self) -> State:
        return State(0, 0)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        for move in range(min(2, left(self.height, state.floors))):
            yield move

    def play(self, state: State, move: Move) -> State:
        return State(1 - state.mover, state.floors + move + 1)

    def outcome(self, state: State) -> Outcome:
        return won_by(1 - state.mover) if state.floors == self.height else Outcome.UNDECIDED

    def move_name(self, state: State, move: Move) -> str:
        return f"build {move + 1}"

    def render(self, state: State) -> str:
        return f"{state.floors} of {self.height} floors"
'''


@pytest.fixture(scope="module", params=["__main__", "a_module_that_does_not_exist"])
def tower(request: pytest.FixtureRequest) -> AnyGame:
    return typed(request.param)


def typed(module: str, height: int = 4) -> AnyGame:
    """Return a game whose class was typed in."""
    names: dict[str, Any] = {"__name__": module}
    exec(TYPED, names)
    game: AnyGame = names["TallTower"](height=height)
    return game


def test_it_has_texts_without_any_file(tower: AnyGame) -> None:
    assert make(tower) is tower
    assert label(tower) == "tall-tower"
    assert aim(tower) == "Build one or two floors in turn; the player who builds the last one wins."
    assert rules_text(tower).startswith("# Tall Tower\n\nBuild one")
    assert type(narration_for(tower, Seating())) is Narration
    if type(tower).__module__ != "__main__":  # which is pytest here
        assert game_folder(tower) is None


def test_options_belong_to_the_game_in_hand(tower: AnyGame) -> None:
    assert write_options(tower) == {"height": 4}
    with pytest.raises(RefusedError, match=r"TallTower\(height=4\) is a game with its options already"):
        make(tower, height=5)


def test_it_is_parsed_counted_and_matched(tower: AnyGame) -> None:
    assert duelbook.perft(tower, 2) == 4
    assert duelbook.parse_move(tower, tower.initial(), "Build 2") == 1
    match = duelbook.Match(tower)
    match.play("build 2")
    assert match.play(1) == 1
    assert match.outcome is duelbook.Outcome.SECOND_WINS
    with pytest.raises(duelbook.IllegalMoveError):
        match.play("build 1")


def test_it_is_solved_and_studied(tower: AnyGame) -> None:
    assert duelbook.solve.solve(tower).value(tower.initial()) is duelbook.solve.Value.WIN
    assert duelbook.solve.solved(tower).remoteness(tower.initial()) == 3
    suggestion = duelbook.hint(tower, tower.initial())
    assert suggestion
    assert suggestion.move == "build 1"
    assert len(duelbook.review_game(tower, ("build 2", "build 2")).moves) == 2
    assert duelbook.find_puzzle(tower, "seed").answer in (0, 1)
    assert position_report(tower, ("build 1",)).winner == "first"


def test_it_is_audited(tower: AnyGame) -> None:
    audit = duelbook.audit_game(tower)
    assert audit.game == "tall-tower"
    assert audit.winner == "first"
    assert audit.examples == ()


@pytest.mark.parametrize("agent", ["random", "greedy", "search", "mcts:10", "perfect", "medium"])
def test_agents_play_it(tower: AnyGame, agent: str) -> None:
    played = duelbook.play_match(tower, (agent, "random"), seed=1)
    assert not played.forfeit
    assert played.record.outcome in (0, 1)


def test_a_program_plays_it(tower: AnyGame) -> None:
    program = Path(__file__).parents[1] / "examples/players/last_move.sh"
    played = duelbook.play_match(tower, (f"process:sh {program}", "random"), seed=1)
    assert not played.forfeit


def test_a_series_of_matches_is_played(tower: AnyGame) -> None:
    result = duelbook.arena.play_series(tower, ("perfect", "random"), 4)
    assert result["game"] == "tall-tower:height=4"
    assert result["matches"] == 4


def test_every_environment_takes_it(tower: AnyGame) -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (extra envs)")
    gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed (extra envs)")
    zoo = duelbook.envs.aec(tower)
    zoo.reset()
    zoo.step(1)
    assert zoo.last()[0]["action_mask"].tolist() == [1, 1]
    assert zoo.metadata["name"] == "duelbook_tall_tower_v1"
    from duelbook.envs.gymnasium_env import DuelEnv

    env = DuelEnv(tower, opponent="perfect", seat="first")
    assert env.reset(seed=1)[0].tolist() == [0, 0]
    made = gymnasium.make(duelbook.envs.gymnasium_id("charge"), game=tower, seat="first")
    assert made.reset(seed=1)[0].tolist() == [0, 0]


@pytest.mark.slow
def test_many_games_of_it_are_played_at_once() -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    many = duelbook.envs.vector(typed("__main__"), 2)
    many.reset()
    assert many.step([1, 0])[0].tolist() == [[1, 2], [1, 1]]


def test_what_needs_a_name_says_how_to_register(tower: AnyGame, tmp_path: Path) -> None:
    sentence = (
        r"The game TallTower has no name yet\. Name it for this process: "
        r"duelbook\.GAMES\.add\('tall-tower', TallTower\)\. So that others .* DUELBOOK_GAMES=module:TallTower"
    )
    record = duelbook.play_match(tower, ("random", "random")).record
    with pytest.raises(RefusedError, match=sentence):
        duelbook.save_record(record, tmp_path / "game.json")
    with pytest.raises(RefusedError, match=sentence):
        duelbook.tournament([tower], ["random", "greedy"])
    assert list(tmp_path.iterdir()) == []


def test_a_class_that_gets_a_name_for_this_process_takes_part_in_every_run(
    tmp_path: Path, use_games: Callable[[str], None]
) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")
    use_games("")
    for height in (9, 8):  # as in a notebook whose cells are run again
        tower = typed("__main__", height)
        duelbook.GAMES.add("tall-tower", type(tower))
        label = f"tall-tower:height={height}"
        standings = duelbook.tournament([tower, "tall-tower"], ["perfect", "random"], pairs=2)
        assert [part["game"] for part in standings["games"]] == [label, "tall-tower"]
        report = duelbook.evaluate("perfect", label, ["random"], pairs=2)
        assert [row["accuracy"] for row in report.rows()] == [1, 1]
        assert lab("tall-tower", f"height={height}", pairs=1).rows()[0]["exact_starts"] == 1
        folder = tmp_path / str(height)
        make_dataset([label], folder / "positions", per_cell=2)
        positions = load_positions(folder / "positions", "test")
        answers = run_positions(plan_positions("perfect", positions), folder / "answers")
        assert answers["overall"]["accuracy"]["rate"] == 1


@pytest.mark.slow
def test_a_class_typed_at_a_prompt_gets_everything() -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    script = TYPED + (
        "import duelbook\nfrom duelbook.compiled import playouts\n"
        "print(duelbook.solve.solved(TallTower(4)).states(), playouts(TallTower(4), 10, 1).draws)\n"
        "print(duelbook.audit_game(TallTower(4)).winner)\n"
    )
    done = subprocess.run([sys.executable, "-"], input=script, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "6 0\nfirst\n"

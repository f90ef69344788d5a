"""The networks of examples/alphazero play as well as its README says, without the library that trained them."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from statistics import fmean

import pytest

pytest.importorskip("numba", reason="numba is not installed (extra fast)")
pytest.importorskip("gymnasium", reason="gymnasium is not installed (extra envs)")

import numpy as np

from duelbook import Match, make
from duelbook.match import ply_limit
from duelbook.solve import solved
from examples.alphazero.agent import AlphaZero
from examples.alphazero.measure import Measure
from examples.alphazero.network import TRAINED, Network, as_rows
from examples.alphazero.search import DISCOUNT, Found, search
from examples.alphazero.self_play import TRACE, SelfPlay, Step, value_targets
from tests.support.playing import match_after

ROOT = Path(__file__).parents[2]
VARIABLE = "DUELBOOK_AGENTS=alphazero=examples.alphazero.agent:AlphaZero"


def play(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the program `duelbook` in a clone, with the variable set as the README says."""
    assert f"    export {VARIABLE}\n" in (TRAINED.parent / "README.md").read_text()
    name, _, value = VARIABLE.partition("=")
    command = [str(Path(sys.executable).with_name("duelbook")), *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | {name: value}, input=typed, capture_output=True, text=True, check=False
    )


def test_the_network_of_crystal_capture_gives_nothing_away_in_any_position() -> None:
    game = make("crystal-capture")
    measured = Measure(game)(Network.load(game, TRAINED / "crystal-capture.npz").moves)
    assert measured._asdict() == json.loads((TRAINED / "crystal-capture.json").read_text())["alone"]
    assert measured == (0.0, 1.0, 0.0)


def test_the_network_of_charge_gives_almost_nothing_away_in_random_games() -> None:
    game, rng = make("charge"), random.Random(1)
    agent, exact, losses = AlphaZero(rng), solved(game), []
    for _ in range(150):
        match = Match(game, ply_limit=ply_limit(game))
        while not match.over:
            legal = [*game.legal_moves(match.state)]
            if len(legal) > 1:
                after = game.play(match.state, agent.choose(match))
                losses.append(exact.value(match.state) + exact.value(after))
            match.play(rng.choice(legal))
    assert len(losses) > 1000
    assert fmean(losses) < 0.02


@pytest.mark.parametrize(
    ("moves", "best"),
    [
        (["1", "2", "5", "3"], "9"),  # wins at once
        (["1", "2", "3", "9"], "4"),  # wins whatever the reply
    ],
)
def test_a_search_finds_a_win_that_the_network_does_not_know(moves: list[str], best: str) -> None:
    game = make("crystal-capture")
    match = match_after(game, *moves)
    untrained = Network.new(game, np.random.default_rng(1))
    found = search(untrained, as_rows([match.state, game.initial()]), 100)
    assert game.move_name(match.state, int(found.moves[0])) == best
    assert found.values[0] > 0.8
    assert AlphaZero(random.Random(1), simulations=8).choose(match) == found.moves[0]
    assert found.policies.sum(axis=1) == pytest.approx(1)


def test_self_play_gives_an_example_for_every_move() -> None:
    game = make("crystal-capture")
    self_play = SelfPlay(game, 6, 4, seed=1)
    examples = self_play.play(Network.new(game, np.random.default_rng(1)), 7)
    self_play.close()
    assert examples.rows.shape == (42, len(as_rows([game.initial()])[0]))
    assert (examples.policies[~examples.legal] == 0).all()
    assert (np.abs(examples.values) <= 1).all()
    assert examples.values.any()


def test_nothing_that_follows_a_blunder_counts_for_the_position_before_it() -> None:
    def step(value: float, blunder: bool = False, over: bool = False, result: float = 0.0) -> Step:
        found = Found(np.zeros((1, 2), np.float32), np.array([value], np.float32), np.zeros(1, np.int64))
        return Step(
            rows=np.zeros((1, 1), np.int64),
            legal=np.ones((1, 2), np.bool_),
            found=found,
            blunder=np.array([blunder]),
            over=np.array([over]),
            results=np.array([result], np.float32),
            same_mover=np.array([False]),
        )

    won, lost_before = DISCOUNT * 1.0, 0.3 * (1 - TRACE)
    played = [step(0.3), step(0.5, blunder=True), step(0.0, over=True, result=won), step(0.9)]
    first, second, third, last = (float(values[0]) for values in value_targets(played))
    assert last == pytest.approx(0.9)  # of which nothing more is known
    assert third == pytest.approx(TRACE * won)
    assert second == pytest.approx(0.5)
    assert first == pytest.approx(lost_before - TRACE * DISCOUNT * 0.5)


def test_the_agent_plays_a_person_in_the_terminal() -> None:
    asked = ["play", "crystal-capture", "--p1", "alphazero", "--first", "1", "--no-history"]
    done = play(*asked, typed="1\n2\n3\n4\n")
    assert done.returncode == 0
    assert "Player 1 has exactly 15 points and wins the game!" in done.stdout


def test_the_agent_plays_a_tournament_without_a_mistake(tmp_path: Path) -> None:
    games = ["--agents", "alphazero,random", "--games", "crystal-capture", "--pairs", "2"]
    done = play("tournament", *games, "--out", str(tmp_path / "out"))
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads((tmp_path / "out/standings.json").read_text())["overall"]["standings"]
    assert (rows[0]["agent"], rows[0]["accuracy"], rows[0]["regret"]) == ("alphazero", 1.0, 0.0)


def test_the_agent_refuses_what_it_has_not_learned() -> None:
    done = play("match", "--games", "flag-chase", "--p1", "alphazero", "--p2", "random")
    assert done.returncode == 2
    assert (
        done.stderr == "duelbook: alphazero has no network for flag-chase. It has one for: charge, crystal-capture.\n"
    )

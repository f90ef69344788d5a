"""A command over all games goes on after one whose rules fail, says so in one sentence, and its exit code tells."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook import GAMES
from tests.support.keyboard import run

BROKEN = "tests.support.games.broken:NoMoves"
SENTENCE = "duelbook: The rules of NoMoves(stones=12, most=3) are broken: No move is legal, but the game is undecided."


@pytest.fixture
def games(use_games: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The broken game, and a small sound one after it."""
    use_games(f"a-broken-one={BROKEN}")
    names = ["a-broken-one", "flag-chase"]
    for module in ("cli.audit", "arena.entries", "cli.tournament"):
        monkeypatch.setattr(f"duelbook.{module}.GAMES", {name: GAMES[name] for name in names})
    return names


@pytest.mark.parametrize("command", ["audit --json", "match --p1 random --p2 greedy --matches 2 --json"])
def test_a_command_goes_on_with_the_other_games(games: list[str], command: str) -> None:
    done = run(command.split(), DUELBOOK_GAMES=f"{games[0]}={BROKEN}")
    assert [one["game"] for one in json.loads(done.stdout)] == ["flag-chase"]
    assert done.stderr.startswith(SENTENCE)
    assert (done.stderr.count("\n"), done.returncode) == (1, 1)


def test_a_tournament_is_played_without_the_broken_game(games: list[str], tmp_path: Path) -> None:
    arguments = ["tournament", "--agents", "random,greedy", "--pairs", "1", "--backend", "serial"]
    done = run([*arguments, "--out", str(tmp_path / "out")], DUELBOOK_GAMES=f"{games[0]}={BROKEN}")
    assert done.stderr.startswith(SENTENCE)
    assert (done.stderr.count("\n"), done.returncode) == (1, 1)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [entry["game"] for entry in manifest["games"]] == ["flag-chase"]
    assert (tmp_path / "out" / "report.html").exists()


@pytest.mark.parametrize(
    "arguments",
    [["audit", "a-broken-one"], ["match", "--p1", "random", "--p2", "greedy", "--games", "a-broken-one,flag-chase"]],
)
def test_a_broken_game_that_was_asked_for_ends_the_command(games: list[str], arguments: list[str]) -> None:
    done = run(arguments, DUELBOOK_GAMES=f"{games[0]}={BROKEN}")
    assert done.stderr.startswith(SENTENCE)
    assert done.returncode == 2

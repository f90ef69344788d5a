"""The number of move sequences, compared with the files in the games' folders."""

import pytest

from duelbook import GAMES, make, perft
from tests.support.game_folders import file_of, variants


@pytest.mark.parametrize(("name", "options"), variants())
def test_the_number_of_move_sequences_is_that_of_the_file(name: str, options: dict[str, str]) -> None:
    game, file = make(name, **options), file_of("perft", name, options)
    assert file.exists(), f"Run: make golden GAME={name}"
    for row in file.read_text().splitlines():
        depth, count = map(int, row.split())
        assert perft(game, depth) == count


@pytest.mark.parametrize("name", GAMES)
def test_there_is_one_sequence_of_no_moves_and_one_of_each_move(name: str) -> None:
    game = make(name)
    later = game.play(game.initial(), next(iter(game.legal_moves(game.initial()))))
    assert perft(game, 0) == 1
    assert perft(game, 1, later) == len(list(game.legal_moves(later)))

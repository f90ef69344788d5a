"""The number of move sequences, compared with files and with counts by hand."""

from math import perm

import pytest

from duelbook import make, perft
from tests.support.variants import file_of, variants


@pytest.mark.parametrize(("name", "options"), variants())
def test_the_number_of_move_sequences_is_that_of_the_file(name: str, options: dict[str, str]) -> None:
    game = make(name, **options)
    for row in file_of("perft", name, options).read_text().splitlines():
        depth, count = map(int, row.split())
        assert perft(game, depth) == count


def test_in_alpha_chase_a_letter_is_taken_once() -> None:
    assert [perft(make("alpha-chase"), depth) for depth in (1, 2, 3)] == [perm(26, depth) for depth in (1, 2, 3)]


def test_word_clash_fills_one_of_ten_slots_with_one_of_26_letters() -> None:
    assert [perft(make("word-clash"), depth) for depth in (1, 2)] == [10 * 26, 10 * 26 * 9 * 26]


def test_crystal_capture_has_nine_then_eight_crystals() -> None:
    assert [perft(make("crystal-capture"), depth) for depth in (1, 2)] == [9, 72]


def test_charge_has_seven_moves_until_a_steal_is_spent() -> None:
    assert [perft(make("charge"), depth) for depth in (1, 2, 3)] == [7, 49, 6 * 7 * 7 + 6 * 7]


def test_flag_chase_is_over_after_three_moves_at_most() -> None:
    assert [perft(make("flag-chase"), depth) for depth in range(5)] == [1, 2, 2, 2, 0]


def test_there_is_one_sequence_of_no_moves() -> None:
    game = make("charge")
    assert perft(game, 0) == 1
    assert perft(game, 1, game.play(game.initial(), 6)) == 7

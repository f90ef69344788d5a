"""The contract of `duelbook.game`, which every game keeps with any options."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from duelbook import GAMES, IllegalMoveError, parse_move
from duelbook.game import AnyGame, move_names
from duelbook.games import aim, name_of, title
from duelbook.testing import check_game
from tests.support.game_folders import oracles
from tests.support.strategies import games, lines

ORACLES = oracles()
any_time = settings(deadline=None)


@pytest.mark.parametrize(
    ("positions", "longest_words"),  # of an example; the classes of boards with longer words take seconds to find
    [(6, 6), pytest.param(15, 8, marks=pytest.mark.long)],
)
@any_time
@given(game=games(), seed=st.integers(0, 1 << 30))
def test_every_game_with_any_options_passes_the_checks_and_agrees_with_a_naive_reading_of_its_book(
    game: AnyGame, seed: int, positions: int, longest_words: int
) -> None:
    assume(getattr(game, "length", 0) <= longest_words)
    oracle = ORACLES.get(name_of(game))
    assert check_game(game, oracle=oracle, skip=("compiled",), positions=positions, seed=seed) == []


@any_time
@given(st.data(), games(tuple(ORACLES)))
def test_players_of_the_books_alternate(data: st.DataObject, game: AnyGame) -> None:
    state = game.initial()
    for ply, move in enumerate(data.draw(lines(game))):
        assert game.mover(state) == ply % 2
        state = game.play(state, move)


@any_time
@given(st.data(), games(), st.text(max_size=12))
def test_any_other_text_is_refused_with_the_legal_moves(data: st.DataObject, game: AnyGame, text: str) -> None:
    state = game.initial()
    for move in data.draw(lines(game)):
        state = game.play(state, move)
    names = {" ".join(name.casefold().split()) for name in move_names(game, state)}
    if " ".join(text.casefold().split()) not in names:
        with pytest.raises(IllegalMoveError) as refused:
            parse_move(game, state, text)
        assert list(refused.value.legal) == list(move_names(game, state))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_title_and_an_aim_in_one_line(name: str) -> None:
    assert title(name)[0].isupper()
    assert aim(name).endswith(".")
    assert "\n" not in aim(name)

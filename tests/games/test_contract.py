"""The contract of `duelbook.game`, which every game keeps with any options."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duelbook import GAMES, IllegalMoveError, Outcome, make, parse_move
from duelbook.game import PASS, AnyGame, move_names, offered_moves, outcome_name, state_view
from duelbook.games import aim, name_of, title
from duelbook.options import write_options
from tests.support.game_folders import oracles
from tests.support.strategies import games, lines

ORACLES = oracles()
many_examples = settings(max_examples=3 * settings().max_examples, deadline=None)


def is_plain(value: Any) -> bool:
    """Return True if the value consists of ints and nested tuples of ints only."""
    return all(map(is_plain, value)) if isinstance(value, tuple) else isinstance(value, int)


def state_after(game: AnyGame, moves: list[int]) -> Any:
    state = game.initial()
    for move in moves:
        state = game.play(state, move)
    return state


@many_examples
@given(st.data(), games())
def test_legal_moves_are_ascending_and_within_range(data: st.DataObject, game: AnyGame) -> None:
    state = state_after(game, data.draw(lines(game)))
    legal = list(game.legal_moves(state))
    assert legal == sorted(set(legal))
    assert all(0 <= move < game.num_moves for move in legal)
    assert set(offered_moves(game, state)) <= set(legal)


@many_examples
@given(st.data(), games())
def test_there_are_legal_moves_exactly_while_the_game_is_undecided(data: st.DataObject, game: AnyGame) -> None:
    state = state_after(game, data.draw(lines(game)))
    outcome = game.outcome(state)
    assert isinstance(outcome, Outcome)
    assert bool(list(game.legal_moves(state))) == (outcome is Outcome.UNDECIDED)


@many_examples
@given(st.data(), games())
def test_every_move_has_one_name_that_is_read_in_any_case(data: st.DataObject, game: AnyGame) -> None:
    state = state_after(game, data.draw(lines(game)))
    names = move_names(game, state)
    assert len(names) == len(list(game.legal_moves(state)))
    for name, move in list(names.items())[:40]:
        assert parse_move(game, state, name) == move
        assert parse_move(game, state, f"  {name.upper().replace(' ', '   ')} ") == move
    assert PASS not in names or len(names) == 1


@many_examples
@given(st.data(), games(), st.text(max_size=12))
def test_any_other_text_is_refused_with_the_legal_moves(data: st.DataObject, game: AnyGame, text: str) -> None:
    state = state_after(game, data.draw(lines(game)))
    names = {" ".join(name.casefold().split()) for name in move_names(game, state)}
    if " ".join(text.casefold().split()) not in names:
        with pytest.raises(IllegalMoveError) as refused:
            parse_move(game, state, text)
        assert list(refused.value.legal) == list(move_names(game, state))


@many_examples
@given(st.data(), games())
def test_states_are_plain_values_and_play_does_not_change_them(data: st.DataObject, game: AnyGame) -> None:
    moves = data.draw(lines(game))
    state = state_after(game, moves)
    assert is_plain(state)
    before = tuple(state)
    for move in game.legal_moves(state):
        assert game.play(state, move) == game.play(state, move)
    assert tuple(state) == before
    assert {state: True}[state_after(game, moves)]


@many_examples
@given(st.data(), games(tuple(ORACLES)))
def test_players_alternate(data: st.DataObject, game: AnyGame) -> None:
    moves = data.draw(lines(game))
    assert game.mover(state_after(game, moves)) == len(moves) % 2


@many_examples
@given(st.data(), games())
def test_render_is_tidy_text(data: st.DataObject, game: AnyGame) -> None:
    text = game.render(state_after(game, data.draw(lines(game))))
    assert text == "\n".join(line.rstrip() for line in text.strip().splitlines())
    assert text.replace("\n", "").isprintable()


@many_examples
@given(games())
def test_options_written_as_text_make_the_same_game(game: AnyGame) -> None:
    texts = {name: str(value) for name, value in write_options(game).items()}
    assert make(name_of(game), **texts) == game
    assert hash(make(name_of(game), **texts)) == hash(game)


@many_examples
@given(st.data(), games(tuple(ORACLES)))
def test_the_rules_agree_with_a_naive_reading_of_the_books(data: st.DataObject, game: AnyGame) -> None:
    state = game.initial()
    line: list[str] = []
    options = write_options(game)
    for move in [*data.draw(lines(game)), None]:
        legal, winner = ORACLES[name_of(game)](options, line)
        assert sorted(move_names(game, state)) == sorted(legal)
        assert outcome_name(game.outcome(state)) == (winner or "none")
        if move is not None:
            line.append(game.move_name(state, move))
            state = game.play(state, move)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_title_and_an_aim_in_one_line(name: str) -> None:
    assert title(name)[0].isupper()
    assert aim(name).endswith(".")
    assert "\n" not in aim(name)


@given(st.data())
@many_examples
def test_the_view_of_a_state_is_json_that_a_browser_reads_exactly(data: st.DataObject) -> None:
    game = data.draw(games())
    state = game.initial()
    for move in data.draw(lines(game)):
        state = game.play(state, move)
    view = state_view(game, state)
    assert json.loads(json.dumps(view)) == view
    assert all(abs(int(number)) < 2**53 for number in re.findall(r"-?\d+", json.dumps(view)))

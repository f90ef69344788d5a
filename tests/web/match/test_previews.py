"""Previews: what the legal moves of a position would do, in words and as the position after them."""

import pytest

from duelbook import GAMES, make
from duelbook.errors import RefusedError
from duelbook.game import move_names
from duelbook.records.record import replay
from duelbook.web.match.previews import MAX_PREVIEWS, previews_of
from tests.support.toy.rules import Staircase


@pytest.mark.parametrize("game", GAMES)
def test_the_position_after_a_previewed_move_is_that_of_the_rules(game: str) -> None:
    rules = make(game)
    state = rules.initial()
    previews = previews_of(rules, []).moves
    assert list(previews) == list(move_names(rules, state))[:MAX_PREVIEWS]
    for name, preview in previews.items():
        [(_, after)] = replay(rules, [name])
        assert preview.text == rules.render(after)
        assert preview.words.endswith((".", "!"))


def test_a_game_without_words_of_its_own_is_previewed_too() -> None:
    previews = previews_of(Staircase(), ["climb 2"]).moves
    assert previews["climb 1"].words == "After climb 1: Step 3 of 7."
    last = previews_of(Staircase(), ["climb 2"] * 3, "climb 1").moves["climb 1"]
    assert last.result == "This wins the game."


def test_a_move_that_is_not_legal_has_no_preview() -> None:
    with pytest.raises(RefusedError, match="'steal 9' is not legal here"):
        previews_of(make("charge"), [], "steal 9")


def test_a_preview_of_a_block_says_that_it_lasts_one_turn_and_when_there_is_nothing_to_block() -> None:
    rules = make("charge", charge_cards=1)
    block = previews_of(rules, [], "block").moves["block"]
    assert (block.words, block.warning) == ("A charge on your opponent's next turn would add nothing.", False)
    idle = previews_of(rules, ["block", "charge 1"], "block").moves["block"]
    assert (idle.words, idle.warning) == ("There is nothing to block: your opponent has no Charge Card.", True)

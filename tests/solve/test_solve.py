"""The solver agrees with a naive method on small games, and finds the known facts about the full ones."""

import random
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from duelbook import make
from duelbook.game import AnyGame, CountsSuccessors, HasClassTable, HasProfiles, Outcome, canonical_form, won_by
from duelbook.games.alpha_chase import rules as alpha_chase
from duelbook.games.alpha_chase.words import BOOK_WORDS
from duelbook.games.word_clash import classes, rules
from duelbook.solve import TooLargeError, Value, solve
from tests.support.game_folders import small_variants
from tests.support.naive import naive_values


def agree(game: AnyGame) -> list[Any]:
    """Compare the solver with the naive method on every reachable state, and return these states."""
    solution, known = solve(game), naive_values(game)
    for state, (value, remoteness) in known.items():
        assert solution.value(state) == value, state
        assert solution.remoteness(state) == remoteness, state
        assert solution.is_endless(state) == (remoteness is None)
    return list(known)


@pytest.mark.parametrize(("name", "options"), small_variants())
def test_the_solver_agrees_with_the_naive_method_on_every_state(name: str, options: dict[str, int | str]) -> None:
    agree(make(name, **options))


class Place(NamedTuple):
    mover: int
    cell: int


class Carousel:
    """Walk round in circles, or get off: on cell 0 getting off loses, on cell 1 it is a draw."""

    def __init__(self, has_draw: bool) -> None:
        self.has_draw = has_draw
        self.num_moves = 2

    def initial(self) -> Place:
        return Place(0, 0)

    def mover(self, state: Place) -> int:
        return state.mover

    def legal_moves(self, state: Place) -> Iterator[int]:
        return iter({0: (0, 1), 1: (0, 1) if self.has_draw else (0,), 2: (0,)}.get(state.cell, ()))

    def play(self, state: Place, move: int) -> Place:
        return Place(1 - state.mover, 8 + state.cell if move else (state.cell + 1) % 3)

    def outcome(self, state: Place) -> Outcome:
        return {8: won_by(state.mover), 9: Outcome.DRAW}.get(state.cell, Outcome.UNDECIDED)


def test_play_in_circles_is_a_draw_and_endless_unless_a_draw_by_the_rules_can_be_reached() -> None:
    endless = solve(cast(AnyGame, Carousel(has_draw=False)))
    assert [endless.value(Place(0, cell)) for cell in range(3)] == [Value.DRAW] * 3
    assert endless.is_endless(Place(0, 0))
    assert endless.remoteness(Place(0, 0)) is None
    assert [scored.value for scored in endless.moves(Place(0, 0))] == [Value.DRAW, Value.LOSS]
    drawn = solve(cast(AnyGame, Carousel(has_draw=True)))
    assert [drawn.remoteness(Place(0, cell)) for cell in range(3)] == [2, 1, 3]
    assert not drawn.is_endless(Place(0, 0))
    for game in (Carousel(has_draw=False), Carousel(has_draw=True)):
        agree(cast(AnyGame, game))


@pytest.fixture
def three_letters(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Shrink the alphabet to A, B and C so that all boards of Word Clash can be searched."""
    classes.board_classes.cache_clear()
    for module in (rules, classes):
        monkeypatch.setattr(module, "LETTERS", 3)
    monkeypatch.setattr(rules, "ALL_LETTERS", 0b111)
    yield
    classes.board_classes.cache_clear()


ODD = {
    "every string": ["".join(letters) for letters in product("ABC", repeat=3)],
    "one word": ["ABC"],
    "words that differ in one letter": ["AAA", "AAB", "AAC"],
    "two that share nothing": ["ABC", "BCA"],
    "all but one": ["".join(letters) for letters in product("ABC", repeat=3)][1:],
    "every first letter": ["AAA", "BAA", "CAA", "ABB"],
    "all but four": [
        "".join(word) for word in product("ABC", repeat=3) if "".join(word) not in ("AAC", "ABB", "BBB", "CCA")
    ],
}


def with_words(folder: Path, words: Collection[str], finishing: str) -> AnyGame:
    file = folder / "words"
    file.write_text("\n".join(words))
    return make("word-clash", length=3, dictionary=str(file), finishing=finishing)


@pytest.mark.usefixtures("three_letters")
@pytest.mark.parametrize("finishing", ["owner", "own-only"])
@pytest.mark.parametrize("words", ODD.values(), ids=ODD.keys())
def test_classes_of_boards_are_exact_with_odd_dictionaries(words: list[str], finishing: str, tmp_path: Path) -> None:
    """So are the counted successors, and the table of boards tells the same states apart."""
    game = with_words(tmp_path, words, finishing)
    states = agree(game)
    assert isinstance(game, HasClassTable)
    assert isinstance(game, HasProfiles)
    table, profiles = game.class_table(), dict[Any, Any]()
    pairs = {(game.canonical(state), game.class_of(state, table)) for state in states}
    assert len(pairs) == len({form for form, _ in pairs}) == len({found for _, found in pairs})
    for state in states[::7]:
        if game.outcome(state) is Outcome.UNDECIDED:
            counted = check_successors(game, state)
            assert profiles.setdefault(game.profile_of(state, table), counted) == counted


def check_successors(game: AnyGame, state: Any) -> Any:
    """Return the successors as they are counted, which must be as if every move were played."""
    form = canonical_form(game)
    assert form
    assert isinstance(game, CountsSuccessors)
    counted = game.following(state)
    assert counted == Counter(form(game.play(state, move)) for move in game.legal_moves(state))
    return counted


@pytest.mark.usefixtures("three_letters")
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sets(st.text("ABC", min_size=3, max_size=3), min_size=1), st.sampled_from(["owner", "own-only"]))
def test_classes_of_boards_are_exact_with_any_dictionary(tmp_path: Path, words: set[str], finishing: str) -> None:
    agree(with_words(tmp_path, words, finishing))


def test_the_representative_of_a_class_does_not_depend_on_what_was_asked_before() -> None:
    one, other = make("word-clash", length=3), make("word-clash", length=3)
    forms = canonical_form(one), canonical_form(other)
    assert all(forms)
    states = [one.play(one.initial(), move) for move in one.legal_moves(one.initial())]
    assert [forms[0](state) for state in states] == [forms[1](state) for state in reversed(states)][::-1]  # type: ignore[misc]


@pytest.mark.parametrize("tie_break", ["first-letter", "first-own-letter"])
@pytest.mark.parametrize("ending", ["settled", "exhausted", "dead"])
@pytest.mark.parametrize("words", ["PLANT,PLANT", "PLANT,PLANE"])
def test_classes_of_letters_are_exact_with_a_small_alphabet(
    words: str, ending: str, tie_break: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With eight letters, two of them in neither word, all states of Alpha Chase can be searched."""
    monkeypatch.setattr(alpha_chase, "ALPHABET", alpha_chase.letter_set("PLANTEXZ"))
    agree(make("alpha-chase", words=words, word_list="all", ending=ending, tie_break=tie_break))


@pytest.mark.parametrize(
    ("name", "states", "winning"),  # the moves that win at the start, best first, and the plies after each of them
    [
        ("flag-chase", 3, {"2": 0}),
        ("crystal-capture", 1437, {"6": 4, "8": 5, "7": 6}),
        ("charge", 473_265, {"charge 5": 10, "charge 3": 12, "charge 4": 12, "charge 2": 14}),
        ("alpha-chase", 9708, dict.fromkeys("AGHLNOPST", 14)),
    ],
)
def test_the_known_facts_about_a_game_are_found(name: str, states: int, winning: dict[str, int]) -> None:
    game = make(name)
    solution, start = solve(game), game.initial()
    assert (solution.states(), solution.remoteness(start)) == (states, 1 + min(winning.values()))
    scored = [found for found in solution.moves(start) if found.value is Value.WIN]
    assert [(game.move_name(start, found.move), found.remoteness) for found in scored] == [*winning.items()]


PAIRS = [f"{one},{two}" for one, two in product(BOOK_WORDS, repeat=2)]
DIFFERENT = {len(set(words)): words for words in PAIRS}.values()  # in how many letters the words share


@pytest.mark.parametrize(
    "words", [pytest.param(words, marks=[pytest.mark.long] * (words not in DIFFERENT)) for words in PAIRS]
)
def test_alpha_chase_is_won_by_the_first_player(words: str) -> None:
    game = make("alpha-chase", words=words)
    assert solve(game).value(game.initial()) is Value.WIN


@pytest.mark.parametrize(("finishing", "value"), [("owner", Value.WIN), ("own-only", Value.LOSS)])
@pytest.mark.parametrize("length", [3, 5, 8])
def test_who_wins_word_clash_depends_on_who_may_finish(length: int, finishing: str, value: Value) -> None:
    game = make("word-clash", length=length, finishing=finishing)
    assert solve(game).value(game.initial()) is value


def test_the_share_of_moves_that_win_is_one_of_moves_and_not_of_classes() -> None:
    game, rng = make("word-clash", length=3), random.Random(1)
    solution, state = solve(game), game.initial()
    while game.outcome(state) is Outcome.UNDECIDED:
        values = [move.value for move in solution.moves(state)]
        assert solution.winning_share(state) == values.count(Value.WIN) / len(values)
        state = game.play(state, rng.choice(list(game.legal_moves(state))))


def test_a_game_that_is_too_large_is_refused_with_the_limit() -> None:
    with pytest.raises(TooLargeError, match="more than 1,000 states"):
        solve(make("charge"), limit=1000)

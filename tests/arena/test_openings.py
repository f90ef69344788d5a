"""Openings: a few drawn moves, the same from both seats and for all agents, that leave something to decide."""

import json
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path

import pytest

from duelbook import RefusedError, make
from duelbook.arena import TournamentPlan, load_manifest, plan_evaluation, plan_tournament, run_tournament
from duelbook.arena.manifest import read_manifest, write_manifest
from duelbook.arena.openings import MAX_MOVES, MIN_PLIES_LEFT, draw_openings
from duelbook.arena.plan import MatchPlan
from duelbook.arena.runner import play_fixture, prepare
from duelbook.game import Outcome
from duelbook.records.document import from_document
from duelbook.solve import Value, remember_too_large, solved
from tests.support.playing import match_after

WITH_OPENINGS = ["alpha-chase", "word-clash", "crystal-capture", "charge"]


def plan_of(games: str = "charge", *, pairs: int = 6, seed: int = 1, openings: str = "balanced") -> TournamentPlan:
    return plan_tournament([games], ["random", "greedy", "search:1"], pairs=pairs, seed=seed, openings=openings)


@pytest.mark.parametrize("name", WITH_OPENINGS)
def test_every_opening_is_short_legal_different_and_open_and_won_for_each_side_in_turn(name: str) -> None:
    game = make(name)
    openings, values = draw_openings(game, 1).openings, []
    assert len(openings) == len(set(openings)) >= 10
    for moves in openings:
        assert 1 <= len(moves) <= MAX_MOVES
        match = match_after(game, *moves)
        assert match.outcome is Outcome.UNDECIDED
        left, value = solved(game).remoteness(match.state), solved(game).value(match.state)
        assert left is None or left >= MIN_PLIES_LEFT
        values.append(-value if match.mover else int(value))
    assert values == [Value.WIN, Value.LOSS] * (len(values) // 2)


def test_both_players_have_something_to_choose_after_every_opening() -> None:
    game = make("crystal-capture")
    for moves in (moves for seed in range(5) for moves in draw_openings(game, seed).openings):
        choosing, states = set(), {match_after(game, *moves).state}
        while states:
            choosing |= {game.mover(state) for state in states if len(list(game.legal_moves(state))) > 1}
            states = {game.play(state, move) for state in states for move in game.legal_moves(state)}
        assert choosing == {0, 1}, moves


def test_the_player_who_would_win_can_give_it_away() -> None:
    game = make("charge")
    solution = solved(game)
    for moves in draw_openings(game, 3).openings:
        state = match_after(game, *moves).state
        ahead = (
            [state]
            if solution.value(state) is Value.WIN
            else [game.play(state, one) for one in game.legal_moves(state)]
        )
        assert any(len({scored.value for scored in solution.moves(one)}) > 1 for one in ahead)


def test_all_agents_meet_in_the_same_opening_from_both_seats_and_the_record_names_it() -> None:
    plan = prepare(plan_of())
    by_pair: dict[int, set[tuple[str, ...]]] = {}
    for number in range(plan.total):
        record = from_document(play_fixture(plan, number).record)
        assert record.opening == len(plan.opening(0, plan.fixture(number).pair)) > 0
        by_pair.setdefault(plan.fixture(number).pair, set()).add(record.moves[: record.opening])
    assert [len(openings) for openings in by_pair.values()] == [1] * 6
    assert len(set().union(*by_pair.values())) == 6


def test_another_seed_draws_other_openings() -> None:
    one, again, other = (
        [plan.opening(0, pair) for pair in range(6)] for plan in (prepare(plan_of(seed=seed)) for seed in (1, 1, 2))
    )
    assert one == again != other


def test_the_openings_begin_again_after_the_last() -> None:
    pool = draw_openings(make("charge"), 1)
    assert [pool.of(pair + len(pool.openings)) for pair in (0, 1)] == [pool.of(0), pool.of(1)]


def words(plan: MatchPlan) -> list[object]:
    return [plan.fixture(number).game.words for number in range(0, plan.total, 6)]  # type: ignore[attr-defined]


def test_words_are_still_drawn_unless_nothing_is() -> None:
    balanced, book, none = (prepare(plan_of("alpha-chase", openings=how)) for how in ("balanced", "book", "none"))
    assert words(balanced) == words(book)
    assert len({*words(book)}) > 1
    assert len({*words(none)}) == 1
    assert all(balanced.opening(0, pair) for pair in range(6))
    assert not any(plan.opening(0, pair) for plan in (book, none) for pair in range(6))


def test_the_first_pair_of_an_evaluation_without_draws_is_that_of_one_with_draws() -> None:
    none, book = (plan_evaluation("greedy", ["alpha-chase"], pairs=3, openings=how) for how in ("none", "book"))
    assert {none.start(0, pair) for pair in (1, 2, 3)} == {book.start(0, 1)}


def test_a_game_without_an_open_position_begins_at_its_start() -> None:
    assert draw_openings(make("flag-chase"), 1).openings == ()
    plan = prepare(plan_of("flag-chase"))
    assert plan.opening(0, 3) == ()
    assert play_fixture(plan, 0).judged is not None


def test_in_a_game_that_is_too_large_nobody_wins_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.solve.cache._too_large", OrderedDict())
    game = make("charge", goal=59)
    remember_too_large(game)
    plan = prepare(plan_of("charge:goal=59"))
    assert plan.exact == (False,)
    for pair in range(6):
        match = match_after(game, *plan.opening(0, pair))
        assert match.moves
        assert all(
            match_after(game, *match.moves, one).outcome is Outcome.UNDECIDED for one in game.legal_moves(match.state)
        )


def test_a_plan_that_was_prepared_keeps_what_was_found_where_it_is_read_again() -> None:
    unsolved = replace(plan_of("charge:goal=58"), exact=(False,))
    read = read_manifest(write_manifest(unsolved).encode())
    assert isinstance(read, TournamentPlan)
    assert prepare(read).exact == (False,), "it could be solved here, but then the matches would be others"


def test_a_plan_is_refused_if_its_openings_need_values_that_are_not_known_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "manifest.json"
    file.write_text(write_manifest(prepare(plan_of("crystal-capture:goal=14"))))
    monkeypatch.setattr("duelbook.solve.cache._too_large", OrderedDict())
    monkeypatch.setattr("duelbook.solve.cache._in_memory", OrderedDict())
    remember_too_large(make("crystal-capture", goal=14))
    with pytest.raises(
        RefusedError, match=r"^crystal-capture:goal=14 was solved where this tournament was planned, but it is too"
    ):
        run_tournament(load_manifest(file, TournamentPlan), tmp_path / "out", backend="serial")
    assert not (tmp_path / "out").exists()


def test_the_manifest_says_which_openings_are_played_and_which_games_were_solved(tmp_path: Path) -> None:
    run_tournament(plan_of("charge", pairs=1), tmp_path / "out", backend="serial")
    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    assert (manifest["openings"], manifest["exact"]) == ("balanced", [True])

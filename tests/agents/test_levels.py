"""The levels: they see near results more often than far ones, and a higher level sees more."""

import random
from collections.abc import Iterator
from itertools import pairwise
from statistics import fmean

import pytest

from duelbook import GAMES, Outcome, make
from duelbook.agents import AGENTS, make_agent
from duelbook.agents.level_agent import LevelAgent
from duelbook.agents.levels import LEVELS, Level
from duelbook.arena import play_match
from duelbook.game import AnyGame, won_by
from duelbook.match import Match, ply_limit
from duelbook.solve import Value, solved
from tests.support.games.number_row import NumberRow
from tests.support.games.pits import Pits

NAMES = [*LEVELS, "perfect"]
SEES_A_WIN_IN_ONE = NAMES[2:]
SHORT_SIGHTED = Level("sees only the nearest results", sure_turns=1, half_turns=2, candidates=1, search_games=1)
ALL_SEEING = Level("sees everything", sure_turns=1000, half_turns=1, candidates=1, search_games=1, sets_traps=True)


def positions(game: AnyGame, count: int, seed: int = 0) -> Iterator[Match]:
    rng = random.Random(seed)
    for _ in range(count):
        match = Match(game)
        for _ in range(rng.randrange(12)):
            following = game.play(match.state, move := rng.choice(list(game.legal_moves(match.state))))
            if game.outcome(following) != Outcome.UNDECIDED:
                break
            match.play(move)
        yield match


def missed_wins(level: Level, game: AnyGame, count: int = 150) -> int:
    missed = 0
    for number, match in enumerate(positions(game, count)):
        winning = {
            move
            for move in game.legal_moves(match.state)
            if game.outcome(game.play(match.state, move)) == won_by(match.mover)
        }
        missed += bool(winning) and LevelAgent(random.Random(number), level).choose(match) not in winning
    return missed


def played_moves(game: AnyGame, one: str, two: str, seed: int) -> list[int]:
    match = Match(game, ply_limit=ply_limit(game))
    agents = make_agent(one, f"{seed} 1"), make_agent(two, f"{seed} 2")
    while not match.over:
        match.play(agents[match.mover].choose(match))
    return match.moves


def test_the_levels_are_the_names_that_are_promised_in_order() -> None:
    assert [name for name in AGENTS if AGENTS[name].exact] == NAMES
    assert NAMES == ["beginner", "easy", "medium", "hard", "expert", "perfect"]


@pytest.mark.parametrize("turns", [1, 2, 3, 5, 9, 17])
def test_a_higher_level_sees_more_at_every_distance(turns: int) -> None:
    for lower, higher in pairwise(LEVELS.values()):
        assert lower.chance(turns) < higher.chance(turns) or lower.chance(turns) == higher.chance(turns) == 1
        assert higher.chance(turns + 1) <= higher.chance(turns)


@pytest.mark.parametrize("game", [*map(make, GAMES), Pits()], ids=[*GAMES, "pits"])
def test_no_level_above_easy_misses_a_win_in_one(game: AnyGame) -> None:
    for name in SEES_A_WIN_IN_ONE[:-1]:
        assert missed_wins(LEVELS[name], game, 40) == 0


def test_a_level_that_misses_a_win_in_one_is_found() -> None:
    """And beginners do miss some."""
    assert missed_wins(LEVELS["beginner"], make("crystal-capture")) > missed_wins(
        LEVELS["easy"], make("crystal-capture")
    )
    assert missed_wins(LEVELS["easy"], make("crystal-capture")) > 0


@pytest.mark.parametrize("game", [make("crystal-capture"), make("charge"), make("word-clash"), Pits(), NumberRow()])
def test_a_level_that_sees_everything_never_gives_value_away(game: AnyGame) -> None:
    solution = solved(game)
    for number, match in enumerate(positions(game, 25)):
        move = LevelAgent(random.Random(number), ALL_SEEING).choose(match)
        scored = {found.move: found for found in solution.moves(match.state)}
        assert scored[move].value == max(found.value for found in scored.values())


@pytest.mark.parametrize(("lower", "higher"), [*pairwise(NAMES)])
def test_a_level_beats_the_one_below(lower: str, higher: str) -> None:
    game, pairs = (make("charge"), 20) if higher == "perfect" else (make("crystal-capture"), 60)
    wins = 0
    for seed in range(pairs):
        wins += play_match(game, (higher, lower), seed=seed).record.outcome == Outcome.FIRST_WINS
        wins += play_match(game, (lower, higher), seed=seed).record.outcome == Outcome.SECOND_WINS
    assert wins > 1.08 * pairs


def test_mistakes_get_rarer_and_lie_deeper_from_level_to_level() -> None:
    game = make("charge")
    solution = solved(game)
    overlooked: dict[str, list[int]] = {name: [] for name in LEVELS}  # the distance of each win that is given away
    for seed, match in enumerate(positions(game, 400)):
        scored = {found.move: found for found in solution.moves(match.state)}
        quickest = min((found.plies or 0 for found in scored.values() if found.value is Value.WIN), default=None)
        for name in LEVELS if quickest else ():
            if scored[make_agent(name, seed).choose(match)].value is not Value.WIN:
                overlooked[name].append(quickest or 0)
    for lower, higher in pairwise(overlooked.values()):
        assert len(higher) < len(lower)
        assert fmean(higher) > fmean(lower)


def test_a_new_agent_with_the_same_seed_takes_over_in_the_middle_of_a_match() -> None:
    game = make("charge")
    moves = played_moves(game, "medium", "medium", 3)
    match = Match(game)
    for move in moves:
        assert make_agent("medium", f"3 {match.mover + 1}").choose(match) == move
        match.play(move)


def test_an_agent_sees_something_else_in_the_next_match() -> None:
    agent, game = make_agent("beginner", 1), make("charge")
    assert len({agent.choose(Match(game)) for _ in range(20)}) > 1


def test_a_level_sees_the_same_in_a_position_however_it_came_about() -> None:
    one, two = Match(make("crystal-capture")), Match(make("crystal-capture"))
    for move in ("1", "2", "3", "4"):
        one.play(move)
    for move in ("3", "4", "1", "2"):
        two.play(move)
    assert one.state == two.state
    chosen = [(make_agent("easy", seed).choose(one), make_agent("easy", seed).choose(two)) for seed in range(40)]
    assert all(first == second for first, second in chosen)
    assert len(set(chosen)) > 1


def test_a_level_finds_one_of_many_wins_no_more_often_than_it_would_the_only_one() -> None:
    """How far it sees is drawn for a position, not for each move. Where it does not see the wins, it plays any move."""
    game, seeds = make("alpha-chase"), 600
    level = Level("sees a result 15 turns away in one position of three", 1, half_turns=7, candidates=1, search_games=1)
    match = next(
        match
        for match in positions(game, 100)
        if [found.plies for found in solved(game).moves(match.state)][:9] == [15] * 9
    )
    moves = {found.move: found.value for found in solved(game).moves(match.state)}
    won = sum(moves[LevelAgent(random.Random(seed), level).choose(match)] is Value.WIN for seed in range(seeds))
    by_chance = [*moves.values()].count(Value.WIN) / len(moves)
    assert won / seeds == pytest.approx(1 / 3 + 2 / 3 * by_chance, abs=0.07)


def test_a_win_that_was_seen_is_played_to_the_end() -> None:
    game = make("charge")
    solution, followed = solved(game), 0
    for seed in range(60):
        match, agent, other = Match(game), LevelAgent(random.Random(seed), SHORT_SIGHTED), random.Random(seed)
        seen = False
        while not match.over and len(match.moves) < 40:
            if match.mover != seed % 2:
                match.play(other.choice(list(game.legal_moves(match.state))))
                continue
            before = match.state
            match.play(agent.choose(match))
            won = match.over or solution.value(match.state) is Value.LOSS  # for the opponent, who moves next
            assert won or not seen
            followed += seen and not match.over
            if not match.over:
                chance = SHORT_SIGHTED.chance(1 + (solution.remoteness(match.state) or 0))
                seen = won and (seen or agent._draw(game, before) < chance)
    assert followed > 10


def lost_positions(reach: float) -> Iterator[tuple[Match, set[int]]]:
    """Return lost positions whose end is near, and the moves that leave the smallest share of winning replies."""
    game = make("crystal-capture")
    solution = solved(game)
    for match in positions(game, 1500):
        scored = solution.moves(match.state)
        if scored[0].value is not Value.LOSS or (scored[0].plies or 0) > reach:
            continue
        shares = {found.move: solution.winning_share(game.play(match.state, found.move)) for found in scored}
        traps = {move for move, share in shares.items() if share == min(shares.values())}
        if traps != set(shares):
            yield match, traps


def test_in_a_lost_position_strong_levels_set_traps_and_weak_ones_do_not() -> None:
    found = list(lost_positions(reach=LEVELS["hard"].sure_turns))
    assert len(found) > 5

    def trap_share(level: str) -> float:
        chosen = [make_agent(level, seed).choose(match) in traps for match, traps in found for seed in range(5)]
        return sum(chosen) / len(chosen)

    assert [trap_share(level) for level in ("hard", "expert", "perfect")] == [1, 1, 1]
    assert max(trap_share(level) for level in ("beginner", "easy", "medium")) < 0.9


@pytest.mark.parametrize(("first", "only"), [("6", "9"), ("7", "8"), ("8", "7")])
def test_no_trap_leaves_a_win_in_one_that_could_be_put_off(first: str, only: str) -> None:
    match = Match(make("crystal-capture"))
    match.play(first)
    chosen = {LevelAgent(random.Random(seed), ALL_SEEING).choose(match) for seed in range(20)}
    assert {match.game.move_name(match.state, move) for move in chosen} == {only}

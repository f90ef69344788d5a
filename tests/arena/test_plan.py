"""Plans: which matches are played, and their seeds."""

from duelbook import GAMES
from duelbook.arena import plan_evaluation, plan_tournament
from duelbook.arena.entries import read_entries

PLAN = plan_tournament(["alpha-chase,charge:goal=21"], ["random", "greedy", "perfect"], pairs=4, seed=7)


def test_every_two_agents_play_every_opening_from_both_seats() -> None:
    fixtures = [PLAN.fixture(number) for number in range(PLAN.total)]
    assert PLAN.total == 2 * 3 * 4 * 2
    met = {(fixture.entry, fixture.pair, fixture.agents, fixture.first) for fixture in fixtures}
    assert met == {(e, p, m, f) for e in (0, 1) for p in range(4) for m in ((0, 1), (0, 2), (1, 2)) for f in (0, 1)}
    for fixture in fixtures:
        assert fixture.game == PLAN.fixture(fixture.number ^ 1).game, "both seats have the same opening"
        same = [other.game for other in fixtures if (other.entry, other.pair) == (fixture.entry, fixture.pair)]
        assert same == [fixture.game] * 6, "all agents have the same opening"
    assert len({fixture.game for fixture in fixtures if fixture.entry == 0}) > 1, "openings differ"


def test_every_match_of_a_tournament_has_its_own_seed_derived_from_that_of_the_plan() -> None:
    seeds = {PLAN.seed_of(number) for number in range(PLAN.total)}
    assert len(seeds) == PLAN.total
    other = plan_tournament(["alpha-chase,charge:goal=21"], PLAN.agents, pairs=4, seed=8)
    assert not seeds & {other.seed_of(number) for number in range(other.total)}
    assert PLAN.seed_of(0) == 2_818_437_072_594_250_503, "it never changes"


def test_games_are_listed_with_their_options() -> None:
    entries = read_entries(["charge:goal=21:refresh=empty-hand,alpha-chase:words=PLANT,GHOST", "flag-chase"])
    assert [entry.label for entry in entries] == ["charge:goal=21:refresh=empty-hand", "alpha-chase", "flag-chase"]
    assert [entry.drawn for entry in entries] == [(), (), ()]
    assert [entry.drawn for entry in read_entries(["alpha-chase"])] == [("words",)]
    assert {entry.label for entry in read_entries(["all"])} == {*GAMES}


def test_in_an_evaluation_one_agent_meets_every_opponent_from_both_seats() -> None:
    plan = plan_evaluation("greedy", ["alpha-chase", "flag-chase"], ["random", "greedy"], pairs=2)
    fixtures = [plan.fixture(number) for number in range(plan.total)]
    met = {(plan.games[fixture.entry], *plan.players(fixture), fixture.pair, fixture.first) for fixture in fixtures}
    assert met == {
        (game, "greedy", opponent, pair, first)
        for game in ("alpha-chase", "flag-chase")
        for opponent in ("random", "greedy")
        for pair in (1, 2)
        for first in (0, 1)
    }
    for one, two in zip(fixtures[::2], fixtures[1::2], strict=True):
        assert (one.game, one.seed, one.pair) == (two.game, two.seed, two.pair), "the same from both seats"


def test_a_further_opponent_leaves_the_other_matches_of_an_evaluation_as_they_are() -> None:
    few, more = (
        plan_evaluation("greedy", ["alpha-chase"], opponents, pairs=2)
        for opponents in (["random"], ["perfect", "random"])
    )
    known = {fixture.name: fixture for fixture in map(more.fixture, range(more.total))}
    for fixture in map(few.fixture, range(few.total)):
        assert (fixture.game, fixture.seed) == (known[fixture.name].game, known[fixture.name].seed)


def test_the_words_of_alpha_chase_are_drawn_for_each_pair() -> None:
    plan = plan_tournament(["alpha-chase"], ["random", "greedy"], pairs=3, seed=8)
    words = [plan.fixture(number).game.words for number in range(plan.total)]  # type: ignore[attr-defined]
    assert words[::2] == words[1::2] == [("PLANT", "BRAVE"), ("CHARM", "BRAVE"), ("CHARM", "PLANT")], "it never changes"

"""`duelbook bench` measures every game and every installed library. How large the figures are is not tested."""

import json

import pytest

from benchmarks import levels
from duelbook.bench import Figure, bench_json
from duelbook.bench.peers import PEERS, PGX_BATCH
from duelbook.cli.bench import missing_peers_note, ratio_text, speed_line
from tests.support.keyboard import run

QUICK = ("--seconds", "0.01", "--workers", "2")


def test_a_game_is_measured_interpreted_and_compiled_on_one_core_and_on_several() -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    figures = json.loads(run(["bench", "flag-chase", "--json", *QUICK]).stdout)["figures"]
    ours = [figure for figure in figures if figure["name"] == "flag-chase"]
    assert [(figure["way"], figure["cores"]) for figure in ours] == [
        ("interpreted", 1),
        ("compiled", 1),
        ("compiled, batched", 1),
        ("compiled", 2),
    ]
    assert all(figure["speed"] > 0 for figure in ours)
    assert ours[1]["goal"] == ours[2]["goal"] == 20e6
    assert ours[3]["scaling"] > 0


def test_the_table_names_the_libraries_that_are_not_installed() -> None:
    table = run(["bench", "flag-chase", *QUICK]).stdout
    assert "flag-chase" in table
    for name, peer in PEERS.items():
        assert (f"{name} " in table) == peer.installed or name in table.splitlines()[-1]


def test_ratios_are_to_every_library_of_the_same_run_and_to_one_core() -> None:
    peer = next(iter(PEERS))
    figures = [
        Figure(peer, "C++", 1, 2.0),
        Figure("charge", "compiled", 1, 8.0, 4.0),
        Figure("charge", "compiled", 2, 12.0),
    ]
    _, alone, both = bench_json(figures)["figures"]
    assert alone["ratios"] == {peer: 4.0}
    assert both["scaling"] == 1.5
    assert speed_line(both).endswith(f"{peer.split()[0]} 6.0, one core 1.50")
    assert speed_line(alone).endswith("(goal 4)")
    assert missing_peers_note([]) == ""


def test_installed_libraries_play() -> None:
    for peer in PEERS.values():
        if peer.installed:
            games = PGX_BATCH if peer.packages[0] == "pgx" else 20
            assert 5 * games <= peer.player()(games) <= 9 * games


def test_a_ratio_below_one_has_two_significant_digits() -> None:
    assert [ratio_text(ratio) for ratio in (1234.56, 1.04, 0.0372, 0.5)] == ["1,234.6", "1.0", "0.037", "0.5"]


def test_two_levels_between_which_skill_decides_nothing_have_no_rating_step() -> None:
    *_, mean = levels.rows(["flag-chase"], pairs=2)
    assert mean[0] == "mean rating step"
    assert mean[-1] == "–"

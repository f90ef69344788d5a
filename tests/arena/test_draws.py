"""Tournaments and evaluations of a game that starts from a shuffle."""

import json
from pathlib import Path

from duelbook.arena import (
    TournamentPlan,
    load_manifest,
    plan_tournament,
    run_tournament,
)
from duelbook.records.document import from_json
from duelbook.records.record import Record
from tests.arena.conftest import files


def records_of(folder: Path) -> list[Record]:
    return [from_json(json.loads(line)) for line in (folder / "matches.jsonl").read_text().splitlines()]


def test_both_matches_of_a_pair_start_from_the_same_draw_and_their_records_hold_it(
    tmp_path: Path, number_row: str
) -> None:
    plan = plan_tournament([number_row], ["random", "perfect"], pairs=3, seed=5)
    run_tournament(plan, tmp_path / "one", backend="serial")
    games = [record.game for record in records_of(tmp_path / "one")]
    assert games == [plan.fixture(number).game for number in range(plan.total)]
    assert games[::2] == games[1::2]
    assert len({*games}) == 3
    run_tournament(plan, tmp_path / "two", backend="process", workers=1)
    assert files(tmp_path / "two") == files(tmp_path / "one")


def test_a_manifest_leaves_out_what_is_drawn_and_keeps_what_is_given(tmp_path: Path, number_row: str) -> None:
    for game, options in ((number_row, {"length": 8}), (f"{number_row}:length=2:row=2,1", {"length": 2, "row": "2,1"})):
        plan = plan_tournament([game], ["random", "greedy"], pairs=1)
        out = tmp_path / str(len(options))
        run_tournament(plan, out, backend="serial")
        assert json.loads((out / "manifest.json").read_text())["games"][0]["options"] == options
        assert load_manifest(out / "manifest.json", TournamentPlan) == plan

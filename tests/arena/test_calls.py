"""Tournaments and evaluations in one call: the same results as by a plan and a folder, and tables of them."""

from pathlib import Path

import pytest

import duelbook
from duelbook import RefusedError
from duelbook.arena import plan_tournament, play_series, run_tournament
from tests.test_notebook import records

pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")


def test_a_tournament_in_one_call_has_the_standings_of_its_plan(tmp_path: Path) -> None:
    standings = duelbook.tournament("crystal-capture,flag-chase", ["random", "perfect"], pairs=2, seed=4)
    plan = plan_tournament(["crystal-capture", "flag-chase"], ["random", "perfect"], pairs=2, seed=4)
    assert standings == run_tournament(plan, tmp_path / "planned", backend="serial")
    again = duelbook.tournament(
        ["crystal-capture", "flag-chase"], ["random", "perfect"], pairs=2, seed=4, folder=tmp_path / "kept"
    )
    assert again == standings
    assert {file.name for file in (tmp_path / "kept").iterdir()} == {
        file.name for file in (tmp_path / "planned").iterdir()
    }
    [best, worst] = records(standings.table())
    assert (best["agent"], worst["agent"]) == ("perfect", "random")
    assert (best["matches"], best["accuracy"], best["regret"]) == (8, 1.0, 0.0)
    assert best["score"] == pytest.approx(1 - worst["score"])
    assert [row["matches"] for row in records(standings.table("flag-chase"))] == [4, 4]
    with pytest.raises(RefusedError, match=r"no game 'charge'\. Games: all, crystal-capture, flag-chase"):
        standings.table("charge")
    html = standings._repr_html_()
    assert ">perfect</td>" in html
    assert "different matches of 8" in html


def test_an_evaluation_in_one_call_has_a_row_for_each_game_opponent_and_seat(tmp_path: Path) -> None:
    report = duelbook.evaluate("greedy", ["crystal-capture"], ["random", "perfect"], pairs=1, folder=tmp_path / "out")
    rows = records(report.table())
    assert [(row["opponent"], row["seat"], row["matches"]) for row in rows] == [
        (opponent, seat, 1) for opponent in ("random", "perfect") for seat in ("first", "second")
    ]
    assert [row["game"] for row in report.summary()] == ["crystal-capture", "all"]
    assert "greedy against random, perfect" in report._repr_html_()
    assert (tmp_path / "out/report.json").exists()


def test_a_series_is_a_table_by_seat() -> None:
    series = play_series("flag-chase", ("perfect", "random"), 4)
    rows = records(series.table())
    assert [(row["seat"], row["matches"]) for row in rows] == [("all", 4), ("first", 2), ("second", 2)]
    assert "perfect scored" in series._repr_html_()


def test_answers_that_cost_something_need_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOOK_LLM_BASE_URL", "http://localhost:1/v1")
    with pytest.raises(RefusedError, match="Give a folder: what llm:model answers is kept there"):
        duelbook.evaluate("llm:model", ["flag-chase"], ["random"])
    with pytest.raises(RefusedError, match="Give a folder: what process:cat answers"):
        duelbook.tournament("flag-chase", ["random", "process:cat"])


def test_errors_in_python_say_what_to_write_there() -> None:
    with pytest.raises(RefusedError, match="needs at least two agents, for example greedy,perfect"):
        duelbook.tournament("flag-chase", ["greedy"])
    with pytest.raises(RefusedError, match="An agent is given by its name"):
        duelbook.tournament("flag-chase", ["greedy", object()])  # type: ignore[list-item]
    with pytest.raises(RefusedError, match=r"openings must be one of balanced, book, none, not 'odd'\."):
        duelbook.tournament("flag-chase", "greedy,random", openings="odd")
    with pytest.raises(RefusedError, match="Several workers need the back end process or ray"):
        duelbook.tournament("flag-chase", "greedy,random", workers=2)

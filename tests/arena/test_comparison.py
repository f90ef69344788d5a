"""Several runs side by side: the figures of each run's own report, and differences only where they mean something."""

import json
from pathlib import Path

import pytest

from duelbook import RefusedError
from duelbook.arena import compare_runs, plan_evaluation, plan_tournament, run_evaluation, run_tournament
from duelbook.arena.pairing import AgentMatch, MatchPlace, compare_places
from duelbook.intervals import paired_difference
from tests.arena.conftest import Call
from tests.support.endpoint import endpoint
from tests.support.models import Duelbook

pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two evaluations of the same plan, one with other games, and a tournament."""
    folder = tmp_path_factory.mktemp("runs")
    for name, agent, games in (
        ("one", "greedy", ["crystal-capture"]),
        ("two", "expert", ["crystal-capture"]),
        ("three", "greedy", ["crystal-capture", "flag-chase"]),
    ):
        run_evaluation(plan_evaluation(agent, games, ["random", "perfect"], pairs=4), folder / name)
    run_tournament(plan_tournament(["flag-chase"], ["random", "greedy"], pairs=2), folder / "all", backend="serial")
    return folder


def test_rows_have_the_figures_of_the_reports(runs: Path, call: Call) -> None:
    said = call("compare", runs / "one", runs / "two", "--json")
    document = json.loads(said.out)
    assert document["notes"] == []
    for row, name in zip(document["overall"], ("one", "two"), strict=True):
        report = json.loads((runs / name / "report.json").read_text())["overall"]
        assert (row["run"], row["matches"], row["wins"]) == (name, report["matches"], report["wins"])
        assert round(row["accuracy"]["rate"], 6) == report["accuracy"]["rate"]
        assert round(row["accuracy"]["low"], 6) == report["accuracy"]["low"]
        assert row["regret"] == report["regret"]
    one, two = document["overall"]
    assert one["difference"] is one["reference"] is None
    assert two["reference"] == {"run": "one", "agent": "greedy"}
    assert two["difference"]["rate"] == two["score"]["rate"] - one["score"]["rate"]
    assert two["difference"]["low"] < two["difference"]["rate"] < two["difference"]["high"]
    assert [part["game"] for part in document["games"]] == ["crystal-capture"]
    assert [part["opponent"] for part in document["opponents"]] == ["random", "perfect"]
    against = [sum(part["rows"][0]["matches"] for part in document["opponents"]), one["matches"]]
    assert against[0] == against[1]


def test_runs_from_the_same_openings_are_compared_in_pairs(tmp_path: Path, runs: Path) -> None:
    games, opponents = ["crystal-capture", "flag-chase"], ["random", "perfect"]
    for name, agent, pairs, seed in (("one", "greedy", 20, 0), ("same", "greedy", 20, 0), ("other", "greedy", 20, 5)):
        run_evaluation(plan_evaluation(agent, games, opponents, pairs=pairs, seed=seed), tmp_path / name)
    same, other = (compare_runs([tmp_path / "one", tmp_path / name])["overall"][1] for name in ("same", "other"))
    assert same["matches"] == same["difference"]["pairs"] == 160
    assert (same["difference"]["rate"], same["difference"]["better"]) == (0, 0.5)
    assert same["difference"]["high"] < 0.13, "21 openings in which nothing differs"
    assert other["difference"]["pairs"] is None, "other openings: the scores are independent"
    assert other["difference"]["high"] - other["difference"]["rate"] > 1.3 * same["difference"]["high"]
    shorter = compare_runs([tmp_path / "one", runs / "one"])
    against = shorter["games"][0]["rows"][1]
    assert (against["difference"]["rate"], against["difference"]["pairs"]) == (0, 16), "those that both played"


def test_pairs_of_matches_have_the_same_opening_seat_and_opponent() -> None:
    played = AgentMatch(1, 0)
    place = MatchPlace("charge", "random", 0, 0, 7)
    one = {place._replace(opening=opening, seat=seat): played for opening in range(5) for seat in (0, 1)}
    worse = {at: AgentMatch(float(at.opening > 2), 0) for at in one}
    found = compare_places(one, worse)
    assert found
    assert (found.rate, found.pairs) == (0.6, 10)
    for part in ({"seat": 2}, {"opponent": "perfect"}, {"game": "flag-chase"}, {"pair": 1}):
        assert compare_places(one, {place._replace(**part): played}) is None
    assert compare_places(one, dict(list(one.items())[:1])) == (0, None, None, None, 1), (
        "one opening tells nothing about others"
    )


def test_matches_that_only_repeat_each_other_are_one_pair() -> None:
    first = {
        MatchPlace("charge", "perfect", 0, pair, pair % 3): AgentMatch(pair % 3 > 0, pair % 3) for pair in range(30)
    }
    lost = {place: AgentMatch(0, 0) for place in first}
    repeated = compare_places(first, lost)
    once = compare_places({place: first[place] for place in list(first)[:3]}, {place: lost[place] for place in lost})
    assert repeated
    assert once
    assert repeated[:4] == once[:4]


def test_pairs_from_the_only_opening_count_each_if_somebody_plays_by_chance() -> None:
    drawn = {MatchPlace("flag-chase", "random", 0, pair, 0): AgentMatch(pair % 4 > 0, pair % 2) for pair in range(12)}
    lost = {place: AgentMatch(0, 0) for place in drawn}
    found, same = compare_places(drawn, lost), compare_places(lost, lost)
    assert found
    assert found[:4] == paired_difference(0.75, [[float(pair % 4 > 0)] for pair in range(12)])
    assert same == (0, None, None, None, 12)


def test_an_agent_is_compared_with_itself_in_an_earlier_run(tmp_path: Path, call: Call) -> None:
    agents = ["random", "greedy", "medium"]
    for name, seed in (("one", 1), ("two", 2)):
        plan = plan_tournament(["crystal-capture"], agents, pairs=3, seed=seed)
        run_tournament(plan, tmp_path / name, backend="serial")
    rows = json.loads(call("compare", tmp_path / "one", tmp_path / "two", "--json").out)["overall"]
    scores = {(row["run"], row["agent"]): row["score"]["rate"] for row in rows}
    assert [row["difference"] for row in rows[:3]] == [None] * 3, "within a run nobody met the same opponents"
    for row in rows[3:]:
        assert row["reference"] == {"run": "one", "agent": row["agent"]}
        assert row["difference"]["rate"] == scores["two", row["agent"]] - scores["one", row["agent"]]
    for row in rows:
        standings = json.loads((tmp_path / row["run"] / "standings.json").read_text())["overall"]["standings"]
        own = next(one for one in standings if one["agent"] == row["agent"])
        assert (row["regret"], round(row["accuracy"]["rate"], 4)) == (own["regret"], own["accuracy"])
        assert row["agent"] != "random" or row["regret"] > 0
    shown = call("compare", tmp_path / "one", tmp_path / "two").out
    assert "to the same agent in an earlier run, or else to the first row." in shown


def test_a_comparison_is_a_table_and_shows_itself(runs: Path) -> None:
    found = compare_runs([runs / "one", runs / "two"])
    one, two = found.rows()
    assert (one["agent"], one["difference"], one["reference"]) == ("greedy", None, None)
    assert (two["agent"], two["reference"]) == ("expert", "greedy in one")
    assert two["difference"] == two["score"] - one["score"]
    assert two["difference_low"] < two["difference"] < two["difference_high"]
    assert found.rows("crystal-capture")[0]["matches"] == one["matches"]
    assert '<td style="text-align:left">expert</td>' in found._repr_html_()
    with pytest.raises(RefusedError, match=r"No run has the game 'charge'\. Games: all, crystal-capture\."):
        found.table("charge")


def test_other_settings_of_models_are_told(tmp_path: Path, duelbook: Duelbook) -> None:
    match = ["--games", "flag-chase", "--pairs", 1]
    evaluation = ["eval", "--agent", "llm:small-model", "--opponent", "random", *match]
    with endpoint() as serving:
        settings = serving.environment()
        duelbook(*evaluation, "--out", tmp_path / "one", **settings)
        duelbook(*evaluation, "--out", tmp_path / "two", "--attempts", 1, **settings | {"DUELBOOK_LLM_TIMEOUT": "9"})
        duelbook("tournament", "--agents", "random,llm:small-model", *match, "--out", tmp_path / "three", **settings)
    notes = json.loads(duelbook("compare", *(tmp_path / name for name in ("one", "two", "three")), "--json").stdout)[
        "notes"
    ]
    assert [note for note in notes if "DUELBOOK" in note] == [
        "The runs differ in DUELBOOK_LLM_ATTEMPTS: one: 3; two: 1; three: 3.",
        "The runs differ in DUELBOOK_LLM_TIMEOUT: one: 60.0; two: 9.0; three: 60.0.",
    ]
    page = (tmp_path / "three/report.html").read_text()
    assert (
        "<p>Language models have up to 3 answers per move, 60 s for each, legal moves shown, tolerant reading.</p>"
        in page
    )


def test_there_is_no_difference_between_runs_that_played_something_else(runs: Path, call: Call) -> None:
    document = json.loads(call("compare", runs / "one", runs / "three", runs / "all", "--json").out)
    assert document["notes"][0] == (
        "The runs differ in their games: one: crystal-capture; three: crystal-capture, flag-chase; all: flag-chase."
    )
    assert [(row["run"], row["agent"]) for row in document["overall"]] == [
        ("one", "greedy"),
        ("three", "greedy"),
        ("all", "random"),
        ("all", "greedy"),
    ]
    assert [row["difference"] for row in document["overall"]] == [None] * 4
    crystal, _ = document["games"]
    assert crystal["rows"][1]["difference"]["rate"] == 0  # the same agent in the same matches
    against_random, *_ = document["opponents"]
    assert [row["run"] for row in against_random["rows"]] == ["one", "three", "all"]


def test_the_figures_are_shown_and_the_page_is_written_once(runs: Path, tmp_path: Path, call: Call) -> None:
    page = tmp_path / "page.html"
    said = call("compare", runs / "one", runs / "two", "--out", page)
    assert said.code == 0
    assert said.out.splitlines()[0].split() == [
        *("run", "agent", "score", "difference", "better", "accuracy", "regret", "forfeits"),
    ]
    assert said.out.endswith(f"The page is {page}\n")
    assert "<h1>Comparison of 2 runs</h1>" in page.read_text()
    again = call("compare", runs / "one", runs / "two", "--out", page)
    message = f"duelbook: '{page}' already exists. Choose another file, or remove that one first.\n"
    assert again == (2, "", message)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["one"], "Give at least two different folders of tournaments or evaluations to compare."),
        (["one", "one"], "Give at least two different folders of tournaments or evaluations to compare."),
        (["one", "none"], "holds neither a tournament nor an evaluation."),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(runs: Path, call: Call, names: list[str], said: str) -> None:
    found = call("compare", *(runs / name for name in names))
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert found.err.endswith(f"{said}\n")


def test_runs_with_the_same_name_are_told_apart(runs: Path, tmp_path: Path, call: Call) -> None:
    (tmp_path / "one").symlink_to(runs / "two")
    copy = tmp_path / "other/one"
    copy.mkdir(parents=True)
    for file in ("evaluation.json", "results.log"):
        (copy / file).write_bytes((runs / "two" / file).read_bytes())
    document = json.loads(call("compare", runs / "one", copy, "--json").out)
    assert [run["run"] for run in document["runs"]] == [f"{runs.name}/one", "other/one"]


def test_a_run_that_is_not_finished_says_how_far_it_is(runs: Path, tmp_path: Path, call: Call) -> None:
    run_tournament(
        plan_tournament(["flag-chase"], ["random", "greedy"], pairs=501), tmp_path / "part", backend="serial"
    )
    log = tmp_path / "part/results.log"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:1001]))
    said = call("compare", runs / "all", tmp_path / "part")
    assert "Note: part is not finished: 1,001 of 1,002 matches." in said.out.splitlines()

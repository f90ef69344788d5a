"""The protocol: a program says who it is and when it is ready, plays many matches, and says what it thinks."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook import make
from duelbook.agents import StoppedError, introduction, make_agent, turn_report
from duelbook.agents.process import KEPT, child
from duelbook.arena import plan_tournament, play_match, play_series, run_tournament
from duelbook.game import Reason
from duelbook.match import Match
from duelbook.records import from_json, load_record, to_json
from duelbook.records.record import Note
from tests.support.models import Duelbook
from tests.support.programs import ANSWER, clock_file, player_script, program

INFO = (
    """printf '{"type": "info", "evaluation": 0.5, "depth": 3}\\n{"type": "info", "depth": 4, "text": "a  plan"}\\n'"""
)
MANY = '"matches", "seed"'

Saved = Callable[[str], str]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give programs the time of a busy machine, also to end by themselves."""
    for name in ("", "START_"):
        monkeypatch.setenv(f"DUELBOOK_PROCESS_{name}SECONDS", "60")
    monkeypatch.setattr(child, "GRACE_SECONDS", 60)


@pytest.fixture
def saved(tmp_path: Path) -> Saved:
    """A function that saves a script, which is too long for a command, and returns the agent that plays by it."""

    def save(script: str) -> str:
        file = tmp_path / f"player-{len(list(tmp_path.iterdir()))}.sh"
        file.write_text(script)
        return f"process:sh {file}"

    return save


def test_a_program_introduces_itself_and_plays() -> None:
    with program(player_script()) as agent:
        match = Match(make("charge"))
        assert match.play(agent.choose(match)) == 0
        assert introduction(agent) == ("Shell", "Tests")


def test_a_program_is_named_in_the_record_as_it_named_itself(saved: Saved) -> None:
    played = play_match(make("flag-chase"), (saved(player_script()), "greedy"))
    assert [person.name for person in played.record.people] == ["Shell", "greedy"]
    assert played.record.people[0].agent.startswith("process:sh ")


def test_neither_the_start_nor_getting_ready_is_charged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saved: Saved
) -> None:
    late = f"echo 100 >>{clock_file(tmp_path, monkeypatch)}"
    slow = player_script(start=late, ready=late)
    with program(slow) as agent:
        agent.choose(Match(make("charge")))
        assert turn_report(agent).seconds == 0
    assert play_match(make("flag-chase"), (saved(slow), "greedy")).seconds_of(0)[0] == 0


def test_a_program_that_does_not_play_the_game_stops_the_run_and_loses_nothing() -> None:
    script = player_script().replace('"can": []', '"games": ["flag-chase"]')
    with program(script) as agent:
        with pytest.raises(StoppedError, match=r"Shell does not play charge\. The games that it plays: flag-chase"):
            agent.choose(Match(make("charge")))
        agent.choose(Match(make("flag-chase")))


def test_the_last_info_of_each_kind_is_kept_with_the_move(saved: Saved) -> None:
    played = play_match(make("flag-chase"), (saved(player_script(info=INFO)), "greedy"), seed=1)
    assert played.record.notes[0] == Note(1, 0.5, 4, "a plan")
    assert [note.move for note in played.record.notes] == [1]
    document = to_json(played.record)
    assert document["notes"][0] == {"move": 1, "evaluation": 0.5, "depth": 4, "text": "a plan"}
    assert from_json(json.loads(json.dumps(document))) == played.record


def test_info_is_in_the_record_of_a_match_at_the_terminal_and_is_shown(
    tmp_path: Path, duelbook: Duelbook, saved: Saved
) -> None:
    file = tmp_path / "game.json"
    players = ("--p1", saved(player_script(info=INFO)), "--p2", "greedy")
    played = duelbook("play", "flag-chase", *players, "--record", file)
    assert played.returncode == 0, played.stderr
    assert "Player 1 is Shell by Tests." in played.stdout
    assert "Player 1 expects +0.50 at depth 4: a plan" in played.stdout
    assert load_record(file).notes[0].text == "a plan"
    assert "played 1\nThe program expects +0.50 at depth 4: a plan\n" in duelbook("replay", file).stdout
    assert "\nMove 1: Player 1 expects +0.50 at depth 4: a plan\n" in duelbook("review", file).stdout
    judged = json.loads(duelbook("review", file, "--json").stdout)["moves"]
    assert judged[0]["note"] == "The program expects +0.50 at depth 4: a plan."
    assert judged[1]["note"] is None


class TestClockOfAMatch:
    def test_it_is_told_and_counts_down(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DUELBOOK_PROCESS_MATCH_SECONDS", "8")
        heard = tmp_path / "heard"
        match = Match(make("charge"))
        with program(f"tee {heard} | {ANSWER}") as agent:
            for _ in range(2):
                match.play(agent.choose(match))
                match.play("steal" if "steal" in match.game.render(match.state) else 0)
        game, *turns = [json.loads(line) for line in heard.read_text().splitlines()]
        assert game["match_seconds"] == 8
        assert turns[0]["seconds_left"] == 8
        assert 0 < turns[1]["seconds_left"] <= 8  # it may have answered within a millisecond
        assert [*turns[0]][-1] == "legal"

    @pytest.fixture
    def thinking(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
        """A command that takes 25 of the 60 seconds of a match."""
        monkeypatch.setenv("DUELBOOK_PROCESS_MATCH_SECONDS", "60")
        return f"echo 25 >>{clock_file(tmp_path, monkeypatch)}"

    def test_a_program_that_uses_it_up_loses_on_time(self, thinking: str, saved: Saved) -> None:
        played = play_match(make("charge"), (saved(player_script(info=thinking)), "random"), seed=1)
        assert played.forfeit is not None
        assert (played.forfeit.kind, played.forfeit.detail) == (
            "timeout",
            "The program used up its 60 seconds for the match.",
        )
        assert played.seconds_of(0) == (25, 25)

    def test_it_begins_anew_with_each_match(self, thinking: str, saved: Saved) -> None:
        agents = (saved(player_script(can=MANY, info=thinking)), "greedy")
        with KEPT.during_run():
            for seed in range(5):
                assert play_match(make("flag-chase"), agents, seed=seed).forfeit is None


class TestOneProcessForManyMatches:
    def series(self, script: str, tmp_path: Path, saved: Saved) -> tuple[int, dict[str, object]]:
        """Return how often the program was started in a series of six matches, and the result of the series."""
        starts = tmp_path / f"starts {time.monotonic_ns()}"
        found = play_series("crystal-capture", (saved(f"echo x >>'{starts}'; {script}"), "random"), 6, openings="book")
        assert not any(found["forfeits"][0].values())
        return len(starts.read_text().splitlines()), found

    def test_a_program_that_can_is_started_once_and_one_that_cannot_each_time(
        self, tmp_path: Path, saved: Saved
    ) -> None:
        once, results = self.series(player_script(can=MANY), tmp_path, saved)
        each, same_results = self.series(player_script(), tmp_path, saved)
        assert (once, each) == (1, 6)
        assert results["score"] == same_results["score"]

    def test_it_gets_the_result_of_each(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saved: Saved) -> None:
        told = tmp_path / "told"
        monkeypatch.setenv("RESULTS", str(told))
        started, found = self.series(player_script(can=MANY), tmp_path, saved)
        results = [json.loads(line) for line in told.read_text().splitlines()]
        assert started == 1
        assert len(results) == 6
        assert sum(result["result"] == "win" for result in results) == found["wins"]
        assert {result["reason"] for result in results} == {"rules"}
        assert all(result["history"] for result in results)

    def test_a_forfeit_is_told_with_the_reason_and_the_program_is_started_again(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saved: Saved
    ) -> None:
        told, starts = tmp_path / "told", tmp_path / "starts"
        monkeypatch.setenv("RESULTS", str(told))
        script = player_script(start=f"echo x >>{starts}", can=MANY, turn="""echo '{"move": "10"}'""")
        play_series("crystal-capture", (saved(script), "random"), 2, openings="book")
        first, _ = [json.loads(line) for line in told.read_text().splitlines()]
        assert (first["result"], first["reason"]) == ("loss", "forfeit")
        assert first["why"].startswith("The program's answer is not a legal move: '10' is not legal here.")
        assert len(starts.read_text().splitlines()) == 2

    def test_one_that_ends_between_matches_is_started_again(self, tmp_path: Path, saved: Saved) -> None:
        script = player_script(can=MANY).replace(">&3;;", ">&3; exit;;")
        assert self.series(script, tmp_path, saved)[0] == 6

    def test_each_worker_has_its_own(self, tmp_path: Path, saved: Saved) -> None:
        pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")
        starts = tmp_path / "starts"
        agent = saved(player_script(start=f"echo $$ >>{starts}", can=MANY, info=INFO))
        plan = plan_tournament(["crystal-capture"], ["greedy", "random", agent], pairs=3, openings="balanced")
        run_tournament(plan, tmp_path / "two", workers=2)
        assert 1 <= len(numbers := starts.read_text().splitlines()) <= 2
        assert all(not Path(f"/proc/{number}").exists() for number in numbers)  # they ended with the run
        run_tournament(plan, tmp_path / "one", backend="serial")
        assert len(starts.read_text().splitlines()) == len(numbers) + 1
        assert (tmp_path / "one/matches.jsonl").read_bytes() == (tmp_path / "two/matches.jsonl").read_bytes()

    def test_nothing_is_kept_outside_of_a_run(self, tmp_path: Path, saved: Saved) -> None:
        starts = tmp_path / "starts"
        agents = (saved(player_script(start=f"echo $$ >>{starts}", can=MANY)), "greedy")
        for _ in range(2):
            assert play_match(make("flag-chase"), agents).record.reason is Reason.RULES
        assert len(starts.read_text().splitlines()) == 2

    def test_the_same_seed_is_sent_to_a_program_that_is_kept(self, tmp_path: Path, saved: Saved) -> None:
        heard = tmp_path / "heard"
        agent_name = saved(player_script(can=MANY, ready=f"""printf '%s\\n' "$line" >>{heard}"""))
        with KEPT.during_run():
            for _ in range(2):
                agent = make_agent(agent_name, 7)
                match = Match(make("flag-chase"))
                match.play(agent.choose(match))
                match.resign(1)
                agent.end_match(match)  # type: ignore[attr-defined]
                agent.close()
        one, two = [json.loads(line) for line in heard.read_text().splitlines()]
        assert one["seed"] == two["seed"]
        assert one["protocol"] == two["protocol"] == 1

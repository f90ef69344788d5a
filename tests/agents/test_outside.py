"""Agents from outside: of other packages, and of the environment variable."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook import RefusedError, make
from duelbook.agents import (
    AGENTS,
    KINDS,
    ForfeitKind,
    StoppedError,
    agent_names,
    agent_settings,
    built_in_agents,
    check_agent,
    check_reachable,
    is_exact,
    is_external,
    is_own,
    make_agent,
    make_built_in,
    needs_solution,
    trust_option,
    turn_seed,
)
from duelbook.arena import play_match
from duelbook.game import Move
from duelbook.match import Match, ReadOnlyMatch
from duelbook.web.engine.worker import answer
from duelbook.web.http.catalogue import catalogue
from tests.support.entry_points import write_entry_points
from tests.support.keyboard import lines, run, run_process
from tests.support.odd_agents import ODD_AGENTS

UseAgents = Callable[[str], None]
Install = Callable[..., None]
MODULE = "tests.support.outside_agents"
BIGGEST, NTH = f"{MODULE}:Biggest", f"{MODULE}:Nth"
SUPPORT = Path(__file__).parents[1] / "support"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use_agents: UseAgents) -> Install:
    """A function that installs a package with entry points, as far as Python can tell."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def add(package: str, **agents: str) -> None:
        write_entry_points(tmp_path, "duelbook.agents", package, **agents)
        use_agents("")

    return add


@pytest.fixture
def traced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use_agents: UseAgents) -> Path:
    """A file that is written when a module with an agent from outside is imported."""
    trace = tmp_path / "imported"
    source = f"from pathlib import Path\nfrom {MODULE} import Biggest\nPath({str(trace)!r}).touch()\n"
    (tmp_path / f"traced_{tmp_path.name.replace('-', '_')}.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    use_agents(f"traced=traced_{tmp_path.name.replace('-', '_')}:Biggest")
    return trace


class TestWhereTheyComeFrom:
    def test_a_package_adds_an_agent_by_an_entry_point(self, install: Install) -> None:
        install("networks", biggest=BIGGEST, a_nth=NTH)
        assert list(AGENTS) == [*KINDS, "a-nth", "biggest"]
        assert agent_names()[-2:] == ["a-nth:N", "biggest"]
        assert len(AGENTS) == len(KINDS) + 2
        assert AGENTS["biggest"].about == "Plays the last legal move"
        assert (AGENTS.origin("biggest"), AGENTS.origin("greedy")) == ("networks 1.2", "built in")
        assert AGENTS.problems() == ()
        assert play_match("crystal-capture", ("biggest", "a-nth:3")).record.moves[:2] == ("9", "3")

    def test_the_variable_names_agents_of_a_folder(self, use_agents: UseAgents) -> None:
        use_agents(f"{BIGGEST}, third={NTH},")
        match = Match(make("crystal-capture"))
        chosen = [make_agent(text).choose(match) for text in ("biggest", "third", "third:3")]
        assert [match.game.move_name(match.state, move) for move in chosen] == ["9", "1", "3"]
        assert AGENTS.origin("third") == "DUELBOOK_AGENTS"

    @pytest.mark.parametrize(
        ("target", "sentence"),
        [
            ("no_such_module:Tower", "ModuleNotFoundError: No module named 'no_such_module'"),
            (f"{MODULE}:Tower", f"module '{MODULE}' has no attribute 'Tower'"),
            ("tests.support.entry_points:write_entry_points", "is not a class."),
            (f"{MODULE}:Half", "The class Half is not an agent: it has no close."),
            (
                f"{MODULE}:WrongParameter",
                "WrongParameter.parameter must be a NumberParameter or a TextParameter, not ",
            ),
            ("tests.support.odd_games.leaving:Leaving", f"SystemExit: 3 ({SUPPORT}/odd_games/leaving.py:3)."),
        ],
    )
    def test_one_that_cannot_be_used_is_one_sentence_and_the_others_work(
        self, install: Install, use_agents: UseAgents, target: str, sentence: str
    ) -> None:
        install("networks", biggest=BIGGEST, tower=target)
        assert [*AGENTS][-1] == "biggest"
        [problem] = AGENTS.problems()
        assert problem.startswith("The agent 'tower' (networks 1.2) cannot be used. ")
        assert sentence in problem
        assert "\n" not in problem
        with pytest.raises(RefusedError, match=f"^{re.escape(problem)}$"):
            make_agent("tower:3")
        use_agents(f"tower={target}")
        assert sentence in AGENTS.problems()[0]
        assert make_agent("greedy")


class TestParameters:
    def test_no_agent_is_named_like_a_person(self, use_agents: UseAgents) -> None:
        use_agents(f"human={BIGGEST}")
        assert "human" not in AGENTS

    def test_they_are_read_as_those_of_duelbooks_own_agents_are(self, use_agents: UseAgents) -> None:
        use_agents(f"{BIGGEST},{NTH},{MODULE}:Named")
        for text, message in {
            "nth:10": "Agent 'nth:10': N must be a whole number from 1 to 9.",
            "named": "Agent 'named': WORD is missing, as in 'named:word'.",
            "biggest:3": "Unknown agent 'biggest:3'. ",
            "bigest": "Unknown agent 'bigest'. Did you mean 'biggest'? ",
        }.items():
            with pytest.raises(RefusedError, match=f"^{re.escape(message)}"):
                check_agent(text)


class TestWhenTheyAreLoaded:
    def test_commands_without_them_do_not_load_them(self, traced: Path) -> None:
        match = "match --p1 greedy --p2 random --games flag-chase --matches 2"
        for command in ("play charge", match, "--help"):
            assert run(command.split()).stderr == ""
        assert run_process(["play", "charge", "--p1", "greedy", "--p2", "random", "--no-history"]).stderr == ""
        assert not traced.exists()
        assert run(["play", "charge", "--p1", "traced", "--p2", "random", "--no-history"]).returncode == 0
        assert traced.exists()

    def test_questions_about_an_agent_do_not_load_them(self, traced: Path) -> None:
        for ask in (is_exact, is_external, is_own, needs_solution):
            assert not ask("traced")
        assert (trust_option(["traced"]), agent_settings(["traced"])) == ("", {})
        assert turn_seed("traced", 7, 5) == "7 5"
        check_reachable(["traced"])
        assert not traced.exists()

    def test_the_service_neither_lists_nor_uses_nor_loads_them(self, traced: Path) -> None:
        assert [agent.name for agent in catalogue({}).agents] == list(built_in_agents())
        for agent, why in (
            ("traced", "Unknown agent 'traced'. Agents: beginner, "),
            ("process:ls", "Agent 'process:ls' is not available here"),
        ):
            question = {"task": "choose", "game": "charge", "options": {}, "moves": [], "seed": "1", "agent": agent}
            assert answer(json.dumps(question))["refused"].startswith(why)
        with pytest.raises(RefusedError, match="Unknown agent 'traced'"):
            make_built_in("traced")
        assert not traced.exists()
        assert "traced" in AGENTS
        assert traced.exists()


class TestWhereTheyAreShown:
    @pytest.mark.parametrize("command", ["play", "match", "tournament", "eval"])
    def test_help_lists_them_with_where_they_come_from_and_what_cannot_be_used(
        self, use_agents: UseAgents, command: str
    ) -> None:
        use_agents(f"{BIGGEST},{NTH},{MODULE}:Colourful,nowhere:Tower")
        page = run([command, "--help"]).stdout
        assert re.search(r"\n    biggest {10}Plays the last legal move \(DUELBOOK_AGENTS\)\n", page)
        assert "\n    nth:N " in page
        assert "\x1b" not in page
        assert "\n    The agent 'tower' (DUELBOOK_AGENTS) cannot be used. ModuleNotFoundError: No\n" in page
        assert all(len(line) <= 80 for line in page.splitlines())

    def test_the_menu_offers_them_and_remembers_the_choice(
        self, use_agents: UseAgents, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        use_agents(BIGGEST)
        done = run(["play"], lines("crystal-capture", "", "advanced", "biggest", "1", "quit"))
        assert "biggest: Plays the last legal move" in done.stdout
        assert "against biggest" in run(["play"], lines("quit")).stdout
        use_agents("")
        assert "same as last time" not in run(["play"], lines("quit")).stdout


class TestFailures:
    @pytest.mark.parametrize(
        ("name", "kind", "detail"),
        [
            ("broken", ForfeitKind.ERROR, "RuntimeError: <script>alert('no such thing')</script>"),
            ("illegal", ForfeitKind.ILLEGAL, "'move number 1000000' is not legal here. Legal moves: 0 (1), 1 (2)"),
            ("late", ForfeitKind.TIMEOUT, "The agent thought for too long."),
            ("leaving", ForfeitKind.ERROR, "SystemExit: 4"),
        ],
    )
    def test_any_failure_is_a_forfeit_in_the_arena_and_in_the_terminal(
        self, use_agents: UseAgents, name: str, kind: ForfeitKind, detail: str
    ) -> None:
        use_agents(f"{ODD_AGENTS['DUELBOOK_AGENTS']},{MODULE}:Leaving")
        played = play_match("flag-chase", (name, "random"))
        assert played.forfeit
        assert (played.forfeit.kind, played.forfeit.detail.removesuffix(".")) == (kind, detail.removesuffix("."))
        done = run(["play", "flag-chase", "--p1", name, "--p2", "random", "--first", "1", "--no-history"])
        assert (done.returncode, done.stderr) == (0, "")
        assert detail in " ".join(done.stdout.split())
        assert "Player 2 wins" in done.stdout

    def test_one_that_cannot_be_made_is_one_sentence_before_anything_is_written(
        self, use_agents: UseAgents, tmp_path: Path
    ) -> None:
        use_agents(f"{MODULE}:Unmakeable,{MODULE}:NoArguments")
        out = tmp_path / "out"
        for command in (f"tournament --agents random,unmakeable --out {out}", "play charge --p2 unmakeable"):
            done = run(command.split())
            where = f"({SUPPORT}/outside_agents.py:"
            said = "duelbook: Agent 'unmakeable' cannot be made. FileNotFoundError: no weights here " + where
            assert done.stderr.startswith(said)
            assert (done.stderr.count("\n"), done.returncode) == (1, 2)
        assert not out.exists()
        with pytest.raises(
            RefusedError, match=r"cannot be made\. TypeError: .* takes 1 positional argument but 2 were"
        ):
            make_agent("no-arguments")

    def test_one_that_is_stopped_stops_the_match_and_nobody_loses(self, use_agents: UseAgents) -> None:
        use_agents(f"{MODULE}:Stopping")
        with pytest.raises(StoppedError, match=r"^The weights are gone\.$"):
            play_match("flag-chase", ("stopping", "random"))
        done = run(["play", "flag-chase", "--p1", "stopping", "--p2", "random", "--first", "1", "--no-history"])
        assert (done.stderr, done.returncode) == ("duelbook: The weights are gone.\n", 1)

    def test_attributes_of_its_own_and_failures_after_the_match_do_no_harm(self, use_agents: UseAgents) -> None:
        use_agents(f"{MODULE}:Rude")
        played = play_match("flag-chase", ("rude", "random"))
        assert (played.forfeit, played.record.people[0].name) == (None, "rude")
        done = run(["play", "flag-chase", "--p1", "rude", "--p2", "random", "--no-history"])
        assert (done.returncode, done.stderr) == (0, "")


class TestRuns:
    def test_the_workers_of_a_tournament_know_them_and_a_manifest_needs_no_trust(
        self, use_agents: UseAgents, tmp_path: Path
    ) -> None:
        pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")
        use_agents(f"{BIGGEST},{NTH}")
        plan = ["--agents", "biggest,nth:2,random", "--games", "crystal-capture", "--pairs", "2"]
        first, again = tmp_path / "first", tmp_path / "again"
        done = run_process(["tournament", *plan, "--workers", "2", "--out", str(first)])
        assert (done.returncode, done.stderr) == (0, "")
        manifest = ["--manifest", str(first / "manifest.json"), "--backend", "serial", "--out", str(again)]
        assert run(["tournament", *manifest]).returncode == 0
        assert (first / "standings.json").read_bytes() == (again / "standings.json").read_bytes()


def test_a_class_that_no_module_has_gets_a_name_for_this_process(use_agents: Callable[[str], None]) -> None:
    use_agents("")

    class Highest:
        """plays the highest move."""

        def __init__(self, rng: random.Random) -> None:
            pass

        def choose(self, match: ReadOnlyMatch) -> Move:
            return max(match.game.legal_moves(match.state))

        def close(self) -> None:
            pass

    for _ in range(2):  # as in a cell of a notebook that is run again
        AGENTS.add("highest", Highest)
    assert AGENTS.origin("highest") == "this process"
    assert play_match("crystal-capture", ("highest", "random"), seed=1).record.moves[0] == "9"
    with pytest.raises(RefusedError, match="A built-in agent has that name"):
        AGENTS.add("greedy", Highest)
    with pytest.raises(RefusedError, match="is not an agent: it has no choose, close"):
        AGENTS.add("text", str)

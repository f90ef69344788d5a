"""Programs as players: whatever a bad program does, it forfeits the match and leaves nothing behind."""

import json
from pathlib import Path

import pytest

from duelbook import GAMES, RefusedError, make
from duelbook.agents import Forfeit, StoppedError, make_agent
from duelbook.agents.process.agent import command_words
from duelbook.agents.process.program import Program
from duelbook.agents.process.settings import ProcessSettings
from duelbook.arena import play_match
from duelbook.game import Reason
from duelbook.match import Match
from duelbook.options import write_options
from duelbook.records import load_record
from tests.support.models import Duelbook
from tests.support.programs import ANSWER, player_script, program, shell

SHELL_PLAYER = Path(__file__).parents[3] / "examples/players/last_move.sh"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOOK_PROCESS_SECONDS", "30")
    monkeypatch.setenv("DUELBOOK_PROCESS_START_SECONDS", "30")


def forfeit(script: str) -> tuple[str, str]:
    """Return the kind and detail of the program's forfeit on its first move of Charge."""
    with program(script) as agent, pytest.raises(Forfeit) as caught:
        agent.choose(Match(make("charge")))
    return caught.value.kind, str(caught.value)


@pytest.mark.parametrize("game", GAMES)
def test_a_shell_script_plays_every_game_from_both_seats(game: str) -> None:
    for first in (0, 1):
        played = play_match(make(game), (f"process:{SHELL_PLAYER}", "random"), first=first, seed=4)
        assert played.forfeit is None
        assert played.record.reason is Reason.RULES


def test_a_program_plays_at_the_terminal_and_is_recorded(tmp_path: Path, duelbook: Duelbook) -> None:
    file = tmp_path / "game.json"
    who = f"process:{SHELL_PLAYER}"
    done = duelbook("play", "flag-chase", "--p1", who, "--p2", "random", "--record", file)
    assert done.returncode == 0
    assert load_record(file).people[0].agent == who
    assert load_record(file).moves[0] == "2"


def test_the_program_gets_the_game_once_and_every_turn_in_full(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    match = Match(make("charge", goal=9))
    with program(f"tee {heard} | {ANSWER}") as agent:
        match.play(agent.choose(match))
        match.play("steal")
        match.play(agent.choose(match))
    game, *turns = [json.loads(line) for line in heard.read_text().splitlines()]
    assert (game["type"], game["protocol"], game["game"]) == ("game", 1, "charge")
    assert game["options"] == write_options(match.game)
    assert game["rules"].startswith("# Charge")
    assert game["seconds"] == 30
    assert [turn["history"] for turn in turns] == [[], ["charge 1", "steal"]]
    assert turns[1]["seat"] == "first"
    assert turns[1]["state"]["sides"][1]["points"] == 1
    assert turns[1]["text"].startswith("First player: 0 of 9 points")
    assert turns[1]["legal"][0] == "charge 1"


def test_another_match_is_announced_to_the_same_program(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    with program(f"tee {heard} | {ANSWER}") as agent:
        for name in ("charge", "flag-chase", "flag-chase"):
            match = Match(make(name))
            match.play(agent.choose(match))
    lines = [json.loads(line) for line in heard.read_text().splitlines()]
    assert [line.get("game") for line in lines if line["type"] == "game"] == ["charge", "flag-chase"]
    assert [line["history"] for line in lines if line["type"] == "turn"] == [[], [], []]


def test_the_same_seed_is_sent_again(tmp_path: Path) -> None:
    seeds = []
    for number in (1, 1, 2):
        heard = tmp_path / "heard"
        agent = make_agent("process:" + shell(f"tee {heard} | {ANSWER}"), number)
        agent.choose(Match(make("charge")))
        agent.close()
        seeds.append(json.loads(heard.read_text().splitlines()[0])["seed"])
    assert seeds[0] == seeds[1] != seeds[2]


def test_the_case_and_spacing_of_an_answer_do_not_matter() -> None:
    script = player_script(turn="""echo '{"move": " Charge   3 ", "comment": "fine"}'""")
    with program(script) as agent:
        match = Match(make("charge"))
        assert match.game.move_name(match.state, agent.choose(match)) == "charge 3"


def test_a_program_of_another_version_of_the_protocol_stops_the_run_and_loses_nothing() -> None:
    script = player_script().replace('"protocol": 1', '"protocol": 2')
    with program(script) as agent, pytest.raises(StoppedError) as stopped:
        agent.choose(Match(make("charge")))
    assert str(stopped.value) == "The program speaks version 2 of the protocol, but Duelbook speaks version 1."


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo hello; cat", "The program's first line must be its hello, not 'hello'."),
        ("""echo '{"move": "charge 1"}'; cat""", """must be its hello, not '{"move": "charge 1"}'."""),
        ("""echo '{"type": "hello", "name": "A"}'; cat""", "The program's hello is not valid: protocol is missing."),
        ("""echo '{"type": "hello", "protocol": 1}'; cat""", "The program's hello is not valid: name is missing."),
        (
            player_script().replace('"name": "Shell"', '"name": " "'),
            "The program's hello is not valid: A name must have 1 to 32 characters, not 0.",
        ),
        (
            player_script(ready="""echo '{"move": "charge 1"}'"""),
            "The program wrote a line of type 'move' before it was ready.",
        ),
        (
            player_script(info="""echo '{"type": "info", "evaluation": 2}'"""),
            "The program's info is not valid: evaluation must be a number of at most 1.",
        ),
        (player_script(turn="""echo '{"type": "idea"}'"""), "is not a move. move is missing."),
        (player_script(turn="""printf '%s\\n' "$line" """), """The program's answer '{"type": "turn", "seat":"""),
        (player_script(turn="echo steal"), "The program's answer 'steal' is not a move. Line 1 is not JSON"),
        (player_script(turn="""echo '{"move": 3}'"""), "is not a move. move must be text, not a whole number."),
        (
            player_script(turn="""echo '{"move": "charge 6"}'"""),
            "'charge 6' is not legal here. Legal moves: charge 1, ",
        ),
        (player_script(turn="""printf '{"move": "\\377"}\\n'"""), "not UTF-8"),
        (player_script(turn="echo"), "The program's answer '' is not a move."),
        (player_script(turn="""printf '\\033[2J\\033]0;x\\007\\n'"""), "not a move"),
        (player_script(turn="head -c 99999 /dev/zero"), "is longer than 65,536 bytes."),
    ],
)
def test_a_line_that_breaks_the_protocol_is_a_forfeit(script: str, said: str) -> None:
    kind, detail = forfeit(script)
    assert kind == "illegal"
    assert said in detail


@pytest.mark.parametrize("place", ["before its hello", "in its turn"])
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 0", "The program ended with exit code 0."),
        ("echo oops >&2; echo it broke >&2; exit 3", "The program ended with exit code 3: it broke."),
        ("kill -SEGV $$", "The program was ended by signal 11."),
        ("exec >&-; sleep 60", "The program was killed or closed its output."),
    ],
)
def test_a_crash_is_a_forfeit(script: str, said: str, place: str) -> None:
    whole = script if place == "before its hello" else player_script(turn=script)
    assert forfeit(whole) == ("error", said)


SILENT = [
    "sleep 60",
    "cat >/dev/null",
    "yes >&2",
    "exec <&-; sleep 60",
    "while :; do printf x; sleep 0.02; done",  # slowly, but never a line
]


@pytest.mark.parametrize("script", [*SILENT, 'printf \'{"type": "hello"\'; sleep 60'])
def test_no_hello_in_time_is_a_forfeit(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOOK_PROCESS_START_SECONDS", "0.2")
    assert forfeit(script) == ("timeout", "The program did not say hello within 0.2 seconds.")


@pytest.mark.parametrize("script", [*SILENT, 'printf \'{"move": "charge 1"}\'; sleep 60'])
def test_no_answer_in_time_is_a_forfeit(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOOK_PROCESS_SECONDS", "0.2")
    assert forfeit(player_script(turn=script)) == ("timeout", "The program did not answer within 0.2 seconds.")


def test_a_program_that_is_never_ready_loses_on_time(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(command_words(shell(player_script(ready="sleep 60"))), ProcessSettings(start_seconds=60))
    monkeypatch.setattr(program, "_settings", ProcessSettings(start_seconds=0.2))  # it had time to say hello
    with pytest.raises(Forfeit, match=r"^The program was not ready within 0\.2 seconds\.$") as caught:
        program.begin(make("charge"), 1)
    program.close()
    assert caught.value.kind == "timeout"


def test_a_second_line_to_one_question_is_a_forfeit() -> None:
    match = Match(make("charge"))
    script = player_script(turn="""printf '{"move": "charge 1"}\\n{"move": "charge 2"}\\n'""")
    with program(script) as agent:
        match.play(agent.choose(match))
        match.play("block")
        with pytest.raises(Forfeit, match="wrote more than one line") as caught:
            agent.choose(match)
    assert caught.value.kind == "illegal"


def test_after_a_forfeit_the_program_is_started_again(tmp_path: Path) -> None:
    tried = tmp_path / "tried"
    match = Match(make("charge"))
    with program(f"if test -e {tried}; then {ANSWER}; else touch {tried}; echo no; fi") as agent:
        with pytest.raises(Forfeit):
            agent.choose(match)
        assert match.play(agent.choose(match)) == 0


def test_programs_do_not_get_the_key_for_language_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOOK_LLM_API_KEY", "test-key-3f9c1a")
    seen = tmp_path / "seen"
    with program(f"env >{seen}; {ANSWER}") as agent:
        agent.choose(Match(make("charge")))
    assert "PATH=" in seen.read_text()
    assert "test-key" not in seen.read_text()


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("process", "Agent 'process': COMMAND is missing, as in 'process:./player.sh'"),
        ("process:", "Agent 'process:': COMMAND is missing"),
        ("process:no-such-program --fast", "'no-such-program' is not an executable program."),
        ("process:sh 'open", "The command 'sh 'open' cannot be read: no closing quotation."),
        ("process:''", "is not an executable program"),
        ("process:sh\nls", "COMMAND must be one line of at most 400 characters"),
        (f"process:sh {'x' * 400}", "COMMAND must be one line of at most 400 characters"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused(who: str, said: str) -> None:
    with pytest.raises(RefusedError) as refused:
        make_agent(who)
    assert said in str(refused.value)


def test_a_forfeit_at_the_terminal_ends_the_match_and_says_why(tmp_path: Path, duelbook: Duelbook) -> None:
    file = tmp_path / "game.json"
    done = duelbook("play", "charge", "--p1", "process:echo hi", "--p2", "greedy", "--record", file)
    assert done.returncode == 0
    assert "\nThe program's first line must be its hello, not 'hi'.\n" in done.stdout
    assert "\nPlayer 1 forfeits the match.\n\nPlayer 2 wins!\n" in done.stdout
    assert "Traceback" not in done.stderr
    assert load_record(file).reason is Reason.FORFEIT


def test_no_program_is_started_because_a_record_names_it(tmp_path: Path, duelbook: Duelbook) -> None:
    """A record may come from anybody."""
    file, started = tmp_path / "game.json", tmp_path / "started"
    who = f"process:touch {started}"
    duelbook("play", "charge", "--p2", "greedy", "--record", file, answers="charge 1\nquit\n")
    file.write_text(file.read_text().replace('"greedy"', json.dumps(who)))
    done = duelbook("play", "--resume", file, answers="charge 1\n")
    assert done.returncode == 2
    assert done.stderr.startswith(f"duelbook: '{file}' names the agent '{who}' for Player 2. If you trust it,")
    assert not started.exists()
    again = duelbook("play", "--resume", file, "--p2", who, answers="charge 1\n")
    assert "Player 2 forfeits the match." in again.stdout
    assert started.exists()

"""`duelbook check-player`: whether a program keeps the protocol for players."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duelbook.cli.app import GAME_LIST, JSON, SEED, app, in_range, treat_sigterm_as_ctrl_c
from duelbook.play.exit_codes import EXIT_FAILED
from duelbook.text import sanitize

if TYPE_CHECKING:
    from duelbook.agents.process.conformance import Finding, PlayerCheck

EXAMPLES = """\b
Examples:
  duelbook check-player ./player
  duelbook check-player "python3 player.py --level 3" --games charge
  duelbook check-player ./player --seconds 1 --match-seconds 20
"""


def _seconds(name: str, about: str) -> Any:
    return typer.Option(metavar="SECONDS", callback=in_range(name, 0.01, 86_400), help=about)


@app.command("check-player", epilog=EXAMPLES)
def check_player(
    command: Annotated[str, typer.Argument(metavar="COMMAND", help="The program with its arguments, in quotes.")],
    games: Annotated[list[str] | None, GAME_LIST] = None,
    seconds: Annotated[float, _seconds("--seconds", "Time for each answer.")] = 10.0,
    match_seconds: Annotated[float, _seconds("--match-seconds", "Time for all answers of one match.")] = 60.0,
    start_seconds: Annotated[float, _seconds("--start-seconds", "Time to start, and to get ready.")] = 10.0,
    seed: Annotated[int, SEED] = 0,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Check that a program keeps the protocol for players.

    The program is started several times and plays each game from both seats. A failure says in a sentence what is
    wrong, and the exit code is 1. What a program does not claim to do is not checked.
    """
    from duelbook.agents.process.conformance import PlayerCheck
    from duelbook.agents.process.settings import ProcessSettings
    from duelbook.arena.entries import read_entries

    treat_sigterm_as_ctrl_c()
    limits = ProcessSettings(seconds, match_seconds, start_seconds)
    played = [entry.game for entry in read_entries(games or ["all"])]
    check = PlayerCheck(command.removeprefix("process:"), played, limits, seed)
    findings: list[Finding] = []
    for finding in check.run():
        if not as_json:
            state = "failed" if finding.failure else "skipped" if finding.skipped else "ok"
            print(f"{state:<8} {finding.check:<8} {finding.about}", flush=True)
            if finding.failure or finding.skipped:
                print(f"{'':8} {_why(finding, findings)}", flush=True)
        findings.append(finding)
    failed = [finding.check for finding in findings if finding.failure]
    if as_json:
        print(json.dumps(_document(check, findings), indent=2))
    else:
        print(f"\n{_who(check)}: {_summary(failed, len(findings))}.")
    if failed:
        raise typer.Exit(EXIT_FAILED)


def _why(finding: "Finding", earlier: "list[Finding]") -> str:
    """Return what is wrong, or only that an earlier check had the same failure."""
    same = next((one.check for one in earlier if finding.failure and one.failure == finding.failure), None)
    return f"The same as in '{same}'." if same else sanitize(finding.failure or finding.skipped or "")


def _summary(failed: list[str], made: int) -> str:
    if made == 1:
        return "it does not start to play, so nothing else was checked"
    return f"{len(failed)} of {made} checks failed ({', '.join(failed)})" if failed else "no check failed"


def _who(check: "PlayerCheck") -> str:
    return f"{check.hello.name} by {check.hello.author}" if check.hello else "The program"


def _document(check: "PlayerCheck", findings: "list[Finding]") -> dict[str, Any]:
    hello = check.hello
    return {
        "name": hello.name if hello else None,
        "author": hello.author if hello else None,
        "can": hello.can if hello else [],
        "passed": not any(finding.failure for finding in findings),
        "checks": [
            {
                "check": finding.check,
                "result": "failed" if finding.failure else "skipped" if finding.skipped else "ok",
                "reason": finding.failure or finding.skipped,
            }
            for finding in findings
        ],
    }

"""`duelbook check`: whether a game keeps the contract that everything else relies on."""

import json
from typing import Annotated, Any

import typer

from duelbook.cli.app import JSON, OPTION, PRESET_OPTION, SEED, app, rule_options
from duelbook.cli.completion import complete_game
from duelbook.contract import described
from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.games import GAMES, label, make
from duelbook.games.registry import check_rules
from duelbook.options import read_options, write_options
from duelbook.play.exit_codes import EXIT_FAILED
from duelbook.presets import expand_preset
from duelbook.registry import load_object

EXAMPLES = """\b
Examples:
  duelbook check charge --option goal=21
  duelbook check tower_game.rules:Tower
  duelbook check tower --oracle tower_oracle:verdict
  duelbook check tower --positions 20000 --seed 7
"""
CHECKED = typer.Argument(
    metavar="GAME", autocompletion=complete_game, help="A game, such as charge, or a class as module:Class."
)


def _complete_check(incomplete: str) -> list[str]:
    from duelbook.testing import CHECKS

    return [name for name in CHECKS if name.startswith(incomplete)]


@app.command("check", epilog=EXAMPLES)
def check(
    game: Annotated[str, CHECKED],
    option: Annotated[list[str] | None, OPTION] = None,
    preset: Annotated[str | None, PRESET_OPTION] = None,
    oracle: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:NAME",
            help="Compare with a second implementation: a function of the options and the names of the moves, or a "
            "class like that of the rules.",
        ),
    ] = None,
    skip: Annotated[
        list[str] | None,
        typer.Option(metavar="CHECK", autocompletion=_complete_check, help="Leave out a check; may be repeated."),
    ] = None,
    positions: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000_000, help="How many positions each check looks at.")
    ] = 1000,
    seed: Annotated[int, SEED] = 0,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Check that a game keeps the contract of games.

    It is deterministic, has two players and legal moves until its end, its records can be read, it plays the same when
    it is compiled, and so on. A failure comes with the moves that show it, and the exit code is 1.
    """
    from duelbook.testing import run_checks

    rules = _game(game, rule_options(option, preset))
    second = load_object(oracle) if oracle else None
    results = []
    for result in run_checks(rules, oracle=second, skip=skip or [], positions=positions, seed=seed):
        results.append(result)
        if not as_json:
            state = "failed" if result.failure else "skipped" if result.skipped else "ok"
            print(f"{state:<8} {result.check:<14} {result.about}", flush=True)
            if result.failure or result.skipped:
                print(f"{'':8} {result.failure.sentence() if result.failure else result.skipped}")
    failures = [result.failure for result in results if result.failure]
    if as_json:
        checks = [_as_json(result) for result in results]
        document = {"game": label(rules), "options": _options(rules), "passed": not failures, "checks": checks}
        print(json.dumps(document, indent=2))
    else:
        print(f"\n{described(rules)}: {_count(results)}.")
    if failures:
        raise typer.Exit(EXIT_FAILED)


def _count(results: list[Any]) -> str:
    """Return how many checks failed or passed, and how many could not be made."""
    failed, skipped = sum(bool(result.failure) for result in results), sum(bool(result.skipped) for result in results)
    rest = f", {skipped} could not be made" if skipped else ""
    if failed:
        return f"{failed} of {len(results)} checks failed{rest}"
    return (
        f"{len(results) - skipped} of {len(results)} checks passed{rest}"
        if skipped
        else f"all {len(results)} checks passed"
    )


def _game(name: str, options: dict[str, str]) -> AnyGame:
    if ":" not in name:
        return make(name, **options)
    rules: Any = load_object(name)
    check_rules(rules)
    registered = GAMES.find_name(rules)
    if registered:
        return make(registered, **options)
    game: AnyGame = rules(**read_options(rules, expand_preset(rules, options)))
    return game


def _options(game: AnyGame) -> dict[str, int | str]:
    try:
        return write_options(game)
    except RefusedError:  # a check has failed
        return {}


def _as_json(result: Any) -> dict[str, Any]:
    failure = result.failure
    return {
        "check": result.check,
        "result": "failed" if failure else "skipped" if result.skipped else "ok",
        "reason": failure.reason if failure else result.skipped,
        "moves": None if failure is None or failure.moves is None else list(failure.moves),
    }

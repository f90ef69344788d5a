"""What the shell completes: the values of options and arguments. Options and commands complete by themselves."""

import io
import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout, suppress

import typer

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, offered_moves
from duelbook.games import GAMES
from duelbook.options import PRESET, option_pairs, options_of, read_options
from duelbook.presets import expand_preset, presets_of
from duelbook.records.record import HUMAN, state_after

VARIABLE = "_DUELBOOK_COMPLETE"  # which the script of the shell sets
BREAKS = re.compile("[=:]+")  # where bash breaks a word in two


def one_of(*values: str) -> Callable[[str], list[str]]:
    """Return a completion to one of these values."""

    def complete(incomplete: str) -> list[str]:
        return [value for value in values if value.startswith(incomplete)]

    return complete


def complete_game(incomplete: str) -> list[str]:
    """Return the games that the text may become."""
    return one_of(*GAMES)(incomplete)


def complete_games(incomplete: str) -> list[str]:
    """Return lists of games, with commas, that the text may become."""
    return _lists(incomplete, GAMES)


def complete_player(incomplete: str) -> list[str]:
    """Return the kinds of players that the text may become."""
    return one_of(HUMAN, *_agents())(incomplete)


def complete_agent(incomplete: str) -> list[str]:
    """Return the agents that the text may become."""
    return one_of(*_agents())(incomplete)


def complete_agents(incomplete: str) -> list[str]:
    """Return lists of agents, with commas, that the text may become."""
    return _lists(incomplete, _agents())


def complete_option(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the rule options that the text may become; once the name is clear, with their values."""
    rules = _rules(ctx)
    if rules is None:
        return []
    name, sign, value = incomplete.partition("=")
    options = [one for one in options_of(rules) if (one.name == name if sign else one.name.startswith(name))]
    if len(options) != 1:
        return [f"{option.name}=" for option in options]
    [option] = options
    found = [f"{option.name}={choice}" for choice in option.choices() if choice.startswith(value)]
    return found or ([] if sign else [f"{option.name}="])


def complete_preset(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the presets of the game that the text may become."""
    rules = _rules(ctx)
    return one_of(*presets_of(rules))(incomplete) if rules else []


def complete_level(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the levels of puzzles that the text may become: those that the game has, as far as that is known."""
    from duelbook.study.puzzle_bank import known_bank
    from duelbook.study.puzzle_kinds import LEVELS

    name, kind = _game(ctx), ctx.params.get("kind")
    bank = known_bank(name) if name else None
    levels = {level for one, level in bank if kind in (None, one)} if bank else LEVELS
    return one_of(*map(str, sorted(levels)))(incomplete)


def complete_kept(incomplete: str) -> list[tuple[str, str]]:
    """Return the numbers of the games of the history that the text may become, each with what it is."""
    return _kept_games(incomplete)


def complete_unfinished(incomplete: str) -> list[tuple[str, str]]:
    """Return the numbers of the unfinished games of the history that the text may become, each with what it is."""
    return _kept_games(incomplete, unfinished=True)


def _kept_games(incomplete: str, *, unfinished: bool = False) -> list[tuple[str, str]]:
    from duelbook.history.kept_game import (
        Filter,  # which other completions do not need
        OwnResult,
    )
    from duelbook.history.store import History
    from duelbook.play.past_games import result_text

    games = []
    with suppress(RefusedError):  # the history is damaged
        games = History().games(Filter(result=OwnResult.UNFINISHED if unfinished else None))
    found = [(str(game.number), f"{game.game}, {result_text(game)}") for game in games]
    return [entry for entry in found if entry[0].startswith(incomplete)]


def complete_server(incomplete: str) -> list[str]:
    """Return the servers on which the person has had a seat that the text may become."""
    return one_of(*dict.fromkeys(server for server, _ in _seats()))(incomplete)


def complete_match(incomplete: str) -> list[str]:
    """Return the links of the matches in which the person has a seat that the text may become."""
    return one_of(*(f"{server}/match/{match}" for server, match in _seats()))(incomplete)


def _seats() -> list[tuple[str, str]]:
    from duelbook.online.seats import SeatStore  # which a game at one keyboard does not need

    with suppress(RefusedError):  # the file is damaged
        return [(seat.server, seat.match) for seat in SeatStore().at()]
    return []


def complete_moves(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return lists of moves, with commas, that the text may become: the last is legal after those before it."""
    rules = _rules(ctx)
    before, comma, last = incomplete.rpartition(",")
    if rules is None:
        return []
    try:
        options = option_pairs(ctx.params.get("option") or ())
        preset = ctx.params.get("preset")
        given = expand_preset(rules, {**options, PRESET: preset} if preset else options)
        game = rules(**read_options(rules, given))
        state = state_after(game, [name.strip() for name in before.split(",") if name.strip()])
    except RefusedError:
        return []  # what is typed is wrong, as the command will say
    names = (game.move_name(state, move) for move in offered_moves(game, state))
    return [f"{before}{comma}{name}" for name in names if name.startswith(last)]


def _agents() -> Iterable[str]:
    from duelbook.agents import AGENTS  # which a game of two people does not need

    return AGENTS


def _lists(incomplete: str, names: Iterable[str]) -> list[str]:
    before, comma, last = incomplete.rpartition(",")
    taken = before.split(",")
    return [f"{before}{comma}{name}" for name in names if name.startswith(last) and name not in taken]


def _game(ctx: typer.Context) -> str:
    """Return the game that the command line names; an empty text if it names none."""
    names = (ctx.params.get("game"), *(ctx.params.get("games") or ()), *ctx.args)  # not yet read: args
    return next((name for text in names if text and (name := text.partition(":")[0]) in GAMES), "")


def _rules(ctx: typer.Context) -> type[AnyGame] | None:
    """Return the rules of the game that the command line names, if it names one."""
    return GAMES.get(_game(ctx))


def completed_command() -> str | None:
    """Return the command that is being completed, so that only its module is loaded."""
    words = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    command = words.split()[1:2]
    return command[0] if command and len(words.split()) + words.endswith((" ", "\n")) > 2 else None


def complete_for_bash(complete: Callable[[], object]) -> None:
    """Complete a word that bash breaks at `=` or `:`, as in `--option goal=21`: ask for all of it, print its end."""
    text = os.environ["COMP_WORDS"]
    words, current, start = whole_words(text.split("\n" if "\n" in text else " "), int(os.environ["COMP_CWORD"]))
    quoted = words[current][:1] in ('"', "'")  # then bash adds the quotes itself
    os.environ.update(COMP_WORDS="\n".join(words), COMP_CWORD=str(current))
    found = io.StringIO()
    with redirect_stdout(found), suppress(SystemExit):
        complete()
    lines = (line.removeprefix(start) for line in found.getvalue().splitlines())
    print("\n".join(line if quoted else line.replace(" ", "\\ ") for line in lines))


def whole_words(words: Sequence[str], current: int) -> tuple[list[str], int, str]:
    """Return the words as they are typed, the number of the current one, and what of it bash counts as others."""
    whole: list[str] = []
    number, start = current, ""
    for place, word in enumerate(words):
        joins = bool(whole) and place > 1 and (BREAKS.fullmatch(word) or BREAKS.fullmatch(words[place - 1]))
        if joins:
            whole[-1] += word
        else:
            whole.append(word)
        if place == current:
            number = len(whole) - 1
            breaks = [found.end() for found in BREAKS.finditer(whole[-1])]
            start = whole[-1][: breaks[-1]] if joins and breaks else ""
    return whole, number, start

"""What is entered into a run: games with their options, and agents, read from lists."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from duelbook.agents import agent_text, check_agent, is_agent
from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.games import GAMES, find_rules, label, make, name_of
from duelbook.options import drawn_options, option_pairs, write_options
from duelbook.presets import expand_preset
from duelbook.text import MAX_AGENT_CHARACTERS, clean_name, shorten

PROGRAM = re.compile(r"(?<![\w-])process:")  # where a program is named in a list of agents


class GameEntry(NamedTuple):
    """A game of a plan."""

    game: AnyGame
    drawn: tuple[str, ...]  # the options that are drawn for each pair of matches

    @property
    def label(self) -> str:
        """The name of the game with every option that differs from the rule book: `charge:goal=21`."""
        default = write_options(type(self.game)())
        options = write_options(self.game).items()
        changed = [f"{name}={value}" for name, value in options if value != default[name] and name not in self.drawn]
        return ":".join([label(self.game), *changed])


def read_entries(games: Sequence[str | AnyGame] | str) -> tuple[GameEntry, ...]:
    """Return the games of the lists: `all`, or names with options, as in `charge:goal=21,flag-chase`, or games.

    Workers and the manifest need a name, so a game that is not registered raises RefusedError.
    """
    lists = [games] if isinstance(games, str) else games
    split = [one for game in lists for one in (_split_games(game) if isinstance(game, str) else [game])]
    entries = tuple(map(read_entry, GAMES if split == ["all"] else split))
    for entry in entries:
        name_of(entry.game)
    _check_different("Game", [entry.label for entry in entries])
    return entries


def read_entry(game: str | AnyGame) -> GameEntry:
    """Return the game with its options, as in `charge:goal=21`, or a game in hand, of which nothing is drawn."""
    if not isinstance(game, str):
        return GameEntry(game, ())
    name, *options = game.split(":")
    return make_entry(name, option_pairs(options))


def make_entry(name: str, options: dict[str, Any]) -> GameEntry:
    """Return the game with these options. An option that is marked as drawn is drawn unless it is among them."""
    given = expand_preset(find_rules(name), options)
    game = make(name, **given)
    return GameEntry(game, drawn_options(type(game), given))


def _split_games(text: str) -> list[str]:
    """Return the parts between commas. A comma may also be part of an option, as in `words=PLANT,GHOST`."""
    parts: list[str] = []
    for part in text.split(","):
        if parts and "=" in parts[-1] and part.strip().partition(":")[0] not in GAMES:
            parts[-1] += f",{part}"
        else:
            parts.append(part.strip())
    return parts


def read_agents(texts: Sequence[str] | str) -> tuple[str, ...]:
    """Return the agents: names, or one list with commas. Raise RefusedError for an unknown or repeated one."""
    agents = named_agents(split_agents([texts]) if isinstance(texts, str) else texts)
    check_agents(agents)
    return agents


def split_agents(texts: Sequence[str]) -> list[str]:
    """Return the agents of lists with commas. A command may contain commas, so `process:` takes the rest of a list.

    Raise RefusedError if a part of the command looks like an agent of its own.
    """
    agents: list[str] = []
    for text in texts:
        found = PROGRAM.search(text)
        end = found.start() if found else len(text)
        names, command = text[:end], text[end:].strip()
        _check_one_command(command)
        agents += [name.strip() for name in names.split(",") if name.strip() or not command]
        agents += [command] if command else []
    return agents


def _check_one_command(command: str) -> None:
    """Raise RefusedError if an agent follows a comma in the command: it would be taken for a part of the command."""
    for part in map(str.strip, command.split(",")[1:]):
        if is_agent(part):
            raise RefusedError(
                f"'process:' takes the rest of a list, so '{shorten(part)}' would be a part of its command. Put the "
                f"other agents first, and a second program into an option of its own (in Python: an entry of its own)."
            )


def named_agents(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the agents. Raise RefusedError for one that is no name, or that is repeated."""
    agents = tuple(clean_name(agent_text(agent), MAX_AGENT_CHARACTERS) for agent in texts)
    _check_different("Agent", agents)
    return agents


def check_agents(agents: Sequence[str]) -> None:
    """Raise RefusedError for an agent that cannot be made."""
    for agent in agents:
        check_agent(agent)


def _check_different(what: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise RefusedError(f"{what} '{shorten(name)}' is given twice.")

"""The catalogue: the games, their options and the agents, as the service offers them."""

from enum import IntEnum
from typing import Any

from duelbook.agents import NumberParameter, built_in_agents
from duelbook.game import has_choices
from duelbook.games import GAMES, aim, find_rules, make, rules_text, title
from duelbook.options import Option, option_text, options_of
from duelbook.web.http.page_files import own_board


def catalogue() -> dict[str, Any]:
    """Answer everything there is to choose from."""
    return {
        "games": [_game(name) for name in GAMES],
        "agents": [
            {
                "name": name,
                "about": kind.about,
                "level": kind.exact,
                "parameter": _parameter(kind.parameter) if isinstance(kind.parameter, NumberParameter) else None,
            }
            for name, kind in built_in_agents().items()
        ],
    }


def _parameter(number: NumberParameter) -> dict[str, Any]:
    return {"name": number.name, "default": number.default, "most": number.maximum}


def _game(name: str) -> dict[str, Any]:
    rules = find_rules(name)
    game = make(name)
    return {
        "name": name,
        "title": title(name),
        "aim": aim(name),
        "options": [_option(option) for option in options_of(rules)],
        "choice": {"what": game.choice, "option": game.chosen, "valid": list(game.choices())}
        if has_choices(game)
        else None,
        "rules": rules_text(name),
        "board": own_board(name) is not None,
    }


def _option(option: Option) -> dict[str, Any]:
    limits = option.limits
    return {
        "name": option.name,
        "type": "whole number" if option.type is int else "two values" if option.type is tuple else "one of",
        "default": option_text(option.default),
        "about": option.about,
        "minimum": limits.low if limits else None,
        "maximum": limits.high if limits else None,
        "values": _values(option),
    }


def _values(option: Option) -> list[Any] | None:
    if option.names_or_file:
        return list(option.names_or_file.names)
    if issubclass(option.type, IntEnum):
        return [option_text(member) for member in option.type]
    return None

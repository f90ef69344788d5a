"""The catalogue: the games, their options and the agents, as the service offers them."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from duelbook.agents import NumberParameter, built_in_agents
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, has_choices
from duelbook.games import GAMES, aim, find_rules, make, rules_text, title
from duelbook.options import Option, option_text, options_of
from duelbook.text import shorten
from duelbook.web.http.page_files import own_board


def build(name: str, options: Mapping[str, Any]) -> AnyGame:
    """Answer the game that a request asks for."""
    refuse_files(name, options)
    return make(name, **options)


def refuse_files(name: str, options: Mapping[str, Any]) -> None:
    """Refuse the path of a file in a request before anybody looks at it."""
    for option in options_of(find_rules(name)):
        if option.names_or_file and option.name in options:
            _check_name(option, options[option.name])


def _check_name(option: Option, value: Any) -> None:
    assert option.names_or_file
    if value not in option.names_or_file.names:
        valid = ", ".join(option.names_or_file.names)
        raise RefusedError(f"{option.name} cannot be '{shorten(str(value))}'; valid: {valid}")


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

"""The catalogue: the games, their options and the agents, as the service offers them."""

import logging
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Any

from duelbook.agents import NumberParameter, built_in_agents
from duelbook.agents.levels import RATINGS
from duelbook.board import theme_of
from duelbook.game import has_choices
from duelbook.game_folder import game_file
from duelbook.games import GAMES, aim, make, title
from duelbook.options import Option, option_text, options_of
from duelbook.presets import Preset, presets_of
from duelbook.study.lessons import FILE as LESSON_FILE
from duelbook.web.http.page_files import own_board
from duelbook.web.match.variants import measured_view
from duelbook.web.schemas.studies import (
    AgentEntry,
    Catalogue,
    ChoiceEntry,
    GameView,
    OptionEntry,
    OptionType,
    ParameterEntry,
    PresetEntry,
)

log = logging.getLogger("duelbook.web")


def catalogue(limits: Mapping[str, int]) -> Catalogue:
    """Return the games and the agents that matches can be created with. The limits are those of agents' parameters."""
    return Catalogue(games=list(_games()), agents=_agents(limits))


def _games() -> Iterator[GameView]:
    for name in GAMES:
        try:
            yield _game(name)
        except Exception:  # a game from outside must not hide the others
            log.exception("a game cannot be offered", extra={"game": name})


def _agents(limits: Mapping[str, int]) -> list[AgentEntry]:
    return [
        AgentEntry(
            name=name,
            about=kind.about,
            level=kind.exact,
            rating=RATINGS.get(name),
            parameter=_parameter(kind.parameter),
        )
        for name, kind in built_in_agents(limits).items()
    ]


def _parameter(parameter: object) -> ParameterEntry | None:
    if not isinstance(parameter, NumberParameter):
        return None
    return ParameterEntry(name=parameter.name, default=parameter.default, most=parameter.maximum)


def _game(name: str) -> GameView:
    game = make(name)
    choice = None
    if has_choices(game):
        choice = ChoiceEntry(what=game.choice, option=game.chosen, valid=list(game.choices()))
    return GameView(
        name=name,
        title=title(name),
        aim=aim(name),
        options=[_option(option, getattr(game, option.name)) for option in options_of(type(game))],
        presets=[_preset(name, preset) for preset in presets_of(type(game)).values()],
        choice=choice,
        board=own_board(name) is not None,
        theme=theme_of(game),
        lesson=game_file(game, LESSON_FILE) is not None,
    )


def _preset(game: str, preset: Preset) -> PresetEntry:
    options = dict(preset.options)
    return PresetEntry(
        name=preset.name,
        title=preset.title,
        about=preset.about,
        options=options,
        suggested=preset.suggested,
        measured=measured_view(make(game, **options)),
    )


def _option(option: Option, default: Any) -> OptionEntry:
    limits = option.limits
    return OptionEntry(
        name=option.name,
        type=_type(option),
        default=option_text(default),
        about=option.about,
        minimum=limits.low if limits else None,
        maximum=limits.high if limits else None,
        values=_values(option),
        drawn=option.drawn is not None,
    )


def _type(option: Option) -> OptionType:
    if option.items:
        return "two values" if option.items.length == 2 else "list"
    return "whole number" if option.type is int else "one of"


def _values(option: Option) -> list[str] | None:
    if option.names_or_file:
        return list(option.names_or_file.names)
    if issubclass(option.type, IntEnum):
        return [str(option_text(member)) for member in option.type]
    return None

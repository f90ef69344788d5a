"""Variants of a game that somebody may want to play: whether their options are valid, and what is known about them."""

import re
from collections.abc import Mapping
from typing import Any

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, has_choices
from duelbook.games import find_rules
from duelbook.measurements import measurement_of, sentences
from duelbook.options import options_of
from duelbook.web.match.positions import requested_game
from duelbook.web.schemas.studies import MeasuredView, OptionProblem, VariantView

MAX_LISTED_CHOICES = 60


def measured_view(game: AnyGame) -> MeasuredView | None:
    """Return what was measured about the game with its options, or None if nothing was."""
    found = measurement_of(game)
    return found and MeasuredView(first_score=found.first_score, sentences=sentences(found))


def variant_view(name: str, options: Mapping[str, Any], choice: str | None) -> VariantView:
    """Return whether a match can be played with these options and this choice, and what is known about such matches."""
    try:
        game = requested_game(name, options)
    except RefusedError as error:
        problem = OptionProblem(option=_wrong_option(name, options, str(error)), detail=str(error))
        return VariantView(problem=problem, measured=None, choices=[])
    choices = list(game.choices()) if has_choices(game) else []
    wrong: OptionProblem | None = None
    if choice is not None and has_choices(game):
        try:
            game.check_choice(choice)
        except RefusedError as error:
            wrong = OptionProblem(option=game.chosen, detail=str(error))
    listed = choices if len(choices) <= MAX_LISTED_CHOICES else []
    return VariantView(problem=wrong, measured=measured_view(game), choices=listed)


def _wrong_option(name: str, options: Mapping[str, Any], message: str) -> str | None:
    """Return the option that the message is about: the first that it names, or the only one that was given."""
    known = [option.name for option in options_of(find_rules(name))]
    if not options.keys() <= {*known}:
        return None  # the message is about an option that does not exist
    named = [(found.start(), one) for one in known if (found := re.search(rf"\b{re.escape(one)}\b", message))]
    if named:
        return min(named)[1]
    given = [one for one in options if one in known]
    return given[0] if len(given) == 1 else None

"""The prompt for a move. Names of players are never part of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from duelbook.agents.llm.log import ChatMessage
from duelbook.agents.llm.reading import MOVE_FUNCTION
from duelbook.game import SEAT_NAMES, AnyGame, move_names
from duelbook.games import label, rules_text, title
from duelbook.match import ReadOnlyMatch, named_moves
from duelbook.options import Option, OptionText, options_of, write_options

MAX_QUOTED_CHARACTERS = 4_000  # of a refused reply, repeated to the model
MOVE_TOOL: dict[str, Any] = {  # the declaration of the function, as a request has it
    "type": "function",
    "function": {
        "name": MOVE_FUNCTION,
        "description": "Play a move in the game.",
        "parameters": {
            "type": "object",
            "properties": {MOVE_FUNCTION: {"type": "string", "description": "The name of one legal move."}},
            "required": [MOVE_FUNCTION],
        },
    },
}


def turn_prompt(
    match: ReadOnlyMatch, *, show_legal: bool, tools: bool = False, system_role: bool = True
) -> list[ChatMessage]:
    """Return the messages that ask for the mover's move.

    `tools` says whether the model may call the function `move` instead. Without a `system_role` there is one message.
    """
    rules, question = _rules(match.game, tools=tools), _question(match, show_legal=show_legal)
    if not system_role:
        return [ChatMessage("user", f"{rules}\n\n{question}")]
    return [ChatMessage("system", rules), ChatMessage("user", question)]


def _rules(game: AnyGame, *, tools: bool) -> str:
    """Return what holds for the whole match: the rules, their options, and the form of an answer."""
    instead = f"\n\nInstead of that line, you may call the function `{MOVE_FUNCTION}`." if tools else ""
    return (
        f"You are playing {title(label(game))}, a game for two players. Play to win. The rules follow.\n\n"
        f"{rules_text(game).strip()}\n\n"
        f"Options of this match. Where they differ from the rules above, the options apply:\n{_options(game)}\n\n"
        "Think as long as you need. The last line of your reply must name one legal move. Write it exactly in the form "
        f"of these examples, as plain text and with nothing else in the line:\n\n{_examples(game)}{instead}"
    )


def _examples(game: AnyGame) -> str:
    """Return the last line of an answer for two moves of the first position, exactly as it is to be written."""
    names = list(move_names(game, game.initial()))
    return "\n".join(f"MOVE: {name}" for name in dict.fromkeys((names[0], names[-1])))


def _question(match: ReadOnlyMatch, *, show_legal: bool) -> str:
    """Return the moves so far, the position, and whose turn it is."""
    game, state, seat = match.game, match.state, SEAT_NAMES[match.mover]
    parts = [
        f"You are the {seat} player, and it is your turn: move {len(match.moves) + 1} of the match.",
        f"Moves so far:\n{_history(match)}",
        f"The position:\n{game.render(state)}",
    ]
    if show_legal:
        parts.append(f"Legal moves: {', '.join(move_names(game, state))}")
    return "\n\n".join([*parts, "What is your move? End with one line in the form of the examples."])


def refusal(game: AnyGame, reply: str, why: str) -> Iterator[ChatMessage]:
    """Yield the messages that follow a reply without a legal move."""
    yield ChatMessage("assistant", reply[-MAX_QUOTED_CHARACTERS:] or "(nothing)")
    again = "Answer again. The last line must have exactly the form of these examples:"
    yield ChatMessage("user", f"Your answer was not accepted. {why} {again}\n\n{_examples(game)}")


def _history(match: ReadOnlyMatch) -> str:
    lines = (f"{number}. {SEAT_NAMES[seat]}: {name}" for number, (seat, name) in enumerate(named_moves(match), 1))
    return "\n".join(lines) or "none, this is the first"


def _options(game: AnyGame) -> str:
    """Return the options, one per line, with their values escaped."""
    written = write_options(game)
    return "\n".join(
        f"- {option.name}: {json.dumps(_value(option, written[option.name]))} ({option.about})"
        for option in options_of(type(game))
    )


def _value(option: Option, value: OptionText) -> OptionText:
    """Return the value. For a word file, return only its name: a path reveals something about the machine."""
    is_file = option.names_or_file and value not in option.names_or_file.names
    return Path(str(value)).name if is_file else value

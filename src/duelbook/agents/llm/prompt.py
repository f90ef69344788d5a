"""The prompt for a move, and how the move is read from the reply. Names of players are never part of a prompt."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from duelbook.agents.llm.log import Message, Redact
from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, IllegalMoveError, Move, move_names, parse_move
from duelbook.games import label, rules_text, title
from duelbook.match import ReadOnlyMatch, named_moves
from duelbook.narration import Seating, narration_for
from duelbook.options import Option, OptionText, options_of, write_options
from duelbook.text import fold, shorten

MAX_QUOTED_CHARACTERS = 4_000  # of a refused reply, repeated to the model
MAX_MOVE_CHARACTERS = 100
LAST_LINE = re.compile(r"MOVE: +(\S(?:.*\S)?)")


def turn_prompt(match: ReadOnlyMatch, *, show_legal: bool) -> list[Message]:
    """Return the messages that ask for the mover's move."""
    return [Message("system", _rules(match.game)), Message("user", _question(match, show_legal=show_legal))]


def _rules(game: AnyGame) -> str:
    """Return what holds for the whole match: the rules, their options, and the form of an answer."""
    name, start = label(game), game.initial()
    names = list(move_names(game, start))
    return (
        f"You are playing {title(name)}, a game for two players. Play to win. The rules follow.\n\n"
        f"{rules_text(game).strip()}\n\n"
        f"Options of this match. Where they differ from the rules above, the options apply:\n{_options(game)}\n\n"
        f"Examples of moves: `{names[0]}`, `{names[-1]}`. Think as long as you need. The last line of your reply must "
        "be `MOVE: ` followed by the name of one legal move, and nothing else."
    )


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
    return "\n\n".join([*parts, "What is your move? End with the line `MOVE: name`."])


def refusal(reply: str, why: str) -> Iterator[Message]:
    """Yield the messages that follow a reply without a legal move."""
    yield Message("assistant", reply[-MAX_QUOTED_CHARACTERS:] or "(nothing)")
    yield Message("user", f"Your answer was not accepted. {why} Answer again; the last line must be `MOVE: name`.")


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


def read_move(reply: str, match: ReadOnlyMatch, *, show_legal: bool, redact: Redact = str) -> Move:
    """Return the move that the last line names, or raise RefusedError with a reason that does not quote the key."""
    last = reply.rstrip().rpartition("\n")[2].strip()
    found = LAST_LINE.fullmatch(last)
    if not last:
        raise RefusedError("The reply was empty.")
    if not found:
        raise RefusedError(f"The last line was '{shorten(redact(last))}', not `MOVE: ` and the name of a move.")
    name = found.group(1)
    if len(name) > MAX_MOVE_CHARACTERS:
        raise RefusedError(f"The name of the move is longer than {MAX_MOVE_CHARACTERS} characters.")
    try:
        return parse_move(match.game, match.state, name)
    except IllegalMoveError as error:
        quoted = redact(name)
        why = narration_for(match.game, Seating()).why(match.state, fold(quoted))
        legal = error.allowed() if show_legal else ""
        raise RefusedError(" ".join(filter(None, (f"'{shorten(quoted)}' is not legal here.", why, legal)))) from error

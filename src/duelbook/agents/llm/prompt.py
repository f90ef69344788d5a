"""What a model is told: the rules, the match so far, and how to answer. Names of players are no part of it."""

import json
from collections.abc import Iterator
from pathlib import Path

from duelbook.game import AnyGame, move_names
from duelbook.games import name_of, rules_text, title
from duelbook.match import MatchView, named_moves
from duelbook.options import Option, OptionText, options_of, write_options
from duelbook.records.record import SEATS

Message = dict[str, str]

QUOTED = 4_000  # characters of a refused reply that the model is shown again


def conversation(match: MatchView, *, show_legal: bool) -> list[Message]:
    """Answer the messages that ask for the mover's move."""
    return [
        {"role": "system", "content": briefing(match.game)},
        {"role": "user", "content": question(match, show_legal=show_legal)},
    ]


def briefing(game: AnyGame) -> str:
    """Answer what holds for the whole match: the rules, their options, and how a move is answered."""
    name, start = name_of(game), game.initial()
    names = list(move_names(game, start))
    return (
        f"You play {title(name)}, a game for two players, to win. Its rules page follows.\n\n"
        f"{rules_text(name).strip()}\n\n"
        f"Options in force, which go before the page where they differ:\n{_options(game)}\n\n"
        f"A move is written as `{names[0]}` or `{names[-1]}`, for example. Think as long as you need to. The last line "
        "of your reply must be `MOVE: ` and the name of one legal move, with nothing before or after it on that line."
    )


def question(match: MatchView, *, show_legal: bool) -> str:
    """Answer where the match stands and whose turn it is."""
    game, state, seat = match.game, match.state, SEATS[match.mover]
    parts = [
        f"You are the {seat} player, and it is your turn: move {len(match.moves) + 1} of the match.",
        f"Moves so far:\n{_history(match)}",
        f"The position:\n{game.render(state)}",
    ]
    if show_legal:
        parts.append(f"Legal moves: {', '.join(move_names(game, state))}")
    return "\n\n".join([*parts, "Your move? End with the line `MOVE: name`."])


def refusal(reply: str, why: str) -> Iterator[Message]:
    """Answer what is added to the conversation after a reply that was refused."""
    yield {"role": "assistant", "content": reply[-QUOTED:] or "(nothing)"}
    yield {"role": "user", "content": f"That was refused: {why}. Answer again; the last line must be `MOVE: name`."}


def _history(match: MatchView) -> str:
    lines = (f"{number}. {SEATS[seat]}: {name}" for number, (seat, name) in enumerate(named_moves(match), 1))
    return "\n".join(lines) or "none, this is the first"


def _options(game: AnyGame) -> str:
    """Answer the options, a line each, their values escaped."""
    written = write_options(game)
    return "\n".join(
        f"- {option.name}: {json.dumps(_value(option, written[option.name]))} ({option.about})"
        for option in options_of(type(game))
    )


def _value(option: Option, value: OptionText) -> OptionText:
    """Answer the value; of a word file only its name, since where it lies is nobody's business."""
    is_file = option.names_or_file and value not in option.names_or_file.names
    return Path(str(value)).name if is_file else value

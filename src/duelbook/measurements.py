"""What the lab has measured about a game's rules, in words for players. A game keeps it in `measurements.csv`."""

import csv
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, cast, get_args

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.game_errors import BrokenGameError
from duelbook.game_folder import game_file
from duelbook.options import option_text, options_of
from duelbook.text import plural

FILE = "measurements.csv"
COLUMNS = (  # besides the options that were varied; the names are those of the lab's own table
    *("exact_starts", "exact_states", "exact_winner", "exact_plies"),
    *("first_score", "low", "high", "moves"),
)
FEW_MOVES = 3  # of both players: so few are not divided between them

Winner = Literal["first", "second", "nobody", "mixed"]


class Measurement(NamedTuple):
    """What was measured about a game with certain options."""

    starts: int  # positions from which the game was solved: 1 unless the start is drawn
    states: int  # positions that play can reach, on average over the starts; those that play alike are one
    winner: Winner  # with best play; mixed if it depends on the start
    plies: float | None  # moves of both players with best play; None if play never ends
    first_score: float  # of the first seat between equal levels, with the 95% interval
    low: float
    high: float
    moves: float  # of both players, on average over matches between levels

    @property
    def is_fair(self) -> bool:
        """True if the first seat's score is within chance of one half."""
        return self.low <= 0.5 <= self.high


def measurement_of(game: AnyGame) -> Measurement | None:
    """Return what was measured about the game with these options, or None if nothing was.

    What is drawn for each match does not count; every option that was not varied must have its default.
    Raise BrokenGameError if the file cannot be read.
    """
    varied, table = _table(type(game))
    for option in options_of(type(game)):
        if option.name not in varied and not option.drawn and getattr(game, option.name) != option.default:
            return None
    return table.get(tuple(str(option_text(getattr(game, name))) for name in varied))


def sentences(found: Measurement) -> list[str]:
    """Return what was measured as sentences: who has the edge, how long games last, and who wins with best play."""
    return [_edge(found), _length(found), _best_play(found)]


def _edge(found: Measurement) -> str:
    if found.is_fair:
        return "Between equal players, both seats win about as often."
    seat, score = ("first", found.first_score) if found.first_score > 0.5 else ("second", 1 - found.first_score)
    return f"Between equal players, the {seat} player scores {score:.0%}."


def _length(found: Measurement) -> str:
    if found.moves < FEW_MOVES:
        return f"A game is over after about {plural(round(found.moves), 'move')}."
    return f"A game lasts about {plural(round(found.moves / 2), 'move')} for each player."


def _best_play(found: Measurement) -> str:
    if found.winner == "mixed":
        return "With best play, who wins depends on the start."
    everywhere = f" (checked from {found.starts} starts)" if found.starts > 1 else ""
    if found.winner == "nobody":
        how = "nobody ever wins" if found.plies is None else "the game is a draw"
        return f"With best play, {how}{everywhere}."
    if found.starts > 1 or found.plies is None:
        return f"With best play, the {found.winner} player wins{everywhere}."
    own = (found.plies + 1) // 2  # the winner makes the last move
    return f"With best play, the {found.winner} player wins in {plural(int(own), 'move')}."


@cache
def _table(rules: type[AnyGame]) -> tuple[tuple[str, ...], Mapping[tuple[str, ...], Measurement]]:
    """Return the options that were varied, and what was measured by the values of these options."""
    file = game_file(rules, FILE)
    if file is None:
        return (), {}
    try:
        return _read(rules, file)
    except (OSError, UnicodeDecodeError, csv.Error, ValueError) as error:
        raise BrokenGameError(f"The game {rules.__name__} is broken: {file}: {error}") from error


def _read(rules: type[AnyGame], file: Path) -> tuple[tuple[str, ...], Mapping[tuple[str, ...], Measurement]]:
    with file.open(newline="", encoding="utf-8") as lines:
        reader = csv.DictReader(lines)
        heads = reader.fieldnames or ()
        if missing := [name for name in COLUMNS if name not in heads]:
            raise RefusedError(f"The column {missing[0]} is missing.")
        varied = tuple(option.name for option in options_of(rules) if option.name in heads)
        return varied, dict(_rows(reader, varied))


def _rows(reader: "csv.DictReader[str]", varied: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Measurement]]:
    for row in reader:
        if not row["first_score"]:
            continue  # too large to be measured
        if row["exact_winner"] not in get_args(Winner):
            raise RefusedError(f"exact_winner cannot be '{row['exact_winner']}'; valid: {', '.join(get_args(Winner))}.")
        yield (
            tuple(row[name] for name in varied),
            Measurement(
                int(row["exact_starts"]),
                int(row["exact_states"]),
                cast(Winner, row["exact_winner"]),
                float(row["exact_plies"]) if row["exact_plies"] else None,
                *(float(row[name]) for name in ("first_score", "low", "high", "moves")),
            ),
        )

"""What the lab found about the games that come with Duelbook, for `docs/variants.md` and for players.

The results stand in the folder `lab` of each game: `lab.json`, which says what was measured, and `variants.csv`. `make
variants` measures them again, which takes some minutes. For a new game, run `duelbook lab` and copy the two files.
What players are told of it is in `measurements.csv` beside the rules, which `make variants` and `make docs` write.
"""

import csv
import io
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from duelbook import GAMES
from duelbook.arena.entries import make_entry
from duelbook.games import title
from duelbook.lab import plan_lab, run_lab
from duelbook.lab.table import command_of
from duelbook.measurements import COLUMNS, FILE
from duelbook.options import options_of
from duelbook.presets import Preset, presets_of
from duelbook.terminal.screen import Screen
from scripts.game_pages import folder_of, shipped_games
from scripts.markdown import table

MANIFEST, CSV = "lab.json", "variants.csv"
BEST_ROWS = 5
HEADS = ("first seat", "depth", "moves", "decisions that matter", "best play", "play it")

Row = dict[str, str]


def lab_folder(name: str) -> Path:
    """Return the folder with what the lab found about a game, which need not exist."""
    return folder_of(name) / "lab"


def measured_games() -> list[str]:
    """Return the games about which the lab has found something."""
    return [name for name in shipped_games() if (lab_folder(name) / CSV).exists()]


def rows_of(name: str) -> list[Row]:
    """Return the variants of a game that were measured."""
    with (lab_folder(name) / CSV).open(newline="") as file:
        return list(csv.DictReader(file))


def measurements_text(name: str) -> str:
    """Return the content of `measurements.csv` of a game: the variants that were measured."""
    swept = json.loads((lab_folder(name) / MANIFEST).read_text())["sweeps"]
    text = io.StringIO()
    writer = csv.DictWriter(text, (*swept, *COLUMNS), extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(row for row in rows_of(name) if not row["too_large"])
    return text.getvalue()


def measurements_file(name: str) -> Path:
    """Return the file with what players are told about the variants of a game."""
    return folder_of(name) / FILE


def variants() -> str:
    """Return what the lab found about each game."""
    return "\n".join(map(_section, measured_games()))


def _section(name: str) -> str:
    document = json.loads((lab_folder(name) / MANIFEST).read_text())
    rows = rows_of(name)
    measured = [row for row in rows if not row["too_large"]]
    best = sorted((row for row in measured if row["front"] == "True"), key=_balance, reverse=True)[:BEST_ROWS]
    swept = list(document["sweeps"])
    parts = [
        f"## {title(name)}\n",
        f"    {lab_command(name, document)}\n",
        " ".join(_findings(name, rows, measured)) + "\n",
        "The best of the front, by the product of the three scores:\n",
        table(("variant", *HEADS), ((_named(row, swept), *_cells(row)) for row in best)),
        "What each option does, on average over all variants that have the value:\n",
        table(
            ("option", "value", "first seat", "depth", "moves"),
            (cells for option in swept for cells in _by_value(option, measured)),
        ),
    ]
    presets = [(preset, row) for preset in presets_of(GAMES[name]).values() if (row := preset_row(name, preset))]
    parts[3:3] = [
        "The presets:\n",
        table(("preset", *HEADS[:-1], "options"), (_preset_cells(preset, row) for preset, row in presets)),
    ]
    return "\n".join(parts)


def lab_command(name: str, document: dict[str, Any]) -> str:
    """Return the command that measured the variants."""
    [game] = document["games"]
    sweeps = [f"--sweep {text}" for text in sweep_texts(name, document)]
    fixed = [f"--option {option}={value}" for option, value in game["options"].items()]
    numbers = [f"--pairs {document['pairs']}", f"--starts {document['starts']}", f"--seed {document['seed']}"]
    return " ".join([f"duelbook lab {name}", *sweeps, *fixed, *numbers, "--out lab"])


def sweep_texts(name: str, document: dict[str, Any]) -> list[str]:
    """Return the sweeps of a manifest as they are typed. The values of a list have commas of their own."""
    lists = {option.name for option in options_of(GAMES[name]) if option.items}
    return [
        f"{option}={(';' if option in lists else ',').join(map(str, values))}"
        for option, values in document["sweeps"].items()
    ]


def preset_row(name: str, preset: Preset) -> Row | None:
    """Return what was measured of a preset, or None if it was not."""
    command = command_of(make_entry(name, dict(preset.options)))
    return next((row for row in rows_of(name) if row["command"] == command and not row["too_large"]), None)


def is_fair(row: Row) -> bool:
    """Return True if the first seat's score is within chance of one half."""
    return float(row["low"]) <= 0.5 <= float(row["high"])


def _findings(name: str, rows: Sequence[Row], measured: Sequence[Row]) -> list[str]:
    wins = {
        seat: sum(row["exact_winner"] == seat for row in measured) for seat in ("first", "second", "nobody", "mixed")
    }
    parts = [
        f"with best play the first seat wins {wins['first']} of {len(measured)} variants and the second "
        f"{wins['second']}",
        *([f"{wins['nobody']} are drawn or endless"] if wins["nobody"] else []),
        *([f"in {wins['mixed']} it depends on the start"] if wins["mixed"] else []),
    ]
    found = [f"{', '.join(parts)}.".capitalize()]
    fair = [row for row in measured if is_fair(row)]
    nearest = min(measured, key=lambda row: abs(float(row["first_score"]) - 0.5))
    if fair:
        deepest = max(fair, key=lambda row: float(row["depth"]))
        found.append(
            f"Between equal levels {len(fair)} of them are fair: the first seat's score is within chance of 50%. "
            f"The deepest of these is `{deepest['command']}`."
        )
    else:
        found.append(
            f"**No variant is fair**: the nearest, `{nearest['command']}`, gives the first seat {_score(nearest)}. "
            f"The fair way to play is [two matches with the seats swapped](#when-no-rule-makes-a-game-fair): "
            f"`duelbook play {name} --matches 2`."
        )
    if len(rows) > len(measured):
        found.append(
            f"{len(rows) - len(measured)} of {len(rows)} variants are too large to be solved in the memory allowed."
        )
    return found


def _score(row: Row) -> str:
    return f"{float(row['first_score']):.0%} ({float(row['low']):.0%} to {float(row['high']):.0%})"


def _named(row: Row, swept: Sequence[str]) -> str:
    return ", ".join(f"{option}={row[option]}" for option in swept)


def _cells(row: Row) -> tuple[str, ...]:
    count = f"{float(row['exact_plies'] or 0):.3g}"
    plies = f"{count} move{'' if count == '1' else 's'}" if row["exact_plies"] else "endless"
    winner = row["exact_winner"]
    return (
        _score(row),
        f"{float(row['depth']):.0f}",
        f"{float(row['moves']):.1f}",
        f"{float(row['mattered']):.0%}",
        f"{winner if winner in ('nobody', 'mixed') else f'{winner} wins'}, {plies}",
        f"`{row['command']}`",
    )


def _preset_cells(preset: Preset, row: Row) -> tuple[str, ...]:
    options = ", ".join(f"`{name}={value}`" for name, value in preset.options.items()) or "the book's"
    return (f"**{preset.title}** (`--preset {preset.name}`): {preset.about}", *_cells(row)[:-1], options)


def _by_value(option: str, measured: Sequence[Row]) -> list[tuple[str, ...]]:
    values = list(dict.fromkeys(row[option] for row in measured))
    found: list[tuple[str, ...]] = []
    for value in values:
        having = [row for row in measured if row[option] == value]
        means = [fmean(float(row[name]) for row in having) for name in ("first_score", "depth", "moves")]
        found.append((f"`{option}`", value, f"{means[0]:.0%}", f"{means[1]:.0f}", f"{means[2]:.1f}"))
    return found


def _balance(row: Row) -> float:
    return float(row["fairness_score"]) * float(row["depth_score"]) * float(row["brevity_score"])


def measure_again(name: str) -> None:
    """Measure the variants of a game again, with the present rules and levels."""
    folder = lab_folder(name)
    document = json.loads((folder / MANIFEST).read_text())
    [game] = document["games"]
    numbers = {key: document[key] for key in ("pairs", "starts", "megabytes", "seed")}
    with tempfile.TemporaryDirectory() as out:
        run_lab(plan_lab(name, sweep_texts(name, document), game["options"], **numbers), out, display=Screen())
        for file in (MANIFEST, CSV):
            shutil.copy(Path(out) / file, folder / file)
    measurements_file(name).write_text(measurements_text(name))


if __name__ == "__main__":
    for one in sys.argv[1:] or measured_games():
        print(title(one))
        measure_again(one)

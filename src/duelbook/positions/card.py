"""The dataset card: the README of a dataset on Hugging Face, with the front matter that its viewer reads."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from duelbook.games import title
from duelbook.positions.position import DatasetPosition

WORD_LIST = """ The word list of Duelbook, which decides some values, is derived from SCOWL,
copyright 2000-2011 by Kevin Atkinson, under its own permissive licence."""
SIZES = ((1000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**9, "100K<n<1M"))
FIELDS = {
    "id": "name of the position",
    "split": "`train`, `test` or `held-out`",
    "game, options, dictionary": "the game with all rule options, and the hash of its word list if it has one",
    "rules, rules_by": "hash of the code of the rules, and who wrote them",
    "moves, ply": "the moves from the start to the position, and how many these are",
    "seat": "the player to move: `first` or `second`",
    "text": "the position as text",
    "value, remoteness": "what the position is worth to the player to move, and the plies to the end with best play",
    "legal": "every legal move: its value for the player who makes it, the plies to the end after it, and its regret",
    "good": "the legal moves that keep the value; every one of them is a right answer",
    "distance, choices, share": "the ranges of the remoteness, the number of legal moves and the share of good ones",
    "chance_accuracy, chance_regret": "what a player gets on average who picks any legal move",
    "class": "hash of the values that can follow; symmetric positions have the same",
    "cluster": "the random game that the position was met in; group by it for standard errors",
    "prompt": "the question as chat messages",
}


def dataset_card(description: dict[str, Any], positions: Sequence[DatasetPosition], extension: str) -> str:
    """Return the card of a dataset with these positions, whose files have this extension."""
    splits = list(description["splits"])
    files = "\n".join(f"  - split: {_split_name(one)}\n    path: {one}.{extension}" for one in splits)
    seed = "a secret seed" if description["seed"] is None else f"seed {description['seed']}"
    fields = "\n".join(f"| `{names.replace(', ', '`, `')}` | {about} |" for names, about in FIELDS.items())
    words = WORD_LIST if any(one.dictionary for one in positions) else ""
    return f"""---
pretty_name: Duelbook positions
language:
- en
license: mit
task_categories:
- question-answering
- text-generation
tags:
- games
- strategy
- reasoning
- planning
- benchmark
size_categories:
- {_size(len(positions))}
configs:
- config_name: default
  data_files:
{files}
---

# Duelbook positions

Positions of small two-player games, each with one question: what do you play? All games are solved, so the value of
every legal move is exact, and a right answer is one that keeps the value. In every position some legal moves keep it
and some do not.

{_counts(splits, positions)}

Made by Duelbook {description["duelbook"]} with {seed}, and at most {description["per_cell"]} positions per cell.
The games and their options:

```json
{json.dumps(description["games"], indent=2)}
```

## Fields

| field | meaning |
|---|---|
{fields}

The Parquet files have the same fields as the JSONL files; `options` is a JSON text there.

## How positions are chosen

- They are met in random games, whose players keep the value with a probability that is drawn for each game.
- No two positions of a game are of the same class. The class decides the split, whatever the seed is, so symmetric
  positions are never in two splits, not even of two datasets.
- They are stratified by game, seat, distance to the end, number of legal moves and share of good moves. Some cells have
  fewer positions, because the game has no more.

## Who wrote the rules

{_authors(positions)}

The text of the rules is part of the prompt.{words}

## Held-out split

{_held_out(description)}
"""


def _split_name(split: str) -> str:
    return split.replace("-", "_")  # a hyphen is not allowed there


def _size(count: int) -> str:
    """Return the category of Hugging Face for this many rows."""
    return next(name for most, name in SIZES if count < most)


def _counts(splits: Sequence[str], positions: Sequence[DatasetPosition]) -> str:
    """Return the table of how many positions of each game a split has."""
    count = Counter[tuple[str, str]]((one.game, one.split) for one in positions)
    games = list(dict.fromkeys(one.game for one in positions))
    rows = [[title(game), *(str(count[game, split]) for split in splits)] for game in games]
    rows.append(["all", *(str(sum(count[game, split] for game in games)) for split in splits)])
    lines = [["game", *splits], ["---"] * (len(splits) + 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _authors(positions: Sequence[DatasetPosition]) -> str:
    authors = {one.game: one.rules_by for one in positions}
    return "\n".join(f"- {title(game)}: {by}" for game, by in authors.items())


def _held_out(description: dict[str, Any]) -> str:
    held = description["held_out"]
    if description["seed"] is None:
        return "This is a held-out split. Do not publish it."
    if held is None:
        return "Two tenths of all classes are never part of this dataset. A held-out split has positions of these only."
    return (
        f"Two tenths of all classes are not part of this dataset. {held['positions']} positions of these are held out. "
        f"They were drawn with a secret seed. The SHA-256 of their JSONL file is\n`{held['sha256']}`, and that of the "
        f"seed, after `duelbook-positions` and a space,\n`{held['seed_sha256']}`."
    )

"""The manifest: a tournament as a JSON document, with everything that is needed to play it again exactly."""

import json
from pathlib import Path
from typing import Any

from duelbook import __version__
from duelbook.agents import agent_settings
from duelbook.arena.plan import Entry, Tournament, check_size, make_entry, read_agents
from duelbook.compiled.source_hash import source_hash
from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.game import has_choices, uses_word_list
from duelbook.games import name_of
from duelbook.options import write_options
from duelbook.records.record import MAX_SEED
from duelbook.text import shorten

FORMAT = "duelbook-tournament"
VERSION = 1
LARGEST = 4_000_000  # bytes
MOST_PAIRS = 1_000_000
LONGEST_MATCH = 1_000_000  # moves


def write_manifest(tournament: Tournament) -> str:
    """Answer the tournament as text."""
    return json.dumps(manifest_json(tournament), indent=2) + "\n"


def manifest_json(tournament: Tournament) -> dict[str, Any]:
    """Answer the tournament as a JSON document, with the settings here where these decide how an agent plays."""
    settings = agent_settings(tournament.agents)
    return {
        "format": FORMAT,
        "version": VERSION,
        "duelbook": __version__,
        "games": [_entry_json(entry) for entry in tournament.entries],
        "agents": list(tournament.agents),
        "pairs": tournament.pairs,
        "seed": tournament.seed,
        "ply_limit": tournament.ply_limit,
        **({"settings": settings} if settings else {}),
    }


def _entry_json(entry: Entry) -> dict[str, Any]:
    """Answer the game with all its options but what is drawn, and what its rules are made of."""
    game, options = entry.game, write_options(entry.game)
    if entry.drawn and has_choices(game):
        del options[game.chosen]
    words = {"dictionary": game.digest} if uses_word_list(game) else {}
    return {"game": name_of(game), "options": options, **words, "rules": source_hash(type(game))}


def load_manifest(path: Path) -> Tournament:
    """Answer the tournament that the file describes, or refuse it."""
    try:
        with path.open("rb") as file:
            return read_manifest(file.read(LARGEST))
    except OSError as error:
        raise RefusedError(f"{shorten(str(path))}: {error.strerror}") from error
    except RefusedError as error:
        raise RefusedError(f"{path}: {error}") from error


def read_manifest(raw: bytes) -> Tournament:
    """Answer the tournament that the text describes; refuse one that could not be played again exactly."""
    document = parse(raw)
    if not isinstance(document, dict) or document.get("format") != FORMAT or document.get("version") != VERSION:
        raise RefusedError(f"not a manifest of this Duelbook (format '{FORMAT}', version {VERSION})")
    if document.get("duelbook") != __version__:
        raise RefusedError(f"made by Duelbook {shorten(str(document.get('duelbook')))}, and this is {__version__}")
    tournament = Tournament(
        entries=tuple(map(_read_entry, _listed(document, "games"))),
        agents=read_agents(_texts(_listed(document, "agents"))),
        pairs=_number(document, "pairs", 1, MOST_PAIRS),
        seed=_number(document, "seed", 0, MAX_SEED),
        ply_limit=None if document.get("ply_limit") is None else _number(document, "ply_limit", 1, LONGEST_MATCH),
    )
    check_size(tournament)
    _check_same(document, manifest_json(tournament))
    return tournament


def _read_entry(document: Any) -> Entry:
    if not isinstance(document, dict) or not isinstance(document.get("game"), str):
        raise RefusedError("games: each must be an object with the name of a game")
    options = document.get("options")
    if not isinstance(options, dict) or not all(type(value) in (int, str) for value in options.values()):
        raise RefusedError("games: options must be an object of texts and whole numbers")
    return make_entry(document["game"], options)


def _check_same(given: dict[str, Any], made: dict[str, Any]) -> None:
    """Refuse a manifest of other rules or settings than those here, or with anything else that is not understood."""
    for theirs, ours in zip(given["games"], made["games"], strict=True):
        for name in ("rules", "dictionary"):
            if theirs.get(name) != ours.get(name):
                raise RefusedError(f"the {name} of {ours['game']} here are not those that it was made with")
    _check_settings(given.get("settings"), made.get("settings", {}))
    for name in {**made, **given}:
        if given.get(name) != made.get(name):
            raise RefusedError(f"{shorten(name)}: not as this Duelbook writes it")


def _check_settings(given: Any, made: dict[str, Any]) -> None:
    """Refuse a setting that was another one when the manifest was made."""
    for name, ours in made.items():
        theirs = given.get(name, ours) if isinstance(given, dict) else ours
        if theirs != ours:
            there, here = (shorten(json.dumps(value)) for value in (theirs, ours))
            raise RefusedError(f"made with {name} {there}, and here it is {here}")


def _listed(document: dict[str, Any], name: str) -> list[Any]:
    value = document.get(name)
    if not isinstance(value, list) or not value:
        raise RefusedError(f"{name}: must be a list of at least one")
    return value


def _texts(values: list[Any]) -> list[str]:
    if not all(isinstance(value, str) for value in values):
        raise RefusedError("agents: must be a list of texts")
    return values


def _number(document: dict[str, Any], name: str, low: int, high: int) -> int:
    value = document.get(name)
    if type(value) is not int or not low <= value <= high:
        raise RefusedError(f"{name}: must be a whole number from {low} to {high}")
    return value

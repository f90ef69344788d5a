"""The manifest: a plan as a JSON document, with everything that is needed to play it again exactly."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, to_builtins

from duelbook import __version__
from duelbook.agents import agent_settings, is_model
from duelbook.agents.llm.settings import Reading, by_variable
from duelbook.arena.entries import GameEntry, check_agents, make_entry, named_agents
from duelbook.arena.openings import Openings
from duelbook.arena.plan import EvaluationPlan, MatchPlan, Plan, TournamentPlan, checked
from duelbook.compiled.source_hash import source_hash
from duelbook.documents import convert, parse
from duelbook.errors import RefusedError
from duelbook.game import uses_word_list
from duelbook.games import name_of
from duelbook.options import write_options
from duelbook.text import shorten, with_article

MAX_MANIFEST_BYTES = 4_000_000

TOURNAMENT, EVALUATION = "duelbook-tournament", "duelbook-evaluation"
VERSION = 1  # of both
MODEL_FIELDS = ("attempts", "show_legal", "body", "reading", "tools", "system_role", "timeout")  # of an evaluation

P = TypeVar("P", bound=Plan)


class GameDocument(Struct, kw_only=True, forbid_unknown_fields=True):
    """A game with all its options but those that are drawn, and what its rules are made of."""

    game: str
    options: dict[str, int | str]
    dictionary: str | UnsetType = UNSET
    rules: str


Games = Annotated[list[GameDocument], Meta(min_length=1)]


class TournamentDocument(Struct, kw_only=True, forbid_unknown_fields=True):
    """The manifest of a tournament."""

    format: str = TOURNAMENT
    version: int = VERSION
    duelbook: str = __version__
    games: Games
    agents: list[str]
    pairs: int
    seed: int
    openings: Openings
    ply_limit: int | None
    settings: dict[str, Any] | UnsetType = UNSET  # those that decide how programs and language models play
    exact: list[bool]  # for each game, whether it was solved; empty before that


class EvaluationDocument(Struct, kw_only=True, forbid_unknown_fields=True):
    """The manifest of an evaluation."""

    format: str = EVALUATION
    version: int = VERSION
    duelbook: str = __version__
    agent: str
    games: Games
    opponents: list[str]
    pairs: int
    seed: int
    openings: Openings
    attempts: int
    show_legal: bool
    body: dict[str, Any]
    reading: Reading | UnsetType = UNSET  # this and the next three only if language models play
    tools: bool | UnsetType = UNSET
    system_role: bool | UnsetType = UNSET
    timeout: float | UnsetType = UNSET
    settings: dict[str, Any] | UnsetType = UNSET  # those that decide how programs play, if any do
    exact: list[bool]  # for each game, whether it was solved; empty before that


class _Head(Struct):
    """The fields that identify a manifest and the version of Duelbook that wrote it."""

    format: str
    version: int
    duelbook: str


def write_manifest(plan: Plan) -> str:
    """Return the manifest of the plan as text."""
    return json.dumps(manifest_json(plan), indent=2) + "\n"


def manifest_json(plan: Plan) -> dict[str, Any]:
    """Return the manifest of the plan as a JSON document, with the present rules and settings."""
    write = next(one.write for one in FORMATS.values() if one.plan is type(plan))
    document: dict[str, Any] = to_builtins(write(plan))
    return document


def _evaluation_document(plan: EvaluationPlan) -> EvaluationDocument:
    return EvaluationDocument(
        agent=plan.agents[0],
        games=[game_document(entry) for entry in plan.entries],
        opponents=list(plan.opponents),
        pairs=plan.pairs,
        seed=plan.seed,
        openings=plan.openings,
        attempts=plan.attempts,
        show_legal=plan.show_legal,
        body=plan.body,
        reading=plan.reading or UNSET,
        tools=plan.tools if plan.reading else UNSET,
        system_role=plan.system_role if plan.reading else UNSET,
        timeout=UNSET if plan.timeout is None else plan.timeout,
        settings=program_settings(plan.agents),
        exact=list(plan.exact),
    )


def _tournament_document(plan: TournamentPlan) -> TournamentDocument:
    return TournamentDocument(
        games=[game_document(entry) for entry in plan.entries],
        agents=list(plan.agents),
        pairs=plan.pairs,
        seed=plan.seed,
        openings=plan.openings,
        ply_limit=plan.ply_limit,
        settings=agent_settings(plan.agents) or UNSET,
        exact=list(plan.exact),
    )


def program_settings(agents: Iterable[str]) -> dict[str, Any] | UnsetType:
    """Return the settings that decide how the programs among these agents play, if there are any.

    Those of language models are fields of their own in the manifest of an evaluation, which has flags for them.
    """
    return agent_settings(agent for agent in agents if not is_model(agent)) or UNSET


def played_with(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of programs and language models in a manifest, by their environment variables."""
    models = {name: manifest[name] for name in MODEL_FIELDS if name in manifest} if "reading" in manifest else {}
    return {**manifest.get("settings", {}), **by_variable(models)}


def game_document(entry: GameEntry) -> GameDocument:
    """Return the game of a plan as manifests have it."""
    game = entry.game
    options = {name: value for name, value in write_options(game).items() if name not in entry.drawn}
    dictionary = game.digest if uses_word_list(game) else UNSET
    return GameDocument(game=name_of(game), options=options, dictionary=dictionary, rules=source_hash(type(game)))


def load_manifest(path: Path, kind: type[P], *, to_play: bool = True) -> P:
    """Return the plan in the file, or raise RefusedError. Its agents must be here only if it is to be played."""
    try:
        with path.open("rb") as file:
            plan = read_manifest(file.read(MAX_MANIFEST_BYTES), to_play=to_play)
    except OSError as error:
        raise RefusedError(f"Cannot read '{path}': {error.strerror}.") from error
    except RefusedError as error:
        raise RefusedError(f"{path}: {error}") from error
    if not isinstance(plan, kind):
        raise RefusedError(
            f"{path}: This is the manifest of {with_article(plan.kind)}, not of {with_article(kind.kind)}."
        )
    return plan


def read_manifest(raw: bytes, *, to_play: bool = True) -> Plan:
    """Return the plan in the bytes. Raise RefusedError if it could not be played again exactly.

    Unless it is `to_play`, its agents need not be here, and their settings may be others now.
    """
    given = parse(raw)
    head = convert(given, _Head)
    known = FORMATS.get(head.format)
    if known is None or known.version != head.version:
        raise RefusedError(f"This version of Duelbook cannot read '{shorten(head.format)}' version {head.version}.")
    if head.duelbook != __version__:
        raise RefusedError(f"The manifest was written by Duelbook {shorten(head.duelbook)}, but this is {__version__}.")
    plan = known.read(given)
    present = manifest_json(plan)
    if not to_play:
        given, present = ({**document, "settings": {}} for document in (given, present))
    elif isinstance(plan, MatchPlan):
        check_agents(plan.agents)
    _check_same(given, present)
    return plan


def _tournament_plan(manifest: Any) -> Plan:
    document = convert(manifest, TournamentDocument)
    entries, agents = _entries(document.games), named_agents(document.agents)
    given = (document.pairs, document.seed, document.ply_limit, document.openings, tuple(document.exact))
    return checked(TournamentPlan(entries, agents, *given))


def _evaluation_plan(manifest: Any) -> Plan:
    document = convert(manifest, EvaluationDocument)
    agents = (*named_agents([document.agent]), *named_agents(document.opponents))
    if any(map(is_model, agents)) and document.reading is UNSET:
        raise RefusedError("It does not say how replies are read (reading).")
    plan = EvaluationPlan(
        _entries(document.games),
        agents,
        document.pairs,
        document.seed,
        openings=document.openings,
        exact=tuple(document.exact),
        attempts=document.attempts,
        show_legal=document.show_legal,
        body=document.body,
        reading=None if document.reading is UNSET else document.reading,
        tools=document.tools is True,
        system_role=document.system_role is not False,
        timeout=None if document.timeout is UNSET else document.timeout,
    )
    return checked(plan)


def _entries(games: Sequence[GameDocument]) -> tuple[GameEntry, ...]:
    return tuple(make_entry(game.game, dict(game.options)) for game in games)


def _check_same(given: dict[str, Any], present: dict[str, Any]) -> None:
    """Raise RefusedError unless this version of Duelbook would write the same manifest with its rules and settings."""
    for theirs, ours in zip(given["games"], present["games"], strict=True):
        for name, what in (("rules", "rules"), ("dictionary", "word list")):
            if theirs.get(name) != ours.get(name):
                raise RefusedError(f"The {what} of {ours['game']} changed since the manifest was written.")
    settings = given.get("settings", {})
    for name, ours in present.get("settings", {}).items():
        if name not in settings:
            raise RefusedError(f"Its settings lack {name}.")
        theirs = settings[name]
        if theirs != ours:
            before, now = (shorten(json.dumps(value)) for value in (theirs, ours))
            raise RefusedError(f"The manifest was written with {name}={before}, but it is now {now}.")
    for name in {**present, **given}:
        if given.get(name) != present.get(name):
            raise RefusedError(f"{name} differs from what this version of Duelbook writes.")


class Format(NamedTuple):
    """How the plans of one kind are written as documents, and read."""

    version: int
    plan: type[Plan]
    write: Callable[[Any], Struct]
    read: Callable[[Any], Plan]


FORMATS: dict[str, Format] = {  # by the name of the format; other rooms add theirs
    TOURNAMENT: Format(VERSION, TournamentPlan, _tournament_document, _tournament_plan),
    EVALUATION: Format(VERSION, EvaluationPlan, _evaluation_document, _evaluation_plan),
}

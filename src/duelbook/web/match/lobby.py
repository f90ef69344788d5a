"""The lobby: creating a match, joining one, and the next game with the seats swapped."""

import random
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from msgspec.structs import replace

from duelbook.agents import is_exact, needs_solution
from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, Player, has_choices, uses_word_list, with_choices
from duelbook.games import BUILT_IN, find_rules, origin
from duelbook.options import draw, drawn_options, write_options
from duelbook.presets import expand_preset
from duelbook.records.record import HUMAN
from duelbook.text import clean_name, fold
from duelbook.web.db.errors import ConflictError
from duelbook.web.db.series import next_game
from duelbook.web.db.tables import Change, MatchRow, SeatRow, StoredMatch
from duelbook.web.match.actions import seat_for
from duelbook.web.match.listings import is_offered
from duelbook.web.match.positions import requested_game
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch, agent_choice, options_text, unix_minute, uptime_minute
from duelbook.web.match.tokens import (
    derived_id,
    derived_token,
    is_token,
    new_id,
    new_seed,
    new_token,
    random_seat,
    token_hash,
)
from duelbook.web.match.view import seated_view
from duelbook.web.problems import Problem
from duelbook.web.schemas.matches import Join, NewMatch, SeatedView

FRIEND = "friend"
TAKEN = "Somebody else has taken this challenge. Choose another one."
INSTEAD = "Play against expert or mcts, or with smaller options."

CheckAgent = Callable[[str], None]
OnProgress = Callable[[Any], None]
Prepare = Callable[[str, Mapping[str, Any], bool, OnProgress], Awaitable[bool]]


class Lobby:
    """Gives seats to players.

    `check_agent` raises if there can be no match against an agent. `prepare` solves a game for an exact agent, or
    returns False if the game is too large; it is told whether the game must be solved, and whom to tell how far it is.
    """

    def __init__(
        self, registry: MatchRegistry, check_agent: CheckAgent, prepare: Prepare, present: Callable[[str], int]
    ) -> None:
        self._registry = registry
        self._present = present  # the seats of a match whose players are present, as a bit mask
        self._check_agent = check_agent
        self._prepare = prepare

    async def create(self, request: NewMatch, on_progress: OnProgress = lambda progress: None) -> SeatedView:
        """Create a match, and give its creator a seat. The same key gets the same match and seat again."""
        if request.key is None:
            return await self._create(request, new_id(), new_token(), on_progress)
        match, token = derived_id(request.key), derived_token(request.key, "create")
        try:
            return await self._find_created(match, token)
        except Problem as problem:
            if problem.code != "not-found":
                raise
        try:
            return await self._create(request, match, token, on_progress)
        except ConflictError:  # another request with the same key was quicker
            return await self._find_created(match, token)

    async def _find_created(self, match: str, token: str) -> SeatedView:
        """Return the view of a match for the player who created it with this token."""
        served = await self._registry.read(match)
        seat = served.seat_of(token)
        assert seat is not None  # both follow from the key
        self._registry.notify(served)  # in case the first request was interrupted before
        return seated_view(served, seat, token)

    async def _create(self, request: NewMatch, match: str, token: str, on_progress: OnProgress) -> SeatedView:
        seed = new_seed()
        options = expand_preset(find_rules(request.game), request.options)
        game = _with_draws(requested_game(request.game, options), options, seed)
        agent, agent_name = await self._opponent(request, game, on_progress)
        seat = random_seat() if request.seat == "random" else SEAT_NAMES.index(request.seat)
        by_options = has_choices(game) and game.chosen in options
        choice = _check_choice(game, request.choice, by_options)
        other = SeatRow(match, 1 - seat)
        if agent != HUMAN:
            other = SeatRow(match, 1 - seat, agent_name, agent, choice=choice and agent_choice(game, choice, seed))
        name = _check_name(request.name, other.name or "Player 2")
        own = SeatRow(match, seat, name, token=token_hash(token), choice=choice)
        if request.open and agent != HUMAN:
            raise RefusedError(f"A match against {agent} cannot be open: its seats are taken.")
        asked = {name: getattr(request, name) for name in ("time_limit", "public", "best_of", "open")}
        row = self._new_row(match, game, request.game, seed, seat, **asked)
        served = ServedMatch(StoredMatch(row, (own, other) if seat == 0 else (other, own)), self._registry.clock)
        await self._registry.add(served)
        return seated_view(served, seat, token)

    async def _opponent(self, request: NewMatch, game: AnyGame, on_progress: OnProgress) -> tuple[str, str]:
        """Return the agent to play against, or HUMAN for a friend, and its name, which says if a level searches."""
        agent = request.opponent
        if agent == FRIEND:
            return HUMAN, ""
        self._check_agent(agent)
        is_shipped = game == requested_game(request.game, {}) and origin(request.game) == BUILT_IN
        required = needs_solution(agent)
        if not is_exact(agent) or is_shipped:
            return agent, agent
        if await self._prepare(request.game, write_options(game), required, on_progress):
            return agent, agent
        if required:
            raise RefusedError(f"This game is too large to be solved, and {agent} needs its exact values. {INSTEAD}")
        return agent, f"{agent} (search)"

    def _new_row(self, match: str, game: AnyGame, name: str, seed: int, creator: Player, **columns: Any) -> MatchRow:
        return MatchRow(
            id=match,
            game=name,
            options=options_text(game),
            dictionary=game.digest if uses_word_list(game) else None,
            seed=seed,
            creator=creator,
            created=unix_minute(self._registry.clock),
            active_at=uptime_minute(self._registry.clock),
            **columns,
        )

    async def join(self, match: str, player: Join) -> SeatedView:
        """Take the free seat. The same key gets the same seat and token again."""
        key = player.key
        token = new_token() if key is None else derived_token(key, f"join {match}")

        def step(served: ServedMatch) -> tuple[Change, ...]:
            if key is not None and served.seat_of(token) is not None:
                return ()
            free = next((seat for seat in served.seats if not seat.is_taken and not seat.reserved), None)
            if free is None:
                raise served.problem("seat-taken", TAKEN if player.challenge else "Both seats of this match are taken.")
            if player.challenge and not is_offered(served, self._present(match)):
                raise served.problem("not-offered", "This challenge is no longer open. Choose another one.")
            other = served.seats[1 - free.seat]
            chosen = _check_choice(served.game, player.choice, by_options=other.choice is None)
            own_name = _check_name(player.name, served.name(other.seat))
            return (served.take_seat(replace(free, name=own_name, token=token_hash(token), choice=chosen)),)

        served = await self._registry.change(match, step)
        seat = served.seat_of(token)
        assert seat is not None
        return seated_view(served, seat, token)

    async def rematch(self, match: str, token: str | None, removed: str | None = None) -> SeatedView:
        """Create the rematch, or take the seat in the rematch that the other player created.

        `removed` is the id of a rematch that no longer exists.
        """
        created: ServedMatch | None = None

        def step(served: ServedMatch) -> tuple[Change, ...]:
            nonlocal created
            created = None
            seat = seat_for(served, token)
            if not served.match.over:
                raise served.problem("not-over", "The match is not over. A rematch is possible when it is.")
            if served.row.rematch not in (None, removed):
                return ()
            for agent in (other.agent for other in served.seats if other.is_agent):
                self._check_agent(agent)
            created = self._swapped(served, seat, token or "")
            return (served.set_rematch(created.row.id), created.create())

        served = await self._registry.change(match, step)
        seat, following = seat_for(served, token), str(served.row.rematch)
        if created:
            await self._registry.adopt(created)
            return seated_view(created, 1 - seat, _rematch_token(token, following))
        try:
            return await self._take_reserved(following, 1 - seat, _rematch_token(token, following))
        except Problem as problem:
            if problem.code != "not-found":
                raise
            return await self.rematch(match, token, removed=following)  # it was removed because it was idle

    async def _take_reserved(self, match: str, seat: Player, token: str) -> SeatedView:
        def step(served: ServedMatch) -> tuple[Change, ...]:
            reserved = served.seats[seat]
            if is_token(token, reserved.token):
                return ()
            return (served.take_seat(replace(reserved, token=token_hash(token), reserved=False)),)

        return seated_view(await self._registry.change(match, step), seat, token)

    def _swapped(self, before: ServedMatch, asker: Player, token: str) -> ServedMatch:
        """Return the next game, in which both players have the other seat, with what they chose."""
        match, game = new_id(), before.game
        if has_choices(game):
            one, two = getattr(game, game.chosen)
            game = with_choices(game, two, one)
        same = {"time_limit": before.row.time_limit, "public": before.row.public, **next_game(before.row)}
        row = self._new_row(match, game, before.row.game, new_seed(), 1 - before.row.creator, **same)
        first, second = (
            SeatRow(match, seat, old.name, old.agent, reserved=not old.is_agent)
            for seat, old in enumerate(reversed(before.seats))
        )
        own = replace((first, second)[1 - asker], token=token_hash(_rematch_token(token, match)), reserved=False)
        seats = (own, second) if own.seat == 0 else (first, own)
        return ServedMatch(StoredMatch(row, seats), self._registry.clock)


def _with_draws(game: AnyGame, given: Mapping[str, Any], seed: int) -> AnyGame:
    """Return the game of a new match with the options drawn that are neither given nor chosen by the players."""
    kept = (*given, game.chosen) if has_choices(game) else given
    return draw(game, random.Random(f"draw {seed}"), drawn_options(type(game), kept))


def _rematch_token(token: str | None, match: str) -> str:
    return derived_token(token or "", f"rematch {match}")


def _check_name(name: str | None, other: str) -> str | None:
    """Return the name in normal form, or raise RefusedError if the other player has the same."""
    if name is None:
        return None
    name = clean_name(name)
    if fold(name) == fold(other):
        raise RefusedError(f"The other player is already called '{name}'. Choose another name.")
    return name


def _check_choice(game: AnyGame, choice: str | None, by_options: bool) -> str | None:
    """Return a player's choice before the start. Raise if it is invalid, missing, or not asked for.

    `by_options` is True if the options of the match already say what both players have.
    """
    if not has_choices(game) or by_options:
        if choice is not None:
            raise RefusedError("There is nothing to choose in this match. Leave `choice` out.")
        return None
    valid: dict[str, Any] = {"what": game.choice, "valid": list(game.choices())}
    if choice is None:
        raise Problem("invalid-choice", f"Choose your {game.choice}: send it as `choice`.", **valid)
    try:
        return game.check_choice(choice)
    except RefusedError as error:
        raise Problem("invalid-choice", str(error), **valid) from error

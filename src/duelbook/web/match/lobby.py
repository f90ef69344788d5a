"""Lobby: new matches, joining one, and the rematch with the seats swapped."""

import json
import secrets
from dataclasses import replace
from typing import Any

from duelbook.agents import is_exact, make_built_in
from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, Player, has_choices, uses_word_list, with_choices
from duelbook.options import write_options
from duelbook.records.record import HUMAN
from duelbook.text import clean_name, fold
from duelbook.web.db.tables import Change, MatchRow, SeatRow, StoredMatch
from duelbook.web.engine.pool import WorkerPool
from duelbook.web.http.catalogue import build
from duelbook.web.match.actions import seat_for
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch, agent_choice, minutes
from duelbook.web.match.tokens import derived, hashed, is_token, new_id, new_token
from duelbook.web.match.view import seated_view
from duelbook.web.problems import Problem
from duelbook.web.schemas.matches import NewMatch, SeatedView

FRIEND = "friend"


class Lobby:
    def __init__(self, registry: MatchRegistry, engine: WorkerPool) -> None:
        self._registry = registry
        self._engine = engine

    async def create(self, wish: NewMatch) -> SeatedView:
        """Make a match, and seat who asks for it."""
        game = build(wish.game, wish.options)
        agent = await self._opponent(wish, game)
        seat = secrets.randbelow(2) if wish.seat == "random" else SEAT_NAMES.index(wish.seat)
        token, match, seed = new_token(), new_id(), secrets.randbits(62)
        choice = _choice(game, wish.choice, given=has_choices(game) and game.chosen in wish.options)
        other = SeatRow(match, 1 - seat)
        if agent != HUMAN:
            other = SeatRow(match, 1 - seat, agent, agent, choice=choice and agent_choice(game, choice, seed))
        own = SeatRow(match, seat, _name(wish.name, other.name or "Player 2"), token=hashed(token), choice=choice)
        row = self._row(match, game, wish.game, seed, seat, time_limit=wish.time_limit, public=wish.public)
        served = ServedMatch(StoredMatch(row, (own, other) if seat == 0 else (other, own)), self._registry.clock)
        await self._registry.add(served)
        return seated_view(served, seat, token)

    async def _opponent(self, wish: NewMatch, game: AnyGame) -> str:
        """Answer the agent to play against, or that it is a person."""
        if wish.opponent == FRIEND:
            return HUMAN
        make_built_in(wish.opponent)
        if is_exact(wish.opponent) and game != build(wish.game, {}):
            await self._engine.study("prepare", game=wish.game, options=write_options(game))
        return wish.opponent

    def _row(self, match: str, game: AnyGame, name: str, seed: int, creator: Player, **wished: Any) -> MatchRow:
        now = minutes(self._registry.clock)
        return MatchRow(
            id=match,
            game=name,
            options=json.dumps(write_options(game)),
            dictionary=game.digest if uses_word_list(game) else None,
            seed=seed,
            creator=creator,
            created=now,
            touched=now,
            **wished,
        )

    async def join(self, match: str, name: str | None, choice: str | None, key: str | None) -> SeatedView:
        """Take the free seat; with the same key again, get the same seat and token again."""
        token = new_token() if key is None else derived(key, f"join {match}")

        def step(served: ServedMatch) -> tuple[Change, ...]:
            if key is not None and served.seat_of(token) is not None:
                return ()
            free = next((seat for seat in served.seats if not seat.is_taken and not seat.reserved), None)
            if free is None:
                raise served.problem("seat-taken", "both seats of this match are taken")
            other = served.seats[1 - free.seat]
            chosen = _choice(served.game, choice, given=other.choice is None)
            seat = replace(free, name=_name(name, served.name(other.seat)), token=hashed(token), choice=chosen)
            return (served.take_seat(seat),)

        served = await self._registry.change(match, step)
        seat = served.seat_of(token)
        assert seat is not None
        return seated_view(served, seat, token)

    async def rematch(self, match: str, token: str | None, gone: str | None = None) -> SeatedView:
        """Make the rematch, or take one's seat in the one that the other player has made, if that is not gone."""
        made: list[ServedMatch] = []

        def step(served: ServedMatch) -> tuple[Change, ...]:
            seat = seat_for(served, token)
            if not served.match.over:
                raise served.problem("not-over", "the match is not over; a rematch comes after it")
            if served.row.rematch not in (None, gone):
                made.clear()
                return ()
            made[:] = [self._swapped(served, seat, token or "")]
            return (served.followed_by(made[0].row.id), made[0].created())

        served = await self._registry.change(match, step)
        seat, follows = seat_for(served, token), str(served.row.rematch)
        if made:
            await self._registry.adopt(made[0])
            return seated_view(made[0], 1 - seat, _follow_up(token, follows))
        try:
            return await self._sit_again(follows, 1 - seat, _follow_up(token, follows))
        except Problem as problem:
            if problem.code != "not-found":
                raise
            return await self.rematch(match, token, gone=follows)  # it was idle for too long

    async def _sit_again(self, match: str, seat: Player, token: str) -> SeatedView:
        def step(served: ServedMatch) -> tuple[Change, ...]:
            place = served.seats[seat]
            if is_token(token, place.token):
                return ()
            return (served.take_seat(replace(place, token=hashed(token), reserved=False)),)

        return seated_view(await self._registry.change(match, step), seat, token)

    def _swapped(self, before: ServedMatch, asker: Player, token: str) -> ServedMatch:
        """Answer a new match in which both people sit on the other seat, with what they chose."""
        match, game = new_id(), before.game
        if has_choices(game):
            one, two = getattr(game, game.chosen)
            game = with_choices(game, two, one)
        kept = {"time_limit": before.row.time_limit, "public": before.row.public}
        row = self._row(match, game, before.row.game, secrets.randbits(62), 1 - before.row.creator, **kept)
        first, second = (
            SeatRow(match, seat, old.name, old.agent, reserved=not old.is_agent)
            for seat, old in enumerate(reversed(before.seats))
        )
        own = replace((first, second)[1 - asker], token=hashed(_follow_up(token, match)), reserved=False)
        seats = (own, second) if own.seat == 0 else (first, own)
        return ServedMatch(StoredMatch(row, seats), self._registry.clock)


def _follow_up(token: str | None, match: str) -> str:
    return derived(token or "", f"rematch {match}")


def _name(wished: str | None, other: str) -> str | None:
    """Answer the name cleaned; two players cannot have the same."""
    if wished is None:
        return None
    name = clean_name(wished)
    if fold(name) == fold(other):
        raise RefusedError(f"the other player is called '{name}' already; take another name")
    return name


def _choice(game: AnyGame, wished: str | None, *, given: bool) -> str | None:
    """Answer what a player chose before the start; refuse it where it is not valid, missing, or not asked for."""
    if not has_choices(game) or given:
        if wished is not None:
            raise RefusedError("there is nothing to choose in this match")
        return None
    valid: dict[str, Any] = {"what": game.choice, "valid": list(game.choices())}
    if wished is None:
        raise Problem("invalid-choice", f"choose your {game.choice}: send it as `choice`", **valid)
    try:
        return game.check_choice(wished)
    except RefusedError as error:
        raise Problem("invalid-choice", str(error), **valid) from error

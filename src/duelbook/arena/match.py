"""One match between two agents, played to its end whatever they do."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from duelbook.agents import (
    Agent,
    ForfeitKind,
    StoppedError,
    TurnReport,
    check_agent_name,
    close_agent,
    introduction,
    is_own,
    make_agent,
    tell_result,
    turn_report,
)
from duelbook.agents.failures import as_forfeit, whole_number
from duelbook.contract import described, verify_once
from duelbook.errors import RefusedError, check_range
from duelbook.game import AnyGame, Move, Player, forced_pass
from duelbook.games import make as make_game
from duelbook.match import Match, ply_limit
from duelbook.records.record import Person, Record
from duelbook.tables import Row, data_frame, html_picture, html_table, paragraph, side_by_side
from duelbook.text import MAX_PLAYER_NAME_CHARACTERS, shorten

MakeAgent = Callable[[str, str], Agent]  # takes a name and a seed, and returns the agent


class MatchForfeit(NamedTuple):
    """Why an agent forfeited a match."""

    by: Player  # the seat
    kind: ForfeitKind
    detail: str  # one line


class PlayedMatch(NamedTuple):
    """A match that is over."""

    record: Record  # without times, so that the same seed gives the same record
    forfeit: MatchForfeit | None  # if set, the record's reason is `forfeit` and the other agent has won
    movers: tuple[Player, ...]  # the seat that made each move
    seconds: tuple[float, ...]  # the time that each move took

    def seconds_of(self, seat: Player) -> tuple[float, ...]:
        """Return the time that each move of this seat took, without those of the opening."""
        timed = [*zip(self.movers, self.seconds, strict=True)][self.record.opening :]
        return tuple(took for mover, took in timed if mover == seat)

    def rows(self) -> list[Row]:
        """Return a row for each move: that of the record, and the seconds that it took."""
        return [{**row, "seconds": seconds} for row, seconds in zip(self.record.rows(), self.seconds, strict=True)]

    def table(self) -> Any:
        """Return the moves as a table (see `duelbook.tables.data_frame`)."""
        return data_frame(self.rows())

    def _repr_html_(self) -> str:
        about = self.record.result_text() + (f": {self.forfeit.detail}" if self.forfeit else "")
        board = html_picture(self.record.picture().document(), "the last position")
        return paragraph(about) + side_by_side(board, html_table(self.rows()))


def play_match(
    game: str | AnyGame,
    agents: tuple[str, str],
    *,
    first: int = 0,
    seed: int = 0,
    opening: Sequence[Move | str] = (),
    limit: int | None = None,
    name: str = "",
    make: MakeAgent = make_agent,
) -> PlayedMatch:
    """Play one match between two agents and return its record, its forfeit if there was one, and the time of each move.

    `game` is a game or the name of one. `agents` names the agents of Player 1 and Player 2, and `first` (0 or 1) says
    which of them moves first. Each agent gets its own seed, derived from `seed`, so the same arguments give the same
    match. The moves of the `opening` are played first, for both agents.

    Raise RefusedError, before anything is played, unless there are two agents with known names.

    An agent from outside forfeits, and so loses, if its answer is not a legal move, if it raises `Forfeit` or
    TimeoutError, or if it raises any other exception, also while it is made. After `limit` moves (by default
    `duelbook.match.ply_limit`) a match is undecided, with the reason `ply limit`. There is no result, and no player is
    to blame, if an agent of Duelbook fails (StoppedError) or the game's own code does (BrokenGameError).

    `make` makes an agent when it is first asked for a move. An agent that keeps a log records the match under `name`,
    or under its seed if it has no name.
    """
    check_pair(agents)
    check_range("first", first, 0, 1)
    if make is make_agent:
        for agent in agents:
            check_agent_name(agent)
    game = make_game(game)
    verify_once(game)
    match = Match(game, ply_limit=len(opening) + (limit or ply_limit(game)))
    players = _Players(agents, seed, name or str(seed), make)
    for move in opening:
        match.play(move)
    seconds, forfeit = [0.0] * len(opening), None
    try:
        while not match.over and not forfeit:
            started = time.perf_counter()
            counted, forfeit = _play_turn(match, players, match.mover ^ first)
            seconds.append(round(time.perf_counter() - started if counted is None else counted, 6))
        players.tell_result(match)
    finally:
        players.close()
    record = match.record(players.people(), first, seed=seed)
    record = replace(record, started=None, ended=None, seconds=(), opening=len(opening))
    movers = tuple(game.mover(state) for state in match.states[: len(match.moves)])
    return PlayedMatch(record, forfeit, movers, tuple(seconds[: len(match.moves)]))


def check_pair(agents: object) -> None:
    """Raise RefusedError unless these are two agents. Their names are not looked at."""
    if not isinstance(agents, tuple | list) or len(agents) != 2:
        raise RefusedError(f"Give two agents, such as ('greedy', 'medium'), not {shorten(repr(agents))}.")


class _Players:
    """The two agents, each made when it is first asked for a move."""

    def __init__(self, names: tuple[str, str], seed: int, match: str, make: MakeAgent) -> None:
        self._names, self._seed, self._match, self._make = names, seed, match, make
        self._agents: dict[int, Agent] = {}

    def name(self, number: int) -> str:
        return self._names[number]

    def choose(self, number: int, match: Match) -> Move:
        if number not in self._agents:
            agent = self._agents[number] = self._make(self._names[number], f"{self._seed} {number}")
            if name_match := getattr(agent, "name_match", None):
                name_match(self._match)
        return self._agents[number].choose(match)

    def report(self, number: int) -> TurnReport:
        """Return what the agent says about its last move."""
        return turn_report(self._agents[number])

    def tell_result(self, match: Match) -> None:
        for agent in self._agents.values():
            tell_result(agent, match)

    def people(self) -> tuple[Person, Person]:
        """Return the players, named as they introduced themselves, or after their agents if these names are short."""
        agents = self._names
        said = [introduction(self._agents[number]) if number in self._agents else None for number in (0, 1)]
        names = [who.name if who else agent for who, agent in zip(said, agents, strict=True)]
        short = names[0] != names[1] and max(map(len, names)) <= MAX_PLAYER_NAME_CHARACTERS
        given = names if short else ["Player 1", "Player 2"]
        return Person(given[0], agents[0]), Person(given[1], agents[1])

    def close(self) -> None:
        for agent in self._agents.values():
            close_agent(agent)


def _play_turn(match: Match, players: _Players, number: int) -> tuple[float | None, MatchForfeit | None]:
    """Play the mover's move, or end the match with the mover's forfeit.

    Return the time that counts, if it is not all that has passed, and the forfeit, if there is one.
    """
    try:
        forced = forced_pass(match.game, match.state)
        if forced is not None:
            match.play(forced)
            return None, None
        match.play(whole_number(players.choose(number, match)))
        report = players.report(number)
        if report.note:
            match.add_note(report.note)
        return report.seconds, None
    except StoppedError:
        raise
    except (Exception, SystemExit) as error:
        failure = as_forfeit(error, match.game)
        if is_own(players.name(number)):
            raise StoppedError(f"{players.name(number)} cannot play {described(match.game)}: {failure}") from error
    forfeit = MatchForfeit(match.mover, failure.kind, str(failure))
    match.forfeit()
    return None, forfeit

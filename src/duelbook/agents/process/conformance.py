"""Whether a program keeps the protocol: it is started and asked, and each finding is a sentence."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import product
from typing import NamedTuple

from duelbook.agents.agent import Forfeit, StoppedError
from duelbook.agents.process.agent import command_words
from duelbook.agents.process.messages import INFO, MATCHES, SEED, Hello
from duelbook.agents.process.program import Program
from duelbook.agents.process.settings import ProcessSettings
from duelbook.game import SEAT_NAMES, AnyGame, Move, Player, forced_pass
from duelbook.games import label
from duelbook.match import Match, ply_limit
from duelbook.text import plural

SILENT_SECONDS = 0.2  # in which a program must not write anything that nobody asked for
UNKNOWN_MESSAGE = {"type": "news", "text": "A later version of the protocol may send this."}
UNFINISHED = "It did not play every match to the end, so this was not checked."

CHECKS = {
    "start": "it says hello, gets ready, and answers its first question with a legal move in time",
    "hello": "it claims no ability that the protocol does not have",
    "play": "it plays every game from both seats to the end",
    "clock": "it keeps within the time for a match, in every game from both seats",
    "unknown": "it ignores messages that it does not know",
    "result": "it takes a result without an answer",
    "process": "it plays several matches in one process",
    "seed": "it makes the same moves for the same seed",
    "info": "it says what it thinks about its moves",
    "end": "it ends by itself when its input ends",
}


Check = Callable[[], str | None]  # returns what is wrong, or raises Forfeit


class Finding(NamedTuple):
    """What one check found."""

    check: str
    failure: str | None = None
    skipped: str | None = None  # why the check could not be made

    @property
    def about(self) -> str:
        return CHECKS[self.check]


class PlayerCheck:
    """The checks of one program."""

    def __init__(self, command: str, games: Sequence[AnyGame], settings: ProcessSettings, seed: int = 0) -> None:
        self._words, self._games, self._settings, self._seed = command_words(command), games, settings, seed
        self.hello: Hello | None = None
        self._notes = 0
        self._moves: dict[tuple[AnyGame, Player], list[Move]] = {}  # by what the check `play` played

    def run(self) -> Iterator[Finding]:
        """Yield a finding for every check, or only for the first if the program does not start to play."""
        first = self._finding("start", self._start)
        yield first
        if first.failure:
            return
        yield self._finding("hello", self._hello)
        played = self._finding("play", self._play_all)
        yield played
        yield self._finding("clock", self._clock)
        yield self._finding("unknown", self._unknown)
        yield self._finding("result", self._result)
        yield self._ability("process", MATCHES, self._process)
        yield self._ability("seed", SEED, self._same_moves, UNFINISHED if played.failure else None)
        yield self._ability("info", INFO, self._info, UNFINISHED if played.failure and not self._notes else None)
        yield self._finding("end", self._end)

    def _finding(self, check: str, make: Check) -> Finding:
        try:
            return Finding(check, failure=make())
        except (Forfeit, StoppedError) as error:
            return Finding(check, failure=str(error))

    def _ability(self, check: str, ability: str, make: Check, hindrance: str | None = None) -> Finding:
        if not self._can(ability):
            return Finding(check, skipped=f'It does not say that it can: "can" has no "{ability}".')
        return Finding(check, skipped=hindrance) if hindrance else self._finding(check, make)

    def _new(self, match_seconds: float = 0.0) -> Program:
        return Program(
            self._words, ProcessSettings(self._settings.seconds, match_seconds, self._settings.start_seconds)
        )

    @contextmanager
    def _program(self, match_seconds: float = 0.0) -> Iterator[Program]:
        program = self._new(match_seconds)
        try:
            yield program
        finally:
            program.close()

    def _start(self) -> str | None:
        with self._program() as program:
            hello = self.hello = program.hello
            if hello.games is not None:
                self._games = [game for game in self._games if label(game) in hello.games]
                if not self._games:
                    return f"It plays none of the games that were asked for; it plays {', '.join(hello.games)}."
            match = Match(self._games[0])
            program.begin(match.game, self._seed % 2**32)
            program.ask(match)
        return None

    def _hello(self) -> str | None:
        assert self.hello
        unknown = [ability for ability in self.hello.can if ability not in (MATCHES, SEED, INFO)]
        if unknown:
            return f"\"can\" names '{unknown[0]}', which means nothing; it may have {MATCHES}, {SEED} and {INFO}."
        return None

    def _play_all(self) -> str | None:
        for game, seat in product(self._games, (0, 1)):
            with self._program() as program:
                self._moves[game, seat] = self._play(program, game, seat)
        return None

    def _clock(self) -> str | None:
        for game, seat in product(self._games, (0, 1)):
            with self._program(self._settings.match_seconds) as program:
                self._play(program, game, seat)
        return None

    def _unknown(self) -> str | None:
        with self._program() as program:
            program.send(UNKNOWN_MESSAGE)
            self._play(program, self._games[0], 0)
        return None

    def _result(self) -> str | None:
        with self._program() as program:
            self._play(program, self._games[0], 0)
            if program.has_ended():
                return None if not self._can(MATCHES) else 'It ended after a result, though it says "matches".'
            if not program.is_silent(SILENT_SECONDS):
                return "It wrote something after a result, though nobody had asked."
        return None

    def _process(self) -> str | None:
        with self._program() as program:
            for number, (game, seat) in enumerate([*product(self._games, (0, 1)), (self._games[0], 0)], 1):
                try:
                    self._play(program, game, seat)
                except Forfeit as error:
                    return f"Match {number} in one process, {error}"
        return None

    def _same_moves(self) -> str | None:
        with ExitStack() as programs:
            program: Program | None = None
            for (game, seat), moves in self._moves.items():
                if program is None or not self._can(MATCHES):
                    program = programs.enter_context(self._program())
                if self._play(program, game, seat) != moves:
                    again = "after other matches in one process" if self._can(MATCHES) else "when it was started again"
                    return f"{label(game)} as {SEAT_NAMES[seat]} player: the same seed gave other moves {again}."
        return None

    def _info(self) -> str | None:
        return None if self._notes else 'It says "info", but wrote no info line in any match.'

    def _end(self) -> str | None:
        program = self._new()
        try:
            self._play(program, self._games[0], 0)
        finally:
            by_itself = program.close()
        return None if by_itself else "It was still running half a second after its input had ended."

    def _can(self, ability: str) -> bool:
        return self.hello is not None and self.hello.can_do(ability)

    def _play(self, program: Program, game: AnyGame, seat: Player) -> list[Move]:
        """Let the program play a match against random moves, and return all moves. Raise Forfeit with the place."""
        seed = f"{self._seed} {label(game)} {seat}"
        match, opponent, begun = Match(game, ply_limit=ply_limit(game)), random.Random(seed), False
        try:
            while not match.over:
                forced = forced_pass(game, match.state)
                if forced is not None:
                    match.play(forced)
                elif match.mover != seat:
                    match.play(opponent.choice(list(game.legal_moves(match.state))))
                else:
                    if not begun:
                        program.begin(game, random.Random(seed).getrandbits(32))
                        begun = True
                    answer = program.ask(match)
                    self._notes += answer.note is not None
                    match.play(answer.move)
        except Forfeit as error:
            place = f"{label(game)} as {SEAT_NAMES[seat]} player, after {plural(len(match.moves), 'move')}"
            raise Forfeit(error.kind, f"{place}: {error}") from error
        program.end_match(match, seat, match.outcome, match.reason)
        return match.moves

"""The same events give the same match, questions and refusals on the line, on the full screen and over the network."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from duelbook.games import GAMES
from duelbook.play.arguments import PlayArguments
from duelbook.play.events import Asked, Output, Tick
from duelbook.play.local_table import LocalTable
from duelbook.play.session import Session
from duelbook.play.setup import new_match
from duelbook.records.record import Record
from duelbook.terminal.dialogue import Dialogue
from duelbook.terminal.screen import Screen
from duelbook.tui.dialogs import PageDialog
from tests.support.conversing import told
from tests.support.full_screen import Person as AtFullScreen
from tests.support.full_screen import at_screen
from tests.support.game_folders import short_variants
from tests.support.remote import Person as AtService
from tests.support.service.harness import RunningServer

EVENTS = 30
LIMIT = 900.0  # seconds for a turn, which nobody needs
WRONG = ("zzz", "99", "play", "bord", "１２３４５", "charge charge")
UNTIMED = ("undo", "undo", "undo", "undo it", "give", "resign", "moves", "help")
TIMED = ("give", "give", "give", "resign", "board")  # without undo, which a service with a clock does not have
PLAYED = 0.6  # the share of events that are moves

Refusals = Callable[[], list[str]]


class Step(NamedTuple):
    """What one event has changed: the question before it, what was typed, and what is so after it."""

    kind: Asked
    question: str
    seat: int
    typed: str
    refusals: list[str]
    moves: list[str]
    result: tuple[Any, ...]


class Events:
    """A list of random events. What is typed depends only on the match and on the question."""

    def __init__(self, seed: str, commands: Sequence[str]) -> None:
        rng = random.Random(seed)
        self._commands = commands
        self._chances = [(rng.random(), rng.randrange(1000)) for _ in range(EVENTS)]

    def next(self, session: Session) -> str | None:
        """Return what is typed next, or None after the last event and after the end."""
        asked = session.asked
        if not self._chances or session.match.over or asked is None:
            return None
        chance, number = self._chances.pop(0)
        if asked.kind in (Asked.OFFER, Asked.CONFIRM):
            return "y" if number % 10 < (6 if asked.kind is Asked.OFFER else 1) else "n"
        if chance < PLAYED:
            return self._move(session, number)
        words = self._commands if chance < (1 + PLAYED) / 2 else WRONG
        return words[number % len(words)]

    @staticmethod
    def _move(session: Session, number: int) -> str:
        """Return an answer to the question: all of a move, a part or a short form of it, or the book's phrase."""
        assert session.questions
        choices = [*session.questions.legal, *session.questions.choices]
        text = choices[number % len(choices)]
        return (text, text.upper(), f"play {text}", " ".join(word[:2] for word in text.split()))[number % 4]


@pytest.fixture
def refusals(monkeypatch: pytest.MonkeyPatch) -> Refusals:
    """A function that returns the refusals since its last call, of all sessions."""
    found: list[str] = []
    refuse = Session._refuse

    def noting(self: Session, text: str) -> Output:
        found.append(text)
        yield from refuse(self, text)

    def take() -> list[str]:
        taken = [*found]
        found.clear()
        return taken

    monkeypatch.setattr(Session, "_refuse", noting)
    return take


def step(
    session: Session, before: tuple[Asked, str, int], typed: str, refused: list[str], record: Record | None = None
) -> Step:
    match = session.match
    record = record or session.table.record()
    return Step(*before, typed, refused, [*record.moves], (match.outcome, match.reason, record.given, match.state))


def question(session: Session) -> tuple[Asked, str, int]:
    assert session.asked
    return session.asked.kind, session.asked.text, session.asked.seat


def arguments(game: str, time_limit: float | None) -> dict[str, Any]:
    options = {name: str(value) for name, value in short_variants(game)[0].items()}
    return {"options": options, "first": "1", "time_limit": time_limit}


class Script(Screen):
    """Types the events in answer to the prompts, and passes the keyboard on."""

    def __init__(self, events: Events, refusals: Refusals) -> None:
        super().__init__()
        self.session: Session
        self.steps: list[Step] = []
        self._events, self._refusals = events, refusals
        self._last: tuple[tuple[Asked, str, int], str] | None = None

    def note_last(self) -> None:
        """Note what the last event has changed."""
        if self._last:
            self.steps.append(step(self.session, *self._last, self._refusals()))
        self._last = None

    def ask(self, *_: Any, **__: Any) -> str:
        asked = self.session.asked
        assert asked
        if asked.kind is Asked.PAUSE:
            return ""
        self.note_last()
        typed = self._events.next(self.session)
        if typed is None:
            raise EOFError
        self._last = question(self.session), typed
        return typed


def on_the_line(game: str, events: Events, refusals: Refusals, time_limit: float | None) -> list[Step]:
    new = new_match(PlayArguments(game, keep=False, seed=1, **arguments(game, time_limit)))
    screen = Script(events, refusals)
    screen.session = Session(LocalTable(new.begin({})[0], new.setup))
    Dialogue(screen.session, screen).run()
    screen.note_last()
    return screen.steps


def on_the_full_screen(game: str, events: Events, refusals: Refusals, time_limit: float | None) -> list[Step]:
    steps: list[Step] = []

    async def play(person: AtFullScreen) -> None:
        await person.start(game, **arguments(game, time_limit))
        session = person.screen.conversation
        while typed := events.next(session):
            asked = question(session)
            if asked[0] in (Asked.OFFER, Asked.CONFIRM):
                await person.press(typed)
            else:
                await person.type(typed)
            if isinstance(person.screen, PageDialog):
                await person.press("escape")
            steps.append(step(session, asked, typed, refusals()))

    at_screen(play)
    return steps


def over_the_network(
    game: str, events: Events, refusals: Refusals, time_limit: float | None, url: str, bobs: Callable[[], None]
) -> list[Step]:
    one = AtService(url, game=game, names=("Player 1", None), **arguments(game, time_limit))
    bobs()
    two = AtService(url, match=one.match, names=("Player 2", None))
    people, steps = (one, two), list[Step]()
    try:
        sessions = one.session, two.session
        refusals()
        while typed := events.next(asking := asked_session(sessions)):
            before = question(asking)
            people[sessions.index(acting(sessions, asking, typed))].types(typed)
            version = max(person.table.connection.view.version for person in people)
            for person in people:
                person.until_version(version)
                told(person.session, Tick())
            steps.append(step(asking, before, typed, refusals(), one.client.record(one.match)))
    finally:
        for person in people:
            person.close()
    return steps


def asked_session(sessions: tuple[Session, Session]) -> Session:
    """Return the session of the player who has to answer."""
    kinds = [session.asked.kind if session.asked else None for session in sessions]
    for seat, kind in enumerate(kinds):
        if kind in (Asked.OFFER, Asked.CONFIRM):
            return sessions[seat]
    return sessions[sessions[0].match.mover]


def acting(sessions: tuple[Session, Session], asking: Session, typed: str) -> Session:
    """Return the session of the player whose command it is at one keyboard."""
    match = asking.match
    if typed == "give":
        return sessions[1 - match.mover]
    answered = asking.questions is not None and asking.questions.answers
    target = match.last_choice((0, 1))
    if typed == "undo" and not answered and target is not None:
        return sessions[match.game.mover(match.states[target])]
    return asking


@pytest.fixture
def bobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A function after which another person is at the computer."""
    return lambda: monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "two"))


@pytest.mark.parametrize("time_limit", [None, LIMIT], ids=["untimed", "timed"])
@pytest.mark.parametrize("game", GAMES)
def test_every_front_end_plays_the_same_match(
    game: str, time_limit: float | None, server: RunningServer, refusals: Refusals, bobs: Callable[[], None]
) -> None:
    def events() -> Events:
        return Events(f"{game} {time_limit}", UNTIMED if time_limit is None else TIMED)

    line = on_the_line(game, events(), refusals, time_limit)
    assert line
    assert on_the_full_screen(game, events(), refusals, time_limit) == line
    assert over_the_network(game, events(), refusals, time_limit, server.url, bobs) == line

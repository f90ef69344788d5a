"""Puzzles on the full screen: the form for what is wanted, and what a puzzle shows."""

import secrets
from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Select

from duelbook.games import GAMES, title
from duelbook.play.progress import load_puzzles
from duelbook.play.puzzle import PuzzleSession
from duelbook.play.puzzle_request import MAX_CHOSEN_SEED, PuzzleRequest
from duelbook.study.puzzle_bank import puzzle_levels
from duelbook.study.puzzle_kinds import KIND_TEXTS, LEVELS, PuzzleKind
from duelbook.tui.exercise import ExerciseSubject
from duelbook.tui.form import FormSelect, form_of
from duelbook.tui.keys import Sections
from duelbook.tui.play_screen import PlayScreen
from duelbook.tui.screens import DuelScreen, problem_text
from duelbook.tui.window import plain

ANY = "any"
ALL_LEVELS = {kind: [*LEVELS] for kind in PuzzleKind}


class PuzzlesScreen(DuelScreen):
    """A form: game, level and kind."""

    def __init__(self) -> None:
        super().__init__()
        self._known = ALL_LEVELS  # of the game that is chosen

    def content(self) -> ComposeResult:
        yield from form_of(self._lines())

    def _lines(self) -> Iterator[Horizontal]:
        games = [("any game", ANY), *((title(name), name) for name in GAMES)]
        for label, name, entries in (
            ("Game", "game", games),
            ("Kind", "kind", _kinds(self._known)),
            ("Level", "level", _levels([*LEVELS])),
        ):
            select = FormSelect(entries, id=name, value=entries[0][1], allow_blank=False, compact=True)
            yield Horizontal(plain(label, classes="label"), select, classes="field")

    def on_mount(self) -> None:
        self.say("title", "Puzzles")
        self.query_one("#start").focus()

    def on_screen_resume(self) -> None:
        self.say("message", load_puzzles().text())

    def on_select_changed(self, event: Select.Changed) -> None:
        """Offer the kinds that the game has, and the levels that this kind has in it."""
        if event.select.id == "game" and event.value == ANY:
            self._offer(ALL_LEVELS)
        elif event.select.id == "game":
            name = str(event.value)
            self.start_work("Looking for its puzzles", lambda: puzzle_levels(name), self._offer)
        elif event.select.id == "kind":
            self._offer_levels()

    def _offer(self, known: dict[PuzzleKind, list[int]]) -> None:
        self._known = known
        self.say("message", load_puzzles().text() if known else "This game has no puzzle. Try another game.")
        if known:
            _refill(self.query_one("#kind", Select), _kinds(known))
            self._offer_levels()

    def _offer_levels(self) -> None:
        kind = PuzzleKind(str(self.query_one("#kind", Select).value))
        _refill(self.query_one("#level", Select), _levels(self._known.get(kind, [])))

    def failed(self, error: Exception) -> None:
        """The game has no puzzles, for example because it is too large."""
        self._known = {}
        self.say("message", problem_text(error))

    def on_button_pressed(self) -> None:
        if self.work or not self._known:  # what there is is not known yet, or nothing
            return
        game, level, kind = (str(self.query_one(f"#{name}", Select).value) for name in ("game", "level", "kind"))
        request = PuzzleRequest(
            None if game == ANY else game,
            secrets.randbelow(MAX_CHOSEN_SEED),
            None if level == ANY else int(level),
            PuzzleKind(kind),
        )
        self.app.push_screen(PlayScreen(PuzzleSubject(request)))


def _kinds(known: dict[PuzzleKind, list[int]]) -> list[tuple[str, str]]:
    return [(KIND_TEXTS[kind], str(kind)) for kind in known]


def _levels(known: list[int]) -> list[tuple[str, str]]:
    return [("any level", ANY), *((f"level {level} of 5", str(level)) for level in known)]


def _refill(select: Select[str], entries: list[tuple[str, str]]) -> None:
    """Offer these entries. What was chosen stays chosen if it is among them."""
    before = select.value
    select.set_options(entries)
    select.value = before if before in [value for _, value in entries] else entries[0][1]


class PuzzleSubject(ExerciseSubject):
    """One puzzle after another."""

    keys = ("hint", "answer", "next", "easier", "harder")

    def __init__(self, request: PuzzleRequest) -> None:
        super().__init__()
        self.conversation: PuzzleSession = PuzzleSession(request)

    @property
    def title(self) -> str:
        """The game and the level, and the seed that finds the puzzle again."""
        session = self.conversation
        if session.exercise is None:
            return "Puzzles"
        return f"{session.exercise.title}{'' if session.request.day else f'  ·  seed {session.request.seed}'}"

    def offers(self) -> dict[str, str]:
        """Return what can come after the puzzle."""
        return {word: word.capitalize() for word in self.conversation.offers}

    def more_help(self) -> Sections:
        """Return the command to see the puzzle again."""
        session = self.conversation
        return {"Puzzle": {"to see it again": session.request.command(session.puzzle)}} if session.puzzle else {}

"""Start a match on the screen: a new one, with what its players choose before it, or one that is resumed."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList, Static

from duelbook.errors import RefusedError
from duelbook.game import HasChoices, Player
from duelbook.play.arguments import PlayArguments
from duelbook.play.choosing import Choosing, choosers
from duelbook.play.events import Output, Pressed
from duelbook.play.local_table import LocalTable
from duelbook.play.series import Series
from duelbook.play.setup import PreparedMatch, prepare_match
from duelbook.text import fold, sanitize, sentence
from duelbook.tui.match import MatchSubject
from duelbook.tui.play_screen import PlayScreen
from duelbook.tui.window import TooSmall, plain


def start_match(app: App[object], arguments: PlayArguments, replacing: Screen[None] | None = None) -> None:
    """Start the match that the arguments describe, or raise RefusedError. It takes the place of another screen."""
    start_series(app, Series(arguments), replacing)


def start_series(
    app: App[object],
    series: Series,
    replacing: Screen[None] | None = None,
    otherwise: Callable[[], None] = lambda: None,
) -> None:
    """Start the next match of a series, or raise RefusedError. `otherwise` is done if a player does not choose."""
    new = prepare_match(series.current, once=False)

    def begin(chosen: Mapping[Player, str]) -> None:
        match, said = new.begin(chosen)
        opening = [sentence(text) for text in said]
        if chosen:
            words = ", ".join(f"{new.setup.seating().name(seat)} has {chosen[seat]}" for seat in chosen)
            opening.insert(0, f"{words}.")
        if title := series.title():
            opening.insert(0, f"{title}.")
        _show(app, LocalTable(match, new.setup, series), opening, replacing)

    if new.choices is None:
        begin({})
    else:
        _choose(app, new, begin, otherwise)


def _choose(
    app: App[object],
    new: PreparedMatch,
    begin: Callable[[Mapping[Player, str]], None],
    otherwise: Callable[[], None],
) -> None:
    """Let the players choose, such as a word (AC-1), and then begin."""
    game, seating = new.choices, new.setup.seating()
    assert game
    choosing = Choosing(game, choosers(seating), new.rng)

    def ask(output: Output) -> None:
        for _ in output:  # the dialog shows what can be chosen
            pass
        if choosing.is_complete:
            begin(choosing.chosen)
        elif choosing.asked:
            app.push_screen(Choice(game, seating.name(choosing.asked.seat)), take)

    def take(choice: str | None) -> None:
        if choice is None:
            otherwise()
        else:
            ask(choosing.handle(Pressed(choice)))

    ask(choosing.start())


def _show(app: App[object], table: LocalTable, opening: list[str], replacing: Screen[None] | None) -> None:
    """Show the match. Something is offered after it also where nobody plays: a person watches."""
    table.setup = replace(table.setup, once=False)
    screen = PlayScreen(MatchSubject(table, opening))
    if replacing is not None and app.screen is replacing:
        app.switch_screen(screen)
    else:
        app.push_screen(screen)


class Choice(ModalScreen[str | None]):
    """What one player chooses before a match: typed, or from the list. The list goes to what begins as the text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back"),
        Binding("up", "go(-1)", show=False),
        Binding("down", "go(1)", show=False),
        Binding("pageup", "go(-10)", show=False),
        Binding("pagedown", "go(10)", show=False),
    ]

    def __init__(self, game: HasChoices, name: str) -> None:
        """A player without a name is the only one here."""
        super().__init__()
        self._game, self._player, self._words = game, name, list(game.choices())

    def compose(self) -> ComposeResult:
        yield TooSmall()
        with Vertical(classes="dialog tall"):
            who = f"{self._player}, choose" if self._player else "Choose"
            yield plain(f"{who} your {self._game.choice}:", name="choice-question")
            yield OptionList(*self._words, id="choices", markup=False, compact=True)
            yield Input(
                placeholder=f"type a {self._game.choice}, or choose with Up and Down", id="choice", compact=True
            )
            yield plain(name="choice-problem")

    def on_mount(self) -> None:
        self.query_one(OptionList).can_focus = False  # the keys are the line's
        self.query_one(OptionList).highlighted = 0
        self.query_one(Input).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._words[event.option_index])

    def on_input_changed(self, event: Input.Changed) -> None:
        typed = fold(event.value)
        found = (number for number, word in enumerate(self._words) if typed and fold(word).startswith(typed))
        self.query_one(OptionList).highlighted = next(found, self.query_one(OptionList).highlighted)

    def action_go(self, by: int) -> None:
        """Go to another word of the list. What was typed is forgotten: Enter takes the word."""
        words = self.query_one(OptionList)
        with self.prevent(Input.Changed):
            self.query_one(Input).value = ""
        words.highlighted = min(max(0, (words.highlighted or 0) + by), len(self._words) - 1)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        typed = event.value.strip().strip("'\"")
        try:
            chosen = typed or self._words[self.query_one(OptionList).highlighted or 0]
            self.dismiss(self._game.check_choice(chosen))
        except RefusedError as error:
            self.query_one("#choice-problem", Static).update(sanitize(str(error)))

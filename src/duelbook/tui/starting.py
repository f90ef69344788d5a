"""Start a match on the screen: a new one, with what its players choose before it, or one that is resumed."""

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList, Static

from duelbook.errors import RefusedError
from duelbook.game import HasChoices, Player, random_choice
from duelbook.play.arguments import PlayArguments
from duelbook.play.setup import PreparedMatch, new_match, resumed_match
from duelbook.text import fold, sanitize, sentence
from duelbook.tui.live_match import LiveMatch
from duelbook.tui.match import MatchScreen
from duelbook.tui.window import SizedScreen, plain


def start_match(app: App[object], arguments: PlayArguments, replacing: Screen[None] | None = None) -> None:
    """Start the match that the arguments describe, or raise RefusedError. It takes the place of another screen."""
    if arguments.kept is not None:
        match, setup = resumed_match(arguments)
        _show(app, MatchScreen(LiveMatch(match, setup), arguments, "Resumed."), replacing)
        return
    new = new_match(arguments)
    if new.choices is None:
        _begin(app, new, {}, arguments, replacing, "")
    else:
        _choose(app, new, arguments, replacing, {}, new.setup.seating().seats())


def _choose(
    app: App[object],
    new: PreparedMatch,
    arguments: PlayArguments,
    replacing: Screen[None] | None,
    chosen: dict[Player, str],
    seats: tuple[Player, ...],
) -> None:
    """Let Player 1 and then Player 2 choose, such as a word (AC-1)."""
    game, seating = new.choices, new.setup.seating()
    assert game
    if not seats:
        words = ", ".join(f"{seating.name(seat)} has {chosen[seat]}" for seat in seating.seats())
        _begin(app, new, chosen, arguments, replacing, f"{words}.")
        return
    seat, *others = seats
    if not seating.is_human(seat):
        chosen[seat] = random_choice(game, chosen.values(), new.rng)
        _choose(app, new, arguments, replacing, chosen, tuple(others))
        return

    def take(choice: str | None) -> None:
        if choice is not None:
            chosen[seat] = choice
            _choose(app, new, arguments, replacing, chosen, tuple(others))

    app.push_screen(Choice(game, seating.name(seat)), take)


def _begin(
    app: App[object],
    new: PreparedMatch,
    chosen: dict[Player, str],
    arguments: PlayArguments,
    replacing: Screen[None] | None,
    said: str,
) -> None:
    match, opening = new.begin(chosen)
    said = " ".join(filter(None, (said, *(sentence(text) for text in opening))))
    _show(app, MatchScreen(LiveMatch(match, new.setup), arguments, said), replacing)


def _show(app: App[object], screen: MatchScreen, replacing: Screen[None] | None) -> None:
    if replacing is not None and app.screen is replacing:
        app.switch_screen(screen)
    else:
        app.push_screen(screen)


class Choice(SizedScreen[str | None], ModalScreen[str | None]):
    """What one player chooses before a match: typed, or from the list. The list goes to what begins as the text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back"),
        Binding("up", "go(-1)", show=False),
        Binding("down", "go(1)", show=False),
        Binding("pageup", "go(-10)", show=False),
        Binding("pagedown", "go(10)", show=False),
    ]

    def __init__(self, game: HasChoices, name: str) -> None:
        super().__init__()
        self._game, self._player, self._words = game, name, list(game.choices())

    def compose(self) -> ComposeResult:
        yield self.too_small()
        with Vertical(classes="dialog tall"):
            yield plain(f"{self._player}, choose your {self._game.choice}:", name="choice-question")
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

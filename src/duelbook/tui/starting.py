"""Start a match on the screen: a new one, with what its players choose before it, or one that is resumed."""

from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, HasChoices, Player, random_choice, with_choices
from duelbook.options import pairs_text
from duelbook.terminal.arguments import PlayArguments
from duelbook.terminal.setup import NewMatch, new_match, resumed_match
from duelbook.tui.live_match import LiveMatch
from duelbook.tui.match import MatchScreen
from duelbook.tui.screens import plain


def start_match(app: App[object], arguments: PlayArguments, replacing: Screen[None] | None = None) -> None:
    """Start the match that the arguments describe, or raise RefusedError. It takes the place of another screen."""
    if arguments.kept is not None:
        match, setup = resumed_match(arguments)
        _show(app, MatchScreen(LiveMatch(match, setup), arguments, "Resumed."), replacing)
        return
    new = new_match(arguments)
    if new.choices is None:
        _begin(app, new, new.game, arguments, replacing, "")
    else:
        _choose(app, new, arguments, replacing, {}, new.setup.seating().seats())


def _choose(
    app: App[object],
    new: NewMatch,
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
        _begin(app, new, with_choices(game, chosen[0], chosen[1]), arguments, replacing, f"{words}.")
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
    new: NewMatch,
    game: AnyGame,
    arguments: PlayArguments,
    replacing: Screen[None] | None,
    said: str,
) -> None:
    game = new.with_drawn(game)
    if new.drawn:
        said = f"{said} Drawn for this match: {pairs_text(game, new.drawn)}.".lstrip()
    if new.is_starter_drawn:
        said = f"{said} {new.setup.people[new.setup.first].name} was drawn to move first.".lstrip()
    _show(app, MatchScreen(LiveMatch(new.setup.start(game), new.setup), arguments, said), replacing)


def _show(app: App[object], screen: MatchScreen, replacing: Screen[None] | None) -> None:
    if replacing is not None and app.screen is replacing:
        app.switch_screen(screen)
    else:
        app.push_screen(screen)


class Choice(ModalScreen[str | None]):
    """What one player chooses before a match: from the list, or typed."""

    BINDINGS = [("escape", "dismiss(None)", "Back")]  # noqa: RUF012 # as Textual declares it

    def __init__(self, game: HasChoices, name: str) -> None:
        super().__init__()
        self._game, self._player = game, name

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog tall"):
            yield plain(f"{self._player}, choose your {self._game.choice}:", name="choice-question")
            yield OptionList(*self._game.choices(), id="choices", markup=False, compact=True)
            yield Input(placeholder=f"or type a {self._game.choice}", id="choice", compact=True)
            yield plain(name="choice-problem")

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._game.choices()[event.option_index])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        try:
            self.dismiss(self._game.check_choice(event.value.strip().strip("'\"")))
        except RefusedError as error:
            self.query_one("#choice-problem").update(str(error))  # type: ignore[attr-defined]

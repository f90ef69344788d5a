"""The application: its themes, its style sheet, and the keys that work on every screen."""

from typing import ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType

from duelbook.play.exit_codes import EXIT_FINISHED, EXIT_INTERRUPTED
from duelbook.tui.keys import key_name
from duelbook.tui.themes import BOARD_COLOURS, DARK, THEMES, keep_theme, kept_theme
from duelbook.tui.window import MIN_HEIGHT, MIN_WIDTH, is_too_small

WIDE = 100  # columns from which lists stand beside the board
LEAVING_KEYS = ("ctrl+c", "ctrl+q", "ctrl+z")


class DuelbookApp(App[object]):
    """Duelbook on the full screen."""

    TITLE = "Duelbook"
    CSS_PATH = "style.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-too-narrow"), (MIN_WIDTH, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 # as Textual
    VERTICAL_BREAKPOINTS = [(0, "-too-low"), (MIN_HEIGHT, "-high")]  # noqa: RUF012 # declares them
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", "Quit", show=False, priority=True),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
        Binding("f9", "next_theme", "Theme", show=False),
    ]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self) -> None:
        super().__init__()
        self.fault: Exception | None = None  # that ended the program
        self.last_said: list[str] = []  # to be printed after the end
        for theme in THEMES:
            self.register_theme(theme)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return BOARD_COLOURS

    def get_key_display(self, binding: Binding) -> str:
        return binding.key_display or key_name(binding.key)

    async def on_event(self, event: events.Event) -> None:
        """Take no keys and no mouse in a window that shows nothing, but for those that leave it."""
        is_input = isinstance(event, events.InputEvent | events.Paste)
        if is_input and is_too_small(self.size) and getattr(event, "key", "") not in LEAVING_KEYS:
            return
        await super().on_event(event)

    def on_mount(self) -> None:
        from duelbook.tui.home import HomeScreen

        kept = kept_theme()
        self.theme = kept if kept in [theme.name for theme in THEMES] else DARK
        self.theme_changed_signal.subscribe(self, lambda theme: keep_theme(theme.name))
        self.push_screen(HomeScreen())

    def action_interrupt(self) -> None:
        """End the program with the exit code of a command that Ctrl-C has ended. Matches are left before."""
        from duelbook.tui.play_screen import PlayScreen

        for screen in self.screen_stack:
            if isinstance(screen, PlayScreen):
                self.last_said += screen.leave_for_good()
        self.exit(return_code=EXIT_INTERRUPTED)

    def action_next_theme(self) -> None:
        """Change to the next of the three themes."""
        names = [theme.name for theme in THEMES]
        self.theme = names[(names.index(self.theme) + 1) % len(names)]

    def _handle_exception(self, error: Exception) -> None:
        """End the program with an error that the command line tells in one sentence, without a traceback.

        What fails because the program is ending already is no error.
        """
        if self._exit:
            return
        if self.fault is None:
            self.fault = error
        if self._exception is None:  # for tests
            self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()


def run() -> tuple[int, list[str]]:
    """Run the interface. Return the exit code and what is to be printed. An error that ended it is raised."""
    app = DuelbookApp()
    app.run()
    if app.fault:
        raise app.fault
    return app.return_code or EXIT_FINISHED, app.last_said

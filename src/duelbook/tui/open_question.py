"""The dialog above a screen for what its conversation asks to be confirmed or agreed to."""

from collections.abc import Callable

from textual.screen import Screen

from duelbook.play.conversation import Conversation
from duelbook.play.events import Asked, Event, Typed
from duelbook.tui.dialogs import Confirmation

CONFIRMED = (Asked.CONFIRM, Asked.OFFER)


class OpenQuestion:
    """A question that is answered by yes or no. The dialog stands as long as the question is open."""

    def __init__(self, screen: Screen[None], conversation: Conversation, send: Callable[[Event], None]) -> None:
        self._screen, self._conversation, self._send = screen, conversation, send
        self._dialog: Confirmation | None = None

    def update(self) -> None:
        """Open the dialog if there is such a question, and close it if the question is gone."""
        asked = self._conversation.asked
        question = asked if asked and asked.kind in CONFIRMED else None
        if self._dialog and (question is None or question.text != self._dialog.question):
            if self._screen.app.screen is self._dialog:
                self._dialog.dismiss(None)
            self._dialog = None
        if question is None or self._dialog:
            return

        def answered(yes: bool | None) -> None:
            if yes is not None and self._conversation.asked == question:
                self._dialog = None
                self._send(Typed("y" if yes else "n"))

        self._dialog = Confirmation(question.text)
        self._screen.app.push_screen(self._dialog, answered)

    def confirm(self, text: str, then: Callable[[], None]) -> None:
        """Ask whether the person really wants something, and do it then."""
        self._screen.app.push_screen(Confirmation(text), lambda yes: then() if yes else None)

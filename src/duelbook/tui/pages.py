"""What can be read above the screen of a conversation."""

from textual.screen import Screen

from duelbook.tui.dialogs import PageDialog, rules_page
from duelbook.tui.subject import Subject


def page_of(subject: Subject, name: str) -> Screen[None]:
    """Return the page of this name: `board`, `moves`, `review`, `rules` or `rules full`."""
    conversation = subject.conversation
    match name:
        case "board":
            return PageDialog(conversation.narration.board(conversation.state))
        case "moves":
            return PageDialog(subject.legal_text())
        case "review":
            from duelbook.tui.review import ReviewScreen  # which a match that is not reviewed does not need

            return ReviewScreen(subject.record())
    return rules_page(conversation.rules[0], full=name == "rules full")

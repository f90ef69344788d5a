"""A conversation without a front end: events go in, its work is done at once, and what it shows comes out."""

from duelbook.play.conversation import Conversation
from duelbook.play.events import Done, Event, Kind, Output, Say, Shown, Typed


def begun(conversation: Conversation) -> list[Shown]:
    """Begin the conversation, and return what it shows up to the first question."""
    return _held(conversation, conversation.start())


def told(conversation: Conversation, *events: str | Event) -> list[Shown]:
    """Send events, of which a text is a line that is typed. Return what is shown after the last one."""
    shown: list[Shown] = []
    for event in events:
        shown = _held(conversation, conversation.handle(Typed(event) if isinstance(event, str) else event))
    return shown


def texts(shown: list[Shown], *kinds: Kind) -> list[str]:
    """Return the texts that are said, of these kinds or of all, without what only separates lines."""
    said = [one for one in shown if isinstance(one, Say) and (not kinds or one.kind in kinds)]
    return [one.text.strip() for one in said if one.text.strip()]


def _held(conversation: Conversation, output: Output) -> list[Shown]:
    shown = list(output)
    while work := conversation.work:
        try:
            done = Done(work, work.run())
        except Exception as error:
            done = Done(work, error=error)
        shown += conversation.handle(done)
    return shown

"""Work that a match asks for, such as thinking: what can be answered meanwhile, and what stopping it means."""

from typing import Any

from duelbook.play.arguments import PlayArguments
from duelbook.play.events import Act, Asked, Done, InterruptedWorkError, Moved, Output, Pressed, Typed, Valued
from duelbook.play.local_table import LocalTable
from duelbook.play.session import Session
from duelbook.play.setup import new_match


def session(**arguments: Any) -> Session:
    """Return a match of Charge that has begun, as far as it goes without work being done."""
    new = new_match(PlayArguments("charge", seed=1, keep=False, **arguments), once=False)
    match, _ = new.begin({})
    begun = Session(LocalTable(match, new.setup))
    list(begun.start())
    return begun


def finished(conversation: Session) -> Output:
    """Do the work that goes on, and return what follows."""
    assert conversation.work
    return conversation.handle(Done(conversation.work, conversation.work.run()))


def test_a_move_can_be_made_while_its_value_is_looked_for() -> None:
    played = session(show_values=True)
    list(finished(played))  # solved
    assert played.work
    assert played.asked
    assert played.asked.kind is Asked.MOVE
    shown = list(played.handle(Pressed("charge 3")))
    assert any(isinstance(one, Moved) for one in shown)
    assert any(isinstance(one, Valued) for one in finished(played)), "of the next turn"


def test_a_player_can_think_about_resigning_while_the_computer_thinks() -> None:
    played = session(agents=("human", "random"), first="2")
    list(finished(played))  # prepared
    list(played.handle(Act("resign")))
    assert played.asked
    assert played.asked.kind is Asked.CONFIRM
    list(played.handle(Typed("n")))
    assert played.asked is None
    assert played.is_thinking
    assert any(isinstance(one, Moved) for one in finished(played))


def test_a_computer_that_was_stopped_begins_anew() -> None:
    played = session(agents=("human", "random"), first="2")
    list(finished(played))
    thinking, agent = played.work, played.table.setup.agents[1]
    assert thinking
    list(played.handle(Done(thinking, error=InterruptedWorkError())))
    assert played.asked
    assert played.asked.kind is Asked.HALTED
    assert played.table.setup.agents[1] is not agent
    list(played.handle(Done(thinking, 0)))
    assert not played.match.moves, "what it chose after that has no effect"
    list(played.handle(Typed("")))
    assert played.is_thinking

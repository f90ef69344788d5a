"""After a match of the service: it goes into the history, and a rematch is offered."""

from dataclasses import replace

from duelbook.errors import RefusedError
from duelbook.game import Player
from duelbook.online.errors import OnlineError
from duelbook.play.arguments import PlayArguments
from duelbook.play.keeping import GameKeeper
from duelbook.play.next_match import NextStep, read_step
from duelbook.records.record import HUMAN, ONLINE, Person, Record
from duelbook.terminal.after_game import show_decision, show_game_review
from duelbook.terminal.line_editor import LineInterruptedError, starting_with
from duelbook.terminal.online.seats import Place, keep_seat, watch
from duelbook.terminal.online.session import OnlineSession
from duelbook.terminal.screen import NOTE, WARNING, Screen


def next_place(arguments: PlayArguments, session: OnlineSession, place: Place, screen: Screen) -> Place | None:
    """Keep the game that is over, and return the next match if the person wants one and the service makes it."""
    try:
        record = session.client.record(place.view.id)
    except OnlineError:  # the connection is lost just now
        record = session.record()
    is_kept = place.seat is not None and arguments.keep
    if place.seat is not None and arguments.keep and (problem := _keep(record, place.seat, session.helped)):
        is_kept = False
        screen.say(f"{problem}\n", WARNING)
    if arguments.once or not screen.is_terminal:
        if is_kept:
            screen.say("Review this game with: duelbook review (or step through it with duelbook replay)", NOTE)
        return None
    show_decision(record, None if place.seat is None else place.seat ^ record.first, screen)
    if not _wants_rematch(session, record, place, screen):
        return None
    if place.seat is None:
        return watch(session.client, session.live.view.rematch or "")
    seated = session.notices.until_answered(
        "Asking for a rematch", lambda: session.client.rematch(place.view.id, place.token)
    )
    return keep_seat(session.client, seated, screen)


def _keep(record: Record, seat: Player, helped: bool) -> str:
    """Keep a finished game of the player on this seat in the history, once. Return a sentence if that fails."""
    from duelbook.history.store import History

    other = 1 - (seat ^ record.first)
    people = list(record.people)
    if people[other].agent == HUMAN:
        people[other] = Person(people[other].name, f"{ONLINE}:{people[other].name}")
    record = replace(record, people=(people[0], people[1]))
    try:
        if any(known == record for _, known in History().find(record)):
            return ""
    except RefusedError:  # the next line says why
        pass
    return GameKeeper(helped=helped).keep(record)


def _wants_rematch(session: OnlineSession, record: Record, place: Place, screen: Screen) -> bool:
    """Ask what to do next, and tell if there is a rematch. A review is shown here."""
    is_player = place.seat is not None
    steps = [NextStep.REMATCH, NextStep.REVIEW] if is_player else [NextStep.REVIEW]
    typed = ""
    told = False

    def is_wanted() -> bool:
        return not told and session.live.view.rematch is not None

    while True:
        if is_wanted():
            told = True
            if is_player:
                screen.say(f"{session.opponent_name} wants a rematch.", NOTE)
            else:
                screen.say("There is a rematch, which you can watch.", NOTE)
                steps.insert(0, NextStep.REMATCH)
        try:
            text = screen.ask(
                f"{', '.join(steps).capitalize()}, or Enter to leave: ",
                candidates=lambda begun: starting_with(begun, steps),
                remember=False,
                interrupts=is_wanted,
                typed=typed,
            )
        except LineInterruptedError as interrupted:
            typed = interrupted.typed
            continue
        except EOFError:
            return False
        typed = ""
        step = read_step(text, steps)
        if step is NextStep.REVIEW:
            show_game_review(record, screen)
        elif step:
            screen.say()
            return step is NextStep.REMATCH
        else:
            screen.say(f"Type one of {', '.join(steps)}, or press Enter to leave.", WARNING)

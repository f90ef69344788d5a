"""After a game at a terminal: one line of what decided it, and what to do next."""

from duelbook.errors import RefusedError
from duelbook.play.next_match import NextStep, offered_steps, own_result, read_step
from duelbook.play.setup import Setup
from duelbook.records.record import Record
from duelbook.terminal.line_editor import starting_with
from duelbook.terminal.screen import NOTE, WARNING, Screen


def show_decision(record: Record, own: int | None, screen: Screen) -> None:
    """Show what decided the game, to one of the players (0 or 1) or to both (None). Ctrl-C skips it."""
    try:
        with screen.busy("Looking for what decided the game"):
            from duelbook.study.decision import decision_text  # imported here so that a game starts sooner

            text = decision_text(record)
    except KeyboardInterrupt:
        return
    except RefusedError as error:  # the game's own code fails
        screen.say(str(error), WARNING)
        return
    screen.say(f"{'' if own is None else own_result(record, own)}{text}\n")


def ask_next_step(record: Record, setup: Setup, screen: Screen) -> NextStep:
    """Return what the person wants to do next. A review is shown here, and the question asked again."""
    steps = offered_steps(setup)
    question = f"{', '.join(steps).capitalize()}, or Enter to leave: "
    while True:
        try:
            step = read_step(
                screen.ask(question, candidates=lambda typed: starting_with(typed, steps), remember=False), steps
            )
        except EOFError:
            return NextStep.LEAVE
        if step is NextStep.REVIEW:
            show_game_review(record, screen)
        elif step:
            screen.say()
            return step
        else:
            screen.say(f"Type one of {', '.join(steps)}, or press Enter to leave.", WARNING)


def show_game_review(record: Record, screen: Screen) -> None:
    """Show the review of a game, which may not be kept. Ctrl-C stops it."""
    from duelbook.study.estimated_review import best_review
    from duelbook.terminal.review import show_review

    try:
        with screen.busy("The review"):
            result = best_review(record)
    except KeyboardInterrupt:
        screen.say("Stopped. Type review to start it again.\n", NOTE)
    else:
        screen.say()
        show_review(record, result, screen)
        screen.say()

"""After a game at a terminal: one line of what decided it, and what to do next."""

from enum import StrEnum

from duelbook.errors import RefusedError
from duelbook.records.record import HUMAN, Record, only_person
from duelbook.terminal.line_editor import starting_with
from duelbook.terminal.screen import NOTE, WARNING, Screen
from duelbook.terminal.setup import Setup
from duelbook.text import fold


class NextStep(StrEnum):
    """What a person can do after a game, as they type it."""

    REMATCH = "rematch"
    SWAP = "swap seats"
    STRONGER = "stronger"
    WEAKER = "weaker"
    REVIEW = "review"
    MENU = "menu"
    LEAVE = "leave"


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


def own_result(record: Record, own: int | None = None) -> str:
    """Return how the game ended for one of the players, by default the only person: `You won. `, or an empty text."""
    own = only_person(record.people) if own is None else own
    if own is None or record.outcome not in (0, 1):
        return ""
    return "You won. " if record.outcome ^ record.first == own else "You lost. "


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


def levels() -> list[str]:
    """Return the names of the levels, the weakest first."""
    from duelbook.agents.levels import RATINGS  # which a game of two people does not need

    return list(RATINGS)


def offered_steps(setup: Setup) -> list[NextStep]:
    """Return what can be done next. Only a level has a stronger and a weaker one."""
    level = computer_level(setup)
    return [
        NextStep.REMATCH,
        NextStep.SWAP,
        *([NextStep.STRONGER] if level is not None and level + 1 < len(levels()) else []),
        *([NextStep.WEAKER] if level else []),
        NextStep.REVIEW,
        NextStep.MENU,
    ]


def computer_level(setup: Setup) -> int | None:
    """Return the place of the opponent among the levels, or None if it is not one of them."""
    agents = [person.agent for person in setup.people if person.agent != HUMAN]
    return levels().index(agents[0]) if len(agents) == 1 and agents[0] in levels() else None


def read_step(text: str, steps: list[NextStep]) -> NextStep | None:
    """Return the step that the text names: as a whole, or by its beginning if that is clear. None if it is not."""
    word = fold(text)
    if word in ("", "leave", "quit", "exit", "q", "no"):
        return NextStep.LEAVE
    found = [step for step in steps if step.startswith(word)]
    return found[0] if len(found) == 1 else None


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

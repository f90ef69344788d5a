"""Play matches in the terminal, from the arguments of `duelbook play` to the last answer."""

from duelbook.errors import RefusedError
from duelbook.game import Player
from duelbook.play.arguments import PlayArguments
from duelbook.play.choosing import Choosing, choosers
from duelbook.play.exit_codes import EXIT_INTERRUPTED, EXIT_LEFT, StoppedGameError
from duelbook.play.local_table import LocalTable
from duelbook.play.series import Series, check_new_records
from duelbook.play.session import Session
from duelbook.play.setup import PreparedMatch, check_agents, prepare_match
from duelbook.terminal import QuitError
from duelbook.terminal.dialogue import Dialogue, exit_code
from duelbook.terminal.screen import NOTE, Screen


def play(arguments: PlayArguments, screen: Screen) -> int:
    """Set up the match, play it and those that follow, and return the exit code."""
    if arguments.is_resumed and arguments.matches > 1:
        raise RefusedError("--resume cannot be combined with --matches: a record holds one match.")
    check_new_records(arguments)
    check_agents(arguments.agents)  # an unknown agent is an error before the first question
    try:
        return _play_matches(_begin(Series(arguments), screen), screen)
    except (QuitError, EOFError):
        return EXIT_LEFT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _play_matches(session: Session, screen: Screen) -> int:
    """Play one match after another until the person leaves."""
    while True:
        dialogue = Dialogue(session, screen)
        try:
            ended = dialogue.run()
            following = None
            while ended.following and following is None:
                try:
                    following = _begin(ended.following, screen)
                except RefusedError as error:
                    ended = dialogue.go_on(session.ask_again(error))
        finally:
            session.table.close()
        if following is None:
            if ended.problem:  # an agent cannot go on, for example because its endpoint is down
                raise StoppedGameError(str(ended.problem)) if session.is_open else ended.problem
            return exit_code(ended, is_finished=session.match.over)
        session = following


def _begin(series: Series, screen: Screen) -> Session:
    """Return the next match of the series, after the choices before it."""
    if series.current.game is None and not series.current.is_resumed:
        from duelbook.terminal.menu import ask_match  # imported here so that a game that is named starts sooner

        series = Series(ask_match(series.current, screen))
        check_new_records(series.arguments)
    if title := series.title():
        screen.say(f"{title}\n", NOTE)
    prepared = prepare_match(series.current, once=series.current.once or not screen.is_terminal)
    match, opening = prepared.begin(_choices(prepared, screen))
    table = LocalTable(match, prepared.setup, series)
    return Session(table, opening=opening, introduces=screen.is_terminal, confirms=screen.interactive)


def _choices(prepared: PreparedMatch, screen: Screen) -> dict[Player, str]:
    """Return what the players choose before the first move, by seat; nothing in a game without choices."""
    if prepared.choices is None:
        return {}
    return chosen_in(Choosing(prepared.choices, choosers(prepared.setup.seating()), prepared.rng), screen)


def chosen_in(choosing: Choosing, screen: Screen) -> dict[Player, str]:
    """Return what the players choose, by seat. Raise QuitError or KeyboardInterrupt if they leave."""
    ended = Dialogue(choosing, screen).run()
    if ended.is_interrupted:
        raise KeyboardInterrupt
    if not choosing.is_complete:
        raise QuitError
    return choosing.chosen

"""The list of games, and the rules of one game."""

from duelbook.games import GAMES, aim, find_rules, origin, problems, rules_text
from duelbook.options import option_text, options_of
from duelbook.terminal.screen import WARNING, Screen


def games_page(screen: Screen) -> None:
    """Show every game with its name, its aim and where it comes from, then those that cannot be used."""
    if screen.plain:
        width = max(map(len, GAMES))
        screen.say("\n".join(f"{name.ljust(width)}  {_sentence(aim(name))} ({origin(name)})" for name in GAMES))
        _problem_lines(screen)
        return
    from rich.table import Column, Table

    table = Table(Column("game", no_wrap=True), "aim", Column("from", no_wrap=True))
    for name in GAMES:
        table.add_row(name, _sentence(aim(name)), origin(name))
    screen.show(table)
    _problem_lines(screen)


def _problem_lines(screen: Screen) -> None:
    for problem in problems():
        screen.say(problem, WARNING)


def rules_page(name: str, screen: Screen) -> None:
    """Show the rules of a game and its options."""
    text = f"{rules_text(name)}\n{options_text(name)}"
    if screen.plain:
        screen.say(text)
        return
    from rich.markdown import Markdown

    screen.show(Markdown(text))


def options_text(name: str) -> str:
    """Return the options of a game as a Markdown list."""
    lines = [
        f"- `{option.name}`: {option.values()}; default `{option_text(option.default)}`. {_sentence(option.about)}"
        for option in options_of(find_rules(name))
    ]
    return "\n".join(["## Options", "", *(lines or ["None."])])


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""

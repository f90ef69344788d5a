"""The list of games, and the rules of one game."""

from duelbook.games import GAMES, aim, find_rules, rules_text
from duelbook.options import option_text, options_of
from duelbook.terminal.screen import Screen


def games_page(screen: Screen) -> None:
    """Show every game with its name and aim."""
    if screen.plain:
        width = max(map(len, GAMES))
        screen.say("\n".join(f"{name.ljust(width)}  {_sentence(aim(name))}" for name in GAMES))
        return
    from rich.table import Column, Table

    table = Table(Column("game", no_wrap=True), "aim")
    for name in GAMES:
        table.add_row(name, _sentence(aim(name)))
    screen.show(table)


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

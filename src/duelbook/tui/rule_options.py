"""The lines of a form for the rule options of a game: lists where the values can be listed, or else a text."""

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Select

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.options import Option, option_text
from duelbook.terminal.menu import choosable_options
from duelbook.text import sentence
from duelbook.tui.form import FormSelect
from duelbook.tui.window import plain

AS_IN_THE_BOOK = ""  # the value of an option that is left as it is


class RuleOptions(Vertical):
    """All options of a game that can be chosen."""

    def __init__(self, rules: type[AnyGame], chosen: dict[str, str]) -> None:
        super().__init__()
        self._rules = rules
        self._options = {option.name: option for option in choosable_options(rules)}
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        for name, option in self._options.items():
            listed = [value for value in option.choices() if _is_accepted(self._rules, option, value)]
            field = _field(option, listed, self._chosen.get(name, AS_IN_THE_BOOK))
            yield Horizontal(plain(_label(name), classes="label"), field, classes="field")

    def about(self, name: str | None) -> str:
        """Return what an option is about, or an empty text if this is the name of none."""
        option = self._options.get(name or "")
        return f"{_label(option.name)}: {sentence(option.about)}" if option else ""

    def values(self) -> dict[str, str]:
        """Return the value of each option that differs from the rule book."""
        values = {field.name or "": field.value.strip() for field in self.query(Input).results(Input)}
        values |= {field.name or "": str(field.value) for field in self.query(Select).results(Select)}
        return {name: values[name] for name in self._options if values[name] != AS_IN_THE_BOOK}


def _is_accepted(rules: type[AnyGame], option: Option, value: str) -> bool:
    """Return False if the rules refuse this value, such as an even number, whatever the other options are."""
    try:
        rules(**{option.name: option.read(value)})
    except RefusedError as error:  # which begins with the name of the option that must have another value
        return not str(error).startswith(f"{option.name} ")
    except Exception:  # of a game from outside; told when a match starts
        return True
    return True


def _field(option: Option, listed: list[str], chosen: str) -> Input | FormSelect:
    default = str(option_text(option.default))
    if not listed or option.names_or_file or chosen not in (*listed, AS_IN_THE_BOOK):
        return Input(chosen, f"{default} ({option.values()})", name=option.name, compact=True)
    others = [(value, value) for value in listed if value != default]
    entries = [(f"{default} (book rules)", AS_IN_THE_BOOK), *others]
    chosen = AS_IN_THE_BOOK if chosen == default else chosen
    return FormSelect(entries, name=option.name, value=chosen, allow_blank=False, compact=True)


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()

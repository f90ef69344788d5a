"""The screen of a new game: game, rules, who plays, who starts and the time. It remembers the last choice."""

from collections.abc import Iterable
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Input, Select

from duelbook.agents import AGENTS, is_external, make_agent
from duelbook.agents.levels import RATINGS
from duelbook.errors import RefusedError
from duelbook.games import GAMES, aim, find_rules, make, title
from duelbook.narration import narration_class
from duelbook.options import PRESET, option_text
from duelbook.presets import BOOK, presets_of
from duelbook.records.record import HUMAN, check_time_limit
from duelbook.terminal.arguments import PlayArguments
from duelbook.terminal.data_folder import data_file, load, save
from duelbook.terminal.menu import CUSTOM, FILE, LastChoice, choosable_options, starters
from duelbook.text import sentence, shorten
from duelbook.tui.form import FormScreen, FormSelect
from duelbook.tui.screens import plain
from duelbook.tui.starting import start_match

OTHER = "other"
FIELDS = {
    "game": "Game",
    "rules": "Rules",
    "one": "Player 1",
    "two": "Player 2",
    "other": "Which agent",
    "first": "Who starts",
    "time": "Seconds a turn",
}
AGENT_EXAMPLES = "such as search:4, mcts:1000, random or process:./player.sh"


class NewGameScreen(FormScreen):
    """A form. Its fields are filled with the last choice, or with that of the rule book."""

    def __init__(self) -> None:
        super().__init__()
        last = load(data_file(FILE), LastChoice)
        self._last = last if last.is_possible() else LastChoice()

    def content(self) -> ComposeResult:
        game = self._last.game or next(iter(GAMES))
        levels = [(f"{name}: {AGENTS[name].about}", name) for name in RATINGS]
        others = [("another agent: a search engine, a program or a language model", OTHER)]
        opponent = self._last.opponent
        known = opponent if opponent == HUMAN or opponent in RATINGS else OTHER
        with VerticalScroll(id="form", can_focus=False):
            yield from _field("game", _select([(f"{title(name)}: {aim(name)}", name) for name in GAMES], "game", game))
            yield from _field("rules", _select([("", BOOK)], "rules", BOOK))
            yield Vertical(id="options")
            yield from _field("one", _select([("you", HUMAN), *levels, *others], "one", HUMAN))
            yield from _field("two", _select([("a friend at this screen", HUMAN), *levels, *others], "two", known))
            other = Input("" if known != OTHER else opponent, AGENT_EXAMPLES, id="other", compact=True)
            yield from _field("other", other)
            yield from _field("first", _select([("", "1")], "first", "1"))
            yield from _field("time", Input("", "no limit", id="time", compact=True))
            yield from self.end_of_form()

    def on_mount(self) -> None:
        self.say("title", "New game")
        self._fill_rules()
        self._fill_starters()
        self._show_fields()
        self.query_one("#start").focus()

    # The fields depend on each other

    def on_select_changed(self, event: Select.Changed) -> None:
        if event.select.id == "game":
            self._fill_rules()
            self._fill_starters()
        elif event.select.id == "two":
            self._fill_starters()
        self._show_fields()

    def _value(self, name: str) -> str:
        return str(self.query_one(f"#{name}", Select).value)

    def _fill_rules(self) -> None:
        rules = find_rules(self._value("game"))
        presets = presets_of(rules)
        entries = [(f"{one.title}: {one.about}", name) for name, one in presets.items()]
        if choosable_options(rules):
            entries.append(("Custom: choose each option yourself", CUSTOM))
        options = self._last.options if self._last.game == self._value("game") else {}
        suggested = next((name for name, one in presets.items() if one.suggested), BOOK)
        chosen = CUSTOM if options and PRESET not in options else options.get(PRESET, suggested)
        self._offer("rules", entries, chosen if chosen in (*presets, CUSTOM) else suggested)
        self._fill_options(options)

    def _fill_options(self, chosen: dict[str, str]) -> None:
        """Show a line for each option. An empty one is that of the rule book."""
        box = self.query_one("#options", Vertical)
        box.remove_children()
        for option in choosable_options(find_rules(self._value("game"))):
            default = f"{option_text(option.default)} ({option.values()})"
            line = Input(chosen.get(option.name, ""), default, name=option.name, compact=True, tooltip=option.about)
            box.mount(Horizontal(plain(option.name, classes="label"), line, classes="field"))

    def _fill_starters(self) -> None:
        words = starters(self._value("two"))
        game = self._value("game")
        last = self._last.first if self._last.game == game else ""
        entries = [(sentence(text), value) for value, text in words.items()]
        self._offer("first", entries, last or narration_class(make(game)).starter)

    def _offer(self, name: str, entries: list[tuple[str, str]], value: str) -> None:
        select: Select[str] = self.query_one(f"#{name}", Select)
        select.set_options(entries)
        select.value = value
        select.mutate_reactive(Select.value)  # type: ignore[misc] # the text of the same value may be another one

    def _show_fields(self) -> None:
        self.query_one("#options").display = self._value("rules") == CUSTOM
        self.query_one("#field-other").display = OTHER in (self._value("one"), self._value("two"))

    # Starting

    def on_button_pressed(self) -> None:
        self._start()

    def on_input_submitted(self) -> None:
        self._start()

    def _start(self) -> None:
        try:
            arguments = self._arguments()
            start_match(self.app, arguments, replacing=self)
        except RefusedError as error:
            self.say("message", str(error))
            return
        one, two = arguments.agents
        if one == HUMAN and two and not is_external(two):
            chosen = LastChoice(self._value("game"), self._options(), two, self._value("first"))
            save(chosen, data_file(FILE))

    def _arguments(self) -> PlayArguments:
        agents = self._agent("one"), self._agent("two")
        for agent in agents:
            if agent != HUMAN:
                make_agent(agent).close()
        return PlayArguments(
            self._value("game"), self._options(), agents, first=self._value("first"), time_limit=self._time_limit()
        )

    def _agent(self, name: str) -> str:
        chosen = self._value(name)
        return self.query_one("#other", Input).value.strip() if chosen == OTHER else chosen

    def _options(self) -> dict[str, str]:
        if self._value("rules") != CUSTOM:
            return {PRESET: self._value("rules")}
        lines = self.query("#options Input").results(Input)
        return {line.name or "": line.value.strip() for line in lines if line.value.strip()}

    def _time_limit(self) -> float | None:
        text = self.query_one("#time", Input).value.strip()
        if not text:
            return None
        try:
            seconds = float(text)
        except ValueError:
            raise RefusedError(f"The seconds for a turn must be a number, not '{shorten(text)}'.") from None
        check_time_limit("The seconds for a turn", seconds)
        return seconds


def _select(entries: list[tuple[str, str]], name: str, value: str) -> Select[str]:
    return FormSelect(entries, id=name, value=value, allow_blank=False, compact=True)


def _field(name: str, widget: Any) -> Iterable[Horizontal]:
    """Return a line of the form, with its label."""
    yield Horizontal(plain(FIELDS[name], classes="label"), widget, id=f"field-{name}", classes="field")

"""The screen of a new game: game, rules, who plays, who starts and the time. It remembers the last choice."""

from collections.abc import Iterable
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Select

from duelbook.agents import AGENTS, check_agent, is_external
from duelbook.agents.levels import RATINGS
from duelbook.errors import RefusedError
from duelbook.games import GAMES, aim, find_rules, make, title
from duelbook.narration import narration_class
from duelbook.options import PRESET
from duelbook.play.arguments import PlayArguments
from duelbook.play.data_folder import data_file, load, save
from duelbook.presets import BOOK
from duelbook.records.record import HUMAN, check_time_limit
from duelbook.terminal.menu import CUSTOM, FILE, LastChoice, rules_entries, starters, suggested_preset
from duelbook.text import sentence, shorten
from duelbook.tui.dialogs import rules_page
from duelbook.tui.form import FormScreen, FormSelect
from duelbook.tui.rule_options import RuleOptions
from duelbook.tui.starting import start_match
from duelbook.tui.window import plain

OTHER = "other"
FRIEND = "a friend at this screen"
FIELDS = {
    "game": "Game",
    "rules": "Rules",
    "one": "Player 1",
    "other-one": "Which agent",
    "two": "Player 2",
    "other-two": "Which agent",
    "first": "Who starts",
    "time": "Seconds a turn",
}
AGENT_EXAMPLES = "such as search:4, mcts:1000, random or process:./player.sh"


class NewGameScreen(FormScreen):
    """A form. Its fields are filled with the last choice, or with that of the rule book."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f7", "rules", "Rules", tooltip="read the rules of the game")]

    def __init__(self) -> None:
        super().__init__()
        last = load(data_file(FILE), LastChoice)
        self._last = last if last.is_possible() else LastChoice()

    def fields(self) -> ComposeResult:
        game, opponent, limit = self._last.game or next(iter(GAMES)), self._last.opponent, self._last.time_limit
        known = opponent if opponent == HUMAN or opponent in RATINGS else OTHER
        yield from _field("game", _select([(f"{title(name)}: {aim(name)}", name) for name in GAMES], "game", game))
        yield from _field("rules", _select([("", BOOK)], "rules", BOOK))
        yield Vertical(id="options")
        yield from _field("one", _select(_players("you"), "one", HUMAN))
        yield from _field("other-one", Input("", AGENT_EXAMPLES, id="other-one", compact=True))
        yield from _field("two", _select(_players(FRIEND), "two", known))
        named = opponent if known == OTHER else ""
        yield from _field("other-two", Input(named, AGENT_EXAMPLES, id="other-two", compact=True))
        yield from _field("first", _select([("", "1")], "first", "1"))
        yield from _field("time", Input(f"{limit:g}" if limit else "", "no limit", id="time", compact=True))

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
        if event.select.id == "one":
            self._offer("two", _players(FRIEND if self._value("one") == HUMAN else "you"), self._value("two"))
        if event.select.id in ("game", "one", "two"):
            self._fill_starters()
        self._show_fields()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Show what the rule option is about that has the focus."""
        for options in self.query(RuleOptions):
            self.say("message", options.about(event.widget.name))

    def _value(self, name: str) -> str:
        return str(self.query_one(f"#{name}", Select).value)

    def _fill_rules(self) -> None:
        rules = find_rules(self._value("game"))
        entries, options = rules_entries(rules), {}
        if self._last.game == self._value("game"):
            options = self._last.options
        chosen = CUSTOM if options and PRESET not in options else options.get(PRESET, "")
        self._offer(
            "rules",
            [(text, name) for name, text in entries.items()],
            chosen if chosen in entries else suggested_preset(rules),
        )
        box = self.query_one("#options", Vertical)
        box.remove_children()
        box.mount(RuleOptions(rules, {} if PRESET in options else options))

    def _fill_starters(self) -> None:
        words, game = starters(self._value("one"), self._value("two")), self._value("game")
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
        for name in ("one", "two"):
            self.query_one(f"#field-other-{name}").display = self._value(name) == OTHER

    def action_rules(self) -> None:
        self.app.push_screen(rules_page(make(self._value("game"))))

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
            first, limit = self._value("first"), arguments.time_limit
            save(LastChoice(self._value("game"), self._options(), two, first, limit), data_file(FILE))

    def _arguments(self) -> PlayArguments:
        agents = self._agent("one"), self._agent("two")
        for agent in agents:
            if agent != HUMAN:
                check_agent(agent)
        return PlayArguments(
            self._value("game"), self._options(), agents, first=self._value("first"), time_limit=self._time_limit()
        )

    def _agent(self, name: str) -> str:
        chosen = self._value(name)
        return self.query_one(f"#other-{name}", Input).value.strip() if chosen == OTHER else chosen

    def _options(self) -> dict[str, str]:
        if self._value("rules") != CUSTOM:
            return {PRESET: self._value("rules")}
        return self.query_one(RuleOptions).values()

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


def _players(person: str) -> list[tuple[str, str]]:
    """Return who may play: this person, a level, or another agent."""
    levels = [(f"{name}: {AGENTS[name].about}", name) for name in RATINGS]
    return [(person, HUMAN), *levels, ("another agent: a search engine, a program or a language model", OTHER)]


def _select(entries: list[tuple[str, str]], name: str, value: str) -> Select[str]:
    return FormSelect(entries, id=name, value=value, allow_blank=False, compact=True)


def _field(name: str, widget: Any) -> Iterable[Horizontal]:
    """Return a line of the form, with its label."""
    yield Horizontal(plain(FIELDS[name], classes="label"), widget, id=f"field-{name}", classes="field")

"""The menu of `duelbook play`: game, rules, opponent and who starts. It remembers the last choice."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from shlex import quote

import msgspec

from duelbook.agents import AGENTS, is_external, make_agent
from duelbook.agents.levels import LEVELS, RATINGS
from duelbook.agents.registry import NumberParameter, TextParameter
from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.games import GAMES, aim, find_rules, make, title
from duelbook.narration import narration_class
from duelbook.options import PRESET, Option, drawn_options, option_text, options_of
from duelbook.presets import BOOK, expand_preset, presets_of
from duelbook.records.record import HUMAN
from duelbook.terminal.arguments import PlayArguments
from duelbook.terminal.commands import HELP, QuitError, command_word
from duelbook.terminal.data_folder import data_file, load, save
from duelbook.terminal.line_editor import starting_with
from duelbook.terminal.screen import NOTE, WARNING, Screen
from duelbook.text import did_you_mean, fold, sentence

FILE = "menu.json"  # in the data folder
CUSTOM, ADVANCED, BACK = "custom", "advanced", "back"
FIRST_OPPONENT = [*LEVELS][1]  # that Enter chooses for somebody who has not chosen before


class LastChoice(msgspec.Struct, forbid_unknown_fields=True):
    """What the person chose the last time. `options` holds a preset under its name, or rule options."""

    game: str = ""
    options: dict[str, str] = msgspec.field(default_factory=dict)
    opponent: str = FIRST_OPPONENT
    first: str = ""

    def is_possible(self) -> bool:
        """Return True if there still is such a game with such rules and opponents."""
        try:
            make(self.game, **self.options)
            if self.opponent != HUMAN:
                make_agent(self.opponent)
        except RefusedError:
            return False
        return self.first in ("1", "2", "random") and not is_external(self.opponent)

    def text(self) -> str:
        """Return the choice in words."""
        rules = self.options.get(PRESET) or ", ".join(f"{name}={value}" for name, value in self.options.items()) or BOOK
        against = "two people" if self.opponent == HUMAN else f"against {self.opponent}"
        return f"{title(self.game)} ({rules}), {against}, {starters(self.opponent)[self.first]}"

    def command(self, server: str | None) -> str:
        """Return the command that starts such a match, on the server if there is one."""
        options = [
            f"--{PRESET} {value}" if name == PRESET else f"--option {quote(f'{name}={value}')}"
            for name, value in self.options.items()
            if value != BOOK
        ]
        opponent = [f"--p2 {quote(self.opponent)}"] if self.opponent != HUMAN else []
        place = [f"--server {quote(server)}"] if server else []
        return " ".join(["duelbook play", self.game, *options, *opponent, f"--first {self.first}", *place])


def ask_match(arguments: PlayArguments, screen: Screen) -> PlayArguments:
    """Ask for everything that the arguments leave open, and return them with the answers."""
    last = load(data_file(FILE), LastChoice)
    if not last.is_possible():
        last = LastChoice()
    is_open = not arguments.options and arguments.agents == (None, None) and arguments.first is None
    again = last if is_open and last.game else None
    screen.say("Duelbook: two-player strategy games\n")
    entries = {name: f"{title(name)}: {aim(name)}" for name in GAMES}
    default = f"the same as last time: {again.text()}" if again else ""
    game = pick("Choose a game", entries, screen, default)
    if not game:
        assert again
        chosen = again
    else:
        before = last if last.game == game else LastChoice(opponent=last.opponent)
        chosen = _ask_rest(arguments, game, before, screen)
        if is_open and not is_external(chosen.opponent) and (problem := save(chosen, data_file(FILE), "Your choice")):
            screen.say(problem, WARNING)
    if is_open:
        screen.say(f"To start such a match at once: {chosen.command(arguments.server)}", NOTE)
    screen.say(f"You can always type: {', '.join(HELP)}\n", NOTE)
    agents = (HUMAN, chosen.opponent) if arguments.agents == (None, None) else arguments.agents
    options = expand_preset(find_rules(chosen.game), arguments.options or chosen.options)
    return replace(arguments, game=chosen.game, options=options, agents=agents, first=arguments.first or chosen.first)


def _ask_rest(arguments: PlayArguments, game: str, last: LastChoice, screen: Screen) -> LastChoice:
    """Ask for rules, opponent and who starts, as far as the arguments leave them open."""
    options = arguments.options or _ask_rules(game, last.options, screen)
    rules = make(game, **options)  # refuses wrong options of the command line before the next question
    opponent = last.opponent
    if arguments.agents == (None, None):
        opponent = _ask_opponent(last.opponent, screen, online=arguments.server is not None)
    elif opponent_given := next((agent for agent in arguments.agents if agent not in (None, HUMAN)), None):
        opponent = opponent_given
    first = arguments.first or last.first or narration_class(rules).starter
    if arguments.first is None and arguments.agents == (None, None):
        first = _pick_starter(opponent, first, screen)
    return LastChoice(game, options, opponent, first)


def pick(
    question: str,
    entries: Mapping[str, str],
    screen: Screen,
    default: str = "",
    accepts: Callable[[str], bool] | None = None,
) -> str:
    """Ask for one of the entries, by number or by name. Return an empty text if the person presses Enter.

    `default` says what Enter chooses; without it, there is no such choice. `accepts` allows other answers.
    """
    names = list(entries)
    for number, text in enumerate(entries.values(), 1):
        screen.say(f"{number:<4}{text}")
    if default:
        screen.say(f"(Enter: {default})", NOTE)
    while True:
        typed = screen.ask(
            f"{question} (1-{len(names)})? ",
            candidates=lambda text: starting_with(text, (*names, "quit")),
            remember=False,
        )
        answer = command_word(typed)
        if answer == "quit":
            raise QuitError
        for number, name in enumerate(names, 1):
            if answer in (str(number), name, fold(title(name))) or starting_with(answer, names) == [name]:
                screen.say()
                return name
        if (not answer and default) or (accepts and accepts(typed)):
            screen.say()
            return typed
        close = did_you_mean(typed, (*names, "quit")) if answer else ""
        screen.say(f"Type a number from 1 to {len(names)}, a name such as {names[-1]}, or quit.{close}", WARNING)


# The rules


def _ask_rules(game: str, last: dict[str, str], screen: Screen) -> dict[str, str]:
    """Return the preset that the person chooses, or options. A game without any has no question."""
    rules = find_rules(game)
    presets, options = presets_of(rules), choosable_options(rules)
    entries = {name: f"{one.title}: {one.about}" for name, one in presets.items()}
    if options:
        entries[CUSTOM] = "Custom: choose each option yourself."
    if len(entries) == 1:
        return {}
    is_custom = bool(last) and PRESET not in last
    suggested = next((name for name, one in presets.items() if one.suggested), BOOK)
    before = last if is_custom else {PRESET: last[PRESET] if last.get(PRESET) in presets else suggested}
    as_last = ", ".join(f"{name}={value}" for name, value in last.items()) if is_custom else before[PRESET]
    chosen = pick("Which rules", entries, screen, as_last)
    if not chosen:
        return before
    return _ask_options(game, options, screen) if chosen == CUSTOM else {PRESET: chosen}


def choosable_options(rules: type[AnyGame]) -> list[Option]:
    """Return the options that can be chosen before a match; others are drawn, or chosen by the players."""
    drawn = drawn_options(rules)
    return [option for option in options_of(rules) if option.name not in drawn]


def _ask_options(game: str, options: list[Option], screen: Screen) -> dict[str, str]:
    """Return the value of each option that differs from the rule book."""
    while True:
        chosen = {option.name: value for option in options if (value := _ask_option(option, screen))}
        try:
            make(game, **chosen)
        except RefusedError as error:  # the values do not go together
            screen.say(f"{error} Choose again.\n", WARNING)
        else:
            screen.say()
            return chosen


def _ask_option(option: Option, screen: Screen) -> str:
    """Return the value that the person types; an empty text for that of the rule book."""
    default = option_text(option.default)
    screen.say(f"{option.name}: {sentence(option.about)}")
    while True:
        text = screen.ask(f"{option.name} ({option.values()}; Enter for {default}): ", remember=False)
        word = command_word(text)
        if word == "quit":
            raise QuitError
        if word in ("", str(default)):
            return ""
        try:
            option.check(option.read(text))
        except RefusedError as error:
            screen.say(str(error), WARNING)
        else:
            return text


# The opponent, and who starts


def _ask_opponent(last: str, screen: Screen, *, online: bool) -> str:
    """Return the agent that the person wants to play against, or HUMAN."""
    levels = {name: f"{name}: {AGENTS[name].about}" for name in RATINGS}
    entries = {HUMAN: "a friend, to whom you send a link" if online else "a friend at this keyboard"} | levels
    entries[ADVANCED] = "advanced: search engines, programs and language models"
    while True:
        chosen = pick("Your opponent", entries, screen, "a friend" if last == HUMAN else last, _is_agent)
        chosen = chosen or last
        if chosen == ADVANCED:
            chosen = _ask_advanced(screen)
        if chosen != BACK:
            return chosen


def _is_agent(text: str) -> bool:
    """Return True if the text names an agent that can be made."""
    try:
        make_agent(text)
    except RefusedError:
        return False
    return True


def _ask_advanced(screen: Screen) -> str:
    """Return an agent that is no level, or BACK."""
    entries = {name: f"{name}: {kind.about}" for name, kind in AGENTS.items() if name not in RATINGS}
    entries[BACK] = "back: the levels"
    name = pick("Which one", entries, screen, accepts=_is_agent)
    parameter = AGENTS[name].parameter if name in AGENTS else None
    while parameter:
        if isinstance(parameter, NumberParameter):
            question = f"{parameter.name} (1 to {parameter.maximum}; Enter for {parameter.default}): "
        else:
            assert isinstance(parameter, TextParameter)
            question = f"{parameter.name}, as in {parameter.example}: "
        text = screen.ask(question, remember=False).removeprefix(f"{name}:")
        if command_word(text) == "quit":
            raise QuitError
        if command_word(text) == BACK:
            screen.say()
            return BACK
        if not text and isinstance(parameter, NumberParameter):
            break
        try:
            make_agent(f"{name}:{text}")
        except RefusedError as error:
            screen.say(str(error), WARNING)
        else:
            screen.say()
            return f"{name}:{text}"
    return name


def starters(opponent: str) -> dict[str, str]:
    """Return in words who may start against this opponent, by the value of `--first`."""
    one, two = ("Player 1 starts", "Player 2 starts") if opponent == HUMAN else ("you start", "the computer starts")
    return {"1": one, "2": two, "random": "chance decides who starts"}


def _pick_starter(opponent: str, last: str, screen: Screen) -> str:
    """Return `1`, `2` or `random`."""
    words = starters(opponent)
    numbers = {"1": "1", "2": "2", "3": "random"}
    entries = {number: sentence(words[value]) for number, value in numbers.items()}
    chosen = pick("Who starts", entries, screen, words[last], lambda text: text == "random")
    return numbers.get(chosen, chosen) or last

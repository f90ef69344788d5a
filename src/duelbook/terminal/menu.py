"""The menu of `duelbook play`: game, rules, opponent and who starts. It remembers the last choice."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from shlex import quote

import msgspec

from duelbook.agents import AGENTS, NumberParameter, TextParameter, check_agent, is_external
from duelbook.agents.levels import LEVELS, RATINGS
from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.games import GAMES, aim, find_rules, make, title
from duelbook.narration import narration_class
from duelbook.options import PRESET, Option, drawn_options, option_text, options_of
from duelbook.play.arguments import PlayArguments
from duelbook.play.commands import HELP, command_word
from duelbook.play.data_folder import data_file, load, save
from duelbook.presets import BOOK, expand_preset, presets_of
from duelbook.records.record import HUMAN, check_time_limit
from duelbook.terminal.commands import QuitError
from duelbook.terminal.line_editor import starting_with
from duelbook.terminal.screen import NOTE, WARNING, Screen
from duelbook.text import did_you_mean, fold, sentence

FILE = "menu.json"  # in the data folder
CUSTOM, ADVANCED, BACK = "custom", "advanced", "back"
FIRST_OPPONENT = [*LEVELS][1]  # that Enter chooses for somebody who has not chosen before


class BackError(Exception):
    """The person wants to answer the question before this one again."""


class LastChoice(msgspec.Struct, forbid_unknown_fields=True):
    """What the person chose the last time. `options` holds a preset under its name, or rule options."""

    game: str = ""
    options: dict[str, str] = msgspec.field(default_factory=dict)
    opponent: str = FIRST_OPPONENT
    first: str = ""
    time_limit: float | None = None  # seconds a turn

    def is_possible(self) -> bool:
        """Return True if there still is such a game with such rules and opponents."""
        try:
            make(self.game, **self.options)
            if self.opponent != HUMAN:
                check_agent(self.opponent)
            if self.time_limit is not None:
                check_time_limit("The seconds for a turn", self.time_limit)
        except RefusedError:
            return False
        return self.first in ("1", "2", "random") and not is_external(self.opponent)

    def text(self) -> str:
        """Return the choice in words."""
        rules = self.options.get(PRESET) or ", ".join(f"{name}={value}" for name, value in self.options.items()) or BOOK
        against = "two people" if self.opponent == HUMAN else f"against {self.opponent}"
        seconds = f", {self.time_limit:g} seconds a turn" if self.time_limit else ""
        return f"{title(self.game)} ({rules}), {against}, {starters(HUMAN, self.opponent)[self.first]}{seconds}"

    def command(self, server: str | None) -> str:
        """Return the command that starts such a match, on the server if there is one."""
        options = [
            f"--{PRESET} {value}" if name == PRESET else f"--option {quote(f'{name}={value}')}"
            for name, value in self.options.items()
            if value != BOOK
        ]
        opponent = [f"--p2 {quote(self.opponent)}"] if self.opponent != HUMAN else []
        seconds = [f"--time-limit {self.time_limit:g}"] if self.time_limit else []
        place = [f"--server {quote(server)}"] if server else []
        return " ".join(["duelbook play", self.game, *options, *opponent, f"--first {self.first}", *seconds, *place])


def ask_match(arguments: PlayArguments, screen: Screen) -> PlayArguments:
    """Ask for everything that the arguments leave open, and return them with the answers.

    Over the network, raise BackError if the person goes back to what comes before the choice of a game.
    """
    last = load(data_file(FILE), LastChoice)
    if not last.is_possible():
        last = LastChoice()
    is_open = not arguments.options and arguments.agents == (None, None) and arguments.first is None
    again = None
    if is_open and last.game:
        again = msgspec.structs.replace(last, time_limit=arguments.time_limit or last.time_limit)
    screen.say("Duelbook: two-player strategy games\n")
    entries = {name: f"{title(name)}: {aim(name)}" for name in GAMES}
    default = f"the same as last time: {again.text()}" if again else ""
    chosen = None
    while chosen is None:
        game = pick("Choose a game", entries, screen, default, can_go_back=arguments.server is not None)
        before = last if last.game == game else LastChoice(opponent=last.opponent)
        with suppress(BackError):
            chosen = _ask_rest(arguments, game, before, screen) if game else again
    is_kept = chosen is not again and is_open and not is_external(chosen.opponent)
    if is_kept and (problem := save(chosen, data_file(FILE), "Your choice")):
        screen.say(problem, WARNING)
    if is_open:
        screen.say(f"To start such a match at once: {chosen.command(arguments.server)}", NOTE)
    screen.say(f"You can always type: {', '.join(HELP)}\n", NOTE)
    agents = (HUMAN, chosen.opponent) if arguments.agents == (None, None) else arguments.agents
    options = expand_preset(find_rules(chosen.game), arguments.options or chosen.options)
    return replace(
        arguments,
        game=chosen.game,
        options=options,
        agents=agents,
        first=arguments.first or chosen.first,
        time_limit=arguments.time_limit or chosen.time_limit,
    )


def _ask_rest(arguments: PlayArguments, game: str, last: LastChoice, screen: Screen) -> LastChoice:
    """Ask for rules, opponent and who starts, as far as the arguments leave them open; `back` leads to the one before.

    Raise BackError if the person wants another game.
    """
    rules = make(game, **arguments.options)  # refuses wrong options of the command line before the next question
    given = next((agent for agent in arguments.agents if agent not in (None, HUMAN)), last.opponent)
    first = arguments.first or last.first or narration_class(rules).starter
    chosen = LastChoice(game, arguments.options, given, first, arguments.time_limit)

    def ask_rules() -> None:
        chosen.options = _ask_rules(game, chosen.options or last.options, screen)

    def ask_opponent() -> None:
        chosen.opponent = _ask_opponent(last.opponent, screen, online=arguments.server is not None)

    def ask_starter() -> None:
        chosen.first = _pick_starter(chosen.opponent, first, screen)

    questions = [ask_rules] if not arguments.options and len(rules_entries(find_rules(game))) > 1 else []
    if arguments.agents == (None, None):
        questions += [ask_opponent, *([ask_starter] if arguments.first is None else [])]
    at = 0
    while at < len(questions):
        try:
            questions[at]()
            at += 1
        except BackError:
            if at == 0:
                raise
            at -= 1
    return chosen


def pick(
    question: str,
    entries: Mapping[str, str],
    screen: Screen,
    default: str = "",
    accepts: Callable[[str], bool] | None = None,
    can_go_back: bool = False,
) -> str:
    """Ask for one of the entries, by number or by name. Return an empty text if the person presses Enter.

    `default` says what Enter chooses; without it, there is no such choice. `accepts` allows other answers. Raise
    BackError if the person goes back to an earlier question.
    """
    names, words = list(entries), ["back", "quit"] if can_go_back else ["quit"]
    for number, text in enumerate(entries.values(), 1):
        screen.say(f"{number:<4}{text}")
    if default:
        screen.say(f"(Enter: {default})", NOTE)
    while True:
        typed = screen.ask(
            f"{question} (1-{len(names)})? ",
            candidates=lambda text: starting_with(text, (*names, *words)),
            remember=False,
        )
        answer = command_word(typed)
        if answer == "quit":
            raise QuitError
        if answer == BACK and can_go_back:
            screen.say()
            raise BackError
        for number, name in enumerate(names, 1):
            if answer in (str(number), name, fold(title(name))) or starting_with(answer, names) == [name]:
                screen.say()
                return name
        if (not answer and default) or (accepts and accepts(typed)):
            screen.say()
            return typed
        close = did_you_mean(typed, (*names, *words)) if answer and not answer.isdecimal() else ""
        others = ", ".join((f"a name such as {names[-1]}", *words[:-1]))
        screen.say(f"Type a number from 1 to {len(names)}, {others}, or {words[-1]}.{close}", WARNING)


# The rules


def _ask_rules(game: str, last: dict[str, str], screen: Screen) -> dict[str, str]:
    """Return the preset that the person chooses, or options."""
    rules = find_rules(game)
    presets = presets_of(rules)
    is_custom = bool(last) and PRESET not in last
    suggested = suggested_preset(rules)
    before = last if is_custom else {PRESET: last[PRESET] if last.get(PRESET) in presets else suggested}
    as_last = ", ".join(f"{name}={value}" for name, value in last.items()) if is_custom else before[PRESET]
    typed = {**last} if is_custom else {}
    while True:
        chosen = pick("Which rules", rules_entries(rules), screen, as_last, can_go_back=True)
        if chosen != CUSTOM:
            return {PRESET: chosen} if chosen else before
        with suppress(BackError):
            return _ask_options(game, choosable_options(rules), typed, screen)


def rules_entries(rules: type[AnyGame]) -> dict[str, str]:
    """Return the rules to choose from in words, by preset, and CUSTOM if there are options to choose."""
    entries = {
        name: f"{one.title}{' (suggested)' if one.suggested else ''}: {one.about}"
        for name, one in presets_of(rules).items()
    }
    return entries | ({CUSTOM: "Custom: choose each option yourself."} if choosable_options(rules) else {})


def suggested_preset(rules: type[AnyGame]) -> str:
    """Return the preset for somebody who has not chosen before."""
    return next((name for name, one in presets_of(rules).items() if one.suggested), BOOK)


def choosable_options(rules: type[AnyGame]) -> list[Option]:
    """Return the options that can be chosen before a match; others are drawn, or chosen by the players."""
    drawn = drawn_options(rules)
    return [option for option in options_of(rules) if option.name not in drawn]


def _ask_options(game: str, options: list[Option], typed: dict[str, str], screen: Screen) -> dict[str, str]:
    """Return the value of each option that differs from the rule book. `typed` holds what was typed before."""
    screen.say("(You can also type help, back or quit.)", NOTE)
    while True:
        at = 0
        while at < len(options):
            option = options[at]
            try:
                typed[option.name] = _ask_option(option, typed.get(option.name, ""), screen)
                at += 1
            except BackError:  # to the question before
                if at == 0:
                    raise
                at -= 1
        chosen = {option.name: typed[option.name] for option in options if typed[option.name]}
        try:
            make(game, **chosen)
        except RefusedError as error:  # the values do not go together
            screen.say(f"{error} Choose again.\n", WARNING)
        else:
            screen.say()
            return chosen


def _ask_option(option: Option, typed: str, screen: Screen) -> str:
    """Return the value that the person types, or has typed before; an empty text for that of the rule book."""
    book = option_text(option.default)
    screen.say(f"{option.name}: {sentence(option.about)}")
    while True:
        text = _ask_value(f"{option.name} ({option.values()}; Enter for {typed or book}): ", option.values(), screen)
        word = command_word(text)
        if word in ("", str(book)):
            return "" if word else typed
        try:
            option.check(option.read(text))
        except RefusedError as error:
            screen.say(str(error), WARNING)
        else:
            return text


def _ask_value(question: str, values: str, screen: Screen) -> str:
    """Return what the person types, not yet checked. Raise BackError or QuitError if they go."""
    while True:
        text = screen.ask(question, remember=False)
        word = command_word(text)
        if word == "quit":
            raise QuitError
        if word == BACK:
            screen.say()
            raise BackError
        if word != "help":
            return text
        screen.say(f"Type a value ({values}), back for the question before, or quit.", NOTE)


# The opponent, and who starts


def _ask_opponent(last: str, screen: Screen, *, online: bool) -> str:
    """Return the agent that the person wants to play against, or HUMAN."""
    levels = {name: f"{name}: {AGENTS[name].about}" for name in RATINGS}
    entries = {HUMAN: "a friend, to whom you send a link" if online else "a friend at this keyboard"} | levels
    entries[ADVANCED] = f"advanced: search engines{'' if online else ', programs and language models'}"
    while True:
        default = "a friend" if last == HUMAN else last
        chosen = pick("Your opponent", entries, screen, default, _accepts(online), can_go_back=True) or last
        if chosen == ADVANCED:
            chosen = _ask_advanced(screen, online=online)
        if chosen != BACK:
            return chosen


def _accepts(online: bool) -> Callable[[str], bool]:
    """Return a check for the name of an agent that can be made. A service starts no program and calls no model."""

    def can_be_made(text: str) -> bool:
        try:
            check_agent(text)
        except RefusedError:
            return False
        return not (online and is_external(text))

    return can_be_made


def _ask_advanced(screen: Screen, *, online: bool) -> str:
    """Return an agent that is no level, or BACK."""
    entries = {
        name: f"{name}: {kind.about}"
        for name, kind in AGENTS.items()
        if name not in RATINGS and not (online and kind.external)
    }
    entries[BACK] = "back: the levels"
    name = pick("Which one", entries, screen, accepts=_accepts(online))
    parameter = AGENTS[name].parameter if name in AGENTS else None
    while parameter:
        if isinstance(parameter, NumberParameter):
            values = f"1 to {parameter.maximum}"
            question = f"{parameter.name} ({values}; Enter for {parameter.default}): "
        else:
            assert isinstance(parameter, TextParameter)
            values = f"as in {parameter.example}"
            question = f"{parameter.name}, {values}: "
        try:
            text = _ask_value(question, values, screen).removeprefix(f"{name}:")
        except BackError:
            return BACK
        if not text and isinstance(parameter, NumberParameter):
            break
        try:
            check_agent(f"{name}:{text}")
        except RefusedError as error:
            screen.say(str(error), WARNING)
        else:
            screen.say()
            return f"{name}:{text}"
    return name


def starters(one: str, two: str) -> dict[str, str]:
    """Return in words which of these players may start, by the value of `--first`. An only person is "you"."""
    starts = ["Player 1 starts", "Player 2 starts"]
    if (one == HUMAN) != (two == HUMAN):
        starts = ["you start" if player == HUMAN else "the computer starts" for player in (one, two)]
    return {"1": starts[0], "2": starts[1], "random": "chance decides who starts"}


def _pick_starter(opponent: str, last: str, screen: Screen) -> str:
    """Return `1`, `2` or `random`."""
    words = starters(HUMAN, opponent)
    entries = {value: sentence(text) for value, text in words.items()}
    return pick("Who starts", entries, screen, words[last], can_go_back=True) or last

"""The choices before a match as a form: fields with their values in words, checks, and defaults that are remembered.

A front end shows all fields, or asks for one after another. Which fields there are depends on the values of others.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from shlex import quote
from typing import Any

import msgspec

from duelbook.agents import AGENTS, NumberParameter, TextParameter, check_agent, is_external
from duelbook.agents.levels import LEVELS, RATINGS
from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.games import GAMES, aim, find_rules, make, title
from duelbook.narration import narration_class
from duelbook.options import PRESET, Option, drawn_options, option_text, options_of
from duelbook.play.arguments import MAX_MATCHES, PlayArguments
from duelbook.play.data_folder import data_file, load, save
from duelbook.presets import BOOK, expand_preset, presets_of
from duelbook.records.record import HUMAN, check_time_limit
from duelbook.text import did_you_mean, fold, plural, sentence, shorten

FILE = "menu.json"  # in the data folder
CUSTOM, ADVANCED = "custom", "advanced"
GAME, RULES, FIRST, TIME, MATCHES = "game", "rules", "first", "time", "matches"  # names of fields
PLAYERS = ("one", "two")
OPTION, KIND, PARAMETER = "option-", "-kind", "-parameter"  # beginnings and ends of names of fields
FIRST_OPPONENT = [*LEVELS][1]  # of somebody who has not chosen before
FIRST_KIND = "search"
SECONDS = "The seconds for a turn"
NO_LIMIT = "none"


class Field(msgspec.Struct, frozen=True):
    """One choice: one of the entries, or a text."""

    name: str
    label: str
    question: str  # in a dialogue
    value: str
    default: str  # the value that holds if the person changes nothing, in words
    entries: dict[str, str] = {}  # what can be chosen, in words
    values: str = ""  # what can be typed, in words; empty if only an entry can be chosen
    about: str = ""
    part_of: str = ""  # the field that has this one for one of its entries
    takes_agents: bool = False  # besides its entries, the name of any agent
    extra: str = ""  # what it is for, in words, if a dialogue asks for it only on demand; a form shows all fields


class LastChoice(msgspec.Struct, forbid_unknown_fields=True):
    """What the person chose the last time. `options` holds a preset under its name, or rule options."""

    game: str = ""
    options: dict[str, str] = msgspec.field(default_factory=dict)
    opponent: str = FIRST_OPPONENT
    first: str = ""
    time_limit: float | None = None  # seconds a turn
    matches: int = 1

    def is_possible(self) -> bool:
        """Return True if there still is such a game with such rules and opponents."""
        try:
            make(self.game, **self.options)
            if self.opponent != HUMAN:
                check_agent(self.opponent)
            if self.time_limit is not None:
                check_time_limit(SECONDS, self.time_limit)
        except RefusedError:
            return False
        is_chosen = self.first in ("1", "2", "random") and 1 <= self.matches <= MAX_MATCHES
        return is_chosen and not is_external(self.opponent)


class Form:
    """The choices that the arguments of the command line leave open."""

    def __init__(self, arguments: PlayArguments) -> None:
        last = load(data_file(FILE), LastChoice)
        self._given = arguments
        self._last = last if last.is_possible() else LastChoice()
        self._is_online = arguments.server is not None
        self._values = {
            **self._defaults(self._last.game or next(iter(GAMES))),
            **self._agent_values(PLAYERS[1], self._last.opponent),
        }
        self.reset_extras()
        self.use_last_extras()

    @property
    def is_open(self) -> bool:
        """True if the command line leaves rules, players and who starts open: only such a choice is remembered."""
        given = self._given
        return not given.options and given.agents == (None, None) and given.first is None

    @property
    def has_last(self) -> bool:
        """True if the values are those of the last time, as long as none is set."""
        return self.is_open and self._last.game != ""

    # The fields

    def fields(self) -> list[Field]:
        """Return the fields that there are now, in the order in which they are asked for."""
        given = self._given
        fields = [self._game_field()]
        if not given.options and len(self._rules_entries()) > 1:
            fields += self._rules_fields()
        if given.agents == (None, None):
            fields += [field for name in PLAYERS for field in self._player_fields(name)]
            fields += [self._starter_field()] if given.first is None else []
        fields += [self._time_field()] if given.time_limit is None else []
        return fields + ([self._matches_field()] if given.matches == 1 and not self._is_online else [])

    def field(self, name: str) -> Field:
        """Return the field with this name, or raise RefusedError if there is none now."""
        found = next((field for field in self.fields() if field.name == name), None)
        if found is None:
            raise RefusedError(f"There is no field '{shorten(name)}' now.")
        return found

    def _game_field(self) -> Field:
        entries = {name: f"{title(name)}: {aim(name)}" for name in GAMES}
        game = self._values[GAME]
        return Field(GAME, "Game", "Choose a game", game, title(game), entries)

    def _rules_entries(self) -> dict[str, str]:
        return rules_entries(find_rules(self._values[GAME]))

    def _rules_fields(self) -> list[Field]:
        chosen, options = self._values[RULES], self._options()
        default = _pairs_text(options) if chosen == CUSTOM and options else chosen
        fields = [Field(RULES, "Rules", "Which rules", chosen, default, self._rules_entries())]
        if chosen == CUSTOM:
            rules = find_rules(self._values[GAME])
            fields += [self._option_field(rules, option) for option in choosable_options(rules)]
        return fields

    def _option_field(self, rules: type[AnyGame], option: Option) -> Field:
        name = f"{OPTION}{option.name}"
        value, book = self._values.get(name, ""), str(option_text(option.default))
        entries = _option_entries(rules, option)
        return Field(
            name,
            _label(option.name),
            option.name,
            value,
            value or book,
            entries if value in entries else {},
            option.values(),
            sentence(option.about),
            part_of=RULES,
        )

    def _player_fields(self, name: str) -> Iterator[Field]:
        """Yield who one of the players is; for an agent that is no level, also its kind and its parameter."""
        seat, agent = PLAYERS.index(name), self._agent(name)
        if self._is_online and seat == 0:
            return
        friend = "a friend, to whom you send a link" if self._is_online else "a friend at this keyboard"
        person = friend if seat == 1 and self._values[PLAYERS[0]] == HUMAN else "you"
        advanced = f"advanced: search engines{'' if self._is_online else ', programs and language models'}"
        levels = {level: f"{level}: {AGENTS[level].about}" for level in RATINGS}
        entries = {HUMAN: person, **levels, ADVANCED: advanced}
        default = person.split(",")[0].removesuffix(" at this keyboard") if agent == HUMAN else agent
        question = "Your opponent" if seat == 1 else "Player 1"
        chosen = self._values[name]
        extra = "" if seat else "a computer as Player 1"
        yield Field(name, f"Player {seat + 1}", question, chosen, default, entries, takes_agents=True, extra=extra)
        if chosen != ADVANCED:
            return
        kinds = {
            kind: f"{kind}: {AGENTS[kind].about}"
            for kind in AGENTS
            if kind not in RATINGS and not (self._is_online and AGENTS[kind].external)
        }
        kind = self._values[f"{name}{KIND}"]
        yield Field(f"{name}{KIND}", "Which one", "Which one", kind, kind, kinds, "", "", name, True, extra)
        text, default = self._values[f"{name}{PARAMETER}"], ""
        match AGENTS[kind].parameter:
            case NumberParameter() as parameter:
                default, values = str(parameter.default), f"1 to {parameter.maximum}"
            case TextParameter() as parameter:
                values = f"as in {parameter.example}"
            case _:
                return
        yield Field(
            f"{name}{PARAMETER}",
            _label(parameter.name),
            parameter.name,
            text,
            text or default,
            values=values,
            part_of=f"{name}{KIND}",
            extra=extra,
        )

    def _starter_field(self) -> Field:
        first, words = self._values[FIRST], starters(self._values[PLAYERS[0]], self._values[PLAYERS[1]])
        entries = {value: sentence(text) for value, text in words.items()}
        return Field(FIRST, "Who starts", "Who starts", first, words[first], entries)

    def _time_field(self) -> Field:
        seconds = self._values[TIME]
        about = "How long a player has for each turn. Running out of time loses the game."
        return Field(
            TIME,
            "Seconds a turn",
            "Seconds a turn",
            seconds,
            seconds or "no limit",
            values=f"a number, or {NO_LIMIT}",
            about=about,
            extra="a time limit",
        )

    def _matches_field(self) -> Field:
        matches = self._values[MATCHES]
        about = "How many are played one after another from the same start, with the seats swapped each time."
        return Field(
            MATCHES,
            "Matches",
            "Matches",
            matches,
            matches or "1",
            values=f"1 to {MAX_MATCHES}",
            about=about,
            extra="several matches",
        )

    # Choosing

    def set(self, name: str, text: str) -> None:
        """Choose a value. Raise RefusedError if it is not allowed, which changes nothing."""
        changes = self._changes(self.field(name), text.strip())
        if name == GAME and text != self._values[GAME]:
            for option in [other for other in self._values if other.startswith(OPTION)]:
                del self._values[option]
        self._values |= changes

    def allows(self, name: str, text: str) -> bool:
        """Return True if the value is allowed."""
        try:
            self._changes(self.field(name), text.strip())
        except RefusedError:
            return False
        return True

    def reset_extras(self) -> None:
        """Choose a person as Player 1, no time limit and one match, unless the command line has others."""
        given = self._given
        self._values |= {
            **self._agent_values(PLAYERS[0], HUMAN),
            TIME: _number_text(given.time_limit),
            MATCHES: "" if given.matches == 1 else str(given.matches),
        }

    def use_last_extras(self) -> None:
        """Choose the time limit and the number of matches of the last time, unless the command line has others."""
        if not self.has_last:
            return
        self._values[TIME] = _number_text(self._given.time_limit or self._last.time_limit)
        if not self._is_online and self._given.matches == 1:
            self._values[MATCHES] = str(self._last.matches)

    def _changes(self, field: Field, text: str) -> Mapping[str, str]:
        """Return what changes, by the names of fields. Raise RefusedError if the value is not allowed."""
        name = field.name
        if text in field.entries:
            if name == GAME:
                make(text, **self._given.options)  # refuses wrong options of the command line
                return self._defaults(text) if text != field.value else {}
            if name.endswith(KIND) and text != field.value:
                return {name: text, f"{field.part_of}{PARAMETER}": ""}
            return {name: text}
        if field.takes_agents:
            return self._agent_values(field.part_of or name, self._checked_agent(text))
        if name.startswith(OPTION):
            return {name: self._read_option(name.removeprefix(OPTION), text)}
        if name.endswith(PARAMETER):
            kind = self._values[field.part_of]
            text = text.removeprefix(f"{kind}:")
            check_agent(f"{kind}:{text}" if text else kind)
        elif name == TIME:
            text = _number_text(_read_seconds(text))
        elif name == MATCHES:
            text = _read_matches(text)
        else:
            close = did_you_mean(text, field.entries)
            raise RefusedError(f"'{shorten(text)}' is not one of {', '.join(field.entries)}.{close}")
        return {name: text}

    def _read_option(self, name: str, text: str) -> str:
        """Return the value of a rule option as it was typed; an empty text for that of the rule book."""
        option = next(one for one in options_of(find_rules(self._values[GAME])) if one.name == name)
        if fold(text) in ("", str(option_text(option.default))):
            return ""
        option.check(option.read(text))
        return text

    def _checked_agent(self, text: str) -> str:
        check_agent(text)
        if self._is_online and is_external(text):
            raise RefusedError("A service starts no program and calls no language model.")
        return text

    @staticmethod
    def _agent_values(name: str, agent: str) -> dict[str, str]:
        """Return the values of the fields of a player who is this agent, or a person."""
        kind, _, parameter = agent.partition(":")
        is_listed = agent == HUMAN or agent in RATINGS
        return {
            name: agent if is_listed else ADVANCED,
            f"{name}{KIND}": FIRST_KIND if is_listed else kind,
            f"{name}{PARAMETER}": parameter,
        }

    def _defaults(self, game: str) -> dict[str, str]:
        """Return what is preselected for a game: as the last time, or what its author suggests."""
        last = self._last if self._last.game == game else LastChoice()
        starter = {FIRST: self._given.first or last.first or narration_class(make(game)).starter}
        if last.options and PRESET not in last.options:
            return {GAME: game, RULES: CUSTOM, **starter} | {
                f"{OPTION}{key}": text for key, text in last.options.items()
            }
        rules = find_rules(game)
        suggested = next((name for name, one in presets_of(rules).items() if one.suggested), BOOK)
        return {GAME: game, RULES: last.options.get(PRESET, suggested), **starter}

    # The result

    def arguments(self) -> PlayArguments:
        """Return the arguments of the match. Raise RefusedError if the values do not go together."""
        self.check_rules()
        for name in PLAYERS:
            if self._agent(name) != HUMAN:
                check_agent(self._agent(name))
        agents, values = self._given.agents, self._values
        return replace(
            self._given,
            game=values[GAME],
            options=expand_preset(find_rules(values[GAME]), self._given.options or self._options()),
            agents=(self._agent("one"), self._agent("two")) if agents == (None, None) else agents,
            first=values[FIRST],
            time_limit=self._seconds(),
            matches=int(values[MATCHES] or 1),
        )

    def check_rules(self) -> None:
        """Raise RefusedError if the values of the rule options do not go together."""
        make(self._values[GAME], **(self._given.options or self._options()))

    def remember(self) -> str:
        """Keep the choice for the next time. Return an empty text, or a sentence if that is not possible."""
        opponent = self._agent("two")
        if not self.is_open or self._agent("one") != HUMAN or is_external(opponent):
            return ""
        values = self._values
        matches = int(values[MATCHES] or 1)
        choice = LastChoice(values[GAME], self._options(), opponent, values[FIRST], self._seconds(), matches)
        return "" if choice == self._last else save(choice, data_file(FILE), "Your choice")

    def summary(self) -> str:
        """Return the choice in words."""
        options, opponent = self._options(), self._agent("two")
        rules = options.get(PRESET) or _pairs_text(options) or BOOK
        against = "two people" if opponent == HUMAN else f"against {opponent}"
        starts = starters(HUMAN, opponent)[self._values[FIRST]]
        seconds = f", {self._values[TIME]} seconds a turn" if self._values[TIME] else ""
        matches = int(self._values[MATCHES] or 1)
        series = f", {plural(matches, 'match', 'es')}" if matches > 1 else ""
        return f"{title(self._values[GAME])} ({rules}), {against}, {starts}{seconds}{series}"

    def command(self) -> str:
        """Return the command that starts such a match at once."""
        values = self._values
        words = ["duelbook play", values[GAME]]
        for name, value in self._options().items():
            if name != PRESET:
                words.append(f"--option {quote(f'{name}={value}')}")
            elif value != BOOK:
                words.append(f"--{PRESET} {value}")
        words += [
            f"--p{seat} {quote(self._agent(name))}"
            for seat, name in enumerate(PLAYERS, 1)
            if self._agent(name) != HUMAN
        ]
        words.append(f"--first {values[FIRST]}")
        words += [f"--time-limit {values[TIME]}"] if values[TIME] else []
        words += [f"--matches {values[MATCHES]}"] if values[MATCHES] not in ("", "1") else []
        words += [f"--server {quote(self._given.server)}"] if self._given.server else []
        return " ".join(words)

    def _options(self) -> dict[str, str]:
        """Return the preset under its name, or the rule options that differ from the rule book."""
        if self._values[RULES] != CUSTOM:
            return {PRESET: self._values[RULES]}
        options = choosable_options(find_rules(self._values[GAME]))
        chosen = {option.name: self._values.get(f"{OPTION}{option.name}", "") for option in options}
        return {name: value for name, value in chosen.items() if value}

    def _agent(self, name: str) -> str:
        """Return HUMAN, or the name of the agent with its parameter."""
        if (chosen := self._values[name]) != ADVANCED:
            return chosen
        return ":".join(filter(None, (self._values[f"{name}{KIND}"], self._values[f"{name}{PARAMETER}"])))

    def _seconds(self) -> float | None:
        return float(self._values[TIME]) if self._values[TIME] else None


def rules_entries(rules: type[AnyGame]) -> dict[str, str]:
    """Return the rules to choose from in words, by preset, and CUSTOM if there are options to choose."""
    entries = {
        name: f"{one.title}{' (suggested)' if one.suggested else ''}: {one.about}"
        for name, one in presets_of(rules).items()
    }
    return entries | ({CUSTOM: "Custom: choose each option yourself."} if choosable_options(rules) else {})


def choosable_options(rules: type[AnyGame]) -> list[Option]:
    """Return the options that can be chosen before a match; others are drawn, or chosen by the players."""
    drawn = drawn_options(rules)
    return [option for option in options_of(rules) if option.name not in drawn]


def starters(one: str, two: str) -> dict[str, str]:
    """Return in words which of these players may start, by the value of `--first`. An only person is "you"."""
    starts = ["Player 1 starts", "Player 2 starts"]
    if (one == HUMAN) != (two == HUMAN):
        starts = ["you start" if player == HUMAN else "the computer starts" for player in (one, two)]
    return {"1": starts[0], "2": starts[1], "random": "chance decides who starts"}


@cache
def _option_entries(rules: type[AnyGame], option: Option) -> dict[str, str]:
    """Return the values to choose from, that of the rule book first; none if they cannot be listed."""
    listed = [] if option.names_or_file else [one for one in option.choices() if _is_accepted(rules, option, one)]
    book = str(option_text(option.default))
    return {"": f"{book} (book rules)"} | {one: one for one in listed if one != book} if listed else {}


def _is_accepted(rules: type[AnyGame], option: Option, value: str) -> bool:
    """Return False if the rules refuse this value, such as an even number, whatever the other options are."""
    arguments: dict[str, Any] = {option.name: option.read(value)}
    try:
        rules(**arguments)
    except RefusedError as error:  # which begins with the name of the option that must have another value
        return not str(error).startswith(f"{option.name} ")
    except Exception:  # of a game from outside; told when a match starts
        return True
    return True


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _pairs_text(options: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in options.items())


def _number_text(number: float | None) -> str:
    return f"{number:g}" if number else ""


def _read_seconds(text: str) -> float | None:
    if fold(text) in ("", NO_LIMIT):
        return None
    try:
        seconds = float(text)
    except ValueError:
        raise RefusedError(f"{SECONDS} must be a number, not '{shorten(text)}'.") from None
    check_time_limit(SECONDS, seconds)
    return seconds


def _read_matches(text: str) -> str:
    if not text:
        return ""
    if not (text.isascii() and text.isdecimal() and len(text) < 9 and 1 <= int(text) <= MAX_MATCHES):
        raise RefusedError(f"The number of matches must be from 1 to {MAX_MATCHES}, not '{shorten(text)}'.")
    return str(int(text))

"""The menu of `duelbook play`: asks for the fields of the form, one after another."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from duelbook.errors import RefusedError
from duelbook.play.arguments import PlayArguments
from duelbook.play.commands import HELP, command_word, entry_advice, read_entry
from duelbook.play.form import FIRST, GAME, RULES, Field, Form
from duelbook.terminal import QuitError
from duelbook.terminal.line_editor import starting_with
from duelbook.terminal.screen import NOTE, WARNING, Screen

BACK, MORE = "back", "more"
T = TypeVar("T")


class BackError(Exception):
    """The person wants to answer the question before this one again."""


def ask_match(arguments: PlayArguments, screen: Screen) -> PlayArguments:
    """Ask for everything that the arguments leave open, and return them with the answers.

    Over the network, raise BackError if the person goes back to what comes before the choice of a game.
    """
    questions = _Questions(arguments, screen)
    screen.say("Duelbook: two-player strategy games\n")
    questions.ask_all()
    form = questions.form
    if problem := form.remember():
        screen.say(problem, WARNING)
    if form.is_open:
        screen.say(f"To start such a match at once: {form.command()}", NOTE)
    is_remote = arguments.server is not None  # the match decides then what can be typed
    typed = "Type help at any time to see what you can do." if is_remote else f"You can always type: {', '.join(HELP)}"
    screen.say(f"{typed}\n", NOTE)
    return form.arguments()


def ask_value(
    prompt: str,
    read: Callable[[str], T],
    advice: str,
    screen: Screen,
    names: Sequence[str] = (),
    *,
    goes_back: bool = True,
) -> T:
    """Ask until `read` takes what is typed, which it refuses by RefusedError. `advice` answers `help`.

    Raise QuitError if the person leaves, and BackError if they go back to an earlier question, where there is one.
    """
    candidates = (*names, *([BACK] if goes_back else []), "quit")
    while True:
        typed = screen.ask(prompt, candidates=lambda text: starting_with(text, candidates), remember=False)
        word = command_word(typed)
        if word == "quit":
            raise QuitError
        if word == BACK and goes_back:
            screen.say()
            raise BackError
        if word == "help":
            screen.say(advice, NOTE)
            continue
        try:
            return read(typed)
        except RefusedError as error:
            screen.say(str(error), WARNING)


def pick(
    question: str,
    entries: Mapping[str, str],
    screen: Screen,
    default: str = "",
    accepts: Callable[[str], bool] | None = None,
    *,
    goes_back: bool = False,
) -> str:
    """Ask for one of the entries, by number or by name. Return an empty text if the person presses Enter.

    `default` says what Enter chooses; without it, there is no such choice. `accepts` allows other answers. Raise
    BackError if the person goes back to an earlier question.
    """
    names = list(entries)
    words = [BACK, "quit"] if goes_back else ["quit"]
    for number, text in enumerate(entries.values(), 1):
        screen.say(f"{number:<4}{text}")
    if default:
        screen.say(f"(Enter: {default})", NOTE)

    def read(typed: str) -> str:
        try:
            return read_entry(typed, names, words)
        except RefusedError:
            if (default and not typed) or (accepts and accepts(typed)):
                return typed
            raise

    advice = entry_advice(names, words)
    answer = ask_value(f"{question} (1-{len(names)})? ", read, advice, screen, names, goes_back=goes_back)
    screen.say()
    return answer


class _Questions:
    """The questions for the fields of a form. `back` leads to the question before."""

    def __init__(self, arguments: PlayArguments, screen: Screen) -> None:
        self.form = Form(arguments)
        self._arguments, self._screen = arguments, screen
        self._asked: list[Field] = []  # as they were
        self._kept: set[str] = set()  # those that the person leaves as they are, with all their parts
        self._wants_more = False  # to be asked for the extras, too

    def ask_all(self) -> None:
        """Ask until all is chosen. Over the network, raise BackError if the person goes back from the first one."""
        last = f"the same as last time: {self.form.summary()}" if self.form.has_last else ""
        while field := self._next():
            try:
                is_same = self._ask(field, last)
            except BackError:
                self._go_back(field)
                continue
            if field.name == GAME and is_same:
                self.form = Form(self._arguments)
                return
            if (following := self._next()) and following.name != field.name:  # more is to be asked first
                continue
            self._asked.append(field)
            if is_same:
                self._kept.add(field.name)
            self._after(field)

    def _go_back(self, field: Field) -> None:
        """Go back to the question before; behind the parts of an answer, to what has these parts.

        A person who goes back from the first part does not want the parts, nor the extras if it is the first of them.
        All other answers stay the default.
        """
        if field.extra and not any(asked.extra for asked in self._asked):
            self._wants_more = False
            self.form.reset_extras()
            return
        if not self._asked:
            raise BackError
        before = self._asked.pop()
        while before.part_of and before.part_of != field.part_of and before.name != field.part_of:
            before = self._asked.pop()
        self._kept.discard(before.name)
        if before.name == field.part_of:
            self.form.set(before.name, before.value)

    def _next(self) -> Field | None:
        """Return the field that is asked for next, or None. Who starts comes last: there a person can choose extras."""
        asked = {field.name for field in self._asked}
        for field in sorted(self.form.fields(), key=lambda field: field.name == FIRST):
            is_left_out = field.part_of and (field.part_of not in asked or field.part_of in self._kept)
            if not is_left_out and field.name not in asked and (self._wants_more or not field.extra):
                return field
        return None

    def _ask(self, field: Field, last: str) -> bool:
        """Ask for the field. Return True if the person leaves it, and what it consists of, as it is."""
        if field.name == GAME:
            return self._ask_game(field, last)
        return self._ask_text(field) if field.values else self._ask_entry(field)

    def _ask_game(self, field: Field, last: str) -> bool:
        """Set the game. Return True if the person chooses all as the last time."""
        goes_back = self._arguments.server is not None
        game = pick(field.question, field.entries, self._screen, last, goes_back=goes_back)
        if game:
            self.form.set(GAME, game)
            self.form.reset_extras()  # which are asked for only if the person wants that
        return not game

    def _ask_entry(self, field: Field) -> bool:
        """Set the field to what the person chooses. Return True if they leave it, and what it consists of, as it is."""

        def allows(text: str) -> bool:
            return field.takes_agents and self.form.allows(field.name, text)

        extras = dict.fromkeys(other.extra for other in self.form.fields() if other.extra)
        offers_more = field.name == FIRST and extras and not self._wants_more
        more = {MORE: f"More choices: {', '.join(extras)}."} if offers_more else {}
        entries = {**field.entries, **more}
        answer = pick(field.question, entries, self._screen, field.default, allows, goes_back=True)
        if answer in more:
            self._wants_more = True
            self.form.use_last_extras()
        elif answer:
            self.form.set(field.name, answer)
        return answer not in entries

    def _ask_text(self, field: Field) -> bool:
        """Set the field to what the person types. Return True if they leave it as it is."""
        if field.about:
            self._screen.say(f"{field.question}: {field.about}")
        hint = f" ({field.values}; Enter for {field.default}): " if field.default else f", {field.values}: "

        def read(text: str) -> bool:
            if text or not field.default:
                self.form.set(field.name, text)
            return not text

        advice = f"Type a value ({field.values}), back for the question before, or quit."
        return ask_value(f"{field.question}{hint}", read, advice, self._screen)

    def _after(self, field: Field) -> None:
        """Say what comes between this question and the next one, and check the rules once all options are known."""
        following = self._next()
        if field.name == RULES and following and following.part_of == RULES:
            self._screen.say("(You can also type help, back or quit.)", NOTE)
        if not field.values or (following and following.values):
            return
        if field.part_of == RULES:
            try:
                self.form.check_rules()
            except RefusedError as error:  # the values do not go together
                self._screen.say(f"{error} Choose again.\n", WARNING)
                self._asked = [asked for asked in self._asked if asked.part_of != RULES]
                return
        self._screen.say()

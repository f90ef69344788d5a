"""How the move is read from a model's reply: two stated rules, and the kinds of replies that name no legal move."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from duelbook import documents
from duelbook.agents.agent import ForfeitKind
from duelbook.agents.llm.log import FunctionCall, Redact
from duelbook.agents.llm.settings import Reading
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, IllegalMoveError, Move, move_names, parse_move
from duelbook.narration import Seating, narration_for
from duelbook.text import fold, shorten

ACCEPTED = "accepted"
MOVE_FUNCTION = "move"  # the name of the function that a model may call, and of its one argument
MAX_MOVE_CHARACTERS = 100
TRUNCATED_FINISH = frozenset(
    {"length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"}
)
REFUSED_FINISH = frozenset(
    {"content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content", "spii", "sensitive"}
)

STRICT_LINE = re.compile(r"MOVE: +(\S(?:.*\S)?)")
MARKUP = "*_`\"'“”‘’$"  # bold, italics, code, quotes, mathematics
TOLERANT_LINE = re.compile(rf"[\s#>{MARKUP}-]*move[\s*_`]*[:：][\s*_`]*(\S.*)", re.IGNORECASE)
BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
LATEX_TEXT = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf)\s*\{([^{}]*)\}")
LATEX_SPACE = re.compile(r"\\[ ,;:]|\\quad|~")
THOUGHT_START, THOUGHT_END = (
    re.compile(r"<think(?:ing)?>", re.IGNORECASE),
    re.compile(r"</think(?:ing)?>", re.IGNORECASE),
)
PLACEHOLDER = re.compile(r"[<\[{(].*[>\]})]|\W*")  # as in `<name>`, or nothing

MAX_REFUSAL_CHARACTERS = 500  # of a reply that is a refusal in words; a longer one is not
REFUSING_WORDS = re.compile(
    r"\W*(?:i['’]?m (?:very |so )?sorry|i am (?:very |so )?sorry|sorry|unfortunately|i apologi[sz]e)?\W*(?:but )?"
    r"(?:as an ai\b[^.]{0,60}?, )?i(?:(?: can ?not| can['’]t| won['’]t| will not|['’]m unable to| am unable to"
    r"|['’]m not able to| am not able to) (?:help|assist|comply|participate|fulfil|engage|continue|take part)"
    r"| must decline| have to decline)",
    re.IGNORECASE,
)


class ModelReply(NamedTuple):
    """What a model replied, as far as it matters for the move."""

    text: str = ""
    finish: str = ""  # why the model stopped, as the endpoint says
    refusal: str = ""  # what the endpoint marks as a refusal
    calls: Sequence[FunctionCall] = ()  # calls of functions that the request declares
    in_parts: bool = False  # the endpoint sent the text as a list of parts


class ReplyVerdict(NamedTuple):
    """What a reply comes to under one rule: a move, or the kind of fault and the reason."""

    move: Move | None = None
    fault: ForfeitKind | None = None
    why: str = ""  # for the model and the log; the key is redacted in it

    @property
    def result(self) -> str:
        """`accepted`, or the kind of fault."""
        return ACCEPTED if self.fault is None else str(self.fault)


def read_reply(
    reply: ModelReply, game: AnyGame, state: Any, reading: Reading, *, show_legal: bool = True, redact: Redact = str
) -> ReplyVerdict:
    """Return the move that the reply names under this rule, or why it names none. Nothing is guessed.

    `show_legal` says whether a reason may list the legal moves. `redact` removes the key from texts that are quoted.
    """
    finish = reply.finish.casefold()
    if finish in TRUNCATED_FINISH:
        return ReplyVerdict(None, ForfeitKind.TRUNCATED, "The reply was cut off at the length limit.")
    if reply.refusal or finish in REFUSED_FINISH:
        said = f": '{shorten(redact(reply.refusal))}'" if reply.refusal else ""
        return ReplyVerdict(None, ForfeitKind.REFUSAL, f"The reply was refused{said}.")
    try:
        strict = reading is Reading.STRICT
        names = [_strict_name(reply, redact)] if strict else _tolerant_names(reply, redact)
    except RefusedError as error:
        refused = len(reply.text) <= MAX_REFUSAL_CHARACTERS and REFUSING_WORDS.match(reply.text)
        kind = ForfeitKind.REFUSAL if refused and not _last_names(reply.text) else ForfeitKind.FORMAT
        return ReplyVerdict(None, kind, str(error))
    moves = {_legal_move(game, state, [name] if strict else _spellings(name)) for name in names}
    if len(moves) == 1 and None not in moves:
        return ReplyVerdict(moves.pop())
    fault = _fault(names if strict else [*map(_plain, names)], game, state, show_legal=show_legal, redact=redact)
    if strict and read_reply(reply, game, state, Reading.TOLERANT).move is not None:
        return fault._replace(fault=ForfeitKind.FORMAT)  # only the form was wrong
    return fault


def _strict_name(reply: ModelReply, redact: Redact) -> str:
    """Return what follows `MOVE: ` in the last line."""
    if reply.in_parts:
        raise RefusedError("The reply came as a list of parts, not as text.")
    if any(call.name == MOVE_FUNCTION for call in reply.calls):
        raise RefusedError("The reply called the function `move`, which the strict rule does not read.")
    last = reply.text.rstrip().rpartition("\n")[2].strip()
    if not last:
        raise RefusedError("The reply was empty.")
    found = STRICT_LINE.fullmatch(last)
    if not found:
        raise RefusedError(f"The last line was '{shorten(redact(last))}', not `MOVE: ` and the name of a move.")
    return found[1]


def _tolerant_names(reply: ModelReply, redact: Redact) -> list[str]:
    """Return what the calls of the function and the last line that names a move say."""
    names = [*_called_names(reply.calls), *_last_names(reply.text)]
    if names:
        return names
    last = reply.text.rstrip().rpartition("\n")[2].strip()
    if not last:
        raise RefusedError("The reply was empty.")
    raise RefusedError(f"No line was `MOVE: ` and the name of a move; the last line was '{shorten(redact(last))}'.")


def _called_names(calls: Iterable[FunctionCall]) -> Iterator[str]:
    for call in calls:
        if call.name != MOVE_FUNCTION:
            continue
        try:
            given = documents.parse(call.arguments.encode(errors="replace"))
        except RefusedError as error:
            raise RefusedError("The arguments of the function `move` were not JSON.") from error
        name = given.get(MOVE_FUNCTION) if isinstance(given, dict) else None
        if not isinstance(name, str | int) or isinstance(name, bool):
            raise RefusedError("The arguments of the function `move` were not an object with the field `move`.")
        yield str(name)


def _last_names(text: str) -> list[str]:
    """Return what the last line with a move or a box names: one text, or one for each box. Thoughts do not count."""
    answer = THOUGHT_START.split(THOUGHT_END.split(text)[-1])[0]
    for line in reversed(answer.split("\n")):
        plain = LATEX_SPACE.sub(" ", LATEX_TEXT.sub(r"\1", line)) if "\\" in line else line
        boxes = BOXED.findall(plain)
        if found := TOLERANT_LINE.fullmatch(BOXED.sub(r"\1", plain).strip()):
            return [found[1]]
        if boxes:
            return [found[1] if (found := TOLERANT_LINE.fullmatch(box.strip())) else box for box in boxes]
    return []


def _plain(name: str) -> str:
    """Return the name without bold, code, quotes and a full stop around it."""
    return name.strip(f"{MARKUP}. \t\r")


def _spellings(name: str) -> Iterator[str]:
    """Yield the name as it is written, since a game may use any characters, and then without markup."""
    yield name.strip()
    yield _plain(name)
    yield _plain(re.sub(r"\*\*|__|`", "", name))


def _legal_move(game: AnyGame, state: Any, spellings: Iterable[str]) -> Move | None:
    for name in spellings:
        if len(name) <= MAX_MOVE_CHARACTERS:
            try:
                return parse_move(game, state, name)
            except IllegalMoveError:
                pass
    return None


def _fault(names: Sequence[str], game: AnyGame, state: Any, *, show_legal: bool, redact: Redact) -> ReplyVerdict:
    """Return why names that are not one legal move are not accepted: one clear move is illegal, all else a format."""
    if len({*map(fold, names)}) > 1:
        listed = " and ".join(f"'{shorten(redact(name))}'" for name in names[:3])
        return ReplyVerdict(None, ForfeitKind.FORMAT, f"The reply names more than one move: {listed}.")
    name = names[0]
    if len(name) > MAX_MOVE_CHARACTERS:
        why = f"The name of the move is longer than {MAX_MOVE_CHARACTERS} characters."
        return ReplyVerdict(None, ForfeitKind.FORMAT, why)
    quoted, legal = redact(name), move_names(game, state)
    reason = narration_for(game, Seating()).why(state, fold(quoted))
    listed = IllegalMoveError(quoted, legal).allowed() if show_legal else ""
    if _is_one_name(name, legal):
        return ReplyVerdict(
            None, ForfeitKind.ILLEGAL, _joined(f"'{shorten(quoted)}' is not legal here.", reason, listed)
        )
    return ReplyVerdict(
        None, ForfeitKind.FORMAT, _joined(f"'{shorten(quoted)}' is not just the name of a move.", listed)
    )


def _is_one_name(name: str, legal: Iterable[str]) -> bool:
    """Return True if the text can be the name of one move: no longer than such names, and with none of them in it."""
    folded = [*map(fold, legal)]
    if PLACEHOLDER.fullmatch(name) or len(name.split()) > max((len(one.split()) for one in folded), default=0):
        return False
    within = (rf"(?<![\w.+-]){re.escape(one)}(?!\w|[.,]\d)" for one in folded)
    return not any(re.search(pattern, fold(name)) for pattern in within)


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, sentences))

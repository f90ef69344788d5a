"""The rules page of a game: `rules.md` with the options in force, for the terminal or for the page in the browser.

What stands in double braces depends on the options (docs/write-a-game.md#rules-that-follow-the-options). A page without
them is shown as it is.
"""

import ast
import operator
import re
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import product
from typing import Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Outcome, parse_move
from duelbook.options import drawn_options, options_of, write_options
from duelbook.text import sentence, shorten

FILE = "rules.md"
NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
WIDTH = 120  # of the lines of a text whose placeholders were filled in
TAG = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
EMPTY = "\0"  # stands for a choice of which nothing is left
EMPTY_LINE = re.compile(rf"^[ \t]*{EMPTY}[ \t{EMPTY}]*\n", re.MULTILINE)
TAG_LINE = re.compile(r"^[ \t]*(\{\{ *(?:if\b[^{}]*|elif\b[^{}]*|else|end) *\}\})[ \t]*\n", re.MULTILINE)
PICTURE = re.compile(r"^!\[([^\]\n]*)\]\(board:([^)\n]*)\)$", re.MULTILINE)


class Medium(StrEnum):
    """Where the rules are read: moves are typed in a terminal, and pressed on the page."""

    TERMINAL = "terminal"
    PAGE = "page"


class RulesFigure(NamedTuple):
    """A picture of the board: the position after these moves."""

    caption: str
    moves: tuple[Move, ...]


class RulesText(NamedTuple):
    """The rules as Markdown. For the page, `![caption](0)` stands for the first of the pictures."""

    text: str
    pictures: tuple[RulesFigure, ...]


def fill_rules(source: str, game: AnyGame, medium: Medium, unknown: Collection[str] = ()) -> RulesText:
    """Return the rules with the options of the game. Raise RefusedError if a placeholder is wrong.

    `unknown` names options that are drawn or chosen later; in the placeholders they are empty.
    """
    values = _values(game, medium, unknown)
    text = source
    if TAG.search(source):
        text = _filled(_parsed(TAG_LINE.sub(r"\1", source)), values)
    return _with_pictures(text, game, medium)


def check_rules_text(source: str, game: AnyGame) -> None:
    """Raise RefusedError if a placeholder is wrong, whatever the options are, or a picture has an illegal move."""
    template = _parsed(TAG_LINE.sub(r"\1", source))
    names = _values(game, Medium.PAGE, ()).keys()
    for node in template:
        _check(node, names)
    drawn = drawn_options(type(game))
    for medium, unknown in product(Medium, ((), drawn)):
        text = _filled(template, _values(game, medium, unknown))
        for caption, moves in PICTURE.findall(text):
            try:
                _played(game, moves)
            except RefusedError as error:
                raise RefusedError(f"The picture '{shorten(caption)}' cannot be drawn: {error}") from error


# The template: texts, placeholders and choices


class _Placeholder(NamedTuple):
    expression: ast.expr
    source: str
    one: str = ""  # the noun that is counted
    many: str = ""


class _Choice(NamedTuple):
    branches: list[tuple["_Placeholder | None", "list[_Node]"]]  # None for `else`


_Node = str | _Placeholder | _Choice


def _parsed(source: str) -> list[_Node]:
    """Return the template that the source describes, or raise RefusedError."""
    root: list[_Node] = []
    open_choices: list[_Choice] = []
    nodes = root
    for index, part in enumerate(TAG.split(source)):
        if index % 2 == 0:
            if "{{" in part or "}}" in part:
                raise RefusedError(f"Double braces do not match near '{shorten(part.strip())}'.")
            if part:
                nodes.append(part)
            continue
        word, _, rest = part.strip().partition(" ")
        if word == "if":
            choice = _Choice([(_expression(rest), [])])
            nodes.append(choice)
            open_choices.append(choice)
        elif word in ("elif", "else", "end"):
            if not open_choices or (word != "end" and open_choices[-1].branches[-1][0] is None):
                raise RefusedError(f"'{{{{{shorten(part)}}}}}' has no '{{{{if …}}}}' before it.")
            if word == "end":
                open_choices.pop()
            else:
                open_choices[-1].branches.append((_expression(rest) if word == "elif" else None, []))
        else:
            nodes.append(_placeholder(part))
        nodes = open_choices[-1].branches[-1][1] if open_choices else root
    if open_choices:
        condition = open_choices[-1].branches[0][0]
        assert condition
        raise RefusedError(f"'{{{{if {condition.source}}}}}' has no '{{{{end}}}}'.")
    return root


def _placeholder(text: str) -> _Placeholder:
    """Return `goal`, or `block_cards: Block Card`, or `count: index | indices`."""
    source, colon, noun = text.partition(":")
    one, bar, many = (part.strip() for part in noun.partition("|"))
    if (colon and not one) or (bar and not many):
        raise RefusedError(f"'{{{{{shorten(text)}}}}}' has no noun after the colon.")
    return _expression(source)._replace(one=one, many=many or f"{one}s")


def _expression(source: str) -> _Placeholder:
    try:
        text = " ".join(source.split())
        return _Placeholder(ast.parse(text, mode="eval").body, text)
    except (SyntaxError, ValueError) as error:
        raise RefusedError(f"'{{{{{shorten(source)}}}}}' cannot be read.") from error


def _check(node: _Node, names: Collection[str]) -> None:
    """Raise RefusedError if the node, taken or not, uses what it may not."""
    if isinstance(node, _Placeholder):
        _check_expression(node, names)
    elif isinstance(node, _Choice):
        for condition, branch in node.branches:
            if condition:
                _check_expression(condition, names)
            for inner in branch:
                _check(inner, names)


def _check_expression(placeholder: _Placeholder, names: Collection[str]) -> None:
    for part in ast.walk(placeholder.expression):
        if isinstance(part, ast.Name) and part.id not in names:
            raise RefusedError(
                f"'{{{{{shorten(placeholder.source)}}}}}' names '{shorten(part.id)}'; known: {', '.join(names)}."
            )
        if not isinstance(part, KNOWN_NODES):
            raise _not_an_expression(placeholder.source)


# Values


def _values(game: AnyGame, medium: Medium, unknown: Collection[str]) -> dict[str, Any]:
    """Return what placeholders may name: the options, as texts, numbers and lists, and the medium."""
    written = write_options(game)
    values: dict[str, Any] = {}
    for option in options_of(type(game)):
        value = list(getattr(game, option.name)) if option.items else written[option.name]
        values[option.name] = "" if option.name in unknown else value
    return values | {one.value: one is medium for one in Medium}


OPERATORS: dict[type[ast.operator | ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
KNOWN_NODES: tuple[type[ast.AST], ...] = (
    *(ast.Constant, ast.Name, ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.Subscript),
    *(ast.Not, ast.And, ast.Or, ast.Load, *OPERATORS),
)


def _value(placeholder: _Placeholder, values: Mapping[str, Any]) -> Any:
    try:
        return _evaluated(placeholder.expression, values)
    except (TypeError, KeyError, IndexError, ZeroDivisionError, NotImplementedError) as error:
        raise _not_an_expression(placeholder.source) from error


def _not_an_expression(source: str) -> RefusedError:
    return RefusedError(
        f"'{{{{{shorten(source)}}}}}' cannot be computed; use options, whole numbers, texts in quotes, "
        "+ - * //, comparisons, and, or, not."
    )


def _evaluated(node: ast.expr, values: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=int() | str() as value):
            return value
        case ast.Name(id=name):
            return values[name]
        case ast.BinOp(left=left, op=op, right=right):
            return OPERATORS[type(op)](_evaluated(left, values), _evaluated(right, values))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return OPERATORS[type(op)](_evaluated(left, values), _evaluated(right, values))
        case ast.BoolOp(op=op, values=parts):
            combine = all if isinstance(op, ast.And) else any
            return combine(bool(_evaluated(part, values)) for part in parts)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _evaluated(operand, values)
        case ast.Subscript(value=value, slice=ast.Constant(value=int() as place)):
            return _evaluated(value, values)[place]
    raise NotImplementedError(type(node).__name__)


# Text


def _filled(template: Sequence[_Node], values: Mapping[str, Any]) -> str:
    return _refilled(_rendered(template, values))


def _rendered(nodes: Sequence[_Node], values: Mapping[str, Any]) -> str:
    return "".join(_text(node, values) for node in nodes)


def _text(node: _Node, values: Mapping[str, Any]) -> str:
    if isinstance(node, str):
        return node
    if isinstance(node, _Choice):
        for condition, branch in node.branches:
            if condition is None or _value(condition, values):
                return _rendered(branch, values) or EMPTY
        return EMPTY
    value = _value(node, values)
    if not node.one:
        return " and ".join(map(str, value)) if isinstance(value, list) else str(value)
    if not isinstance(value, int):
        raise RefusedError(f"'{{{{{shorten(node.source)}: {shorten(node.one)}}}}}' does not count anything.")
    number = NUMBER_WORDS[value] if 0 <= value < len(NUMBER_WORDS) else str(value)
    return f"{number} {node.one if value == 1 else node.many}"


def _refilled(text: str) -> str:
    """Return the text with its paragraphs wrapped again. Headings, tables and indented blocks stay as they are."""
    text = EMPTY_LINE.sub("", text).replace(EMPTY, "")
    blocks = [block.strip("\n") for block in re.split(r"\n\s*\n", text) if block.strip()]
    return "\n\n".join("\n".join(_wrapped(block)) for block in blocks) + "\n"


def _wrapped(block: str) -> Iterator[str]:
    if block.startswith(("    ", "#", "|")):
        yield block
        return
    if block.startswith("!["):
        yield " ".join(block.split())
        return
    for item in re.split(r"\n(?=- |\d+\. )", block):
        bullet = re.match(r"- |\d+\. ", item)
        indent = " " * len(bullet[0]) if bullet else ""
        yield textwrap.fill(
            " ".join(item.split()), WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )


# Pictures


def _with_pictures(text: str, game: AnyGame, medium: Medium) -> RulesText:
    """Return the text with numbered pictures or, for a terminal, with the positions as text.

    A picture whose moves are not legal with these options is left out.
    """
    pictures: list[RulesFigure] = []

    def shown(found: re.Match[str]) -> str:
        try:
            moves, state = _played(game, found[2])
        except RefusedError:
            return ""
        if medium is Medium.TERMINAL:
            return f"{sentence(found[1])}\n\n{textwrap.indent(game.render(state), '    ')}"
        pictures.append(RulesFigure(found[1], moves))
        return f"![{found[1]}]({len(pictures) - 1})"

    shown_text = PICTURE.sub(shown, text)
    if shown_text != text:
        shown_text = re.sub(r"\n{3,}", "\n\n", shown_text)
    return RulesText(shown_text, tuple(pictures))


def _played(game: AnyGame, names: str) -> tuple[tuple[Move, ...], Any]:
    """Return the moves with these names, and the state after them. Raise RefusedError if one is not legal."""
    state = game.initial()
    moves: list[Move] = []
    for name in filter(None, (name.strip() for name in names.split(","))):
        if game.outcome(state) != Outcome.UNDECIDED:
            raise RefusedError(f"The game is over before '{shorten(name)}'.")
        moves.append(parse_move(game, state, name))
        state = game.play(state, moves[-1])
    return tuple(moves), state

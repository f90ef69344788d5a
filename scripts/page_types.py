"""Write the page's types, `src/duelbook/web/page/api-types.js`, from the JSON shapes that the service declares.

Run by `make docs`; a test compares the file with what is generated here.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from duelbook.board import model, theme
from duelbook.board.changes import BoardChange
from duelbook.board.model import AnyPart
from duelbook.game import OutcomeName, Reason, SeatName
from duelbook.records.document import GiftDocument, NoteDocument, PlayerDocument, RecordDocument
from duelbook.study import documents, facts
from duelbook.study.facts import AnyFact, Fact, ValueName
from duelbook.web.schemas import lessons, matches, messages, studies

FILE = Path(__file__).parents[1] / "src/duelbook/web/page/api-types.js"
HEAD = """// The JSON that the service sends and takes. There is no code here.
// Generated from src/duelbook/web/schemas by `make docs`; do not edit.
"""
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", Any: "any"}
ALIASES = {SeatName: "Seat", OutcomeName: "Outcome", Reason: "Reason", ValueName: "Worth"}
UNIONS = {
    "Part": AnyPart,
    "Fact": AnyFact,
    "ClientMessage": messages.ClientMessage,
    "ServiceMessage": messages.ServiceMessage,
}

UNION_NAMES: dict[Any, str] = {union: name for name, union in UNIONS.items()}


def generate() -> str:
    """Return the text of the file."""
    aliases = [f"/** @typedef {{{literal(alias)}}} {name} */" for alias, name in ALIASES.items()]
    structs = [GiftDocument, NoteDocument, PlayerDocument, RecordDocument, BoardChange]
    structs += [
        struct
        for module in (model, theme, matches, facts, documents, studies, lessons, messages)
        for struct in vars(module).values()
        if isinstance(struct, type(msgspec.Struct)) and struct.__module__ == module.__name__ and not is_left_out(struct)
    ]
    unions = [
        f"/** @typedef {{{' | '.join(map(typescript, get_args(union)))}}} {name} */" for name, union in UNIONS.items()
    ]
    return "\n".join([HEAD, *aliases, "", *map(typedef, structs), *unions, "", "export {};", ""])


def is_left_out(struct: Any) -> bool:
    """Return True for what the page has no use for: base classes, and query parameters, which are no JSON."""
    return struct in (matches.Document, matches.BySeat, Fact) or struct.__name__.endswith("Query")


def typedef(struct: Any) -> str:
    """Return the JSDoc type of a Struct."""
    hints = get_type_hints(struct, include_extras=True)
    lines = ["/**", f" * {' '.join((struct.__doc__ or '').split())}", f" * @typedef {{object}} {js_name(struct)}"]
    config = struct.__struct_config__
    if config.tag is not None:
        lines.append(f' * @property {{"{config.tag}"}} {config.tag_field}')
    for field in msgspec.structs.fields(struct):
        annotation = hints[field.name]
        name = field.encode_name if field.required else f"[{field.encode_name}]"
        lines.append(f" * @property {{{typescript(annotation)}}} {name} {description(annotation)}".rstrip())
    return "\n".join([*lines, " */", ""])


def js_name(struct: Any) -> str:
    """Return the type's name in the page: `Match` for MatchView, `Option` for OptionEntry."""
    return str(struct.__name__).removesuffix("View").removesuffix("Entry")


def typescript(annotation: Any) -> str:
    """Return the annotation as TypeScript writes it."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation in UNION_NAMES:
        return UNION_NAMES[annotation]
    if annotation in ALIASES:
        return ALIASES[annotation]
    if origin is Annotated:
        return typescript(arguments[0])
    if origin is Literal:
        return literal(annotation)
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(typescript(one) for one in arguments if one is not msgspec.UnsetType))
    if origin is tuple and arguments[-1] is not Ellipsis:
        return f"[{', '.join(map(typescript, arguments))}]"
    if origin in (list, tuple, Sequence):
        inner = typescript(arguments[0])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if origin in (dict, Mapping):
        return f"Record<{typescript(arguments[0])}, {typescript(arguments[1])}>" if arguments[1] is not Any else "any"
    if origin is matches.BySeat:
        return f"Record<Seat, {typescript(arguments[0])}>"
    return PLAIN[annotation] if annotation in PLAIN else js_name(annotation)


def literal(annotation: Any) -> str:
    values = get_args(annotation) or [member.value for member in annotation]
    return " | ".join(json.dumps(value) for value in values)


def description(annotation: Any) -> str:
    """Return the description of a field, if it has one."""
    found = [meta.description for meta in getattr(annotation, "__metadata__", ()) if meta.description]
    found += [
        text for one in get_args(annotation) if get_origin(one) is Annotated for text in [description(one)] if text
    ]
    return found[0] if found else ""


if __name__ == "__main__":
    FILE.write_text(generate(), encoding="utf-8")

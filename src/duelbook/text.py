"""Foreign text, such as people's names: checked where it comes in, sanitized where it is shown."""

import unicodedata

from duelbook.errors import RefusedError

LONGEST_NAME = 32
LONGEST_AGENT = 500  # an agent may be a whole command
MAX_QUOTE_CHARACTERS = 60  # of what somebody typed that an error repeats
HARMFUL = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # control, format, private and the like


def clean_name(text: str, longest: int = LONGEST_NAME) -> str:
    """Answer the name in normal form, or refuse it."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not 1 <= len(name) <= longest:
        raise RefusedError(f"a name has 1 to {longest} characters, not {len(name)}")
    return sanitize(name)


def sanitize(text: str) -> str:
    """Answer the text with every character replaced that could steer a terminal; line ends stay."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "".join("\ufffd" if _steers(character) else character for character in text)


def _steers(character: str) -> bool:
    return character != "\n" and unicodedata.category(character) in HARMFUL


def shorten(text: str) -> str:
    """Answer foreign text as a sentence can quote it: in one line, and not too long."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_QUOTE_CHARACTERS else f"{line[:MAX_QUOTE_CHARACTERS]}…"


def fold(text: str) -> str:
    """Answer the text as it compares: case and runs of spaces do not matter (ALL-4)."""
    folded = text.casefold() if text.isascii() else "".join(map(_folded, text))
    return " ".join(folded.split())


def _folded(character: str) -> str:
    """Answer the character without its case; none from elsewhere becomes one of A to Z, as the Kelvin sign would."""
    forms = (character.casefold(), character.lower(), character)
    return next((form for form in forms if character.isascii() or not any(map(str.isascii, form))), character)


def plural(count: int, noun: str, ending: str = "s") -> str:
    """Answer `1 point`, `2 points`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}{ending}"

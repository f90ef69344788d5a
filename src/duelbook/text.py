"""Text from outside, such as names: checked where it comes in, sanitized where it is shown."""

import math
import unicodedata
from collections.abc import Iterable

from duelbook.errors import RefusedError

MAX_PLAYER_NAME_CHARACTERS = 32
MAX_AGENT_CHARACTERS = 500  # an agent may be a command line
ELLIPSIS = "…"
MAX_QUOTE_CHARACTERS = 60  # of input that an error message repeats
MIN_BEGINNING = 4  # letters of a name that are compared with what was typed
FILLER = "\ue000"  # stands for the second column of a wide character; sanitized text does not have it
HARMFUL_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # control, format, private and the like


def clean_name(text: str, max_characters: int = MAX_PLAYER_NAME_CHARACTERS) -> str:
    """Return the name normalized and sanitized, or raise RefusedError if it is empty or too long."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not 1 <= len(name) <= max_characters:
        raise RefusedError(f"A name must have 1 to {max_characters} characters, not {len(name)}.")
    return sanitize(name)


def sanitize(text: str) -> str:
    """Return the text with every character replaced that could control a terminal. Line ends stay."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "".join("\ufffd" if _is_harmful(character) else character for character in text)


def _is_harmful(character: str) -> bool:
    return character != "\n" and unicodedata.category(character) in HARMFUL_CATEGORIES


def shorten(text: str) -> str:
    """Return the text in one line and cut to MAX_QUOTE_CHARACTERS, for a message to quote."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_QUOTE_CHARACTERS else f"{line[:MAX_QUOTE_CHARACTERS]}{ELLIPSIS}"


def width_of(text: str) -> int:
    """Return how many columns of a terminal the text takes; some characters take two."""
    return len(text) if text.isascii() else len(filled(text))


def filled(text: str) -> str:
    """Return the text with FILLER after each wide character, so that its length is its width."""
    return "".join(one + FILLER if unicodedata.east_asian_width(one) in "WF" else one for one in text)


def did_you_mean(text: str, names: Iterable[str]) -> str:
    """Return ` Did you mean 'charge'?` if one of the names is close to the text; otherwise an empty text."""
    close = closest(text, names)
    return f" Did you mean '{close}'?" if close else ""


def closest(text: str, names: Iterable[str]) -> str | None:
    """Return the name that is closest to the text, or else that with the closest beginning; None if none is close."""
    from difflib import get_close_matches  # imported here so that a game starts sooner

    typed, whole = fold(text[:MAX_QUOTE_CHARACTERS]).replace(" ", "-"), list(names)
    if close := get_close_matches(typed, whole, 1):
        return close[0]
    beginnings = {name[: len(typed)]: name for name in whole if len(name) > len(typed) >= MIN_BEGINNING}
    close = get_close_matches(typed, beginnings, 1)
    return beginnings[close[0]] if close else None


def quote(text: str) -> str:
    """Return the text in quotation marks, cut. The first character beyond ASCII is named: it may look like another."""
    line = shorten(text)
    odd = next((character for character in line if not character.isascii()), "")
    note = f" ({odd} is {unicodedata.name(odd, f'U+{ord(odd):04X}')})" if odd and odd != ELLIPSIS else ""
    return f"'{line}'{note}"


def fold(text: str) -> str:
    """Return the text in lower case with single spaces, for comparison (ALL-4)."""
    folded = text.casefold() if text.isascii() else "".join(map(_folded, text))
    return " ".join(folded.split())


def _folded(character: str) -> str:
    """Return the character without case. No other character becomes one of A to Z, as the Kelvin sign would."""
    forms = (character.casefold(), character.lower(), character)
    return next((form for form in forms if character.isascii() or not any(map(str.isascii, form))), character)


def sentence(text: str) -> str:
    """Return the text with a capital first letter and a full stop."""
    text = text[:1].upper() + text[1:]
    return text if not text or text.endswith((".", "!", "?", "…")) else f"{text}."


def with_article(noun: str) -> str:
    """Return the noun with its indefinite article: `a match`, `an evaluation`."""
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def plural(count: int, noun: str, ending: str = "s") -> str:
    """Return the count with the noun: `1 point`, `2 points`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}{ending}"


def seconds_text(seconds: float) -> str:
    """Return a time for people: `1 second`, `0.5 seconds`."""
    return f"{seconds:g} second{'' if seconds == 1 else 's'}"


def clock_text(seconds: float) -> str:
    """Return the time left as `[0:25]`."""
    whole = max(0, math.ceil(seconds))
    return f"[{whole // 60}:{whole % 60:02}]"


def percentage(share: float, digits: int = 0) -> str:
    """Return a share in percent with 0 or 1 digits. Only nothing at all is 0%, and only everything is 100%."""
    share = round(share, 9)  # the end of an interval may be 1 but for the last bits
    for shown in (f"{share:.{digits}%}", f"{share:.1%}"):
        if share in (0, 1) or float(shown[:-1]) not in (0, 100):
            return shown
    return "<0.1%" if share < 0.5 else ">99.9%"


def hundredths(figure: float) -> str:
    """Return a figure that is not negative with two digits. Only nothing at all is 0.00."""
    return "<0.01" if 0 < figure < 0.005 else f"{figure:.2f}"


def duration(seconds: float) -> str:
    """Return a time with up to three digits in a suitable unit: `2.17 s`, `340 ms`, `12 µs`."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        number = seconds / size
        if number >= 0.9995:  # or it would be 1,000 of the next unit
            return f"{number:.3g} {unit}" if number < 999.5 else f"{number:,.0f} {unit}"
    return f"{seconds * 1e6:.0f} µs"

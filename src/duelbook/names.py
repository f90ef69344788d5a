"""Foreign text, such as people's names: checked where it comes in, made harmless where it is shown."""

import unicodedata

from duelbook.game import RefusedError

LONGEST_NAME = 32
LONGEST_AGENT = 500  # an agent may be a whole command
HARMFUL = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # control, format, private and the like


def clean_name(text: str, longest: int = LONGEST_NAME) -> str:
    """Answer the name in normal form, or refuse it."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not 1 <= len(name) <= longest:
        raise RefusedError(f"a name has 1 to {longest} characters, not {len(name)}")
    return harmless(name)


def harmless(text: str) -> str:
    """Answer the text with every character replaced that could steer a terminal; line ends stay."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "".join("\ufffd" if _steers(character) else character for character in text)


def _steers(character: str) -> bool:
    return character != "\n" and unicodedata.category(character) in HARMFUL

"""The key, taken out of whatever an endpoint sends: it may repeat it, in any spelling."""

import html
import re
from collections.abc import Callable

HIDDEN = "[key]"

Hide = Callable[[str], str]


def hider(key: str) -> Hide:
    """Answer what takes the key out of a text; hide first and cut then, or a part of the key is left."""
    if not key:
        return str
    spelt = "".join(map(_spellings, key))
    found = re.compile(f"{re.escape(HIDDEN)}|{spelt}")  # what is hidden stays as it is, also if the key is `e`
    return lambda text: found.sub(HIDDEN, text)


def _spellings(sign: str) -> str:
    """Answer a pattern for the sign as it is, and as JSON, addresses and pages may write it."""
    code = ord(sign)
    plain = rf"\\{{0,3}}(?:{re.escape(sign)}|(?i:u{code:04x}))"  # also JSON within JSON
    return rf"(?:{re.escape(html.escape(sign))}|{plain}|(?i:%{code:02x}|&#(?:{code}|x{code:x});))"

"""The program: `duelbook`, or `python -m duelbook`."""

import codecs
import os
import signal
import sys
import unicodedata

EXIT_INTERRUPTED = 130  # as in duelbook.terminal, which is not loaded yet
ASCII = {  # what has no decomposition; everything else loses its accents
    **dict.fromkeys("‘’‚′", "'"),
    **dict.fromkeys("“”„″", '"'),
    **dict.fromkeys("‐‑‒–−─━╌╍", "-"),
    **dict.fromkeys("│┃", "|"),
    **dict.fromkeys("•·●∙", "*"),
    "—": "--",
    "→": "->",
    "←": "<-",
    "×": "x",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "«": "<<",
    "»": ">>",
}


def is_ascii_locale() -> bool:
    """Return True if the locale is that of C, which has no characters but those of ASCII, and somebody chose it."""
    chosen = os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    own = os.environ.get("LC_CTYPE", "")
    if own and not os.environ.get("LC_ALL") and not sys.flags.utf8_mode:  # Python itself sets it for a C locale
        chosen = own
    return chosen in ("C", "POSIX") and "PYTHONIOENCODING" not in os.environ


def to_ascii(error: UnicodeError) -> tuple[str, int]:
    """Return the characters that cannot be encoded in others that can."""
    assert isinstance(error, UnicodeEncodeError)
    text = "".join(map(_ascii_form, error.object[error.start : error.end]))
    return text, error.end


def _ascii_form(character: str) -> str:
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return ASCII.get(character) or plain or "?"


def _exit_at_once(number: int, frame: object) -> None:
    os._exit(EXIT_INTERRUPTED)


def run() -> None:
    """Run the command line. Closed standard streams are replaced, and Ctrl-C ends the program quietly."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:  # else Ctrl-C is ignored, as in the background
        signal.signal(signal.SIGINT, _exit_at_once)  # until all is loaded; there is nothing to lose yet
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - lives as long as the program
        getattr(sys, name).reconfigure(errors="replace")  # a stray byte must not stop a game
    if is_ascii_locale():
        codecs.register_error("duelbook.ascii", to_ascii)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(encoding="ascii", errors="duelbook.ascii")  # type: ignore[union-attr]
    try:
        from duelbook.cli import is_completing, main

        if not is_completing():
            signal.signal(signal.SIGINT, handler)
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)


if __name__ == "__main__":
    run()

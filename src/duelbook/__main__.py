"""The program: `duelbook`, or `python -m duelbook`."""

import os
import sys


def run() -> None:
    """Run the command line. Closed standard streams are replaced, and Ctrl-C ends the program quietly."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - lives as long as the program
        getattr(sys, name).reconfigure(errors="replace")  # a stray byte must not stop a game
    try:
        from duelbook.cli import main

        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    run()

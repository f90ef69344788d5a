"""The program: `duelbook`, or `python -m duelbook`."""

import os
import sys


def run() -> None:
    """Run the command line on whatever standard streams there are, and leave quietly on Ctrl-C."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - lives as long as the program
        getattr(sys, name).reconfigure(errors="replace")  # a stray byte must not stop a game
    try:
        from duelbook.cli import main

        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    run()

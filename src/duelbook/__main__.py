"""`python -m duelbook` is `duelbook`."""

from duelbook.cli import main

main()

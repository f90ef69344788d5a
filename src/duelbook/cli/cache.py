"""`duelbook cache`: the solutions that are stored on this machine."""

from typing import Annotated

import typer

from duelbook.cli.app import app
from duelbook.terminal.screen import Screen
from duelbook.text import plural


@app.command("cache")
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove all of them.")] = False,
) -> None:
    """Show the solved games in your cache folder, or remove them."""
    from duelbook.solve.cache import cache_folder, cached_files, cached_options, clear_cache

    screen = Screen()
    if clear:
        screen.say(f"Removed {plural(clear_cache(), 'solution')} from {cache_folder()}.")
        return
    files = cached_files()
    for file in files:
        screen.say(f"{file.stat().st_size // 1024 + 1:6} kB  {file.name}  {cached_options(file)}")
    screen.say(f"{plural(len(files), 'solution')} in {cache_folder()}")

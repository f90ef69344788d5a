"""The system's Firefox for Playwright, which sends one command that older versions do not know. It is answered here.

Run as a program, this starts Firefox with the same arguments and passes everything on between it and Playwright.
"""

import json
import re
import shutil
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.connection import Connection
from websockets.sync.server import ServerConnection, serve

PROGRAMS = ("firefox-esr", "firefox")
ANSWERED = "emulation.setMediaFeaturesOverride"  # colours by preference: those of the system do
LISTENING = re.compile(r"(WebDriver BiDi listening on )(ws://\S+)")


def find_firefox() -> str:
    """Return the path of Firefox, or skip the test if there is none."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        pytest.skip(f"No browser was found. Install one of: {', '.join(PROGRAMS)}.")
    return found


def write_program(folder: Path) -> Path:
    """Write a program that starts Firefox for Playwright, and return its path."""
    program = folder / "firefox"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" "{find_firefox()}" "$@"\n')
    program.chmod(0o700)
    return program


def pass_on(url: str, playwright: ServerConnection) -> None:
    """Pass messages on in both directions until one side is gone."""
    path = playwright.request.path if playwright.request else "/session"
    with connect(f"{url}{path}", max_size=None) as firefox:
        threading.Thread(target=pump, args=(firefox, playwright)).start()
        try:
            for message in playwright:
                command = json.loads(message)
                if command["method"] == ANSWERED:
                    playwright.send(json.dumps({"type": "success", "id": command["id"], "result": {}}))
                else:
                    firefox.send(message)
        except ConnectionClosed:
            return


def pump(source: Connection, target: Connection) -> None:
    """Pass messages on in one direction until one side is gone."""
    try:
        for message in source:
            target.send(message)
    except ConnectionClosed:
        pass
    target.close()


def main(program: str, *arguments: str) -> int:
    """Run Firefox, and tell Playwright the address of the connection that is listened to."""
    process = subprocess.Popen([program, *arguments], stderr=subprocess.PIPE, text=True)
    assert process.stderr
    for line in process.stderr:
        if found := LISTENING.search(line):
            server = serve(partial(pass_on, found[2]), "127.0.0.1", 0, max_size=None)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            port = server.socket.getsockname()[1]
            line = f"{found[1]}ws://127.0.0.1:{port}\n"
        sys.stderr.write(line)
        sys.stderr.flush()
    return process.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

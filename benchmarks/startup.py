"""The time from `duelbook play charge` to the first prompt, as a multiple of `import typer, rich` in the same run."""

import os
import statistics
import subprocess
import sys
import time

RUNS = 15
ENVIRONMENT = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}  # or all of Duelbook would be compiled in each run


def seconds_to_first_prompt() -> float:
    start = time.perf_counter()
    command = [sys.executable, "-m", "duelbook", "play", "charge"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT) as child:
        assert child.stdout
        output = b""
        while not output.endswith(b"play a card: "):
            output += child.stdout.read(1)
        seconds = time.perf_counter() - start
        child.communicate(b"")
    return seconds


def seconds_to_import() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import typer, rich"], check=True, env=ENVIRONMENT)
    return time.perf_counter() - start


def main() -> None:
    pairs = [(seconds_to_first_prompt(), seconds_to_import()) for _ in range(RUNS)]
    prompt, imports = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"First prompt of charge: {prompt * 1000:.0f} ms; import typer, rich: {imports * 1000:.0f} ms")
    print(f"ratio {prompt / imports:.2f} x")


if __name__ == "__main__":
    main()

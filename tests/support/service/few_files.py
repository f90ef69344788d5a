"""The service on a system that allows few open files: `python -m … serve`."""

import resource

from duelbook.__main__ import run

OPEN_FILES = 180

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
    run()

"""Extras: what they need, and the exact command that installs one into this installation of Duelbook."""

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

from duelbook.errors import MissingExtraError

EXTRAS: dict[str, tuple[str, ...]] = {  # the packages that each extra of pyproject.toml needs to work
    "fast": ("numba",),
    "arena": ("numpy",),
    "llm": ("httpx",),
    "online": ("httpx", "websockets"),
    "lab": ("pyarrow",),
    "inspect": ("inspect_ai",),
    "ray": ("ray",),
    "tui": ("textual",),
    "web": ("sqlalchemy", "alembic", "starlette", "uvicorn", "prometheus_client"),
    "envs": ("gymnasium", "pettingzoo", "numpy"),
}


def require_extra(extra: str, *packages: str) -> None:
    """Raise MissingExtraError unless the packages are installed (by default all that the extra needs)."""
    for package in packages or EXTRAS[extra]:
        if find_spec(package) is None:
            raise MissingExtraError(
                f"The extra '{extra}' is not installed ({package} is missing). "
                f"Install it with: {install_command(extra)}"
            )


def install_command(extra: str) -> str:
    """Return the command that installs an extra: by what installed Duelbook, from where it came."""
    clone, prefix = Path(__file__).parents[2], Path(sys.prefix)
    if prefix.resolve() == (clone / ".venv").resolve():
        return shlex.join([str(clone / "scripts/setup"), extra])
    source, editable = _source(extra)
    if (prefix / "pipx_metadata.json").exists():
        return shlex.join(["pipx", "install", "--force", *editable, source])
    if (prefix / "uv-receipt.toml").exists():
        return shlex.join(["uv", "tool", "install", *editable, source])
    if find_spec("pip"):
        return shlex.join([sys.executable, "-m", "pip", "install", *editable, source])
    return shlex.join(["uv", "pip", "install", "--python", sys.executable, *editable, source])


def _source(extra: str) -> tuple[str, list[str]]:
    """Return Duelbook with the extra as an installer reads it, and the flag of an editable installation."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlsplit

    try:
        text = distribution("duelbook").read_text("direct_url.json")
    except PackageNotFoundError:  # it runs from a folder that is on the path
        text = None
    origin = json.loads(text or "{}")
    editable = ["--editable"] if origin.get("dir_info", {}).get("editable") else []
    url = urlsplit(origin.get("url", ""))
    if url.scheme == "file":
        return f"{unquote(url.path)}[{extra}]", editable
    if "vcs_info" in origin:
        return f"duelbook[{extra}] @ {origin['vcs_info']['vcs']}+{origin['url']}", editable
    return f"duelbook[{extra}]", []

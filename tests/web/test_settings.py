"""Settings: a wrong one is refused in one sentence, and nothing is started."""

import os
from pathlib import Path

import pytest

from duelbook.errors import RefusedError
from duelbook.web.live.channel import RedisChannel
from duelbook.web.settings import read, variable
from tests.support.fork_server import fork_server

WRONG = {
    "port": ["eighty", "-1", "65536", "8000.5"],
    "workers": ["0", "2"],
    "move_limit": ["0", "99999999999"],
    "think_seconds": ["0", "nan", "inf"],
    "study_seconds": ["-1"],
    "idle_days": ["-1"],
    "log_level": ["loud"],
    "database_url": ["mysql://localhost/x", "nonsense", "sqlite://", "sqlite:///:memory:"],
    "redis_url": ["http://localhost", "localhost:6379", "redis://localhost:port", "redis://"],
    "allowed_origins": ["games.example", "https://games.example/", "*"],
    "allowed_hosts": ["https://games.example", "games.example:8000", "*"],
    "trusted_proxies": ["proxy.example", "192.0.2.7/24", "*"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_an_invalid_setting_is_refused_in_one_sentence(name: str, value: str) -> None:
    with pytest.raises(RefusedError) as error:
        read({variable(name): value})
    sentence = str(error.value)
    assert "\n" not in sentence
    assert name.replace("_", " ") in sentence or variable(name) in sentence or "workers" in sentence


def test_valid_settings_are_accepted_and_a_flag_overrides_the_environment() -> None:
    given = {
        "DUELBOOK_PORT": " 8001 ",
        "DUELBOOK_WORKERS": "2",
        "DUELBOOK_REDIS_URL": "rediss://:secret@redis.example:6379/1",
        "DUELBOOK_ALLOWED_ORIGINS": "https://games.example, http://localhost:3000,",
        "DUELBOOK_ALLOWED_HOSTS": "Games.Example,[2001:db8::7]",
        "DUELBOOK_TRUSTED_PROXIES": "192.0.2.7, 10.0.0.0/8, 2001:db8::/32",
        "DUELBOOK_HOST": "",
    }
    settings = read(given, port=8002)
    assert (settings.port, settings.workers, settings.host) == (8002, 2, "127.0.0.1")
    assert read(settings.environment()) == settings


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--workers", "2"), "Several workers need Redis"),
        (("--port", "eighty"), "port"),
        (("--database-url", "sqlite:////dev/null/matches.sqlite"), "/dev/null/matches.sqlite cannot be"),
        (("--host", ""), "host cannot be empty"),
        (("--host", "192.0.2.1", "--port", "0"), "Cannot listen on 192.0.2.1:0"),
    ],
)
def test_the_command_line_refuses_in_one_sentence_with_code_2(
    tmp_path: Path, flags: tuple[str, ...], words: str
) -> None:
    database = () if "--database-url" in flags else ("--database-url", f"sqlite:///{tmp_path}/matches.sqlite")
    with (tmp_path / "output").open("w+b") as output:
        serve = fork_server().run("duelbook", "serve", *database, *flags, environment=os.environ, output=output)
        assert serve.wait(60) == 2
    said = (tmp_path / "output").read_text()
    assert said.startswith("duelbook: ")
    assert said.count("\n") == 1
    assert words in said


@pytest.mark.parametrize("url", ["redis://127.0.0.1", "redis://127.0.0.1:/1", "redis://:secret@[::1]/0"])
def test_a_redis_url_may_leave_out_the_port(url: str) -> None:
    assert RedisChannel(read({"DUELBOOK_REDIS_URL": url}).redis_url)

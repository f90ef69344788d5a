"""Servers, links and codes, as people type them."""

import pytest

from duelbook.errors import RefusedError
from duelbook.online.address import Server, read_match, read_server

CODE = "0123456789abcdef01234567"
EXAMPLE = Server("https", "play.example", 443)


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://play.example", "https://play.example"),
        ("https://play.example/", "https://play.example"),
        ("https://play.example:443", "https://play.example"),
        ("play.example", "https://play.example"),
        ("PLAY.example:8443", "https://play.example:8443"),
        ("http://play.example:8000", "http://play.example:8000"),
        ("localhost:8000", "http://localhost:8000"),
        ("127.0.0.1", "http://127.0.0.1"),
        ("[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_a_server_is_read_from_what_people_type(text: str, origin: str) -> None:
    assert read_server(text).origin == origin


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "is not an address"),
        ("http://", "is not an address"),
        ("http://a b", "is not an address"),
        ("http://play.example:99999", "is not an address"),
        ("http://play.example:0", "is not an address"),
        ("http://[::1", "is not an address"),
        ("http://pl\x1b[2Jay", "is not an address"),
        ("ftp://play.example", "must begin with https:// or http://"),
        ("https://me:secret@play.example", "name and a password"),
        ("https://play.example/games", "Use only its beginning: https://play.example"),
        (f"https://play.example/match/{CODE}", "Use it with --join or --watch"),
    ],
)
def test_what_is_not_a_server_is_refused_in_a_sentence(text: str, part: str) -> None:
    with pytest.raises(RefusedError) as refused:
        read_server(text)
    assert part in str(refused.value)


@pytest.mark.parametrize(
    ("text", "server"),
    [
        (CODE, None),
        (CODE.upper(), None),
        (" 01234567-89abcdef-01234567 ", None),
        (f"https://play.example/match/{CODE}", EXAMPLE),
        (f"https://play.example/match/{CODE}/?ply=3#moves", EXAMPLE),
        (f"play.example/match/{CODE}", EXAMPLE),
    ],
)
def test_a_match_is_read_from_a_link_or_a_code(text: str, server: Server | None) -> None:
    assert read_match(text) == (server, CODE)


@pytest.mark.parametrize(
    "text", ["", "abc", CODE[1:], f"{CODE}0", "https://play.example", f"https://play.example/{CODE}"]
)
def test_what_is_neither_a_link_nor_a_code_is_refused(text: str) -> None:
    with pytest.raises(RefusedError, match="link to a match"):
        read_match(text)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (CODE[1:], "This one has 23 characters."),
        (f"https://play.example/match/{CODE}0", "This one has 25 characters."),
        ("https://play.example/match/z", "This one has 1 character."),
        (f"https://play.example/match/{CODE[1:]}g", "24 digits and letters from a to f."),
    ],
)
def test_what_is_wrong_with_a_code_is_said(text: str, part: str) -> None:
    with pytest.raises(RefusedError) as refused:
        read_match(text)
    assert str(refused.value).endswith(part)


def test_a_link_with_a_wrong_code_is_not_called_a_link() -> None:
    with pytest.raises(RefusedError, match="is not the link to a match"):
        read_server("https://play.example/match/zzz")


def test_only_this_machine_is_local() -> None:
    assert all(read_server(text).is_local for text in ("localhost", "127.0.0.1:8000", "http://127.8.8.8", "[::1]"))
    assert not any(read_server(text).is_local for text in ("play.example", "192.168.0.1", "localhost.example"))

"""What the command line or a form says about a match of a service: its address, and what such a match can have."""

from typing import Any

from msgspec import Struct

from duelbook.errors import RefusedError
from duelbook.online.address import Server, read_match, read_server
from duelbook.online.seats import SeatStore
from duelbook.play.arguments import PlayArguments
from duelbook.play.data_folder import data_file, load, save
from duelbook.records.file import check_new
from duelbook.records.record import HUMAN
from duelbook.text import clean_name


def read_addresses(arguments: PlayArguments) -> tuple[Server, str]:
    """Return the server, and the code of the match if one is named. A code alone is looked for among the seats."""
    given = None if arguments.server is None else read_server(arguments.server)
    if arguments.join is not None and arguments.watch is not None:
        raise RefusedError("--join cannot be combined with --watch.")
    named = arguments.watch if arguments.join is None else arguments.join
    if named is None:
        assert given  # one of the three is given
        return given, ""
    server, match = read_match(named)
    if server and given and server != given:
        raise RefusedError(f"The link leads to {server.origin}, not to {given.origin}. Leave out --server.")
    server = server or given
    if server is None:
        known = SeatStore().find(None, match)
        if known is None:
            raise RefusedError("A code alone does not say where the match is. Add --server URL, or use the whole link.")
        server = read_server(known.server)
    return server, match


FILE = "network.json"  # in the data folder


class NetworkChoice(Struct, forbid_unknown_fields=True):
    """The address and the name that the person used last on the full screen."""

    address: str = ""
    name: str = ""


def last_choice() -> NetworkChoice:
    """Return what the person used the last time."""
    return load(data_file(FILE), NetworkChoice)


def remember_choice(choice: NetworkChoice) -> str:
    """Keep it for the next time. Return an empty text, or a sentence if that is not possible."""
    return save(choice, data_file(FILE), "The address")


def arguments_of(address: str) -> PlayArguments:
    """Return the arguments that an address means: the match of a link or a code, or else a server."""
    try:
        read_match(address)
    except RefusedError:
        return PlayArguments(server=read_server(address).origin)
    return PlayArguments(join=address)


def check_arguments(arguments: PlayArguments) -> None:
    """Raise RefusedError for what a match of the service does not have, or what is decided when it is made."""
    given: dict[str, Any] = {
        "--resume": arguments.resume,
        "--matches": arguments.matches > 1,
        "--seed": arguments.seed is not None,
        "--show-values": arguments.show_values,
    }
    flag = "--server"
    if arguments.join or arguments.watch:
        flag = "--join" if arguments.join else "--watch"
        given |= {
            "GAME": arguments.game is not None,
            "--option and --preset": arguments.options,
            "--p1 and --p2": arguments.agents != (None, None),
            "--first": arguments.first,
            "--time-limit": arguments.time_limit,
        }
    for name, value in given.items():
        if value:
            raise RefusedError(f"{flag} cannot be combined with {name}.")
    if all(agent not in (None, HUMAN) for agent in arguments.agents):
        raise RefusedError("One of the two players must be you: leave out --p1 or --p2.")
    if arguments.record:
        check_new(arguments.record)


def own_name(arguments: PlayArguments, number: int | None = None) -> dict[str, str]:
    """Return the person's name as a request has it. The other player brings their own."""
    one, two = arguments.names
    name = (two if one is None else one) if number is None else arguments.names[number]
    if number is not None and arguments.names[1 - number] is not None:
        raise RefusedError(f"Give only your own name, with --name{number + 1}: the other player brings theirs.")
    return {} if name is None else {"name": clean_name(name)}


def name_problem(text: str) -> str:
    """Return why nobody can be called that, or an empty text. A name may be left out."""
    try:
        clean_name(text.strip() or "-")
    except RefusedError as error:
        return str(error)
    return ""


def encryption_warning(server: Server) -> str:
    """Return what the person should know if the connection to the server is not encrypted, or an empty text."""
    if server.is_encrypted or server.is_local:
        return ""
    return (
        f"The connection to {server.origin} is not encrypted: others on the way could play on your seat. "
        "Use https:// if the server offers it."
    )

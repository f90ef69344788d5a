"""Commands that keep the database of the service in order: db upgrade, copy, backup, check."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duelbook.cli.app import app, working
from duelbook.cli.serving import installed
from duelbook.records.file import file_named
from duelbook.terminal.screen import Screen

if TYPE_CHECKING:
    from duelbook.web.db.admin.check import Report

EXAMPLES = """\b
Examples:
  duelbook db upgrade --database-url postgresql://duelbook@localhost/duelbook
  duelbook db copy sqlite:///matches.sqlite postgresql://duelbook@localhost/duelbook
  duelbook db backup matches-of-today.sqlite
  duelbook db check --json
"""

db = typer.Typer(epilog=EXAMPLES, rich_markup_mode=None, invoke_without_command=True)
app.add_typer(db, name="db")

URL = typer.Option(metavar="URL", help="The database; by default DUELBOOK_DATABASE_URL, or the file of the service.")
SOURCE = typer.Argument(metavar="FROM", help="The URL of the database to copy; a service may go on using it.")
TARGET = typer.Argument(metavar="TO", help="The URL of an empty one.")
FILE = typer.Argument(metavar="FILE", help="A new file.")


@db.callback()
def _db(context: typer.Context) -> None:
    """Keep the database of the service in order."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@db.command()
def upgrade(database_url: Annotated[str | None, URL] = None) -> None:
    """Bring the database to the newest schema."""
    url = _chosen(database_url)
    from duelbook.web.db import schema

    before = schema.upgrade(url)
    if before == schema.NEWEST:
        Screen().say(f"The database is at schema {before} already, the newest.")
    else:
        Screen().say(f"The database went from schema {before or 'none'} to {schema.NEWEST}.")


@db.command()
def copy(source: Annotated[str, SOURCE], target: Annotated[str, TARGET]) -> int:
    """Copy everything into another database, and check it there."""
    installed()
    from duelbook.web.db.admin.copy import copy as copied

    with working("Copying") as screen:
        result = copied(source, target)
    for name, count in result.counts.items():
        screen.say(f"{name:8}{count:12,}")
    return _tell(result.report, screen)


@db.command()
def backup(file: Annotated[Path, FILE], database_url: Annotated[str | None, URL] = None) -> None:
    """Copy an SQLite store into a file; the service may go on."""
    url = _chosen(database_url)
    from duelbook.web.db.admin.backup import backup as made

    file = file_named(str(file))
    with working("The backup") as screen:
        version = made(url, file)
    screen.say(f"{file} holds the store as it was, at schema {version}: {file.stat().st_size:,} bytes.")


@db.command()
def check(
    database_url: Annotated[str | None, URL] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Report what does not follow from the moves of its match."""
    url = _chosen(database_url)
    from duelbook.web.db.admin.check import check as checked

    with working("The check") as screen:
        report = checked(url)
    if not as_json:
        return _tell(report, screen)
    findings = [{"match": finding.match, "finding": finding.text} for finding in report.findings]
    print(json.dumps({"matches": report.matches, "moves": report.moves, "findings": findings}, indent=2))
    return bool(findings)


def _chosen(url: str | None) -> str:
    """Answer the database that is meant, as for the service."""
    installed()
    from duelbook.web.settings import read

    return read(database_url=url).database


def _tell(report: "Report", screen: Screen) -> int:
    """Print the findings and a summary; answer the exit code."""
    for finding in report.findings:
        screen.say(" ".join(str(finding).split()))
    found = f"{_many(len(report.findings), 'finding')}" if report.findings else "all follow from their moves"
    screen.say(f"{_many(report.matches, 'match', 'es')}, {_many(report.moves, 'move')}: {found}")
    return bool(report.findings)


def _many(count: int, noun: str, ending: str = "s") -> str:
    return f"{count:,} {noun}{'' if count == 1 else ending}"

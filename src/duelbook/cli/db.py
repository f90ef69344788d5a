"""`duelbook db`: upgrade, copy, back up and check the database of the web service."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duelbook.cli.app import JSON, app, show_progress
from duelbook.extras import require_extra
from duelbook.files import full_path
from duelbook.terminal.screen import Screen

if TYPE_CHECKING:
    from duelbook.web.db.admin.check import Report

EXAMPLES = """\b
Examples:
  duelbook db upgrade --database-url postgresql://duelbook@localhost/duelbook
  duelbook db copy sqlite:///matches.sqlite postgresql://localhost/duelbook
  duelbook db backup matches-of-today.sqlite
  duelbook db check --json
"""

db = typer.Typer(epilog=EXAMPLES, rich_markup_mode=None, invoke_without_command=True)
app.add_typer(db, name="db")

URL = typer.Option(
    metavar="URL", help="The database. By default DUELBOOK_DATABASE_URL, or else the file that duelbook serve uses."
)
SOURCE = typer.Argument(metavar="FROM", help="The URL of the database to copy. The service may keep using it.")
TARGET = typer.Argument(metavar="TO", help="The URL of an empty database.")
FILE = typer.Argument(metavar="FILE", help="A new file.")


@db.callback()
def _db(context: typer.Context) -> None:
    """Upgrade, copy, back up and check the service's database."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@db.command()
def upgrade(database_url: Annotated[str | None, URL] = None) -> None:
    """Upgrade the database to the newest schema."""
    url = _database(database_url)
    from duelbook.web.db import schema

    before = schema.upgrade(url)
    if before == schema.NEWEST:
        Screen().say(f"The database already has the newest schema, {before}.")
    else:
        Screen().say(f"Upgraded the database from schema {before or 'none'} to {schema.NEWEST}.")


@db.command()
def copy(source: Annotated[str, SOURCE], target: Annotated[str, TARGET]) -> int:
    """Copy everything to another database, and check the copy."""
    require_extra("web")
    from duelbook.web.db.admin.copy import copy as copy_database

    with show_progress("Copying") as screen:
        result = copy_database(source, target)
    for name, count in result.counts.items():
        screen.say(f"{name:8}{count:12,}")
    return _print_report(result.report, screen)


@db.command()
def backup(file: Annotated[Path, FILE], database_url: Annotated[str | None, URL] = None) -> int:
    """Copy an SQLite database in use to a file; check the copy."""
    url = _database(database_url)
    from duelbook.web.db.admin.backup import backup as back_up

    file = full_path(str(file))
    with show_progress("The backup") as screen:
        version, findings = back_up(url, file)
    screen.say(f"Saved the database to {file} (schema {version}, {file.stat().st_size:,} bytes).")
    for finding in findings:
        screen.say(str(finding))
    return bool(findings)


@db.command()
def check(database_url: Annotated[str | None, URL] = None, as_json: Annotated[bool, JSON] = False) -> int:
    """Report stored data that does not follow from a match's moves."""
    url = _database(database_url)
    from duelbook.web.db.admin.check import check as check_database

    with show_progress("The check") as screen:
        report = check_database(url)
    if not as_json:
        return _print_report(report, screen)
    findings = [{"match": finding.match, "finding": finding.text} for finding in report.findings]
    print(json.dumps({"matches": report.matches, "moves": report.moves, "findings": findings}, indent=2))
    return bool(findings)


def _database(url: str | None) -> str:
    """Return the URL of the database, which defaults to the one that the service uses."""
    require_extra("web")
    from duelbook.web.settings import read

    return read(database_url=url).database


def _print_report(report: "Report", screen: Screen) -> int:
    """Print the findings and a summary; return the exit code."""
    for finding in report.findings:
        screen.say(" ".join(str(finding).split()))
    result = _count(len(report.findings), "finding") if report.findings else "no findings"
    screen.say(f"Checked {_count(report.matches, 'match', 'es')} and {_count(report.moves, 'move')}: {result}.")
    return bool(report.findings)


def _count(count: int, noun: str, ending: str = "s") -> str:
    return f"{count:,} {noun}{'' if count == 1 else ending}"

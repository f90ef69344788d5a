"""How agents did, as text: the standings of a tournament, and a quick run of two."""

from collections.abc import Sequence
from typing import Any


def standings_page(document: dict[str, Any]) -> str:
    """Answer who stands where in all games, and what else has to be said."""
    rows = document["overall"]["standings"]
    heads = (
        "agent",
        "rating",
        "95 % interval",
        "score",
        "won",
        "drawn",
        "limit",
        "lost",
        "forfeits",
        "accuracy",
        "regret",
    )
    notes = [f"Note: {note}." for note in document["notes"]]
    return "\n".join([*columns([heads, *map(_standing, rows)]), *notes])


def _standing(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        row["agent"],
        f"{row['rating']:+z.0f}",
        f"{row['low']:+z.0f} to {row['high']:+z.0f}",
        f"{row['points'] / row['matches']:.1%}",
        *(f"{row[name]:,}" for name in ("wins", "draws", "ply_limit", "losses")),
        f"{sum(row['forfeits'].values()):,}",
        "-" if row["accuracy"] is None else f"{row['accuracy']:.1%}",
        "-" if row["regret"] is None else f"{row['regret']:.3f}",
    )


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Answer the rows with their cells under each other: the first to the left, all others to the right."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(wide[0]), *(cell.rjust(width) for cell, width in zip(row[1:], wide[1:], strict=True))])
        for row in rows
    ]


def match_page(document: dict[str, Any]) -> str:
    """Answer how two agents did against each other, in a few lines."""
    one, two = document["agents"]
    low, high = document["interval"]
    first, second = document["as_first"], document["as_second"]
    lines = [
        f"{document['game']}: {one} scored {document['score']:.1%} against {two} "
        f"(95 % interval {low:.1%} to {high:.1%})",
        f"  {_counts(document)}; {document['moves']:.1f} moves a match",
        f"  as first player {first['points']:g} of {first['matches']}, "
        f"as second {second['points']:g} of {second['matches']}",
        f"  time per move: {one} {_time(document, 0)}, {two} {_time(document, 1)}",
    ]
    forfeited = zip((one, two), document["forfeits"], document["forfeit_reasons"], strict=True)
    forfeits = [_forfeits(*told) for told in forfeited]
    return "\n".join([*lines, *filter(None, forfeits)])


def _counts(document: dict[str, Any]) -> str:
    limit = f", {document['ply_limit']} stopped at the ply limit" if document["ply_limit"] else ""
    return f"won {document['wins']}, drawn {document['draws']}, lost {document['losses']}{limit}"


def _time(document: dict[str, Any], number: int) -> str:
    return f"{document['seconds_per_move'][number] * 1000:.3g} ms"


def _forfeits(agent: str, counts: dict[str, int], reason: str | None) -> str:
    told = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    return f"  {agent} forfeited: {told}; the first: {reason}" if told else ""

"""Results as plain text: the standings of a tournament, the report of an evaluation, a series between two agents."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from duelbook.text import duration, hundredths, percentage, plural

NO_VALUE = "-"
ABOUT_BETTER = (
    "'better' is the probability that the agent is better than that one, if nothing else is known. Both were paired "
    "by the same position, or by the same opening, seat and opponent; where a star is, they did not play the same."
)
STANDINGS_COLUMNS = (
    "agent",
    "rating",
    "95% interval",
    "score",
    "won",
    "drawn",
    "limit",
    "lost",
    "forfeits",
    "accuracy",
    "regret",
)


def standings_text(document: dict[str, Any]) -> str:
    """Return the overall standings of a tournament as a table, with its notes."""
    rows = map(_standing, document["overall"]["standings"])
    notes = [f"Note: {note}" for note in document["notes"]]
    different = different_text(document, document["overall"]["standings"][0]["low"])
    return "\n".join([*columns([STANDINGS_COLUMNS, *rows]), different, *notes])


def different_text(part: dict[str, Any], interval: object) -> str:
    """Return how many matches of a tournament, a game or an evaluation differ, and why there is no interval if so."""
    matches, different, openings = (part[name] for name in ("matches", "different_matches", "openings"))
    kinds = f"{different:,} different {'match' if different == 1 else 'matches'}"
    count = f"{kinds} of {matches:,}, from {openings:,} {'opening' if openings == 1 else 'openings'}."
    if interval is not None:
        return count
    if different < matches:
        return f"{count} The others only repeat them, so there is nothing to be uncertain about and no interval."
    return f"{count} One opening is too few for an interval."


def _standing(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        row["agent"],
        f"{row['rating']:+z.0f}",
        NO_VALUE if row["low"] is None else f"{row['low']:+z.0f} to {row['high']:+z.0f}",
        f"{row['points'] / row['matches']:.1%}",
        *(f"{row[name]:,}" for name in ("wins", "draws", "ply_limit", "losses")),
        f"{sum(row['forfeits'].values()):,}",
        NO_VALUE if row["accuracy"] is None else f"{row['accuracy']:.1%}",
        NO_VALUE if row["regret"] is None else f"{row['regret']:.3f}",
    )


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows as aligned lines: the first cell to the left, all others to the right."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(wide[0]), *(cell.rjust(width) for cell, width in zip(row[1:], wide[1:], strict=True))])
        for row in rows
    ]


def series_text(document: dict[str, Any]) -> str:
    """Return how two agents did against each other, in a few lines."""
    one, two = document["agents"]
    first, second = document["as_first"], document["as_second"]
    limit = f", {document['ply_limit']} stopped at the ply limit" if document["ply_limit"] else ""
    times = [NO_VALUE if each is None else duration(each) for each in document["seconds_per_move"]]
    lines = [
        f"{document['game']}: {one} scored {document['score']:.1%} against {two}{_interval(document['interval'])}",
        f"  {different_text(document, document['interval'])}",
        f"  won {document['wins']}, drawn {document['draws']}, lost {document['losses']}{limit}; "
        f"{document['moves']:.1f} moves per match",
        f"  as first player {first['points']:g} of {first['matches']}, "
        f"as second {second['points']:g} of {second['matches']}",
        f"  time per move: {one} {times[0]}, {two} {times[1]}",
    ]
    for agent, counts, reason in zip((one, two), document["forfeits"], document["forfeit_reasons"], strict=True):
        kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
        if kinds:
            lines.append(f"  {agent} forfeited: {kinds}; the first time: {reason}")
    for agent, replies in zip((one, two), document.get("replies", ()), strict=False):
        if replies:
            lines.append(f"  replies of {agent}: {replies_text(replies)}")
    return "\n".join(lines)


def _interval(ends: list[float] | None) -> str:
    return "" if ends is None else f" (95% interval {ends[0]:.1%} to {ends[1]:.1%})"


def evaluation_text(report: dict[str, Any]) -> str:
    """Return the report of an evaluation for people."""
    parts = [
        _head(report),
        _opponents(report),
        _games(report),
        "\n".join([*findings_text(report["overall"]), *(f"Note: {note}" for note in report["notes"])]),
        "\n".join(filter(None, [_replies(report), spent_text(report["spent"])])),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(report: dict[str, Any]) -> str:
    plan, played, planned = report["plan"], report["overall"]["matches"], report["planned"]
    unfinished = "" if played == planned else f" of {planned:,} planned"
    lines = [
        f"{plan['agent']}: {played:,} match{'' if played == 1 else 'es'}{unfinished}",
        f"{plural(plan['pairs'], 'pair')} per game and opponent, each played from both seats; "
        f"seed {plan['seed']}, openings {plan['openings']}",
    ]
    return "\n".join([*lines, *filter(None, [asked_text(plan if plan["reading"] else {})])])


def asked_text(how: dict[str, Any]) -> str:
    """Return how language models are asked by these settings, or nothing if there are none."""
    if not how:
        return ""
    parts = [
        f"up to {plural(how['attempts'], 'answer')} per move",
        *([f"{how['timeout']:g} s for each"] if how["timeout"] else []),
        f"legal moves {'shown' if how['show_legal'] else 'hidden'}",
        f"{how['reading']} reading",
        *(["a function to call"] if how["tools"] else []),
        *([] if how["system_role"] else ["no system message"]),
        *([f"further fields {json.dumps(how['body'])}"] if how["body"] else []),
    ]
    return ", ".join(parts)


def _opponents(report: dict[str, Any]) -> str:
    """Return the win rates by opponent and seat."""
    rows = [["wins against", "as first player", "as second player"]]
    for opponent in report["plan"]["opponents"]:
        cells = [cell for cell in report["opponents"] if cell["opponent"] == opponent]
        rows.append([opponent, *(_rate(cell["win_rate"]) for cell in cells)])
    rows.append(["all", *(_rate(cell["win_rate"]) for cell in report["seats"])])
    return "\n".join(columns(rows))


def _games(report: dict[str, Any]) -> str:
    rows = [["game", "wins", "accuracy", "mean regret", "forfeits"]]
    for cell in [*report["games"], {"game": "all"} | report["overall"]]:
        regret = NO_VALUE if cell["regret"] is None else hundredths(cell["regret"])
        forfeits = str(sum(cell["forfeits"].values()))
        rows.append([cell["game"], _rate(cell["win_rate"]), _rate(cell["accuracy"]), regret, forfeits])
    return "\n".join(columns(rows))


def findings_text(overall: dict[str, Any]) -> Iterator[str]:
    """Yield sentences about what the matches of an evaluation show."""
    if overall["matches"]:
        yield different_text(overall, overall["win_rate"]["low"])
    lost, never, forfeits = overall["lost_from_the_start"], overall["never_better"], overall["forfeits"]
    if lost:
        yield (
            f"Lost from the start: {lost['count']} of {lost['of']} losses ({percentage(lost['rate'])}) began in a "
            f"position that loses against best play; {never['count']} of them never got better."
        )
    kinds = ", ".join(f"{count} {kind}" for kind, count in forfeits.items() if count)
    yield f"Forfeits: {sum(forfeits.values())} ({kinds}), counted as losses." if kinds else "Forfeits: 0."
    if overall["opponent_forfeits"]:
        yield f"Won by a forfeit of the opponent: {overall['opponent_forfeits']}."
    if overall["draws"] or overall["undecided"]:
        yield f"Neither won nor lost: {overall['draws']} drawn, {overall['undecided']} stopped at the ply limit."


def _replies(report: dict[str, Any]) -> str:
    return f"Replies: {replies_text(report['replies'])}" if report["replies"] else ""


def replies_text(replies: dict[str, Any]) -> str:
    """Return what each rule of reading accepts of the same replies, and what is wrong with the others."""
    strict, tolerant = (_accepts(replies[rule]) for rule in ("strict", "tolerant"))
    return f"{replies['count']:,}. The strict rule accepts {strict}; the tolerant rule accepts {tolerant}."


def _accepts(counts: dict[str, Any]) -> str:
    faults = [f"{count:,} {kind}" for kind, count in counts.items() if kind not in ("accepted", "rate") and count]
    return f"{counts['rate']:.1%}" + (f" (not accepted: {', '.join(faults)})" if faults else "")


def spent_text(spent: dict[str, Any] | None) -> str:
    """Return what a run with language models cost, in a line; an empty text if there was none."""
    if not spent:
        return ""
    about = "about " if spent["estimated"] else ""
    results = ", ".join(f"{count} {result}" for result, count in spent["results"].items())
    cost = "" if spent["cost"] is None else f" Cost: {spent['cost']:.4f}."
    pace = "" if spent["median_seconds"] is None else f" Median time of a reply: {spent['median_seconds']:.2f} s."
    reasoning = f", {spent['tokens_reasoning']:,} of them for reasoning" if spent["tokens_reasoning"] else ""
    return (
        f"Requests: {spent['requests']:,} ({results}). Tokens: {about}{spent['tokens_read']:,} read, "
        f"{about}{spent['tokens_written']:,} written{reasoning}.{cost}{pace}"
    )


def _rate(share: dict[str, Any] | None) -> str:
    if share is None:
        return NO_VALUE
    interval = "" if share["low"] is None else f" ({percentage(share['low'])} to {percentage(share['high'])})"
    return f"{percentage(share['rate'])}{interval} of {share['of']}"


def comparison_text(document: dict[str, Any]) -> str:
    """Return the overall results of several runs as a table, with what makes them hard to compare."""
    rows = [["run", "agent", "score", "difference", "better", "accuracy", "regret", "forfeits"]]
    for row in document["overall"]:
        apart, regret = row["difference"], row["regret"]
        rows.append(
            [
                row["run"],
                row["agent"],
                _rate({**row["score"], "of": row["matches"]}),
                *difference_cells(apart),
                _rate(row["accuracy"] and {**row["accuracy"], "of": row["decisions"]}),
                NO_VALUE if regret is None else hundredths(regret),
                f"{sum(row['forfeits'].values()):,}",
            ]
        )
    to = [row["reference"] for row in document["overall"] if row["reference"]]
    return "\n".join([*columns(rows), *reference_text(to), *(f"Note: {note}" for note in document["notes"])])


def reference_text(references: Sequence[dict[str, str]]) -> Iterator[str]:
    """Yield a sentence that says what the differences in a table are to, if it has any."""
    to = sorted({f"{one['run']} {one['agent']}" for one in references})
    if len(to) == 1:
        yield f"The difference is in percentage points, to {to[0]}. {ABOUT_BETTER}"
    elif to:
        yield (
            "The differences are in percentage points, to the same agent in an earlier run, or else to the first row. "
            f"{ABOUT_BETTER}"
        )


def difference_cells(difference: dict[str, Any] | None) -> list[str]:
    """Return a difference of two shares in percentage points, with its interval, and the probability of being better.

    One of independent scores is marked with a star.
    """
    if difference is None:
        return [NO_VALUE, NO_VALUE]
    by, low, high = (
        None if difference[end] is None else f"{100 * difference[end]:+z.1f}" for end in ("rate", "low", "high")
    )
    star = "" if difference["pairs"] else "*"
    better = NO_VALUE if difference["better"] is None else percentage(difference["better"], 1)
    return [f"{by}{star}" if low is None else f"{by} ({low} to {high}){star}", better]

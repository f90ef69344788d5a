"""The page of `duelbook eval`: an evaluation's report as text."""

from collections.abc import Iterator
from typing import Any

from duelbook.terminal.measuring import columns
from duelbook.text import plural

NOTHING = "-"


def evaluation_page(report: dict[str, Any]) -> str:
    """Answer the report for people."""
    parts = [
        _head(report),
        _results(report),
        _games(report),
        "\n".join([*_findings(report["overall"]), *(f"Note: {note}." for note in report["notes"])]),
        _spent(report["spent"]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(report: dict[str, Any]) -> str:
    plan, played, planned = report["plan"], report["overall"]["matches"], report["planned"]
    unfinished = "" if played == planned else f", of {planned:,} planned"
    seen = "shown" if plan["show_legal"] else "hidden"
    lines = [
        f"{plan['agent']}: {played:,} match{'' if played == 1 else 'es'}{unfinished}",
        f"{plural(plan['pairs'], 'pair')} a game and opponent, each played from both seats; seed {plan['seed']}",
    ]
    if report["spent"]:
        lines.append(f"up to {plan['attempts']} answers a move, legal moves {seen}")
    return "\n".join(lines)


def _results(report: dict[str, Any]) -> str:
    """Answer the wins by opponent and seat; all five games are won by the first player with best play."""
    rows = [["wins against", "as first player", "as second player"]]
    for opponent in report["plan"]["opponents"]:
        cells = [cell for cell in report["opponents"] if cell["opponent"] == opponent]
        rows.append([opponent, *(_rate(cell["win_rate"]) for cell in cells)])
    rows.append(["all", *(_rate(cell["win_rate"]) for cell in report["seats"])])
    return "\n".join(columns(rows))


def _games(report: dict[str, Any]) -> str:
    rows = [["game", "wins", "decisions that matter: kept", "mean regret", "forfeits"]]
    for cell in [*report["games"], {"game": "all"} | report["overall"]]:
        regret = NOTHING if cell["regret"] is None else f"{cell['regret']:.2f}"
        forfeits = str(sum(cell["forfeits"].values()))
        rows.append([cell["game"], _rate(cell["win_rate"]), _rate(cell["accuracy"]), regret, forfeits])
    return "\n".join(columns(rows))


def _findings(overall: dict[str, Any]) -> Iterator[str]:
    lost, never, forfeits = overall["lost_from_the_start"], overall["never_better"], overall["forfeits"]
    if lost:
        yield (
            f"Lost from the start: {lost['count']} of {lost['of']} losses ({lost['rate']:.0%}) began in a position "
            f"that best play loses; in {never['count']} of them it stayed one."
        )
    kinds = ", ".join(f"{count} {kind}" for kind, count in forfeits.items())
    yield f"Forfeits: {sum(forfeits.values())} ({kinds}), counted as losses."
    if overall["opponent_forfeits"]:
        yield f"Won by a forfeit of the opponent: {overall['opponent_forfeits']}."
    if overall["draws"] or overall["undecided"]:
        yield f"Neither won nor lost: {overall['draws']} drawn, {overall['undecided']} stopped at the ply limit."


def _spent(spent: dict[str, Any] | None) -> str:
    if not spent:
        return ""
    about = "about " if spent["estimated"] else ""
    results = ", ".join(f"{count} {result}" for result, count in spent["results"].items())
    cost = "" if spent["cost"] is None else f" Cost: {spent['cost']:.4f}."
    pace = "" if spent["median_seconds"] is None else f" Median time of a reply: {spent['median_seconds']:.2f} s."
    return (
        f"Requests: {spent['requests']:,} ({results}). Tokens: {about}{spent['tokens_read']:,} read, "
        f"{about}{spent['tokens_written']:,} written.{cost}{pace}"
    )


def _rate(share: dict[str, Any] | None) -> str:
    if share is None:
        return NOTHING
    return f"{share['rate']:.0%} ({share['low']:.0%} to {share['high']:.0%}) of {share['of']}"

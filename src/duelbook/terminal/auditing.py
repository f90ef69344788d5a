"""The page of `duelbook audit`, in Markdown; `docs/audit.md` is what it prints."""

from collections.abc import Iterable
from typing import Any

from duelbook.games import title
from duelbook.study.audit import DUELS, RANDOM_GAMES, Audit, Duel, LevelEnd, Replayed
from duelbook.study.hints import plies_text

OPENING = f"""# What the rule books promise, and what is true

`duelbook audit` prints this page. All of it is computed from the rules with their default options: from exact values,
from {RANDOM_GAMES} random games, and from {DUELS} games of each pair of agents for each seat, with 95 % intervals.
"""


def audit_page(audits: Iterable[Audit]) -> str:
    return "\n".join([OPENING, *map(_section, audits)])


def audit_json(audits: Iterable[Audit]) -> list[dict[str, Any]]:
    """Answer the audits for tools."""
    return [plain(audit) for audit in audits]


def plain(value: Any) -> Any:
    """Answer named tuples as objects, all the way down."""
    if hasattr(value, "_asdict"):
        return {name: plain(item) for name, item in value._asdict().items()}
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def _section(audit: Audit) -> str:
    seat = {"first": "The first player", "second": "The second player", "none": "Nobody"}[audit.winner]
    in_plies = "" if audit.remoteness is None else f" in {plies_text(audit.remoteness)}"
    return "\n".join(
        [
            f"## {title(audit.game)}\n",
            f"- **Does every game end?** {_end(audit)}",
            f"- **Can it end level?** {_level(audit.level_ends)}",
            f"- **Who wins under perfect play?** {seat}{in_plies}.",
            f"- **How many first moves win?** {audit.winning_first_moves} of {audit.first_moves}.",
            "- **Does a choice matter?** Some legal move gives value away in "
            f"{audit.mattering_at_random:.0%} of positions in random games, and in "
            f"{audit.mattering_in_perfect_play:.0%} in games between perfect players.",
            "- **How far does skill beat luck?**\n",
            "  | agent | against | as first player | as second player |",
            "  |---|---|---|---|",
            *_duels(audit.duels),
            "\n- **Do the book's examples follow its rules?**",
            *(f"  - {_example(replayed)}" for replayed in audit.examples),
            "",
        ]
    )


def _end(audit: Audit) -> str:
    if audit.shape.longest is not None:
        return f"Yes, after {plies_text(audit.shape.longest)} at the most."
    lead = f"After `{', '.join(audit.shape.lead)}` the" if audit.shape.lead else "The"
    return f"No. {lead} moves `{', '.join(audit.shape.cycle)}` lead back to where they began."


def _level(ends: tuple[LevelEnd, ...]) -> str:
    if not ends:
        return "No, under any of its options."
    texts = (
        f"with `{end.option}` in {end.share:.1%} of random games; the shortest is `{', '.join(end.shortest)}`"
        for end in ends
    )
    default = "Yes, " if any(end.option == "default" for end in ends) else "Not by default, but "
    return f"{default}{'; '.join(texts)}."


def _duels(duels: tuple[Duel, ...]) -> Iterable[str]:
    for first, second in zip(duels[::2], duels[1::2], strict=True):
        yield f"  | {first.agent} | {first.opponent} | {_rate(first)} | {_rate(second)} |"


def _rate(duel: Duel) -> str:
    return f"{duel.rate:.0%} ({duel.low:.0%} to {duel.high:.0%})"


def _example(replayed: Replayed) -> str:
    example = replayed.example
    ruling = f" ({example.ruling})" if example.ruling else ""
    if replayed.broken_at:
        move = example.moves[replayed.broken_at - 1]
        return f"{example.title}: no, move {replayed.broken_at}, `{move}`, is not legal{ruling}."
    if example.winner and replayed.winner != example.winner:
        return f"{example.title}: no, the book has another winner{ruling}."
    return f"{example.title}: yes{ruling}."

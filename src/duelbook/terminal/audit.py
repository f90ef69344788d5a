"""The page of `duelbook audit`, in Markdown; `docs/audit.md` is what it prints."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from duelbook.games import title
from duelbook.study import audit_by_play
from duelbook.study.audit import DUEL_GAMES, RANDOM_GAMES, Audit, Duel, PossibleDraw, ReplayedExample
from duelbook.study.audit_by_play import AuditByPlay, RandomGameShare
from duelbook.study.hints import plies_text
from duelbook.text import percentage

OPENING = f"""# What the rule books promise, and what is true

`duelbook audit` prints this page. Everything is computed from the rules with their default options: from exact values,
from {RANDOM_GAMES} random games, and from {DUEL_GAMES} games for each pair of agents and each seat,
with 95% intervals. A ply is one move by one player. Where the start of a game is drawn, all this is measured over
several drawn starts, always the same ones (`--drawn-starts`).
"""
SEATS = {"first": "The first player", "second": "The second player", "none": "Nobody"}


def audit_page(audits: Iterable[Audit | AuditByPlay]) -> str:
    """Return the audits as a Markdown page."""
    return "\n".join([OPENING, *map(_section, audits)])


def audit_json(audits: Iterable[Audit | AuditByPlay]) -> list[dict[str, Any]]:
    """Return the audits as JSON values."""
    return [_plain(audit) for audit in audits]


def _plain(value: Any) -> Any:
    """Return the value with named tuples as objects, at every depth."""
    if hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _section(audit: Audit | AuditByPlay) -> str:
    if isinstance(audit, AuditByPlay):
        return _section_by_play(audit)
    return "\n".join(
        [
            f"## {title(audit.game)}\n",
            f"- **Does every game end?** {_end(audit)}",
            f"- **Can it end in a draw?** {_draws(audit)}",
            f"- **Who wins under perfect play?** {_winner(audit)}",
            f"- **How many first moves win?** {_first_moves(audit)}",
            "- **Does a choice matter?** In "
            f"{audit.mattering_at_random:.0%} of the positions of random games, and in "
            f"{audit.mattering_in_perfect_play:.0%} of those of games between perfect players, some legal move makes "
            "the result worse.",
            *_skill_and_examples(audit),
        ]
    )


def _section_by_play(audit: AuditByPlay) -> str:
    ended = (
        f"All of {RANDOM_GAMES} random games do"
        if not audit.unfinished
        else f"{RANDOM_GAMES - audit.unfinished} of {RANDOM_GAMES} random games do; the others were stopped"
    )
    return "\n".join(
        [
            f"## {title(audit.game)}\n",
            "This game is too large to be solved here. What follows is measured by play, and proves nothing.\n",
            f"- **Does every game end?** {ended}. They take {audit.shortest} to {plies_text(audit.longest)}, "
            f"{audit.mean:.1f} on average.",
            f"- **Can it end in a draw?** {_share(audit.draws)} of the random games do.",
            f"- **Who wins?** In random games the first player wins {_share(audit.first_wins)}, the second player "
            f"{_share(audit.second_wins)}. Who wins under perfect play is not known.",
            f"- **How many first moves are there?** {audit.first_moves}.",
            *_skill_and_examples(audit),
        ]
    )


def _skill_and_examples(audit: Audit | AuditByPlay) -> Iterable[str]:
    played = f" (in {audit_by_play.DUEL_GAMES} games for each seat)" if isinstance(audit, AuditByPlay) else ""
    return [
        f"- **How far does skill beat luck?**{played}\n",
        "  | agent | against | as first player | as second player |",
        "  |---|---|---|---|",
        *_duels(audit.duels),
        "\n- **Do the book's examples follow its rules?**",
        *(f"  - {_example(replayed)}" for replayed in audit.examples),
        "",
    ]


def _winner(audit: Audit) -> str:
    in_plies = "" if audit.remoteness is None else f" in {plies_text(audit.remoteness)}"
    found = f"{SEATS[audit.winner]}{in_plies}"
    if not audit.drawn_starts:
        return f"{found}."
    wins = Counter(start.winner for start in audit.drawn_starts)
    counts = ", ".join(f"{seat.lower()} in {wins[name]}" for name, seat in SEATS.items() if wins[name])
    starts = ", ".join(f"`{start.drawn}`" for start in audit.drawn_starts)
    return f"{found} from the default start; of {len(audit.drawn_starts)} drawn starts ({starts}) {counts}."


def _first_moves(audit: Audit) -> str:
    starts = audit.drawn_starts
    if not starts:
        return f"{audit.winning_first_moves} of {audit.first_moves}."
    winning = sum(start.winning_first_moves for start in starts) / len(starts)
    legal = sum(start.first_moves for start in starts) / len(starts)
    return f"{winning:.1f} of {legal:.1f} on average over the drawn starts."


def _end(audit: Audit) -> str:
    if audit.shape.longest is not None:
        return f"Yes, after at most {plies_text(audit.shape.longest)}."
    lead = f"After `{', '.join(audit.shape.lead)}` the" if audit.shape.lead else "The"
    return f"No. {lead} moves `{', '.join(audit.shape.cycle)}` lead back to the same position."


def _draws(audit: Audit) -> str:
    ends = audit.level_ends
    if not ends:
        *most, last = ("", *(f"`{options}`" for options in audit.sought_draws if options != "default"))
        others = " or ".join(filter(None, (", ".join(filter(None, most)), last)))
        tried = f"Not with the default options{f', nor with {others}' if others else ''}"
        starts = f", from {len(audit.drawn_starts)} drawn starts" if audit.drawn_starts else ""
        return f"{tried}{starts}. Nothing else was looked at."
    texts = (
        f"{_options(end)} in {end.share:.1%} of random games; the shortest is `{', '.join(end.shortest)}`"
        for end in ends
    )
    default = "Yes, " if any(end.option == "default" for end in ends) else "Not by default, but "
    return f"{default}{'; '.join(texts)}."


def _options(end: PossibleDraw) -> str:
    return "with the default options" if end.option == "default" else f"with `{end.option}`"


def _duels(duels: tuple[Duel, ...]) -> Iterable[str]:
    for first, second in zip(duels[::2], duels[1::2], strict=True):
        yield f"  | {first.agent} | {first.opponent} | {_rate(first)} | {_rate(second)} |"


def _rate(duel: Duel) -> str:
    return _share(RandomGameShare(duel.rate, duel.low, duel.high))


def _share(share: RandomGameShare) -> str:
    return f"{percentage(share.rate)} ({percentage(share.low)} to {percentage(share.high)})"


def _example(replayed: ReplayedExample) -> str:
    example = replayed.example
    ruling = f" ({example.ruling})" if example.ruling else ""
    if replayed.broken_at:
        move = example.moves[replayed.broken_at - 1]
        return f"{example.title}: no, move {replayed.broken_at}, `{move}`, is not legal{ruling}."
    if example.winner and replayed.winner != example.winner:
        return f"{example.title}: no, the book has another winner{ruling}."
    return f"{example.title}: yes{ruling}."
